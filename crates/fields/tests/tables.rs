//! Tables defined outside the crate read, write and describe themselves.
#![allow(clippy::unwrap_used)]

use rondo_fields::{
    Codec, Error, ProblemKind, Reader, amount, choices, count, flag, integer, json_map, json_value, list,
    number, object, one_of, read, read_checked, record, schema, text, tolerant, url, whole, write,
};
use serde_json::{Map, Value, json};

choices! {
    /// A colour.
    pub enum Colour {
        Red = "red",
        Green = "green",
    }
}

record! {
    /// A point.
    pub struct Point {
        /// Across.
        x: required f64 => "x", number();
        /// Down.
        y: default f64 => "y", number().within(-5.0, 5.0), 0.0;
    }
}

record! {
    /// A request with a field of every kind.
    struct Everything {
        /// A name.
        name: required String => "name", text().not_blank().at_most(8);
        /// A label.
        label: optional String => "label", text().or_number();
        /// An address.
        address: optional String => "address", url();
        /// A flag.
        flag: default bool => "flag", flag(), false;
        /// A size in bytes.
        size: optional i64 => "size", integer(0, 100);
        /// A count.
        count: default u8 => "count", count(0, 20), 3;
        /// A frame.
        frame: optional i64 => "frame", whole();
        /// A delay.
        delay: default f64 => "delay", amount(), 0.0;
        /// A colour.
        colour: default Colour => "colour", one_of(), Colour::Red;
        /// Colours.
        colours: optional Vec<Colour> => "colours", list(one_of()).at_least(1).at_most(2);
        /// Points.
        points: default Vec<Point> => "points", list(object()), Vec::new();
        /// Labels by key.
        metadata: optional Map<String, Value> => "metadata", json_map().at_most(2);
        /// Anything.
        raw: optional Value => "raw", json_value(|_| json!({"type": "array"}), "an array");
    }
}

fn problems(value: &Value) -> Vec<(String, ProblemKind)> {
    let Error::Invalid(problems) = read::<Everything>(value).unwrap_err() else { panic!("not invalid") };
    problems.into_iter().map(|problem| (problem.path, problem.kind)).collect()
}

#[test]
fn every_kind_of_field_reads_and_writes_back_the_same() {
    let given = json!({"name": "a", "label": 24.0, "address": " https://a.example/b ", "flag": true, "size": 15.0,
        "count": 4.4, "frame": -7, "delay": 0.5, "colour": "green", "colours": ["red"],
        "points": [{"x": 1, "y": 2}], "metadata": {"k": [1]}, "raw": [null]});
    let everything: Everything = read(&given).unwrap();
    assert_eq!((everything.label.as_deref(), everything.count), (Some("24"), 4));
    assert_eq!(everything.address.as_deref(), Some("https://a.example/b"));
    let written = write(&everything);
    assert_eq!(read::<Everything>(&written).unwrap(), everything);
    assert_eq!(
        write(&read::<Everything>(&json!({"name": "a", "flag": null})).unwrap()),
        json!({"name": "a"})
    );
}

#[test]
fn every_problem_is_reported_with_its_path_and_kind() {
    use ProblemKind::{InvalidEnumValue, Missing, OutOfRange, WrongType};
    let given = json!({"label": [], "address": "ftp://x", "flag": 1, "size": 101, "count": "x", "colour": "blue",
        "colours": [], "points": [{"x": 0, "y": 9}, {}], "metadata": {"a": 1, "b": 2, "c": 3}});
    let expected = [
        ("name", Missing),
        ("label", WrongType),
        ("address", WrongType),
        ("flag", WrongType),
        ("size", OutOfRange),
        ("count", WrongType),
        ("colour", InvalidEnumValue),
        ("colours", OutOfRange),
        ("points[0].y", OutOfRange),
        ("points[1].x", Missing),
        ("metadata", OutOfRange),
    ];
    assert_eq!(problems(&given), expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert_eq!(problems(&json!({"name": " \n"})), [("name".to_owned(), WrongType)]);
    assert_eq!(problems(&json!({"name": "123456789"})), [("name".to_owned(), OutOfRange)]);
    assert_eq!(problems(&json!([])), [(String::new(), WrongType)]);
}

#[test]
fn checks_across_fields_are_reported_with_the_rest() {
    let checked = read_checked::<Point>(&json!({"x": 1, "y": 2}), |point, reader| {
        if point.x != point.y {
            reader.at_key("y", |reader| {
                reader.refuse::<()>(ProblemKind::OutOfRange, &json!(2), "equal to `x`")
            });
        }
    });
    assert_eq!(checked.unwrap_err().problems()[0].path, "y");
}

record! {
    /// A corner.
    struct Corner {
        /// Across.
        x: default f64 => "x", number(), 0.0;
    }
}

record! {
    /// A request whose odd values are ignored.
    struct Lenient {
        /// A length.
        length: optional String => "length", text().or_number_of("px");
        /// A corner.
        corner: optional Corner => "corner", tolerant(object(), "CORNER_IGNORED");
    }
}

#[test]
fn a_tolerant_field_is_absent_where_it_cannot_be_read_and_noted_under_its_code() {
    let lenient = |value: Value| {
        let mut reader = Reader::default();
        let read = object::<Lenient>().read(&value, &mut reader);
        let noted =
            reader.take_tolerated().into_iter().map(|found| (found.code, found.problem.path)).collect();
        (reader.take_unknown(), noted, reader.finish(read).unwrap())
    };
    let (unknown, noted, read): (_, Vec<_>, _) = lenient(json!({"length": 24, "corner": {"x": 1, "z": 2}}));
    assert_eq!((unknown, noted), (vec!["corner.z".to_owned()], vec![]));
    assert_eq!((read.length.as_deref(), read.corner.unwrap().x), (Some("24px"), 1.0));
    for odd in [json!("1, 2"), json!({"a": 1}), json!([1, 2])] {
        let (unknown, noted, read): (_, Vec<_>, _) = lenient(json!({"length": "1em", "corner": odd}));
        assert_eq!((unknown, noted), (vec![], vec![("CORNER_IGNORED", "corner".to_owned())]));
        assert_eq!((read.length.as_deref(), read.corner), (Some("1em"), None));
    }
}

#[test]
fn the_schema_has_every_field_with_description_bounds_and_default() {
    let schema = schema::<Everything>();
    let fields = &schema["properties"];
    assert_eq!(schema["required"], json!(["name"]));
    assert_eq!(
        fields["name"],
        json!({"type": "string", "minLength": 1, "pattern": r"\S", "maxLength": 8, "description": "A name."})
    );
    assert_eq!(fields["address"]["format"], "uri");
    assert_eq!(fields["count"]["default"], 3);
    assert_eq!(fields["colours"]["items"]["enum"], json!(["red", "green"]));
    assert_eq!((&fields["colours"]["minItems"], &fields["colours"]["maxItems"]), (&json!(1), &json!(2)));
    assert_eq!(fields["points"]["items"], json!({"$ref": "#/$defs/Point"}));
    assert_eq!(schema["$defs"]["Point"]["required"], json!(["x"]));
    assert_eq!(fields["metadata"]["maxProperties"], 2);
    assert_eq!(fields["raw"], json!({"type": "array", "description": "Anything."}));
}
