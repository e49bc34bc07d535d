//! Chunks: the same film after cached, lost, damaged or interrupted chunks, and no work done twice.

mod common;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use common::*;
use rondo_render::{
    CacheStats, ChunkCache, ChunkCount, ChunkStore, Output, Progress, Quality, RenderError, RenderOptions,
    Report, Wanted,
};
use serde_json::{Value, json};

/// Six scenes of 3 s with a title each, a moving shape in front of them, and a tone all along.
fn template(studio: &Studio, titles: [&str; 6]) -> Value {
    if !studio.path("tone.wav").exists() {
        studio.wav("tone.wav", 48_000, 1, 18 * 48_000, |frame| tone(440.0, 0.4, frame as f64 / 48_000.0));
    }
    let mut overlays = vec![
        overlay(1, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "tone.wav"})),
        overlay(
            2,
            "shape",
            [4.0, 60.0, 20.0, 20.0],
            json!({"content": "star", "styles": {"animation": {"during": "spin"}}}),
        ),
    ];
    for (scene, title) in titles.iter().enumerate() {
        let time = json!({"from": scene * 60, "durationInFrames": 60, "row": 2});
        let mut ground = overlay(10 + scene as u32, "shape", [0.0, 0.0, 160.0, 96.0], time.clone());
        ground["content"] = json!("rectangle");
        ground["styles"] = json!({"fill": format!("hsl({}, 60%, 80%)", scene * 60)});
        let mut text = overlay(20 + scene as u32, "text", [10.0, 10.0, 140.0, 40.0], time);
        (text["row"], text["content"]) = (json!(1), json!(title));
        text["styles"] = json!({"animation": {"enter": "slide-up", "exit": "fade"}});
        overlays.extend([ground, text]);
    }
    composition([160, 96], 20, 360, &overlays)
}

const TITLES: [&str; 6] = ["One", "Two", "Three", "Four", "Five", "Six"];

/// A slide that nothing moves on.
fn slide(seconds: u32) -> Value {
    let text = json!({"content": "Standing still", "styles": {"color": "#0f172a"}});
    composition([160, 96], 20, seconds * 20, &[overlay(1, "text", [10.0, 10.0, 140.0, 60.0], text)])
}

fn with_cache(cache: &ChunkCache) -> RenderOptions {
    RenderOptions { chunks: Some(Arc::new(cache.clone())), ..RenderOptions::default() }
}

fn render(studio: &Studio, composition: &Value, options: &RenderOptions) -> (Vec<u8>, Report) {
    let path = studio.path("film.mp4");
    let never = AtomicBool::new(false);
    let report = studio
        .film(composition)
        .render(&Output::File(path.clone()), options, &mut |_| {}, &never)
        .expect("renders");
    assert_eq!(report.cache_problem, None);
    (std::fs::read(path).expect("a film"), report)
}

fn cache(studio: &Studio, limit: u64) -> ChunkCache {
    ChunkCache::open(&studio.path("chunks"), limit).expect("a cache")
}

/// Every chunk file of a cache.
fn chunk_files(cache: &ChunkCache) -> Vec<PathBuf> {
    let shelves = std::fs::read_dir(cache.folder()).expect("a folder");
    let mut files: Vec<PathBuf> = shelves
        .flat_map(|shelf| std::fs::read_dir(shelf.expect("an entry").path()).expect("a folder"))
        .map(|file| file.expect("an entry").path())
        .collect();
    files.sort();
    files
}

fn count(total: u32, rendered: u32) -> ChunkCount {
    ChunkCount { total, rendered, reused: total - rendered }
}

#[test]
fn film_has_the_same_bytes_with_any_number_of_workers_with_and_without_a_cache() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let (plain, report) = render(&studio, &film, &RenderOptions::default());
    assert_eq!(report.chunks, count(6, 6));
    for workers in [1, 2, 5] {
        let options = RenderOptions { workers: NonZeroUsize::new(workers), ..RenderOptions::default() };
        assert!(render(&studio, &film, &options).0 == plain, "{workers} workers");
    }
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    for rendered in [6, 0] {
        let (bytes, report) = render(&studio, &film, &with_cache(&cache));
        assert_eq!(report.chunks, count(6, rendered));
        assert!(bytes == plain, "{rendered} chunks rendered");
    }
}

#[test]
fn frames_are_those_of_the_scene_on_both_sides_of_every_seam() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "20", 400, "", LONG_GOP);
    let overlays = [overlay(1, "video", [0.0, 0.0, 160.0, 32.0], json!({"src": "clip.mp4"}))];
    let film = composition([160, 32], 20, 400, &overlays);
    for workers in [1, 3] {
        let options = RenderOptions { workers: NonZeroUsize::new(workers), ..RenderOptions::default() };
        let (_, report) = render(&studio, &film, &options);
        assert_eq!(report.chunks, count(4, 4));
        let frames = decode_frames(&studio.path("film.mp4"), 160, 32);
        let shown: Vec<u32> = frames.iter().map(|frame| number(frame, 160, 3, 0, 0)).collect();
        assert_eq!(shown, (0..400).collect::<Vec<u32>>());
    }
}

