//! The chunk cache as people meet it: kept between renders, safe from a killed process, counted and cleared.

mod common;

use std::process::Stdio;

use common::*;
use serde_json::{Value, json};

/// Eight scenes of 2 s, each with a colour of its own and something that moves.
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

fn render(desk: &Desk, film: &str, output: &str) -> Value {
    let ran = desk.done(&["render", film, "-o", output, "--chunk-cache", "chunks", "--json"]);
    let last = ran.out.lines().last().expect("a line").to_owned();
    serde_json::from_str(&last).expect("JSON")
}

fn stats(desk: &Desk) -> Value {
    serde_json::from_str(&desk.done(&["cache", "stats", "chunks", "--json"]).out).expect("JSON")
}

#[test]
fn second_render_uses_the_chunks_of_the_first() {
    let desk = Desk::new();
    desk.write("film.json", scenes(&WORDS));
    let mut changed = WORDS;
    changed[3] = "for";
    desk.write("changed.json", scenes(&changed));
    assert_eq!(
        render(&desk, "film.json", "a.mp4")["chunks"],
        json!({"total": 8, "rendered": 8, "reused": 0})
    );
    assert_eq!(
        render(&desk, "film.json", "b.mp4")["chunks"],
        json!({"total": 8, "rendered": 0, "reused": 8})
    );
    let read = |name: &str| std::fs::read(desk.path(name)).expect("a film");
    assert!(read("a.mp4") == read("b.mp4"));
    let ran = desk.done(&["render", "changed.json", "-o", "c.mp4", "--chunk-cache", "chunks"]);
    assert!(ran.err.contains("7 of 8 chunks were there already"), "{}", ran.err);
    assert_eq!(desk.size("c.mp4"), (64, 48, 480));
}

#[test]
fn killed_render_goes_on_from_its_finished_chunks() {
    let desk = Desk::new();
    desk.write("film.json", scenes(&WORDS));
    desk.done(&["render", "film.json", "-o", "whole.mp4"]);
    let arguments = ["render", "film.json", "-o", "film.mp4", "--chunk-cache", "chunks", "--json"];
    let mut child = desk.command(&arguments).stdout(Stdio::piped()).spawn().expect("starts");
    let out = child.stdout.take().expect("its output");
    let folder = desk.path("chunks");
    let kept = || {
        let shelves = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = shelves.flat_map(|shelf| std::fs::read_dir(shelf.path()).into_iter().flatten().flatten());
        files.filter(|file| file.path().extension().is_some_and(|e| e == "chunk")).count()
    };
    while kept() < 2 && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("kills");
    child.wait().expect("ends");
    drop(out);
    let before = kept() as u64;
    assert!(before >= 2, "{before} chunks");
    assert_eq!(stats(&desk)["chunks"], before);
    let done = render(&desk, "film.json", "film.mp4");
    assert_eq!((&done["chunks"]["reused"], &done["chunks"]["total"]), (&json!(before), &json!(8)));
    let read = |name: &str| std::fs::read(desk.path(name)).expect("a film");
    assert!(read("film.mp4") == read("whole.mp4"), "as if it had never been killed");
}

#[test]
fn stats_count_and_clear_empties() {
    let desk = Desk::new();
    desk.write("film.json", scenes(&WORDS[..2]));
    render(&desk, "film.json", "film.mp4");
    let counted = stats(&desk);
    assert_eq!(counted["chunks"], 2);
    assert!(counted["bytes"].as_u64().is_some_and(|bytes| bytes > 1000), "{counted}");
    let said = desk.done(&["cache", "stats", "chunks"]).out;
    assert!(said.starts_with("chunks holds 2 chunks, ") && said.ends_with("KiB.\n"), "{said}");
    let said = desk.done(&["cache", "clear", "chunks"]).out;
    assert!(said.starts_with("chunks is empty now; it held 2 chunks, "), "{said}");
    assert_eq!(stats(&desk), json!({"chunks": 0, "bytes": 0}));
    let cleared = desk.done(&["cache", "clear", "chunks", "--json"]).out;
    assert_eq!(cleared.trim(), r#"{"chunks":0,"bytes":0}"#);
}

#[test]
fn wrong_folders_and_sizes_are_refused_with_a_sentence() {
    let desk = Desk::new();
    desk.write("film.json", blue());
    let error = desk.refused(&["cache", "stats", "nowhere"]);
    assert!(error.contains("nowhere is not a folder"), "{error}");
    let error = desk.refused(&["render", "film.json", "-o", "film.mp4", "--chunk-cache", "film.json"]);
    assert!(error.contains("the chunk cache film.json cannot be used"), "{error}");
    let size = |size: &str| {
        desk.rondo(&["render", "film.json", "-o", "f.mp4", "--chunk-cache", "c", "--chunk-cache-size", size])
    };
    for wrong in ["big", "10X", "-1", "G", "99999999999T"] {
        let ran = size(wrong);
        assert_eq!(ran.code, Some(2), "{wrong}: {}", ran.err);
    }
    assert_eq!(size("1M").code, Some(0));
    let alone = desk.rondo(&["render", "film.json", "-o", "f.mp4", "--chunk-cache-size", "1M"]);
    assert_eq!(alone.code, Some(2), "a size without a folder");
}
