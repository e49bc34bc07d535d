//! A film that asks for a loudness is as loud as its render.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not there")]

use std::f64::consts::TAU;

use rondo_player::Player;
use serde_json::{Value, json};

const RATE: u32 = 48_000;

/// Ten seconds of a tone; `volume` is that of its overlay.
fn film(loudness: Option<f64>, volume: f64) -> Value {
    json!({
        "inputProps": {
            "width": 160, "height": 90, "fps": 30, "durationInFrames": 300,
            "overlays": [{"id": 1, "type": "sound", "from": 0, "durationInFrames": 300, "row": 0, "left": 0, "top": 0,
                          "width": 10, "height": 10, "src": "tone.wav", "styles": {"volume": volume}}],
        },
        "audio": loudness.map_or_else(|| json!({}), |loudness| json!({"loudness": loudness})),
    })
}

/// A sine of 997 Hz and −20 dBFS, which measures −20 LUFS.
fn tone(from: f64, to: f64) -> Vec<f32> {
    let frame = |second: f64| (second.min(12.0) * f64::from(RATE)) as u64;
    let sample = |at: u64| 0.1 * (TAU * 997.0 * at as f64 / f64::from(RATE)).sin() as f32;
    (frame(from)..frame(to)).flat_map(|at| [sample(at); 2]).collect()
}

fn open(player: &mut Player, film: &Value) {
    player.open(film, None).unwrap();
    player.sound("tone.wav");
}

/// Measures as the page does; returns the pieces it took.
fn measure(player: &mut Player) -> usize {
    let mut pieces = 0;
    while let Some(needs) = player.needs_level(2.0) {
        for need in needs {
            player.samples(&need.src, need.from, RATE, 2, &tone(need.from, need.to));
        }
        player.measure(2.0);
        pieces += 1;
        assert!(pieces < 100, "measuring ends");
    }
    pieces
}

/// The largest sample of a second.
fn peak(player: &mut Player) -> f32 {
    player.mix_from(60);
    for need in player.needs_sound(1.0) {
        player.samples(&need.src, need.from, RATE, 2, &tone(need.from, need.to));
    }
    player.mix(RATE as usize).unwrap().iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

#[test]
fn a_film_is_brought_to_the_loudness_it_asks_for() {
    let mut player = Player::new("").unwrap();
    open(&mut player, &film(Some(-26.0), 1.0));
    assert!((peak(&mut player) - 0.1).abs() < 0.002, "nothing is measured yet");
    assert_eq!(measure(&mut player), 5);
    assert!((peak(&mut player) - 0.0501).abs() < 0.001, "{}", peak(&mut player));
}

#[test]
fn a_film_that_sounds_the_same_is_not_measured_again() {
    let mut player = Player::new("").unwrap();
    open(&mut player, &film(Some(-26.0), 1.0));
    measure(&mut player);
    let mut moved = film(Some(-26.0), 1.0);
    moved["inputProps"]["backgroundColor"] = json!("#ff0000");
    open(&mut player, &moved);
    assert_eq!(measure(&mut player), 0);
    open(&mut player, &film(Some(-26.0), 0.5));
    assert_eq!(measure(&mut player), 5, "another volume is another mix");
    assert!((peak(&mut player) - 0.0501).abs() < 0.001);
}

#[test]
fn films_that_ask_for_no_loudness_are_not_measured() {
    let mut player = Player::new("").unwrap();
    open(&mut player, &film(None, 1.0));
    assert_eq!(measure(&mut player), 0);
    assert!((peak(&mut player) - 0.1).abs() < 0.002);
}
