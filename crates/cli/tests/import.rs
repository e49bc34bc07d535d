//! `rondo import`: files, standard input and output, warnings and exit codes.

mod common;

use std::path::{Path, PathBuf};

use common::Sandbox;
use serde_json::{Value, json};

/// A film in the tests of the importer.
fn film(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/data").join(name)
}

#[test]
fn an_imported_film_is_valid_and_its_warnings_name_their_paths() {
    let sandbox = Sandbox::new();
    let edit = film("shotstack/titles.json");
    let ran = sandbox.done(&["import", edit.to_str().expect("a path"), "-o", "comp.json"]);
    assert!(ran.err.contains("Note: timeline.tracks[2].clips[0].asset: "), "{}", ran.err);
    assert!(ran.err.contains("Imported from shotstack: "), "{}", ran.err);
    assert_eq!((ran.out.as_str(), sandbox.files()), ("", vec!["comp.json".to_owned()]));
    let checked = sandbox.done(&["check", "comp.json"]).out;
    assert!(checked.contains("The composition is valid"), "{checked}");
    sandbox.done(&["frame", "comp.json", "--frame", "60", "-o", "frame.png"]);
}

#[test]
fn standard_input_and_output_are_a_minus() {
    let sandbox = Sandbox::new();
    let movie = json!({"width": 64, "height": 64, "scenes": [{"duration": 1, "elements": [{"type": "text", "text": "Hi"}]}]});
    let ran = sandbox.with_input(&["import", "-", "--from", "json2video", "-o", "-"], &movie.to_string());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let composition: Value = serde_json::from_str(&ran.out).expect("a composition");
    assert_eq!(composition["overlays"][0]["content"], "Hi");
    sandbox.write("movie.json", movie.to_string());
    let ran = sandbox.done(&["import", "movie.json", "--json", "-o", "comp.json"]);
    let printed: Value = serde_json::from_str(&ran.out).expect("warnings");
    assert_eq!(printed["from"], "json2video");
}

#[test]
fn what_cannot_be_imported_leaves_no_file() {
    let sandbox = Sandbox::new();
    sandbox.write("other.json", "{\"title\": 1}");
    sandbox.write("broken.json", "{\"timeline\":");
    let error = sandbox.rejected(&["import", "other.json", "-o", "comp.json"]);
    assert!(error.contains("Shotstack"), "{error}");
    let error = sandbox.rejected(&["import", "other.json", "--from", "shotstack", "-o", "comp.json"]);
    assert!(error.contains("`timeline`"), "{error}");
    assert!(sandbox.rejected(&["import", "broken.json", "-o", "comp.json"]).contains("JSON"));
    assert_eq!(sandbox.rondo(&["import", "other.json", "--from", "word"]).code, Some(2));
}