#[test]
fn change_of_one_text_renders_only_the_chunk_that_shows_it() {
    let studio = Studio::new();
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    render(&studio, &template(&studio, TITLES), &with_cache(&cache));
    let changed = template(&studio, ["One", "Two", "Three", "For", "Five", "Six"]);
    let (bytes, report) = render(&studio, &changed, &with_cache(&cache));
    assert_eq!(report.chunks, count(6, 1));
    assert!(bytes == render(&studio, &changed, &RenderOptions::default()).0, "as if rendered afresh");
}

#[test]
fn chunks_are_found_at_any_position_in_time() {
    let studio = Studio::new();
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    let mut film = template(&studio, TITLES);
    film["overlays"].as_array_mut().expect("overlays").remove(1);
    render(&studio, &film, &with_cache(&cache));
    for overlay in film["overlays"].as_array_mut().expect("overlays") {
        if overlay["type"] != "sound" {
            overlay["from"] = json!((overlay["from"].as_u64().expect("a frame") + 120) % 360);
        }
    }
    assert_eq!(render(&studio, &film, &with_cache(&cache)).1.chunks, count(6, 0));
}

#[test]
fn still_stretch_is_encoded_once_and_repeated() {
    let studio = Studio::new();
    let (_, report) = render(&studio, &slide(40), &RenderOptions::default());
    assert_eq!(report.chunks, count(8, 1));
    let frames = decode_frames(&studio.path("film.mp4"), 160, 96);
    assert_eq!(frames.len(), 800);
    assert!(frames.chunks(100).all(|chunk| chunk == &frames[..100]), "every chunk shows the same");
}

#[test]
fn chunk_keys_depend_on_quality_size_and_frame_rate() {
    let studio = Studio::new();
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    let film = slide(2);
    render(&studio, &film, &with_cache(&cache));
    let draft = RenderOptions {
        wanted: Wanted { quality: Quality::Draft, ..Wanted::default() },
        ..with_cache(&cache)
    };
    assert_eq!(render(&studio, &film, &draft).1.chunks, count(1, 1));
    for (field, value) in [("width", 162), ("height", 98), ("fps", 21)] {
        let mut other = film.clone();
        other[field] = json!(value);
        assert_eq!(render(&studio, &other, &with_cache(&cache)).1.chunks, count(1, 1), "{field}");
    }
}

#[test]
fn chunks_with_and_without_repeated_frames_are_told_apart_where_they_differ() {
    let studio = Studio::new();
    for (quality, rendered_again) in [(Quality::Standard, 1), (Quality::Draft, 0)] {
        let wanted = Wanted { quality, ..Wanted::default() };
        let chunks = ChunkCache::open(&studio.path(&format!("{quality:?}")), 1 << 30).expect("a cache");
        let chunks = Some(Arc::new(chunks) as Arc<dyn ChunkStore>);
        let options = RenderOptions { wanted, chunks, ..RenderOptions::default() };
        let every_frame = RenderOptions { encode_every_frame: true, ..options.clone() };
        let (with_repeats, first) = render(&studio, &slide(10), &options);
        let (plain, second) = render(&studio, &slide(10), &every_frame);
        assert_eq!(first.chunks.rendered, 1);
        assert_eq!(second.chunks.rendered, rendered_again, "{quality:?}");
        // Draft films have no repeats.
        assert_eq!(plain == with_repeats, rendered_again == 0, "{quality:?}");
        let again = RenderOptions { chunks: None, ..every_frame };
        assert!(render(&studio, &slide(10), &again).0 == plain, "{quality:?}");
    }
}

#[test]
fn other_bytes_under_the_same_name_size_and_date_are_another_clip() {
    let day = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let films: Vec<(PathBuf, Studio)> = ["0x102030", "0xd0c0b0"]
        .iter()
        .map(|color| {
            let studio = Studio::new();
            let source = format!("color={color}:s=160x96:r=20");
            studio.ffmpeg(&["-f", "lavfi", "-i", &source, "-frames:v", "20", "-c:v", "rawvideo"], "clip.avi");
            let clip = std::fs::File::open(studio.path("clip.avi")).expect("a clip");
            clip.set_modified(day).expect("a date");
            (studio.path("clip.avi"), studio)
        })
        .collect();
    let length = |index: usize| std::fs::metadata(&films[index].0).expect("a file").len();
    assert_eq!(length(0), length(1));
    let overlays = [overlay(1, "video", [0.0, 0.0, 160.0, 96.0], json!({"src": "clip.avi"}))];
    let film = composition([160, 96], 20, 20, &overlays);
    let cache = cache(&films[0].1, ChunkCache::DEFAULT_LIMIT);
    assert_eq!(render(&films[0].1, &film, &with_cache(&cache)).1.chunks, count(1, 1));
    assert_eq!(render(&films[1].1, &film, &with_cache(&cache)).1.chunks, count(1, 1), "another clip");
    let copy = Studio::new();
    std::fs::copy(&films[0].0, copy.path("clip.avi")).expect("copies");
    assert_eq!(render(&copy, &film, &with_cache(&cache)).1.chunks, count(1, 0), "the same clip elsewhere");
}

