//! Documents that are wrong, damaged or made to hurt.

use rondo_composition::{Composition, Limits};
use rondo_import::{Source, import};
use serde_json::{Value, json};

use crate::films;

/// Calls `change` with every value of a document in turn.
fn values(document: &mut Value, change: &mut impl FnMut(&mut Value)) {
    change(document);
    match document {
        Value::Array(items) => items.iter_mut().for_each(|item| values(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| values(field, change)),
        _ => {}
    }
}

#[test]
fn no_wrong_value_anywhere_breaks_the_importer() {
    let wrong = [
        json!(null),
        json!(-1),
        json!(1e308),
        json!(0),
        json!("{{ x }}"),
        json!("auto"),
        json!("-5e400px"),
        json!([]),
        json!([{"time": 1e300, "value": "1e300%"}, 7, "x"]),
        json!({"a": {"b": []}}),
        json!(true),
    ];
    let (mut tried, mut refused) = (0, 0);
    for (source, path, document) in films() {
        let mut count = 0;
        values(&mut document.clone(), &mut |_| count += 1);
        for place in 0..count {
            let mut damaged = document.clone();
            let mut index = 0;
            let value = &wrong[(place + tried) % wrong.len()];
            values(&mut damaged, &mut |here| {
                if index == place {
                    *here = value.clone();
                }
                index += 1;
            });
            tried += 1;
            match import(&damaged, Some(source)) {
                Ok(imported) => {
                    let read = Composition::read(&imported.composition.write(), Limits::WIDEST);
                    assert!(read.is_ok(), "{} with {value} at {place}: {read:?}", path.display());
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.problems().is_empty(), "{error}");
                }
            }
        }
    }
    assert!(tried > 1000);
    assert!(refused * 20 < tried, "{refused} of {tried} films were refused for one wrong value");
}

/// The path and the reason of the one problem of a document.
#[track_caller]
fn refusal(document: &Value, source: Option<Source>) -> (String, &'static str) {
    let error = import(document, source).unwrap_err();
    let [problem] = error.problems() else { panic!("{error}") };
    (problem.path.clone(), problem.kind.reason())
}

#[test]
fn what_cannot_be_imported_is_refused_with_its_path() {
    let clip = json!({"asset": {"type": "text", "text": "x"}, "start": 0, "length": 1});
    let crowd = json!({"timeline": {"tracks": [{"clips": vec![clip.clone(); 501]}]}});
    let far = json!({"timeline": {"tracks": [{"clips": [{"asset": {"type": "text", "text": "x"}, "start": 20_000, "length": 1}]}]}});
    let tiny = json!({"output_format": "mp4", "width": 2, "height": 5000, "elements": []});
    let element = json!({"type": "component"});
    let scenes = json!({"variables": {"list": vec![json!({}); 100]}, "scenes": [{"iterate": "list", "elements": vec![element; 100]}]});
    let mut deep = json!("end");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let rows = [
        (json!({"title": "nothing"}), None, ("", "INVALID_REQUEST")),
        (json!("text"), None, ("", "INVALID_REQUEST")),
        (json!({"template_id": "abc", "modifications": {}}), None, ("template_id", "INVALID_REQUEST")),
        (json!({"tracks": []}), Some(Source::Shotstack), ("timeline", "INVALID_REQUEST")),
        (json!({"overlays": 5}), Some(Source::Rve), ("overlays", "INVALID_REQUEST")),
        (crowd, None, ("timeline.tracks", "TOO_MANY_OVERLAYS")),
        (far, None, ("timeline.tracks[0].clips[0].asset", "VALUE_OUT_OF_RANGE")),
        (json!({"timeline": {}, "x": deep}), None, ("", "COMPOSITION_TOO_LARGE")),
        (scenes, None, ("scenes[0].elements[0]", "TOO_MANY_OVERLAYS")),
    ];
    for (document, source, expected) in rows {
        let (path, reason) = refusal(&document, source);
        assert_eq!((&*path, reason), expected);
    }
    let error = import(&tiny, None).unwrap_err();
    let paths: Vec<&str> = error.problems().iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["width", "height"]);
}

#[test]
fn merge_fields_do_not_multiply_without_end() {
    let text = "a".repeat(100_000);
    let clips = vec![
        json!({"asset": {"type": "text", "text": "{{ A }} {{ A }} {{ A }}"}, "start": 0, "length": 1});
        100
    ];
    let document =
        json!({"timeline": {"tracks": [{"clips": clips}]}, "merge": [{"find": "A", "replace": text}]});
    assert_eq!(refusal(&document, None), (String::new(), "COMPOSITION_TOO_LARGE"));
}

#[test]
fn warnings_are_limited_in_number_and_length() {
    let mut element = serde_json::Map::new();
    element.insert("type".into(), "text".into());
    for n in 0..40 {
        element.insert(format!("{n}{}", "k".repeat(5000)), 1.into());
    }
    let document = json!({"output_format": "mp4", "elements": vec![Value::Object(element); 100]});
    let warnings = import(&document, None).unwrap().warnings;
    assert_eq!(warnings.len(), 501);
    assert_eq!(warnings[500].code, "MORE_WARNINGS");
    assert!(warnings.iter().all(|warning| warning.path.chars().count() <= 201));
}

#[test]
fn compositions_that_refer_to_each_other_end() {
    let alias = |name: &str, of: &str| json!({"alias": name, "asset": {"type": "text", "text": name}, "start": format!("alias://{of}"), "length": format!("alias://{of}")});
    let document =
        json!({"timeline": {"tracks": [{"clips": [alias("a", "b"), alias("b", "a"), alias("c", "c")]}]}});
    let imported = import(&document, None).unwrap();
    assert_eq!(imported.composition.overlays.len(), 3);
    assert!(imported.warnings.iter().any(|warning| warning.path == "timeline.tracks[0].clips[0].start"));
}

#[test]
fn deep_nests_of_compositions_take_no_longer_than_their_size() {
    let mut document = json!({"type": "composition", "elements": [{"type": "text", "text": "deep"}]});
    for _ in 0..18 {
        document = json!({"type": "composition", "elements": [document, {"type": "text", "text": "x", "duration": 1}]});
    }
    let document = json!({"output_format": "mp4", "elements": [document]});
    let imported = import(&document, None).unwrap();
    assert!(imported.composition.overlays.len() > 10);
}
