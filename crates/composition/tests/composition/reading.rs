//! What is accepted, what is refused, and with which words.

use crate::common::{problem, read, refused, text_with_styles, with_overlay};
use rondo_composition::{Composition, Limits, ObjectFit, OverlayKind, ProblemKind, Split};
use serde_json::{Value, json};

fn text_styles(value: &Value) -> rondo_composition::TextStyles {
    match read(value).composition.overlays.remove(0).kind {
        OverlayKind::Text(text) => text.styles,
        other => panic!("a text was expected, not {other:?}"),
    }
}

#[test]
fn every_field_of_the_contract_is_known_and_kept() {
    let film: Value = serde_json::from_str(include_str!("data/every-field.json")).unwrap();
    let read = read(&film);
    assert_eq!(read.remarks.unknown_fields, Vec::<String>::new());
    assert_eq!(read.composition.write(), film);
}

/// Every place of a JSON value that is a field of an object, as a pointer.
fn fields(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let at = format!("{at}/{key}");
                fields(value, &at, found);
                found.push(at);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| fields(item, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

#[test]
fn a_field_that_is_null_is_an_absent_one_and_can_be_dropped() {
    let film: Value = serde_json::from_str(include_str!("data/every-field.json")).unwrap();
    let mut places = Vec::new();
    fields(&film, "", &mut places);
    let mut dropped = 0;
    for place in &places {
        let (parent, key) = place.rsplit_once('/').unwrap();
        let (mut nulled, mut absent) = (film.clone(), film.clone());
        *nulled.pointer_mut(place).unwrap() = Value::Null;
        absent.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(key);
        let read = |film: &Value| Composition::read(film, Limits::default()).map(|read| read.composition);
        match (read(&nulled), read(&absent)) {
            (Ok(nulled), Ok(absent)) => assert_eq!(nulled, absent, "{place}"),
            (Err(_), Err(_)) => continue,
            (nulled, absent) => panic!("{place}: {nulled:?} and {absent:?}"),
        }
        Composition::tidy(&mut nulled);
        assert_eq!(nulled.to_string(), absent.to_string(), "{place}");
        dropped += 1;
    }
    assert!(dropped > places.len() / 2, "{dropped} of {}", places.len());
}

#[test]
fn nulls_of_unknown_fields_stay() {
    let film = json!({
        "x-editor": {"selected": null}, "meta": null, "width": null, "durationInFrames": 9,
        "overlays": [{"type": "video", "src": null, "zz": [null], "captions": null, "styles": {"opacity": null, "zz": null}}],
        "colors": null,
    });
    let mut without = film.clone();
    Composition::tidy(&mut without);
    let expected = json!({
        "x-editor": {"selected": null}, "meta": null, "durationInFrames": 9,
        "overlays": [{"type": "video", "zz": [null], "captions": null, "styles": {"zz": null}}],
    });
    assert_eq!(without.to_string(), expected.to_string());
}

#[test]
fn a_tidy_film_reads_as_before_and_without_a_remark() {
    let place = |id: Value, kind: &str| with_overlay(json!({"id": id, "type": kind}))["overlays"][0].clone();
    let mut clip = place(json!("12"), "clip");
    clip["src"] = json!("a.mp4");
    clip["isDragging"] = json!("no");
    clip["styles"] = json!({"animation": "fadeIn 1s", "opacity": 0.5});
    let mut sticker = place(json!(2), "sticker");
    sticker["content"] = json!("emoji-fire");
    sticker["category"] = json!("Animals");
    sticker["styles"] = json!({"animation": {"enterDuration": "1s", "enter": "fade", "exit": {}, "zz": 1}});
    let film = json!({"durationInFrames": 9, "overlays": [clip, sticker]});
    let mut tidy = film.clone();
    Composition::tidy(&mut tidy);
    let (before, after) = (read(&film), read(&tidy));
    assert_eq!(before.composition, after.composition);
    assert_eq!((before.remarks.tolerated.len(), after.remarks.tolerated.len()), (6, 0));
    let overlays = &tidy["overlays"];
    assert_eq!((&overlays[0]["id"], &overlays[0]["type"]), (&json!(12), &json!("video")));
    assert_eq!(overlays[0]["styles"], json!({"opacity": 0.5}));
    assert_eq!(overlays[1]["styles"], json!({"animation": {"enter": "fade", "zz": 1}}));
    assert_eq!((overlays[0].get("isDragging"), overlays[1].get("category")), (None, None));
}

#[test]
fn caption_styles_of_nothing_but_nulls_count_as_none() {
    let captions = |styles: Value| {
        read(&with_overlay(json!({"type": "caption", "captions": [], "styles": styles}))).composition
    };
    assert_eq!(captions(json!({"color": null})), captions(json!({})));
    assert_ne!(captions(json!({"color": null, "fontSize": "2rem"})), captions(json!({})));
}

#[test]
fn defaults_fill_what_is_left_out() {
    let film = read(&json!({"overlays": [], "durationInFrames": 90})).composition;
    assert_eq!((film.width, film.height, film.fps), (1920, 1080, 30));
    assert_eq!(film.background_color, "white");

    let OverlayKind::Image(image) =
        read(&with_overlay(json!({"type": "image", "src": "a.png"}))).composition.overlays.remove(0).kind
    else {
        panic!("an image was expected")
    };
    assert_eq!(image.styles.object_fit, ObjectFit::Cover);
    assert_eq!(image.styles.opacity, 1.0);
    assert_eq!(image.styles.crop_width, 100.0);
}

#[test]
fn all_problems_are_told_at_once() {
    let film = json!({
        "overlays": [
            {"id": 1, "from": 0, "durationInFrames": 10, "row": 0, "top": 0, "left": 0, "width": 1, "height": 1,
             "type": "text", "styles": {"opacity": "half", "textAlign": "middle"}},
            {"id": 1, "from": 0, "durationInFrames": -1, "row": 0, "top": 0, "left": 0, "width": 1,
             "type": "hologram"},
        ],
        "durationInFrames": "long",
        "fps": 0,
    });
    let error = refused(&film);
    let mut found: Vec<(&str, &str)> =
        error.problems().iter().map(|problem| (problem.path.as_str(), problem.kind.reason())).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            ("durationInFrames", "INVALID_REQUEST"),
            ("fps", "VALUE_OUT_OF_RANGE"),
            ("overlays[0].content", "INVALID_REQUEST"),
            ("overlays[0].styles.opacity", "INVALID_REQUEST"),
            ("overlays[0].styles.textAlign", "INVALID_ENUM_VALUE"),
            ("overlays[1].durationInFrames", "VALUE_OUT_OF_RANGE"),
            ("overlays[1].height", "INVALID_REQUEST"),
            ("overlays[1].id", "DUPLICATE_OVERLAY_ID"),
            ("overlays[1].type", "UNKNOWN_OVERLAY_TYPE"),
        ]
    );
    assert!(error.is_malformed());
    assert_eq!(error.reason(), "INVALID_REQUEST");
}

