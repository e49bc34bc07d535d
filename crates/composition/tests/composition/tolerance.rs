//! What is accepted although it is not of the format, and how it is remarked on.

use crate::common::{problem, read, refused, text_with_styles, with_overlay};
use rondo_composition::{OverlayKind, ProblemKind, RenderRequest, Tolerated, tolerance};
use serde_json::{Value, json};

fn tolerated(film: &Value) -> Vec<(&'static str, String)> {
    let remarks = read(film).remarks;
    assert_eq!(remarks.unknown_fields, Vec::<String>::new());
    remarks.tolerated.into_iter().map(|Tolerated { code, problem }| (code, problem.path)).collect()
}

fn written(film: &Value) -> Value {
    let written = read(film).composition.write();
    assert_eq!(read(&written).composition.write(), written);
    written["overlays"][0].clone()
}

#[test]
fn a_sticker_category_that_is_not_listed_is_ignored() {
    let sticker = |category: Value| {
        with_overlay(json!({"type": "sticker", "content": "emoji-fire", "category": category}))
    };
    let path = "overlays[0].category".to_owned();
    assert_eq!(tolerated(&sticker(json!("Animals"))), [(tolerance::STICKER_CATEGORY_UNKNOWN, path.clone())]);
    assert_eq!(written(&sticker(json!("Animals"))).get("category"), None);
    assert_eq!(tolerated(&sticker(json!(7))), [(tolerance::STICKER_CATEGORY_UNKNOWN, path)]);
    assert_eq!(tolerated(&sticker(json!("Emojis"))), []);
}

#[test]
fn an_animation_of_another_shape_is_ignored_on_every_type() {
    let overlays = [
        json!({"type": "text", "content": "Hi"}),
        json!({"type": "image", "src": "a.png"}),
        json!({"type": "video", "src": "a.mp4"}),
        json!({"type": "shape", "content": "star"}),
        json!({"type": "sticker", "content": "emoji-fire"}),
        json!({"type": "caption", "captions": []}),
        json!({"type": "effect", "content": "snow"}),
    ];
    let odd =
        [json!("fadeIn 1s"), json!(7), json!(true), json!(["fade"]), json!({"type": "fade", "duration": 1})];
    for overlay in overlays {
        for animation in &odd {
            let mut overlay = overlay.clone();
            overlay["styles"] = json!({"animation": animation});
            let film = with_overlay(overlay);
            let path = "overlays[0].styles.animation".to_owned();
            assert_eq!(tolerated(&film), [(tolerance::ANIMATION_IGNORED, path)], "{film}");
            assert_eq!(written(&film).pointer("/styles/animation"), None);
        }
    }
}

#[test]
fn the_readable_fields_of_an_animation_are_kept() {
    let film = text_with_styles(json!({"animation": {"enter": "fade", "enterDuration": "1s", "exit": {}}}));
    let remarks = read(&film).remarks.tolerated;
    let sentences: Vec<String> = remarks.iter().map(|tolerated| tolerated.problem.to_string()).collect();
    assert_eq!(
        sentences,
        [
            "`overlays[0].styles.animation.exit` must be a string or a number, got an object.",
            "`overlays[0].styles.animation.enterDuration` must be a number, got \"1s\".",
        ]
    );
    assert_eq!(written(&film)["styles"]["animation"], json!({"enter": "fade"}));
}

#[test]
fn a_clip_of_an_older_editor_is_a_video() {
    let film = with_overlay(json!({"type": "clip", "src": "a.mp4", "videoStartTime": 2}));
    assert_eq!(tolerated(&film), [(tolerance::OVERLAY_TYPE_RENAMED, "overlays[0].type".to_owned())]);
    assert_eq!(written(&film)["type"], "video");
    let other = problem(&with_overlay(json!({"type": "Clip", "src": "a.mp4"})));
    assert_eq!(other.kind, ProblemKind::UnknownOverlayType);
}

#[test]
fn ids_may_be_numbers_in_strings() {
    for (id, number) in [("12", json!(12)), (" 7 ", json!(7)), ("1.5", json!(1.5)), ("-0", json!(0))] {
        let film = with_overlay(json!({"type": "shape", "content": "star", "id": id}));
        assert_eq!(written(&film)["id"], number);
        assert_eq!(tolerated(&film), []);
    }
    for id in ["", "a12", "0x10", "NaN", "infinity", "1e999", "12px"] {
        let problem = problem(&with_overlay(json!({"type": "shape", "content": "star", "id": id})));
        assert_eq!((problem.path.as_str(), problem.kind), ("overlays[0].id", ProblemKind::WrongType), "{id}");
    }
}

#[test]
fn an_id_is_a_duplicate_however_it_is_written() {
    let mut film = with_overlay(json!({"type": "shape", "content": "star", "id": 12}));
    let mut second = film["overlays"][0].clone();
    second["id"] = json!("12.0");
    film["overlays"].as_array_mut().unwrap().push(second);
    let kinds: Vec<ProblemKind> = refused(&film).problems().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [ProblemKind::DuplicateOverlayId]);
}

