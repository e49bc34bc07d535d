//! Bad input: one clear message, exit code 1 (2 for wrong usage), no partial file, no panic.

mod common;

use common::*;
use serde_json::json;

#[test]
fn wrong_usage_is_exit_code_2() {
    let desk = Desk::new();
    desk.write("film.json", blue());
    for arguments in [
        &[][..],
        &["paint"],
        &["render", "film.json"],
        &["render", "-o", "film.mp4"],
        &["render", "film.json", "-o", "film.mp4", "--fps", "fast"],
        &["render", "film.json", "-o", "film.mp4", "--fps", "0"],
        &["render", "film.json", "-o", "film.mp4", "--frames", "0"],
        &["render", "film.json", "-o", "film.mp4", "--width", "9000"],
        &["check", "film.json", "--height", "8"],
        &["render", "film.json", "-o", "film.mp4", "--quality", "best"],
        &["render", "film.json", "-o", "film.mp4", "--set", "name"],
        &["frame", "film.json", "-o", "out.png"],
        &["frame", "film.json", "-o", "out.png", "--frame", "1", "--frames", "2"],
        &["frame", "film.json", "-o", "out.png", "--frame", "-1"],
    ] {
        let ran = desk.rondo(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("Usage: rondo") || ran.err.contains("try '--help'"),
            "{arguments:?}: {}",
            ran.err
        );
    }
    assert_eq!(desk.files(), ["film.json"]);
}

#[test]
fn help_and_version_are_fine() {
    let desk = Desk::new();
    let help = desk.done(&["--help"]).out;
    for word in
        ["render", "frame", "sheet", "check", "schema", "fonts", "registry", "RONDO_FONT_DIR", "Exit codes"]
    {
        assert!(help.contains(word), "{word}");
    }
    assert!(desk.done(&["render", "--help"]).out.contains("--quality"));
    assert!(desk.done(&["--version"]).out.starts_with("rondo "));
}

/// Every painting command refuses the composition with the same words.
#[track_caller]
fn assert_refused(desk: &Desk, file: &str, words: &[&str]) {
    for arguments in [
        &["render", file, "-o", "film.mp4"][..],
        &["frame", file, "--frame", "0", "-o", "out.png"],
        &["sheet", file, "-o", "sheet.png"],
    ] {
        let error = desk.refused(arguments);
        for word in words {
            assert!(error.contains(word), "{arguments:?} does not say {word}: {error}");
        }
    }
}