#[test]
fn a_problem_is_a_sentence_with_path_value_and_way_out() {
    let sentence = |film: &Value| problem(film).to_string();
    assert_eq!(
        sentence(&text_with_styles(json!({"opacity": "half"}))),
        "`overlays[0].styles.opacity` must be a number, got \"half\"."
    );
    assert_eq!(
        sentence(&text_with_styles(json!({"textAlign": "middle"}))),
        "`overlays[0].styles.textAlign` must be one of left, center, right, got \"middle\"."
    );
    assert_eq!(
        sentence(&with_overlay(json!({"type": "video"}))),
        "`overlays[0].src` is required and must be a string."
    );
    assert_eq!(
        sentence(&json!({"overlays": [], "durationInFrames": 10, "fps": 121})),
        "`fps` must be a whole number from 1 to 120, got 121."
    );
    assert_eq!(sentence(&json!([])), "The input must be an object, got an array of 0.");
}

#[test]
fn text_that_is_not_json_is_told_apart() {
    let error = Composition::parse("{\"overlays\": [", Limits::default()).unwrap_err();
    assert!(error.is_malformed());
    assert!(error.to_string().starts_with("The input is not valid JSON: EOF"), "{error}");
}

#[test]
fn unknown_fields_are_listed_by_path_and_dropped() {
    let mut film = text_with_styles(json!({"colour": "red", "animation": {"enter": "fade", "wobble": 1}}));
    film["author"] = json!("me");
    let read = read(&film);
    assert_eq!(
        read.remarks.unknown_fields,
        ["overlays[0].styles.animation.wobble", "overlays[0].styles.colour", "author"]
    );
    assert!(!read.composition.write().to_string().contains("colour"));
}

