//! The chunk cache: reuse between renders, resuming after a kill, statistics and clearing.

mod common;

use std::process::Stdio;

use common::*;
use serde_json::{Value, json};

/// Scenes of 2 s, each with its own colour and an animated text.
fn scenes(words: &[&str]) -> String {
    let mut overlays = Vec::new();
    for (scene, word) in words.iter().enumerate() {
        let time = |more: Value| {
            let mut overlay = overlay(scene as u32 * 2, "text", more);
            (overlay["from"], overlay["durationInFrames"]) = (json!(scene * 60), json!(60));
            overlay
        };
        let fill = json!({"fill": format!("hsl({}, 70%, 50%)", scene * 45)});
        overlays.push(time(json!({"type": "shape", "row": 1, "content": "rectangle", "styles": fill})));
        let spin = json!({"animation": {"during": "spin"}});
        overlays.push(time(json!({"id": scene * 2 + 1, "content": word, "styles": spin})));
    }
    let mut film = composition(&overlays);
    film["durationInFrames"] = json!(words.len() * 60);
    film.to_string()
}

const WORDS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

fn render(sandbox: &Sandbox, film: &str, output: &str) -> Value {
    let ran = sandbox.done(&["render", film, "-o", output, "--chunk-cache", "chunks", "--json"]);
    let last = ran.out.lines().last().expect("a line").to_owned();
    serde_json::from_str(&last).expect("JSON")
}

fn stats(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.done(&["cache", "stats", "chunks", "--json"]).out).expect("JSON")
}

#[test]
fn second_render_uses_the_chunks_of_the_first() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", scenes(&WORDS));
    let mut changed = WORDS;
    changed[3] = "for";
    sandbox.write("changed.json", scenes(&changed));
    assert_eq!(
        render(&sandbox, "film.json", "a.mp4")["chunks"],
        json!({"total": 8, "rendered": 8, "reused": 0})
    );
    assert_eq!(
        render(&sandbox, "film.json", "b.mp4")["chunks"],
        json!({"total": 8, "rendered": 0, "reused": 8})
    );
    let read = |name: &str| std::fs::read(sandbox.path(name)).expect("a film");
    assert!(read("a.mp4") == read("b.mp4"));
    let ran = sandbox.done(&["render", "changed.json", "-o", "c.mp4", "--chunk-cache", "chunks"]);
    assert!(ran.err.contains("7 of 8 chunks reused"), "{}", ran.err);
    assert_eq!(sandbox.size("c.mp4"), (64, 48, 480));
}

#[test]
fn killed_render_resumes_from_its_finished_chunks() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", scenes(&WORDS));
    sandbox.done(&["render", "film.json", "-o", "whole.mp4"]);
    let arguments = ["render", "film.json", "-o", "film.mp4", "--chunk-cache", "chunks", "--json"];
    let mut child = sandbox.command(&arguments).stdout(Stdio::piped()).spawn().expect("starts");
    let out = child.stdout.take().expect("its output");
    let folder = sandbox.path("chunks");
    let cached = || {
        let folders = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files =
            folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
        files.filter(|file| file.path().extension().is_some_and(|e| e == "chunk")).count()
    };
    while cached() < 2 && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("kills");
    child.wait().expect("ends");
    drop(out);
    let before = cached() as u64;
    assert!(before >= 2, "{before} chunks");
    assert_eq!(stats(&sandbox)["chunks"], before);
    let done = render(&sandbox, "film.json", "film.mp4");
    assert_eq!((&done["chunks"]["reused"], &done["chunks"]["total"]), (&json!(before), &json!(8)));
    let read = |name: &str| std::fs::read(sandbox.path(name)).expect("a film");
    assert!(read("film.mp4") == read("whole.mp4"), "the output equals that of an uninterrupted render");
}

#[test]
fn stats_counts_chunks_and_clear_removes_them() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", scenes(&WORDS[..2]));
    render(&sandbox, "film.json", "film.mp4");
    let counted = stats(&sandbox);
    assert_eq!(counted["chunks"], 2);
    assert!(counted["bytes"].as_u64().is_some_and(|bytes| bytes > 1000), "{counted}");
    let printed = sandbox.done(&["cache", "stats", "chunks"]).out;
    assert!(printed.starts_with("chunks contains 2 chunks, ") && printed.ends_with("KiB.\n"), "{printed}");
    let printed = sandbox.done(&["cache", "clear", "chunks"]).out;
    assert!(printed.starts_with("chunks cleared: 2 chunks, "), "{printed}");
    assert_eq!(stats(&sandbox), json!({"chunks": 0, "bytes": 0}));
    let cleared = sandbox.done(&["cache", "clear", "chunks", "--json"]).out;
    assert_eq!(cleared.trim(), r#"{"chunks":0,"bytes":0}"#);
}

#[test]
fn invalid_folders_and_sizes_are_rejected_with_a_message() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let error = sandbox.rejected(&["cache", "stats", "nowhere"]);
    assert!(error.contains("nowhere is not a folder"), "{error}");
    let error = sandbox.rejected(&["render", "film.json", "-o", "film.mp4", "--chunk-cache", "film.json"]);
    assert!(error.contains("the chunk cache film.json cannot be used"), "{error}");
    let size = |size: &str| {
        sandbox.rondo(&[
            "render",
            "film.json",
            "-o",
            "f.mp4",
            "--chunk-cache",
            "c",
            "--chunk-cache-size",
            size,
        ])
    };
    for wrong in ["big", "10X", "-1", "G", "99999999999T"] {
        let ran = size(wrong);
        assert_eq!(ran.code, Some(2), "{wrong}: {}", ran.err);
    }
    assert_eq!(size("1M").code, Some(0));
    let alone = sandbox.rondo(&["render", "film.json", "-o", "f.mp4", "--chunk-cache-size", "1M"]);
    assert_eq!(alone.code, Some(2), "a size without a folder");
}