#[test]
fn files_that_are_no_compositions_are_told_as_such() {
    let desk = Desk::new();
    assert_refused(&desk, "missing.json", &["missing.json cannot be read: there is no such file"]);
    desk.write("text.json", "just words");
    assert_refused(&desk, "text.json", &["not valid JSON", "line 1"]);
    desk.write("cut.json", r#"{"overlays": [{"#);
    assert_refused(&desk, "cut.json", &["not valid JSON"]);
    desk.write("bytes.json", [0xff, 0xfe, 0, 1]);
    assert_refused(&desk, "bytes.json", &["bytes.json", "not a text file"]);
    desk.write("empty.json", "");
    assert_refused(&desk, "empty.json", &["not valid JSON"]);
    desk.write("list.json", "[]");
    assert_refused(&desk, "list.json", &["an array of 0", "object"]);
    desk.write("folder.json/file", "");
    assert_refused(&desk, "folder.json", &["folder.json cannot be read"]);
    desk.write("deep.json", "[".repeat(100_000));
    assert_refused(&desk, "deep.json", &["not valid JSON"]);
}

#[test]
fn all_errors_are_told_at_once_with_path_value_and_expectation() {
    let desk = Desk::new();
    let mut film = composition(&[
        overlay(1, "text", json!({"content": 7, "styles": {"opacity": "half"}})),
        overlay(1, "hologram", json!({})),
        overlay(2, "image", json!({"src": "a.png", "styles": {"objectFit": "stretch"}})),
    ]);
    film["fps"] = json!(0);
    desk.write("film.json", film.to_string());
    let error = desk.refused(&["render", "film.json", "-o", "film.mp4"]);
    let told: Vec<&str> = error.lines().collect();
    for (path, words) in [
        ("`fps`", "0"),
        ("`overlays[0].content`", "7"),
        ("`overlays[0].styles.opacity`", "\"half\""),
        ("`overlays[1].type`", "hologram"),
        ("`overlays[1].id`", "overlays[0].id"),
        ("`overlays[2].styles.objectFit`", "cover"),
    ] {
        let line = told.iter().find(|line| line.starts_with(path));
        let line = line.unwrap_or_else(|| panic!("{path} is not told: {error}"));
        assert!(line.contains(words), "{line}");
    }
    assert_eq!(told.len(), 6, "nothing else is told: {error}");
}

#[test]
fn unknown_fields_are_warnings() {
    let desk = Desk::new();
    let mut film =
        composition(&[overlay(1, "shape", json!({"content": "star", "styles": {"colour": "red"}}))]);
    film["author"] = json!("someone");
    desk.write("film.json", film.to_string());
    let told = desk.done(&["render", "film.json", "-o", "film.mp4"]).err;
    assert!(
        told.contains("Warning: author: ") && told.contains("Warning: overlays[0].styles.colour: "),
        "{told}"
    );
}

#[test]
fn templates_and_projects_need_a_server() {
    let desk = Desk::new();
    for key in ["templateId", "projectId"] {
        desk.write("film.json", json!({key: "abc", "replacements": {"title": "x"}}).to_string());
        assert_refused(&desk, "film.json", &[key, "inputProps", "server"]);
    }
}

#[test]
fn media_that_are_not_there_are_named() {
    let desk = Desk::new();
    desk.write("garbage.mp4", "no film");
    for (kind, src, words) in [
        ("image", "gone.png", "gone.png cannot be read: there is no such file"),
        ("video", "gone.mp4", "gone.mp4 cannot be read: there is no such file"),
        ("video", "garbage.mp4", "garbage.mp4 cannot be read"),
        ("image", "tmp", "tmp cannot be read: it is not a file"),
        ("image", "", "\"src\" is empty"),
        ("video", "", "\"src\" is empty"),
    ] {
        desk.write("film.json", composition(&[overlay(1, kind, json!({"src": src}))]).to_string());
        assert_refused(&desk, "film.json", &["overlays[0].src", words]);
    }
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let desk = Desk::new();
    desk.write("film.json", blue());
    desk.write("folder/file", "");
    let error = desk.refused(&["render", "film.json", "-o", "nowhere/film.mp4"]);
    assert!(error.contains("nowhere/film.mp4 cannot be written: the folder does not exist"), "{error}");
    assert!(desk.refused(&["render", "film.json", "-o", "folder"]).contains("folder is a folder"));
    assert!(
        desk.refused(&["frame", "film.json", "--frame", "0", "-o", "nowhere/out.png"])
            .contains("nowhere/out.png")
    );
    assert!(desk.refused(&["sheet", "film.json", "-o", "folder"]).contains("folder cannot be written"));
    assert!(
        desk.refused(&["frame", "film.json", "--frames", "0,1", "-o", "film.json"]).contains("film.json")
    );
    assert_eq!(std::fs::read_to_string(desk.path("film.json")).expect("still there"), blue());
}

#[test]
fn a_failed_render_keeps_the_film_that_was_there() {
    let desk = Desk::new();
    desk.write("film.mp4", "the film of yesterday");
    desk.write("film.json", composition(&[overlay(1, "image", json!({"src": "gone.png"}))]).to_string());
    desk.refused(&["render", "film.json", "-o", "film.mp4"]);
    assert_eq!(std::fs::read_to_string(desk.path("film.mp4")).expect("a file"), "the film of yesterday");
}