#[test]
fn null_is_absent_where_a_field_may_be_left_out_and_an_error_where_it_may_not() {
    let styles = text_styles(&text_with_styles(json!({"opacity": null, "animation": null, "color": null})));
    assert_eq!(styles, rondo_composition::TextStyles::default());
    let missing = problem(&with_overlay(json!({"type": "text", "content": null})));
    assert_eq!((missing.kind, missing.path.as_str()), (ProblemKind::Missing, "overlays[0].content"));
}

#[test]
fn a_number_may_stand_where_a_style_is_a_string() {
    let styles =
        text_styles(&text_with_styles(json!({"fontSize": 24, "fontWeight": 700.0, "lineHeight": 1.5})));
    assert_eq!(styles.font_size.as_deref(), Some("24"));
    assert_eq!(styles.font_weight.as_deref(), Some("700"));
    assert_eq!(styles.line_height.as_deref(), Some("1.5"));
    // Not where it is text of the author's.
    let content = problem(&with_overlay(json!({"type": "text", "content": 24})));
    assert_eq!(content.kind, ProblemKind::WrongType);
}

#[test]
fn whole_numbers_may_be_written_with_a_zero_fraction_only() {
    let film = read(&json!({"overlays": [], "durationInFrames": 15.0, "fps": 25.0})).composition;
    assert_eq!((film.duration, film.fps), (15, 25));
    let half = problem(&json!({"overlays": [], "durationInFrames": 15.5}));
    assert_eq!(half.kind, ProblemKind::WrongType);
}

#[test]
fn overlay_times_are_rounded_to_whole_frames() {
    let film =
        read(&with_overlay(json!({"type": "text", "content": "", "from": -1.6, "durationInFrames": 9.5})));
    let base = &film.composition.overlays[0].base;
    assert_eq!((base.from, base.duration), (-2, 10));
}

#[test]
fn styles_are_clamped_and_absurd_numbers_are_harmless() {
    let styles = text_styles(&text_with_styles(json!({"opacity": 7, "zIndex": 1e300})));
    assert_eq!((styles.opacity, styles.z_index), (1.0, Some(1e6)));
    let film = read(&with_overlay(json!({
        "type": "sound", "src": "", "left": -1e308, "row": 1e99, "from": 1e200, "styles": {"volume": -3}
    })));
    let overlay = &film.composition.overlays[0];
    assert_eq!((overlay.base.left, overlay.base.row, overlay.base.from), (-1e6, 1e6, 10_000_000));
    assert_eq!(overlay.end(), 10_000_030);
    let wide = read(&with_overlay(json!({"type": "shape", "content": "circle", "width": 1e300})));
    assert_eq!(wide.composition.overlays[0].base.width, 1e6);
}

#[test]
fn negative_sizes_and_lengths_of_overlays_are_refused() {
    for field in ["width", "height", "durationInFrames"] {
        let problem = problem(&with_overlay(json!({"type": "shape", "content": "circle", field: -1})));
        assert_eq!((problem.kind, problem.path), (ProblemKind::OutOfRange, format!("overlays[0].{field}")));
    }
}

#[test]
fn greenscreen_must_say_whether_it_is_enabled() {
    for media in [json!({"type": "image", "src": "a.png"}), json!({"type": "video", "src": "a.mp4"})] {
        let mut overlay = media;
        overlay["greenscreen"] = json!({"sensitivity": 50});
        let problem = problem(&with_overlay(overlay));
        assert_eq!(
            (problem.path.as_str(), problem.kind),
            ("overlays[0].greenscreen.enabled", ProblemKind::Missing)
        );
    }
}

#[test]
fn a_written_composition_has_its_size_rate_and_background() {
    let composition = read(&json!({"overlays": [], "durationInFrames": 9})).composition;
    let complete = json!({"overlays": [], "durationInFrames": 9, "fps": 30, "width": 1920, "height": 1080,
        "backgroundColor": "white"});
    assert_eq!(composition.write(), complete);
}

#[test]
fn greenscreen_ranges_are_refused_not_clamped() {
    for (field, value) in [("sensitivity", 256.0), ("smoothing", 10.5), ("spill", -0.1)] {
        let film = with_overlay(
            json!({"type": "image", "src": "a.png", "greenscreen": {"enabled": true, field: value}}),
        );
        let problem = problem(&film);
        assert_eq!(problem.kind, ProblemKind::OutOfRange);
        assert_eq!(problem.path, format!("overlays[0].greenscreen.{field}"));
    }
}

