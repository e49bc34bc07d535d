//! Variables and the values that fill them.

use rondo_composition::{AiValue, Composition, Error, OverlayKind, Report, UnknownReplacement};
use serde_json::{Map, Value, json};

/// A film of dynamic overlays, one per entry.
fn film(overlays: &[Value]) -> Composition {
    let overlays: Vec<Value> = overlays
        .iter()
        .enumerate()
        .map(|(id, fields)| {
            let mut film = crate::common::with_overlay(json!({"id": id, "isDynamic": true}));
            let mut overlay = film["overlays"][0].take();
            overlay.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            overlay
        })
        .collect();
    crate::common::read(&json!({"overlays": overlays, "durationInFrames": 30})).composition
}

fn values(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn apply(film: &mut Composition, replacements: Value) -> Report {
    film.apply_replacements(&values(replacements)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(film: &mut Composition, replacements: Value) -> Error {
    let before = film.clone();
    let error = film.apply_replacements(&values(replacements)).unwrap_err();
    assert_eq!(*film, before, "a refused set must change nothing");
    error
}

fn shown(film: &Composition) -> Vec<String> {
    film.overlays.iter().map(|overlay| overlay.variable_value()).collect()
}

#[test]
fn values_land_in_content_or_src_of_every_overlay_of_that_name() {
    let mut film = film(&[
        json!({"type": "text", "content": "a", "name": "title"}),
        json!({"type": "text", "content": "b", "name": "title"}),
        json!({"type": "image", "src": "old.png", "name": "logo"}),
        json!({"type": "text", "content": "fixed", "name": "logo", "isDynamic": false}),
        json!({"type": "shape", "content": "circle"}),
        json!({"type": "effect", "content": "snow", "name": "weather"}),
    ]);
    let report =
        apply(&mut film, json!({"title": 12.0, "logo": "new.png", "overlay-4": "star", "weather": "rain"}));
    assert_eq!(shown(&film), ["12", "12", "new.png", "fixed", "star", "rain"]);
    assert_eq!(report.applied, ["title", "logo", "overlay-4", "weather"]);
}

#[test]
fn an_empty_string_clears_and_null_leaves_alone() {
    let mut film = film(&[
        json!({"type": "text", "content": "a", "name": "one"}),
        json!({"type": "text", "content": "b", "name": "two"}),
    ]);
    let report = apply(&mut film, json!({"one": "", "two": null}));
    assert_eq!(shown(&film), ["", "b"]);
    assert_eq!(report.applied, ["one"]);
}

#[test]
fn an_unknown_key_is_told_with_the_nearest_variable() {
    let mut film = film(&[
        json!({"type": "text", "content": "a", "name": "headline"}),
        json!({"type": "text", "content": "b", "name": "price"}),
    ]);
    let report = apply(&mut film, json!({"Headlin": "x"}));
    assert_eq!(
        report.unknown,
        [UnknownReplacement { key: "Headlin".to_owned(), nearest: Some("headline".to_owned()) }]
    );
    assert_eq!(shown(&film), ["a", "b"]);
}

#[test]
fn arrays_and_objects_are_no_text() {
    let mut film = film(&[
        json!({"type": "text", "content": "a", "name": "title"}),
        json!({"type": "effect", "content": "snow", "name": "weather"}),
    ]);
    let error = refused(&mut film, json!({"title": ["x"], "weather": "hail"}));
    assert_eq!(error.reason(), "INVALID_REPLACEMENT_VALUE");
    let sentences: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
    assert_eq!(sentences[0], "`replacements.title` must be text, a number or a boolean, got an array of 1.");
    assert!(sentences[1].starts_with("`replacements.weather` must be one of snow, confetti,"));
}

#[test]
fn a_number_for_a_counter_is_what_it_counts_to() {
    let mut film = film(&[json!({
        "type": "text", "content": "100", "name": "sales", "styles": {"counterMode": {"enabled": true, "to": 100}},
    })]);
    let to = |film: &Composition| match &film.overlays[0].kind {
        OverlayKind::Text(text) => text.styles.counter_mode.as_ref().unwrap().to,
        other => panic!("a text was expected, not {other:?}"),
    };
    apply(&mut film, json!({"sales": "1,250.5"}));
    assert_eq!(to(&film), Some(1250.5));
    apply(&mut film, json!({"sales": "many"}));
    assert_eq!((to(&film), shown(&film)), (Some(1250.5), vec!["many".to_owned()]));
}

#[test]
fn captions_come_as_an_array_or_as_subtitles() {
    let mut film = film(&[json!({"type": "caption", "captions": [], "name": "subs"})]);
    apply(&mut film, json!({"subs": [{"text": "Hello", "startMs": 0, "endMs": 500, "words": []}]}));
    assert_eq!(shown(&film), ["Hello"]);
    apply(&mut film, json!({"subs": "WEBVTT\n\n00:01.000 --> 00:02.000\nBonjour\n"}));
    assert_eq!(shown(&film), ["Bonjour"]);
    apply(&mut film, json!({"subs": ""}));
    assert_eq!(shown(&film), [""]);

    assert_eq!(refused(&mut film, json!({"subs": "no cue"})).reason(), "INVALID_REPLACEMENT_VALUE");
    let error =
        refused(&mut film, json!({"subs": [{"text": "Hello", "startMs": "now", "endMs": 1, "words": []}]}));
    assert_eq!(error.problems()[0].path, "replacements.subs[0].startMs");
}

#[test]
fn speech_values_are_checked_and_handed_back() {
    let mut film = film(&[
        json!({"type": "sound", "src": "", "name": "voice"}),
        json!({"type": "caption", "captions": [], "name": "subs"}),
        json!({"type": "text", "content": "a", "name": "title"}),
    ]);
    let report = apply(
        &mut film,
        json!({
            "voice": {"tts": {"text": "Welcome", "voice": "alloy"}},
            "subs": {"transcribe": {"source": "voice", "language": "en"}},
        }),
    );
    assert_eq!(report.applied, Vec::<String>::new());
    assert!(matches!(&report.ai[0].value, AiValue::Narration(tts) if tts.text == "Welcome"));
    assert!(
        matches!(&report.ai[1].value, AiValue::Transcription(heard) if heard.source.as_deref() == Some("voice"))
    );
    assert_eq!(film.missing_media(&report.ai), Vec::<String>::new());

    let reasons = [
        (json!({"title": {"tts": {"text": "Hi"}}}), "AI_VALUE_NOT_ALLOWED"),
        (json!({"voice": {"transcribe": {"source": "voice"}}}), "AI_VALUE_NOT_ALLOWED"),
        (json!({"subs": {"transcribe": {"source": "nobody"}}}), "AI_SOURCE_NOT_FOUND"),
        (json!({"subs": {"transcribe": {}}}), "INVALID_REQUEST"),
        (json!({"subs": {"transcribe": {"url": "u", "startTime": 5, "endTime": 5}}}), "VALUE_OUT_OF_RANGE"),
        (json!({"voice": {"tts": {"text": 5}}}), "INVALID_REQUEST"),
        (json!({"voice": {"tts": {"text": " "}}}), "VALUE_OUT_OF_RANGE"),
        (json!({"voice": {"tts": {"text": "Hi", "speed": 3}}}), "VALUE_OUT_OF_RANGE"),
        (json!({"voice": {"song": "la"}}), "INVALID_REPLACEMENT_VALUE"),
    ];
    for (replacements, reason) in reasons {
        assert_eq!(refused(&mut film, replacements.clone()).reason(), reason, "{replacements}");
    }
}

#[test]
fn at_most_three_values_of_each_kind_of_speech() {
    let sounds: Vec<Value> =
        (0..4).map(|i| json!({"type": "sound", "src": "", "name": format!("v{i}")})).collect();
    let mut film = film(&sounds);
    let speak = |count: usize| -> Value {
        (0..count).map(|i| (format!("v{i}"), json!({"tts": {"text": "Hi"}}))).collect()
    };
    assert_eq!(apply(&mut film, speak(3)).ai.len(), 3);
    assert_eq!(refused(&mut film, speak(4)).reason(), "AI_LIMIT_EXCEEDED");
}

#[test]
fn media_without_a_source_is_listed_once_by_name() {
    let film = film(&[
        json!({"type": "image", "src": " ", "name": "logo"}),
        json!({"type": "video", "src": "", "name": "logo"}),
        json!({"type": "sound", "src": "", "isDynamic": false}),
        json!({"type": "image", "src": "a.png", "name": "fine"}),
        json!({"type": "text", "content": "", "name": "empty"}),
        json!({"type": "effect", "content": "grid-stagger", "name": "grid", "styles": {"cellImages": ["a.png", " "]}}),
        json!({"type": "effect", "content": "snow", "name": "snow", "styles": {"cellImages": [""]}}),
    ]);
    assert_eq!(film.missing_media(&[]), ["logo", "overlay-2", "grid"]);
}

#[test]
fn variables_say_what_they_accept() {
    let film = film(&[
        json!({
            "type": "text", "content": "Sale", "name": "main_title", "width": 400,
            "styles": {"fontSize": "40px", "fontSizeFixed": true, "padding": "0"},
        }),
        json!({"type": "text", "content": "Again", "name": "main_title"}),
        json!({"type": "image", "src": "a.png", "name": "logo"}),
        json!({"type": "text", "content": "static", "name": "other", "isDynamic": false}),
    ]);
    assert_eq!(
        serde_json::to_value(film.variables()).unwrap(),
        json!([
            {
                "name": "main_title", "type": "text", "label": "Main Title",
                "help": "Text to show, about 40 characters at most: the size is fixed, and what overflows is clipped.",
                "overlayType": "text", "field": "content", "maxCharacters": 40, "linesAvailable": 2,
                "overflowBehavior": "clipped", "default": "Sale",
            },
            {
                "name": "logo", "type": "url", "label": "Logo", "help": "Address of a picture.",
                "overlayType": "image", "field": "src", "default": "a.png",
            },
        ])
    );
    assert_eq!(
        serde_json::to_value(film.template_variables()).unwrap()[1],
        json!({"name": "logo", "defaultValue": "a.png", "type": "string"})
    );
}

#[test]
fn a_list_of_timed_words_is_grouped_into_captions() {
    let mut film = film(&[json!({"name": "talk", "type": "caption", "captions": []})]);
    let word = |word: &str, start: u32| json!({"word": word, "startMs": start, "endMs": start + 300, "confidence": 1});
    let words = [word("Hello", 0), word("there.", 300), word("How", 600), word("are", 2000)];
    apply(&mut film, json!({"talk": words}));
    let OverlayKind::Caption(captions) = &film.overlays[0].kind else { panic!("no captions") };
    let texts: Vec<&str> = captions.captions.iter().map(|caption| caption.text.as_str()).collect();
    assert_eq!(texts, ["Hello there.", "How", "are"]);
    assert_eq!(captions.captions[0].words.len(), 2);
}

/// A film with two colours that are variables, in several notations.
fn coloured() -> Composition {
    let mut overlay = crate::common::with_overlay(json!({
        "type": "shape", "content": "#7c3aed", "styles": {"fill": "#7C3AED", "stroke": "rgba(255, 255, 255, 0.5)", "gradient": "linear-gradient(#7c3aed80, red)"},
    }));
    let overlays = json!([overlay["overlays"][0].take()]);
    let colors = json!([{"name": "accent", "value": "#7C3AED"}, {"name": "paper", "value": "#fff"}]);
    let film =
        json!({"overlays": overlays, "durationInFrames": 30, "backgroundColor": "#FFF", "colors": colors});
    crate::common::read(&film).composition
}

fn styles(film: &Composition) -> [String; 4] {
    let written = film.write();
    let style = |name: &str| written["overlays"][0]["styles"][name].as_str().unwrap().to_owned();
    [style("fill"), style("stroke"), style("gradient"), film.background_color.clone()]
}

#[test]
fn a_colour_changes_wherever_styles_hold_it() {
    let mut film = coloured();
    let listed: Vec<(String, String)> =
        film.variables().into_iter().map(|variable| (variable.name, variable.default)).collect();
    assert_eq!(listed, [("accent".into(), "#7c3aed".into()), ("paper".into(), "#ffffff".into())]);
    assert_eq!(film.variables()[0].overlay_type, "color");
    let report = apply(&mut film, json!({"accent": "#fff", "paper": " #0B0B0F ", "acent": "#000"}));
    assert_eq!(report.applied, ["accent", "paper"]);
    assert_eq!(report.unknown, [UnknownReplacement { key: "acent".into(), nearest: Some("accent".into()) }]);
    let expected = ["#ffffff", "rgba(11, 11, 15, 0.5)", "linear-gradient(#ffffff80, red)", "#0b0b0f"];
    assert_eq!(styles(&film), expected);
    assert_eq!(film.write()["overlays"][0]["content"], "#7c3aed", "only styles change");
    let values: Vec<String> = film.variables().into_iter().map(|variable| variable.default).collect();
    assert_eq!(values, ["#ffffff", "#0b0b0f"]);
}

#[test]
fn colours_that_became_equal_stay_apart() {
    let mut film = coloured();
    apply(&mut film, json!({"accent": "#ffffff"}));
    let mut saved = crate::common::read(&film.write()).composition;
    assert_eq!(saved, film);
    apply(&mut saved, json!({"accent": "#00ff00"}));
    let expected = ["#00ff00", "rgba(255, 255, 255, 0.5)", "linear-gradient(#00ff0080, red)", "#FFF"];
    assert_eq!(styles(&saved), expected);
}

#[test]
fn what_is_no_colour_is_refused() {
    let mut film = coloured();
    for wrong in [json!("red"), json!("#12345"), json!("#11223344"), json!(7), json!({"tts": {"text": "Hi"}})]
    {
        let error = refused(&mut film, json!({"accent": wrong}));
        assert_eq!(error.problems()[0].path, "replacements.accent", "{wrong}");
    }
}

/// A film with two fonts that are variables.
fn lettered() -> Composition {
    let text = |id: u32, family: &str| {
        let mut film = crate::common::with_overlay(
            json!({"type": "text", "content": "Outfit", "styles": {"fontFamily": family}}),
        );
        film["overlays"][0]["id"] = json!(id);
        film["overlays"][0].take()
    };
    let overlays = json!([text(1, "Outfit"), text(2, "'outfit' , sans-serif"), text(3, "Inter, Outfit")]);
    let fonts = json!([{"name": "heading", "value": "Outfit"}, {"name": "body", "value": "Inter"}]);
    crate::common::read(&json!({"overlays": overlays, "durationInFrames": 30, "fonts": fonts})).composition
}

fn families(film: &Composition) -> Vec<String> {
    let written = film.write();
    let overlays = written["overlays"].as_array().unwrap();
    overlays.iter().map(|overlay| overlay["styles"]["fontFamily"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_font_changes_in_every_style_that_starts_with_it() {
    let mut film = lettered();
    let listed: Vec<_> =
        film.variables().into_iter().map(|it| (it.name, it.default, it.overlay_type)).collect();
    assert_eq!(
        listed,
        [("heading".into(), "Outfit".into(), "font"), ("body".into(), "Inter".into(), "font")]
    );
    apply(&mut film, json!({"heading": " DM Sans "}));
    assert_eq!(families(&film), ["DM Sans", "\"DM Sans\", sans-serif", "Inter, Outfit"]);
    assert_eq!(film.write()["overlays"][0]["content"], "Outfit", "only fonts change");
}

#[test]
fn fonts_that_became_equal_stay_apart() {
    let mut film = lettered();
    apply(&mut film, json!({"heading": "Inter"}));
    let mut saved = crate::common::read(&film.write()).composition;
    assert_eq!(saved, film);
    apply(&mut saved, json!({"body": "Lora"}));
    assert_eq!(families(&saved), ["Inter", "\"Inter\", sans-serif", "\"Lora\", Outfit"]);
}

#[test]
fn what_is_no_font_name_is_refused() {
    let mut film = lettered();
    for wrong in [json!(""), json!("a, b"), json!("url(x)"), json!(7), json!("x".repeat(61))] {
        let error = refused(&mut film, json!({"heading": wrong}));
        assert_eq!(error.problems()[0].path, "replacements.heading", "{wrong}");
    }
}