#[test]
fn lengths_are_pixels_when_they_are_bare_numbers() {
    let px = |film: Value, keys: &[&str]| {
        let overlay = written(&film);
        for key in keys {
            assert_eq!(overlay["styles"][key], "24px", "{key}");
        }
    };
    let styles = |keys: &[&str]| -> Value { keys.iter().map(|key| ((*key).to_owned(), json!(24))).collect() };
    let text =
        ["padding", "borderRadius", "letterSpacing", "border", "WebkitTextStroke", "WebkitTextStrokeWidth"];
    px(text_with_styles(styles(&text)), &text);
    let media = ["padding", "borderRadius", "border", "objectPosition"];
    px(with_overlay(json!({"type": "image", "src": "a.png", "styles": styles(&media)})), &media);
    px(with_overlay(json!({"type": "video", "src": "a.mp4", "styles": styles(&media)})), &media);
    let shape = ["borderRadius"];
    px(with_overlay(json!({"type": "shape", "content": "star", "styles": styles(&shape)})), &shape);
    let caption = ["fontSize", "padding", "borderRadius", "letterSpacing", "border"];
    px(with_overlay(json!({"type": "caption", "captions": [], "styles": styles(&caption)})), &caption);
}

#[test]
fn numbers_without_a_unit_in_css_stay_without_one() {
    let film = text_with_styles(json!({"lineHeight": 1.5, "fontWeight": 700, "opacity": 0.5, "zIndex": 3}));
    let styles = written(&film)["styles"].clone();
    assert_eq!(styles, json!({"lineHeight": "1.5", "fontWeight": "700", "opacity": 0.5, "zIndex": 3}));
    // A string is CSS as it is.
    assert_eq!(written(&text_with_styles(json!({"padding": "20"})))["styles"]["padding"], "20");
}

#[test]
fn animated_text_is_split_by_the_names_of_other_editors_too() {
    let splits = [
        ("words", "word"),
        ("char", "character"),
        ("chars", "character"),
        ("characters", "character"),
        ("letter", "character"),
        ("letters", "character"),
        ("lines", "line"),
    ];
    for (name, split) in splits {
        let film = text_with_styles(json!({"animatedText": {"enabled": true, "split": name}}));
        assert_eq!(written(&film)["styles"]["animatedText"]["split"], split);
    }
}

#[test]
fn fields_of_editors_are_told_apart_from_unknown_ones() {
    let mut film = with_overlay(json!({
        "type": "text", "content": "Hi", "trackMuted": false, "isDragging": "no", "meta": {"a": 1},
        "styles": {"aspectRatio": "1 / 2"}, "colour": "red",
    }));
    film["aspectRatio"] = json!("16:9");
    let check = |unknown: Vec<String>, tolerated: &[Tolerated], prefix: &str| {
        let fields = ["overlays[0].styles.aspectRatio", "overlays[0].colour"];
        assert_eq!(unknown, fields.map(|field| format!("{prefix}{field}")));
        let mut paths: Vec<&str> = tolerated.iter().map(|found| found.problem.path.as_str()).collect();
        paths.sort_unstable();
        let fields = ["aspectRatio", "overlays[0].isDragging", "overlays[0].meta", "overlays[0].trackMuted"];
        assert_eq!(paths, fields.map(|field| format!("{prefix}{field}")));
        assert!(tolerated.iter().all(|found| found.code == tolerance::EDITOR_FIELD_IGNORED));
    };
    let remarks = read(&film).remarks;
    check(remarks.unknown_fields, &remarks.tolerated, "");
    let request = RenderRequest::read(&json!({"inputProps": film}), Default::default()).unwrap();
    check(request.remarks.unknown_fields, &request.remarks.tolerated, "inputProps.");
    // A flag is part of the format.
    let dragged = with_overlay(json!({"type": "text", "content": "", "isDragging": true}));
    assert_eq!((tolerated(&dragged), &written(&dragged)["isDragging"]), (vec![], &json!(true)));
}

#[test]
fn a_thousand_odd_values_are_remarked_on_and_no_more() {
    let overlay = |id: usize| {
        let mut overlay = with_overlay(
            json!({"type": "clip", "src": "a.mp4", "id": id, "meta": 1, "isDragging": 1}),
        )["overlays"][0]
            .clone();
        overlay["styles"] = json!({"animation": "fade"});
        overlay
    };
    let film = json!({"durationInFrames": 9, "overlays": (0..500).map(overlay).collect::<Vec<_>>()});
    let read = read(&film);
    assert_eq!(read.remarks.tolerated.len(), 1000);
    assert!(read.composition.overlays.iter().all(|overlay| matches!(overlay.kind, OverlayKind::Video(_))));
}
