//! Rules that hold for any input: nothing panics, what is read can be written and read again, and the schema tells
//! the truth about what the reader takes.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use rondo_composition::{Composition, Limits, RenderRequest, schema};
use serde_json::{Map, Value, json};

fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(20), failure_persistence: None, ..Config::default() }
}

/// Any value that fits the schema.
fn fitting(schema: &Value, root: &Value) -> BoxedStrategy<Value> {
    if let Some(target) = schema["$ref"].as_str() {
        return fitting(root.pointer(target.trim_start_matches('#')).unwrap(), root);
    }
    if let Some(alternatives) = schema["oneOf"].as_array() {
        let options = alternatives.iter().map(|option| fitting(option, root)).collect::<Vec<_>>();
        return proptest::strategy::Union::new(options).boxed();
    }
    if let Some(constant) = schema.get("const") {
        return Just(constant.clone()).boxed();
    }
    if let Some(names) = schema["enum"].as_array() {
        return select(names.clone()).boxed();
    }
    let least = schema["minimum"].as_f64().unwrap_or(-1e7);
    let most = schema["maximum"].as_f64().unwrap_or(1e7);
    match schema["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => (least as i64..=most as i64).prop_map(Value::from).boxed(),
        Some("number") => prop_oneof![
            (least..=most).prop_map(Value::from),
            (least.ceil() as i64..=most.floor() as i64).prop_map(Value::from),
        ]
        .boxed(),
        Some("string") if schema["pattern"].is_string() => {
            let pattern = schema["pattern"].as_str().unwrap().trim_matches(['^', '$']);
            proptest::string::string_regex(pattern).unwrap().prop_map(Value::from).boxed()
        }
        Some("string") if schema["minLength"] == 1 => "[a-zé漢]{1,6}".prop_map(Value::from).boxed(),
        Some("string") => "[ -~é—漢]{0,6}".prop_map(Value::from).boxed(),
        Some("array") => {
            prop::collection::vec(fitting(&schema["items"], root), 0..3).prop_map(Value::from).boxed()
        }
        Some("object") => object(schema, root),
        _ => prop_oneof![
            "[ -~]{0,6}".prop_map(Value::from),
            (-1e3..1e3).prop_map(Value::from),
            (-900i64..900).prop_map(Value::from),
        ]
        .boxed(),
    }
}

fn object(schema: &Value, root: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields = schema["properties"].as_object().unwrap().iter().map(|(key, property)| {
        let value = fitting(property, root);
        let maybe = if required.iter().any(|name| name == key) {
            value.prop_map(Some).boxed()
        } else {
            prop::option::weighted(0.3, value).boxed()
        };
        let key = key.clone();
        maybe.prop_map(move |value| Some((key.clone(), value?))).boxed()
    });
    fields
        .collect::<Vec<_>>()
        .prop_map(|fields| fields.into_iter().flatten().collect::<Map<_, _>>().into())
        .boxed()
}

/// Compositions that fit the schema and the rules it cannot say.
fn films() -> BoxedStrategy<Value> {
    let schema = schema();
    let film = fitting(&schema, &schema);
    film.prop_map(|mut film| {
        for (index, overlay) in film["overlays"].as_array_mut().unwrap().iter_mut().enumerate() {
            overlay["id"] = json!(index);
        }
        film["durationInFrames"] = json!(film["durationInFrames"].as_u64().unwrap() % 3000 + 1);
        film["height"] = json!(720);
        film
    })
    .boxed()
}

fn any_json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "\\PC{0,8}".prop_map(Value::from),
        select(vec!["text", "video", "caption", "effect", "snow", "left"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let keys = select(vec![
            "overlays",
            "type",
            "id",
            "from",
            "styles",
            "content",
            "src",
            "captions",
            "inputProps",
            "replacements",
            "durationInFrames",
            "animation",
            "words",
            "tts",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..8).prop_map(|fields| {
                fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            }),
        ]
    })
    .boxed()
}

/// Puts `new` in the place of the `nth` value inside `value`, counted in depth-first order.
fn replace_nth(value: &mut Value, nth: &mut usize, new: &Value) {
    if *nth == 0 {
        *value = new.clone();
        *nth = usize::MAX;
        return;
    }
    *nth -= 1;
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace_nth(item, nth, new)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace_nth(field, nth, new)),
        _ => {}
    }
}

/// Accepted input must survive serialization; rejected input must have a message.
fn check(value: &Value) -> Result<(), TestCaseError> {
    match Composition::read(value, Limits::default()) {
        Ok(read) => {
            let written = read.composition.write();
            let again = Composition::read(&written, Limits::default())
                .map_err(|e| TestCaseError::fail(e.to_string()))?;
            prop_assert_eq!(again.remarks.unknown_fields, Vec::<String>::new());
            prop_assert_eq!(again.composition, read.composition);
        }
        Err(error) => prop_assert!(!error.problems().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn what_fits_the_schema_is_read_whole_and_survives_writing(film in films()) {
        let read = Composition::read(&film, Limits::default());
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
        prop_assert_eq!(read.unwrap().remarks.unknown_fields, Vec::<String>::new());
        check(&film)?;
    }

    #[test]
    fn a_broken_composition_is_read_or_refused_with_reasons(
        mut film in films(), place in 0usize..200, new in any_json()
    ) {
        replace_nth(&mut film, &mut { place }, &new);
        check(&film)?;
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_json_is_read_or_refused_with_reasons(value in any_json()) {
        check(&value)?;
        if let Err(error) = RenderRequest::read(&value, Limits::default()) {
            prop_assert!(!error.problems().is_empty());
        }
    }

    #[test]
    fn any_replacements_apply_or_change_nothing(values in prop::collection::vec(any_json(), 8)) {
        let mut film: Value = serde_json::from_str(include_str!("data/every-field.json")).unwrap();
        for overlay in film["overlays"].as_array_mut().unwrap() {
            overlay["isDynamic"] = json!(true);
        }
        let mut film = Composition::read(&film, Limits::default()).unwrap().composition;
        let before = film.clone();
        let names = film.variables().into_iter().map(|variable| variable.name);
        let replacements: Map<String, Value> = names.zip(values).collect();
        if film.apply_replacements(&replacements).is_err() {
            prop_assert_eq!(&film, &before);
        }
        check(&film.write())?;
    }
}