#[test]
fn closed_lists_refuse_other_names_and_registries_take_any() {
    let refused_names = [
        with_overlay(json!({"type": "effect", "content": "lava"})),
        with_overlay(json!({"type": "image", "src": "a", "styles": {"objectFit": "stretch"}})),
        with_overlay(json!({"type": "image", "src": "a", "styles": {"layout3D": {"layout": "cube"}}})),
        with_overlay(json!({"type": "effect", "content": "snow", "styles": {"staggerDir": "up"}})),
        with_overlay(
            json!({"type": "effect", "content": "snow", "styles": {"columns": [{"direction": "left"}]}}),
        ),
        text_with_styles(json!({"staggeredMotion": {"staggerDirection": "up"}})),
        text_with_styles(json!({"codeBlock": {"theme": "solarized"}})),
    ];
    for film in &refused_names {
        assert_eq!(problem(film).kind, ProblemKind::InvalidEnumValue, "{film}");
        assert!(!refused(film).is_malformed());
    }
    read(&text_with_styles(json!({
        "fontFamily": "No Such Font",
        "animation": {"enter": "teleport", "exit": "", "during": "melt"},
        "animatedText": {"easing": "whoosh"},
    })));
    read(&with_overlay(json!({"type": "shape", "content": "dodecahedron"})));
    read(&with_overlay(json!({"type": "caption", "captions": [], "template": "none such"})));
}

#[test]
fn animated_text_is_cut_at_any_other_string() {
    let styles = text_styles(&text_with_styles(json!({"animatedText": {"split": "|"}})));
    assert_eq!(styles.animated_text.unwrap().split, Split::Separator("|".to_owned()));
}

#[test]
fn staggered_motion_is_on_when_it_has_keyframes_and_nobody_says_otherwise() {
    let motion = |value: Value| {
        text_styles(&text_with_styles(json!({"staggeredMotion": value})))
            .staggered_motion
            .unwrap()
            .is_enabled()
    };
    assert!(motion(json!({"y": [40, 0]})));
    assert!(!motion(json!({"stagger": 3, "y": []})));
    assert!(!motion(json!({"enabled": false, "y": [40, 0]})));
}

#[test]
fn a_caption_without_words_shows_its_text() {
    let film = with_overlay(json!({"type": "caption", "captions": [
        {"text": "one two", "startMs": 0, "endMs": 10, "words": [], "timestampMs": null, "confidence": null},
    ]}));
    let OverlayKind::Caption(captions) = read(&film).composition.overlays.remove(0).kind else {
        panic!("captions were expected")
    };
    assert_eq!(captions.captions[0].word_count(), 2);
}

#[test]
fn caption_styles_of_defaults_are_given_also_after_writing_and_empty_ones_are_not() {
    for (styles, given) in [
        (json!({"opacity": 1}), true),
        (json!({"mode": "highlight"}), true),
        (json!({"unheardOf": 1}), true),
        (json!({}), false),
        (json!(null), false),
    ] {
        let film = with_overlay(json!({"type": "caption", "captions": [], "styles": styles}));
        let first = read(&film).composition;
        let again = read(&first.write()).composition;
        for film in [first, again] {
            let OverlayKind::Caption(captions) = &film.overlays[0].kind else { panic!("not a caption") };
            assert_eq!(captions.styles.is_some(), given, "{styles}");
        }
    }
}

#[test]
fn every_field_of_a_caption_and_its_words_must_be_there() {
    let word = json!({"word": "one", "startMs": 0, "endMs": 10, "confidence": 1});
    let caption = json!({"text": "one", "startMs": 0, "endMs": 10, "words": [word]});
    for (place, key) in ["text", "startMs", "endMs", "words"]
        .map(|key| ("", key))
        .into_iter()
        .chain(["word", "startMs", "endMs", "confidence"].map(|key| ("/words/0", key)))
    {
        let mut caption = caption.clone();
        caption.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(key);
        let film = with_overlay(json!({"type": "caption", "captions": [caption]}));
        assert_eq!(problem(&film).kind, ProblemKind::Missing, "{place} {key}");
    }
}
