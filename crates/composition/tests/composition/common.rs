//! Small compositions for tests.

use rondo_composition::{Composition, Error, Limits, Problem, Read};
use serde_json::{Value, json};

/// A composition of one overlay: a valid base, and `fields` over it.
pub fn with_overlay(fields: Value) -> Value {
    let mut overlay = json!({
        "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
        "top": 0, "left": 0, "width": 100, "height": 100,
    });
    for (key, value) in fields.as_object().unwrap() {
        overlay[key] = value.clone();
    }
    json!({"overlays": [overlay], "durationInFrames": 30})
}

pub fn text_with_styles(styles: Value) -> Value {
    with_overlay(json!({"type": "text", "content": "Hi", "styles": styles}))
}

pub fn read(value: &Value) -> Read {
    Composition::read(value, Limits::default()).unwrap_or_else(|error| panic!("{error}\n{value:#}"))
}

pub fn refused(value: &Value) -> Error {
    Composition::read(value, Limits::default()).expect_err("the composition should be refused")
}

/// The one problem of a composition.
pub fn problem(value: &Value) -> Problem {
    match refused(value).problems() {
        [problem] => problem.clone(),
        problems => panic!("one problem expected, found {problems:#?}"),
    }
}