#[test]
fn cancelled_render_goes_on_from_its_finished_chunks() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let (whole, _) = render(&studio, &film, &RenderOptions::default());
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    let cancel = AtomicBool::new(false);
    let cancelled = studio.film(&film).render(
        &Output::File(studio.path("cancelled.mp4")),
        &with_cache(&cache),
        &mut |progress| cancel.store(progress.chunks.rendered == 2, Ordering::Relaxed),
        &cancel,
    );
    assert!(matches!(cancelled, Err(RenderError::Cancelled)));
    assert!(!studio.path("cancelled.mp4").exists());
    let kept = cache.stats().expect("stats").chunks as u32;
    assert!((2..6).contains(&kept), "{kept} chunks were finished");
    let (bytes, report) = render(&studio, &film, &with_cache(&cache));
    assert_eq!(report.chunks, count(6, 6 - kept));
    assert!(bytes == whole);
}

#[test]
fn two_renders_of_one_film_at_the_same_time_share_its_chunks() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let alone = render(&studio, &film, &RenderOptions::default()).0;
    let together = |name: &str| {
        // Each with a view of the folder of its own, as processes have.
        let options = with_cache(&cache(&studio, 1 << 30));
        let path = studio.path(name);
        let report = studio
            .film(&film)
            .render(&Output::File(path.clone()), &options, &mut |_| {}, &AtomicBool::new(false))
            .expect("renders");
        assert!(std::fs::read(path).expect("a film") == alone, "{name} differs");
        report.chunks
    };
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| together("other.mp4"));
        (together("one.mp4"), other.join().expect("renders"))
    });
    assert_eq!(one.rendered + other.rendered, one.total, "every chunk is made once: {one:?}, {other:?}");
    let left = chunk_files(&cache(&studio, 1 << 30));
    assert!(left.iter().all(|file| file.extension().is_some_and(|e| e == "chunk")), "{left:?}");
}

#[test]
fn progress_never_goes_back_and_counts_frames_that_were_there() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    render(&studio, &film, &with_cache(&cache));
    std::fs::remove_file(&chunk_files(&cache)[0]).expect("removes");
    let mut seen: Vec<Progress> = Vec::new();
    let never = AtomicBool::new(false);
    let output = Output::File(studio.path("film.mp4"));
    studio.film(&film).render(&output, &with_cache(&cache), &mut |p| seen.push(p), &never).expect("renders");
    let done = |p: &Progress| (p.frame, p.chunks.rendered, p.chunks.reused);
    assert!(seen.windows(2).all(|pair| {
        let (before, after) = (done(&pair[0]), done(&pair[1]));
        before.0 <= after.0 && before.1 <= after.1 && before.2 <= after.2
    }));
    let last = seen.last().expect("progress");
    assert_eq!((last.frame, last.total, last.chunks), (360, 360, count(6, 1)));
    assert_eq!(seen.len(), 60 + 6, "each painted frame and each finished chunk");
}

#[test]
fn damaged_cut_and_foreign_chunk_files_are_made_again() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    let (whole, _) = render(&studio, &film, &with_cache(&cache));
    let files = chunk_files(&cache);
    let before: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("reads")).collect();
    let mut flipped = before[0].clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for (file, bytes) in files.iter().zip([&flipped[..], &before[1][..100], b"", &before[4][..]]) {
        std::fs::write(file, bytes).expect("writes");
    }
    let (bytes, report) = render(&studio, &film, &with_cache(&cache));
    assert_eq!(report.chunks, count(6, 4));
    assert!(bytes == whole);
    let after: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("reads")).collect();
    assert!(after == before, "the files are whole again");
}

