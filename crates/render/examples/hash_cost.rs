//! What the hashes in chunk keys cost:
//!
//!     cargo run --release -p rondo-render --example hash_cost -- bench/films/*.json
//!
//! Prints how fast BLAKE3 is, beside XXH3 as the hash before it, and for each film the time of its display lists with and without
//! their hashes, and of hashing the media that it names.

#![allow(clippy::unwrap_used, reason = "a tool for developers")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use rondo_composition::{Limits, read_composition_or_request};
use rondo_render::{FontSettings, load_fonts};
use rondo_scene::{ClipInfo, MediaInfo, Scene, World};
use rondo_text::TextEngine;
use xxhash_rust::xxh3::xxh3_128;

/// Times of which the best counts.
const TURNS: u32 = 5;

/// Every source is a clip or picture of Full HD.
struct Assumed;

impl World for Assumed {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let clip = src.ends_with(".mp4").then_some(ClipInfo { duration: 3600.0, timetable: None });
        Some(MediaInfo { source: 0, key: Default::default(), width: 1920, height: 1080, scale: 1.0, clip })
    }
}

/// The best time of `work` in milliseconds.
fn best(mut work: impl FnMut()) -> f64 {
    let turns = (0..TURNS).map(|_| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64() * 1000.0
    });
    turns.fold(f64::INFINITY, f64::min)
}

fn main() {
    let megabyte: Vec<u8> = (0..1 << 20).map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for size in [1 << 10, 16 << 10, 1 << 20] {
        let rate = |hash: &dyn Fn(&[u8])| 1.048_576 / best(|| megabyte.chunks(size).for_each(hash));
        let blake3 = rate(&|bytes| {
            black_box(blake3::hash(bytes));
        });
        let xxh3 = rate(&|bytes| {
            black_box(xxh3_128(bytes));
        });
        println!("blocks of {size} bytes: BLAKE3 {blake3:.2} GB/s, XXH3 {xxh3:.2} GB/s");
    }
    let (fonts, _) = load_fonts(&FontSettings::default());
    for path in std::env::args().skip(1) {
        let value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let composition = read_composition_or_request(&value, Limits::WIDEST).unwrap().composition;
        let scene = Scene::new(&composition, &mut TextEngine::new(fonts.clone()), &Assumed).0;
        let frames = scene.duration();
        let each = |ms: f64| ms * 1000.0 / f64::from(frames);
        let lists = each(best(|| {
            for frame in 0..frames {
                black_box(scene.frame(frame));
            }
        }));
        let hashed = each(best(|| {
            for frame in 0..frames {
                black_box(scene.frame(frame).hash());
            }
        }));
        let mut names: Vec<String> = composition
            .overlays
            .iter()
            .flat_map(|overlay| overlay.media())
            .map(|source| source.address.to_owned())
            .collect();
        names.sort();
        names.dedup();
        let folder = Path::new(&path).parent().unwrap();
        let media: Vec<Vec<u8>> =
            names.iter().filter_map(|name| std::fs::read(folder.join(name)).ok()).collect();
        let bytes: usize = media.iter().map(Vec::len).sum();
        let time = best(|| {
            for file in &media {
                black_box(blake3::hash(file));
            }
        });
        println!(
            "{path}: {frames} frames, display list {lists:.1} µs, with its hash {hashed:.1} µs; media {:.1} MB, hashed in {time:.1} ms",
            bytes as f64 / 1e6
        );
    }
}
