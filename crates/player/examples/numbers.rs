//! Prints where the overlays of a film are and writes what is heard of it, for comparison with the same in WebAssembly:
//!
//!     numbers COMPOSITION SOUND
//!
//! Each line is a frame: the corners of its overlays as JSON. SOUND gets the mix as 32-bit floats; all sources are noise.

#![allow(clippy::unwrap_used, reason = "a tool for tests")]

use rondo_player::Player;
use serde_json::{Value, json};

const SOURCE_RATE: u32 = 44_100;
const SOURCE_SECONDS: u32 = 8;
const RATE: usize = 48_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, sound] = arguments.as_slice() else { panic!("COMPOSITION and SOUND are missing") };
    let film: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut player = Player::new("").unwrap();
    let opened = player.open(&film, None).unwrap();
    let frames = opened.composition.duration;
    let seconds = (f64::from(frames) / f64::from(opened.composition.fps)).ceil() as usize;
    let sources: Vec<String> = opened.media.into_iter().map(|(_, src, _)| src).collect();
    for frame in 0..frames {
        let areas = player.areas(frame);
        let corners: Value =
            areas.iter().map(|area| json!(area.corners.map(|corner| [corner.x, corner.y]))).collect();
        println!("{corners}");
    }
    let noise: Vec<f32> = (0..2 * SOURCE_RATE * SOURCE_SECONDS).map(noise).collect();
    for src in &sources {
        player.sound(src);
        player.samples(src, 0.0, SOURCE_RATE, 2, &noise);
        player.samples(src, f64::from(SOURCE_SECONDS), SOURCE_RATE, 2, &[]);
    }
    while player.needs_level(1.0).is_some() {
        player.measure(1.0);
    }
    player.mix_from(0);
    let mut mix = Vec::new();
    for _ in 0..seconds {
        mix.extend(player.mix(RATE).unwrap().iter().flat_map(|sample| sample.to_le_bytes()));
    }
    std::fs::write(sound, mix).unwrap();
}

/// A number from −1 to 1 that 32-bit floats hold exactly.
fn noise(index: u32) -> f32 {
    f32::from((index.wrapping_mul(2_654_435_761) >> 16) as i16) / 32_768.0
}