#[test]
fn cache_stays_below_its_limit_and_keeps_what_was_used_last() {
    let studio = Studio::new();
    let roomy = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    render(&studio, &slide(2), &with_cache(&roomy));
    let one = roomy.stats().expect("stats");
    assert_eq!(one.chunks, 1);
    let slide_file = chunk_files(&roomy).remove(0);
    let age = |file: &Path, seconds: u64| {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        std::fs::File::open(file).and_then(|file| file.set_modified(time)).expect("a date");
    };
    let film = template(&studio, TITLES);
    render(&studio, &film, &with_cache(&roomy));
    for file in chunk_files(&roomy) {
        age(&file, 500);
    }
    age(&slide_file, 1000);
    // Using it makes it the last to go.
    assert_eq!(render(&studio, &slide(2), &with_cache(&roomy)).1.chunks, count(1, 0));
    let full = roomy.stats().expect("stats").bytes;
    let limit = full / 100 * 115;
    let tight = cache(&studio, limit);
    let other = template(&studio, ["Uno", "Due", "Tre", "Quattro", "Cinque", "Sei"]);
    assert_eq!(render(&studio, &other, &with_cache(&tight)).1.chunks, count(6, 6));
    let left = tight.stats().expect("stats");
    assert!(left.bytes <= limit && left.chunks >= 7, "{left:?} with room for {limit} bytes");
    assert!(slide_file.exists(), "it was used after the others");
    assert_eq!(render(&studio, &other, &with_cache(&tight)).1.chunks, count(6, 0), "the newest are there");
    assert!(render(&studio, &film, &with_cache(&tight)).1.chunks.rendered >= 4, "the oldest are not");
    let nothing = cache(&studio, 0);
    let (bytes, report) = render(&studio, &film, &with_cache(&nothing));
    assert!(bytes == render(&studio, &film, &RenderOptions::default()).0 && report.chunks.total == 6);
    assert_eq!(nothing.stats().expect("stats"), CacheStats::default());
}

#[test]
fn clearing_removes_chunks_and_nothing_else() {
    let studio = Studio::new();
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    render(&studio, &slide(2), &with_cache(&cache));
    for name in ["notes.txt", "photos/holiday.chunk"] {
        let path = cache.folder().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, "mine").expect("writes");
    }
    let stats = cache.stats().expect("stats");
    assert_eq!(stats.chunks, 1);
    assert_eq!(cache.clear().expect("clears"), stats);
    assert_eq!(cache.stats().expect("stats"), CacheStats::default());
    assert!(
        cache.folder().join("notes.txt").exists() && cache.folder().join("photos/holiday.chunk").exists()
    );
}

#[test]
fn unfinished_files_of_dead_processes_go_and_those_of_living_ones_stay() {
    let studio = Studio::new();
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    render(&studio, &slide(2), &with_cache(&cache));
    let beside = |name: &str| chunk_files(&cache)[0].with_file_name(name);
    let (old, new) = (beside("aa.1-1.partial"), beside("bb.2-1.partial"));
    std::fs::write(&old, "half").expect("writes");
    std::fs::write(&new, "half").expect("writes");
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    std::fs::File::open(&old).and_then(|file| file.set_modified(yesterday)).expect("a date");
    assert_eq!(cache.stats().expect("stats").chunks, 1);
    assert!(!old.exists() && new.exists());
}

#[test]
fn an_unwritable_cache_does_not_fail_the_render() {
    let studio = Studio::new();
    let film = slide(2);
    std::fs::write(studio.path("file"), "not a folder").expect("writes");
    assert!(ChunkCache::open(&studio.path("file"), 1).is_err());
    let cache = cache(&studio, ChunkCache::DEFAULT_LIMIT);
    std::fs::remove_dir(cache.folder()).expect("removes");
    std::fs::write(cache.folder(), "in the way").expect("writes");
    let never = AtomicBool::new(false);
    let output = Output::File(studio.path("film.mp4"));
    let report =
        studio.film(&film).render(&output, &with_cache(&cache), &mut |_| {}, &never).expect("renders");
    assert!(report.cache_problem.is_some_and(|problem| problem.contains("chunks")));
    assert_eq!(report.chunks, count(1, 1));
}

#[test]
fn sound_runs_on_over_every_seam() {
    let studio = Studio::new();
    let film = template(&studio, TITLES);
    let (_, report) = render(&studio, &film, &RenderOptions::default());
    assert_eq!(report.chunks.total, 6);
    let sound = Sound::decode(&studio.path("film.mp4"));
    let left = &sound.left;
    assert!(left.len() >= 18 * SAMPLE_RATE);
    // A sine of 0.4 never moves by more than this from one sample to the next; a seam with a gap would.
    let steepest = 0.4 * 440.0 * std::f64::consts::TAU / SAMPLE_RATE as f64;
    for seam in 1..6 {
        let at = seam * 3 * SAMPLE_RATE;
        for pair in left[at - 4000..at + 4000].windows(2) {
            let step = f64::from(pair[1] - pair[0]).abs();
            assert!(step < steepest * 1.2, "a jump of {step} near second {}", seam * 3);
        }
        let loudest = left[at - 200..at + 200].iter().fold(0.0f32, |loudest, v| loudest.max(v.abs()));
        assert!((0.35..0.45).contains(&loudest), "{loudest} near second {}", seam * 3);
    }
}
