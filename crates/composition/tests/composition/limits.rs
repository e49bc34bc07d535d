//! How large a film may be.

use crate::common::{problem, read, refused, with_overlay};
use rondo_composition::{Composition, Limits, ProblemKind};
use serde_json::{Value, json};

fn canvas(width: u32, height: u32) -> Value {
    json!({"overlays": [], "durationInFrames": 1, "width": width, "height": height})
}

#[test]
fn sides_reach_from_16_to_4096_and_area_to_dci_4k() {
    for (width, height) in [(16, 16), (4096, 2160), (2160, 4096), (1921, 1081)] {
        read(&canvas(width, height));
    }
    for (width, height) in [(15, 16), (4097, 16), (0, 100), (4096, 4096)] {
        assert_eq!(problem(&canvas(width, height)).kind, ProblemKind::OutOfRange, "{width}×{height}");
    }
}

#[test]
fn length_is_limited_by_the_plan_and_never_beyond_three_hours() {
    let film = |frames: u32, fps: u32| json!({"overlays": [], "durationInFrames": frames, "fps": fps});
    read(&film(60 * 60 * 30, 30));
    let too_long = problem(&film(60 * 60 * 30 + 1, 30));
    assert_eq!((too_long.kind, too_long.path.as_str()), (ProblemKind::OutOfRange, "durationInFrames"));
    assert!(too_long.to_string().contains("60 minutes"), "{too_long}");

    assert!(Composition::read(&film(3 * 3600 * 60, 60), Limits::WIDEST).is_ok());
    assert!(Composition::read(&film(3 * 3600 * 24 + 1, 24), Limits { minutes: 1000 }).is_err());
    assert!(Composition::read(&film(648_001, 120), Limits::WIDEST).is_err());
    assert_eq!(problem(&film(0, 30)).kind, ProblemKind::OutOfRange);
}

#[test]
fn a_film_has_at_most_500_overlays() {
    let overlays = |count: u32| {
        let overlays: Vec<Value> = (0..count)
            .map(|id| {
                let mut film = with_overlay(json!({"type": "shape", "content": "circle", "id": id}));
                film["overlays"][0].take()
            })
            .collect();
        json!({"overlays": overlays, "durationInFrames": 30})
    };
    read(&overlays(500));
    let problem = problem(&overlays(501));
    assert_eq!((problem.kind, problem.path.as_str()), (ProblemKind::TooManyOverlays, "overlays"));
}

#[test]
fn content_has_at_most_20_000_characters_whatever_their_bytes() {
    let text = |length: usize| with_overlay(json!({"type": "text", "content": "é".repeat(length)}));
    read(&text(20_000));
    assert_eq!(problem(&text(20_001)).kind, ProblemKind::OutOfRange);
}

#[test]
fn a_film_has_at_most_10_000_caption_words() {
    let captions = |words: usize| {
        let text = vec!["a"; words / 2].join(" ");
        let caption = json!({"text": text, "startMs": 0, "endMs": 1, "words": []});
        with_overlay(json!({"type": "caption", "captions": [caption, caption]}))
    };
    read(&captions(10_000));
    assert_eq!(problem(&captions(10_002)).kind, ProblemKind::CompositionTooLarge);
}

#[test]
fn hostile_input_gathers_a_bounded_number_of_problems() {
    let film = with_overlay(json!({"type": "caption", "captions": vec![1; 100_000]}));
    assert!(refused(&film).problems().len() <= 1000);
}
