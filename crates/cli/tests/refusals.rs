//! Invalid input: a clear message, exit code 1 (2 for an invalid command line), no partial file, no panic.

mod common;

use common::*;
use serde_json::json;

#[test]
fn invalid_command_line_is_exit_code_2() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
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
        let ran = sandbox.rondo(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("Usage: rondo") || ran.err.contains("try '--help'"),
            "{arguments:?}: {}",
            ran.err
        );
    }
    assert_eq!(sandbox.files(), ["film.json"]);
}

#[test]
fn help_and_version_succeed() {
    let sandbox = Sandbox::new();
    let help = sandbox.done(&["--help"]).out;
    for word in
        ["render", "frame", "sheet", "check", "schema", "fonts", "registry", "RONDO_FONT_DIR", "Exit codes"]
    {
        assert!(help.contains(word), "{word}");
    }
    assert!(sandbox.done(&["render", "--help"]).out.contains("--quality"));
    assert!(sandbox.done(&["--version"]).out.starts_with("rondo "));
}

/// Every drawing command rejects the composition with a message that contains `words`.
#[track_caller]
fn assert_rejected(sandbox: &Sandbox, file: &str, words: &[&str]) {
    for arguments in [
        &["render", file, "-o", "film.mp4"][..],
        &["frame", file, "--frame", "0", "-o", "out.png"],
        &["sheet", file, "-o", "sheet.png"],
    ] {
        let error = sandbox.rejected(arguments);
        for word in words {
            assert!(error.contains(word), "{arguments:?}: {word} is not in {error}");
        }
    }
}

#[test]
fn files_that_are_not_compositions_are_rejected() {
    let sandbox = Sandbox::new();
    assert_rejected(&sandbox, "missing.json", &["missing.json cannot be read: file not found"]);
    sandbox.write("text.json", "just words");
    assert_rejected(&sandbox, "text.json", &["not valid JSON", "line 1"]);
    sandbox.write("cut.json", r#"{"overlays": [{"#);
    assert_rejected(&sandbox, "cut.json", &["not valid JSON"]);
    sandbox.write("bytes.json", [0xff, 0xfe, 0, 1]);
    assert_rejected(&sandbox, "bytes.json", &["bytes.json", "not a text file"]);
    sandbox.write("empty.json", "");
    assert_rejected(&sandbox, "empty.json", &["not valid JSON"]);
    sandbox.write("list.json", "[]");
    assert_rejected(&sandbox, "list.json", &["an array of 0", "object"]);
    sandbox.write("folder.json/file", "");
    assert_rejected(&sandbox, "folder.json", &["folder.json cannot be read"]);
    sandbox.write("deep.json", "[".repeat(100_000));
    assert_rejected(&sandbox, "deep.json", &["not valid JSON"]);
}

#[test]
fn all_errors_are_reported_at_once_with_path_value_and_expectation() {
    let sandbox = Sandbox::new();
    let mut film = composition(&[
        overlay(1, "text", json!({"content": 7, "styles": {"opacity": "half"}})),
        overlay(1, "hologram", json!({})),
        overlay(2, "image", json!({"src": "a.png", "styles": {"objectFit": "stretch"}})),
    ]);
    film["fps"] = json!(0);
    sandbox.write("film.json", film.to_string());
    let error = sandbox.rejected(&["render", "film.json", "-o", "film.mp4"]);
    let reported: Vec<&str> = error.lines().collect();
    for (path, words) in [
        ("`fps`", "0"),
        ("`overlays[0].content`", "7"),
        ("`overlays[0].styles.opacity`", "\"half\""),
        ("`overlays[1].type`", "hologram"),
        ("`overlays[1].id`", "overlays[0].id"),
        ("`overlays[2].styles.objectFit`", "cover"),
    ] {
        let line = reported.iter().find(|line| line.starts_with(path));
        let line = line.unwrap_or_else(|| panic!("{path} is not reported: {error}"));
        assert!(line.contains(words), "{line}");
    }
    assert_eq!(reported.len(), 6, "nothing else is reported: {error}");
}

#[test]
fn unknown_fields_are_warnings() {
    let sandbox = Sandbox::new();
    let mut film =
        composition(&[overlay(1, "shape", json!({"content": "star", "styles": {"colour": "red"}}))]);
    film["author"] = json!("someone");
    sandbox.write("film.json", film.to_string());
    let printed = sandbox.done(&["render", "film.json", "-o", "film.mp4"]).err;
    assert!(
        printed.contains("Warning: `author` ") && printed.contains("Warning: `overlays[0].styles.colour` "),
        "{printed}"
    );
}

#[test]
fn templates_and_projects_need_a_server() {
    let sandbox = Sandbox::new();
    for key in ["templateId", "projectId"] {
        sandbox.write("film.json", json!({key: "abc", "replacements": {"title": "x"}}).to_string());
        assert_rejected(&sandbox, "film.json", &[key, "inputProps", "server"]);
    }
}

#[test]
fn missing_media_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("garbage.mp4", "no film");
    for (kind, src, words) in [
        ("image", "gone.png", "gone.png cannot be read: file not found"),
        ("video", "gone.mp4", "gone.mp4 cannot be read: file not found"),
        ("video", "garbage.mp4", "garbage.mp4 cannot be read"),
        ("image", "tmp", "tmp cannot be read: not a file"),
        ("image", "", "\"src\" is empty"),
        ("video", "", "\"src\" is empty"),
    ] {
        sandbox.write("film.json", composition(&[overlay(1, kind, json!({"src": src}))]).to_string());
        assert_rejected(&sandbox, "film.json", &["overlays[0].src", words]);
    }
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    sandbox.write("folder/file", "");
    let error = sandbox.rejected(&["render", "film.json", "-o", "nowhere/film.mp4"]);
    assert!(error.contains("nowhere/film.mp4 cannot be written: the folder does not exist"), "{error}");
    assert!(sandbox.rejected(&["render", "film.json", "-o", "folder"]).contains("folder is a folder"));
    assert!(
        sandbox
            .rejected(&["frame", "film.json", "--frame", "0", "-o", "nowhere/out.png"])
            .contains("nowhere/out.png")
    );
    assert!(sandbox.rejected(&["sheet", "film.json", "-o", "folder"]).contains("folder cannot be written"));
    assert!(
        sandbox.rejected(&["frame", "film.json", "--frames", "0,1", "-o", "film.json"]).contains("film.json")
    );
    assert_eq!(std::fs::read_to_string(sandbox.path("film.json")).expect("still there"), blue());
}

#[test]
fn failed_render_keeps_the_existing_file() {
    let sandbox = Sandbox::new();
    sandbox.write("film.mp4", "the film of yesterday");
    sandbox.write("film.json", composition(&[overlay(1, "image", json!({"src": "gone.png"}))]).to_string());
    sandbox.rejected(&["render", "film.json", "-o", "film.mp4"]);
    assert_eq!(std::fs::read_to_string(sandbox.path("film.mp4")).expect("a file"), "the film of yesterday");
}

#[test]
fn unknown_extensions_of_caption_and_audio_files_are_rejected_before_any_work() {
    let sandbox = Sandbox::new();
    for (arguments, expected) in [
        (
            &["captions", "missing.wav", "-o", "words.txt"][..],
            "words.txt must have the extension .srt, .vtt or .json.",
        ),
        (&["say", "Hello", "-o", "hello.txt"], "hello.txt must have the extension .wav, .mp3, .m4a or .aac."),
        (
            &["say", "Hello", "-o", "hello.wav", "--captions", "words.txt"],
            "words.txt must have the extension .srt, .vtt or .json.",
        ),
    ] {
        assert_eq!(sandbox.rejected(arguments).trim_end(), expected);
    }
}
