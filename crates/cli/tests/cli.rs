//! The commands of the program: results, messages and exit codes.

mod common;

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::*;
use serde_json::{Value, json};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

#[test]
fn render_writes_a_film_and_prints_its_path() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let ran = sandbox.done(&["render", "film.json", "-o", "film.mp4"]);
    assert!(ran.err.contains("film.mp4: 10 frames of 64 × 48"), "{}", ran.err);
    assert_eq!(ran.out, "");
    assert_eq!(sandbox.size("film.mp4"), (64, 48, 10));
    assert_eq!(sandbox.files(), ["film.json", "film.mp4"]);
}

#[test]
fn json_progress_is_one_object_a_line_and_ends_with_done() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let events = lines(&sandbox.done(&["render", "film.json", "-o", "film.mp4", "--json"]).out);
    let (done, progress) = events.split_last().expect("lines");
    assert!(!progress.is_empty() && progress.iter().all(|event| event["event"] == "progress"));
    let last = &progress[progress.len() - 1];
    assert_eq!((&last["frame"], &last["frames"], &last["percent"]), (&json!(10), &json!(10), &json!(100)));
    assert!(last["fps"].is_number() && last["secondsLeft"].is_number());
    assert_eq!(done["event"], "done");
    assert_eq!(done["output"], "film.mp4");
    assert_eq!((&done["width"], &done["height"], &done["frames"]), (&json!(64), &json!(48), &json!(10)));
    let bytes = std::fs::metadata(sandbox.path("film.mp4")).expect("a film").len();
    assert_eq!(done["bytes"], bytes);
}

#[test]
fn size_rate_length_and_quality_can_be_given_on_the_command_line() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let overrides = ["--width", "80", "--height", "64", "--fps", "25", "--frames", "7", "--quality", "draft"];
    sandbox.done(&[&["render", "film.json", "-o", "film.mp4"], &overrides[..]].concat());
    assert_eq!(sandbox.size("film.mp4"), (80, 64, 7));
    let error =
        sandbox.rejected(&["render", "film.json", "-o", "other.mp4", "--width", "4000", "--height", "4000"]);
    assert!(error.contains("`width`") && error.contains("4000"), "{error}");
}

#[test]
fn file_extension_selects_the_format() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    sandbox.done(&["render", "film.json", "-o", "part.webm", "--range", "2-5", "--scale", "0.5", "--draft"]);
    assert_eq!(sandbox.size("part.webm"), (32, 24, 4));
    sandbox.done(&["render", "film.json", "-o", "still.jpg", "--frame", "9"]);
    let [red, green, blue] = sandbox.middle("still.jpg");
    assert!(red < 5 && green < 5 && blue > 250, "{red} {green} {blue}");
    sandbox.done(&["render", "film.json", "-o", "pictures/", "--format", "webp", "--range", "0-1"]);
    assert!(sandbox.path("pictures/frame-000001.webp").is_file());
    sandbox.done(&["render", "film.json", "-o", "pictures.zip"]);
    sandbox.done(&["render", "film.json", "-o", "plain", "--format", "gif"]);
    assert_eq!(&std::fs::read(sandbox.path("plain")).expect("a file")[..6], b"GIF89a");
    let done = lines(&sandbox.done(&["render", "film.json", "-o", "sound.wav", "--json"]).out);
    assert_eq!(done.last().expect("a line")["frames"], 10);
    for (arguments, words) in [
        (&["-o", "film.avi"][..], &["film.avi", "mp4, webm"][..]),
        (&["-o", "film.mp4", "--format", "webm"], &["film.mp4", "webm"]),
        (&["-o", "film.mp4", "--codec", "vp9"], &["--codec", "h264"]),
        (&["-o", "film.mp4", "--range", "5-10"], &["--range", "10 frames"]),
        (&["-o", "film.mp4", "--scale", "0.1"], &["--scale", "6 × 5"]),
        (&["-o", "film.mp4", "--alpha", "true"], &["--alpha", "webm"]),
        (&["-o", "pictures.zip", "--format", "gif"], &["pictures.zip", "png"]),
    ] {
        let error = sandbox.rejected(&[&["render", "film.json"], arguments].concat());
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
    }
}

#[test]
fn json_reports_the_time_of_the_first_frame_and_with_timings_the_cpu_time_of_every_stage() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let render = ["render", "film.json", "-o", "film.mp4", "--json"];
    let plain = lines(&sandbox.done(&render).out).pop().expect("a line");
    assert!(plain["firstEncodedAt"].is_u64() && plain["stages"].is_null(), "{plain}");
    let done = lines(&sandbox.done(&[&render[..], &["--timings"]].concat()).out).pop().expect("a line");
    for stage in ["scene", "raster", "composite", "convert", "decode", "sound"] {
        assert!(done["stages"][stage].is_number(), "{stage}: {done}");
    }
    assert!(done["stages"]["composite"].as_f64() > Some(0.0), "{done}");
}

#[test]
fn set_replaces_the_content_of_dynamic_overlays() {
    let sandbox = Sandbox::new();
    let shape =
        json!({"content": "rectangle", "isDynamic": true, "name": "badge", "styles": {"fill": "#ff0000"}});
    sandbox.write("film.json", composition(&[overlay(1, "shape", shape)]).to_string());
    sandbox.picture("red.png");
    let picture = json!({"src": "missing.png", "isDynamic": true, "name": "logo"});
    sandbox.write("logo.json", composition(&[overlay(1, "image", picture)]).to_string());
    sandbox.done(&["frame", "logo.json", "--frame", "0", "-o", "logo.out.png", "--set", "logo=red.png"]);
    let [red, green, blue] = sandbox.middle("logo.out.png");
    assert!(red > 250 && green < 5 && blue < 5, "the picture given is shown");
    let corner =
        sandbox.done(&["frame", "film.json", "--frame", "0", "-o", "ring.png", "--set", "badge=ring"]);
    assert_eq!(corner.err, "");
    assert_eq!(sandbox.middle("ring.png"), [0, 0, 255], "a ring shows the background in its middle");
    let unknown =
        sandbox.done(&["frame", "film.json", "--frame", "0", "-o", "ring.png", "--set", "bagde=ring"]);
    assert!(unknown.err.contains("bagde") && unknown.err.contains("badge"), "{}", unknown.err);
    assert_eq!(sandbox.middle("ring.png"), [255, 0, 0], "the authored value stays");
}

#[test]
fn frame_paints_one_frame_or_a_folder_of_them() {
    let sandbox = Sandbox::new();
    let shape = json!({"content": "rectangle", "from": 5, "styles": {"fill": "#ff0000"}});
    sandbox.write("film.json", composition(&[overlay(1, "shape", shape)]).to_string());
    sandbox.done(&["frame", "film.json", "--frame", "4", "-o", "four.png"]);
    assert_eq!(sandbox.size("four.png"), (64, 48, 1));
    assert_eq!(sandbox.middle("four.png"), [0, 0, 255]);
    let ran = sandbox.done(&["frame", "film.json", "--frames", "5,0,9", "-o", "stills/new", "--json"]);
    let frames: Vec<Value> = lines(&ran.out).iter().map(|line| line["frame"].clone()).collect();
    assert_eq!(frames, [json!(5), json!(0), json!(9)]);
    assert_eq!(sandbox.middle("stills/new/frame-0.png"), [0, 0, 255]);
    assert_eq!(sandbox.middle("stills/new/frame-5.png"), [255, 0, 0]);
    let error = sandbox.rejected(&["frame", "film.json", "--frame", "10", "-o", "ten.png"]);
    assert!(error.contains("frame 10 does not exist") && error.contains("10 frames"), "{error}");
}

#[test]
fn sheet_paints_labelled_frames() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    sandbox.done(&["sheet", "film.json", "-o", "sheet.png"]);
    let (width, height, _) = sandbox.size("sheet.png");
    assert!(width > 4 * 64 && height > 3 * 48, "{width} × {height}");
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", format!("\u{feff}{}", blue()));
    assert_eq!(sandbox.done(&["check", "film.json"]).out, "The composition is valid.\n");
}

#[test]
fn check_prints_all_findings_as_text_and_as_json() {
    let sandbox = Sandbox::new();
    sandbox.write("fine.json", blue());
    assert_eq!(sandbox.done(&["check", "fine.json"]).out, "The composition is valid.\n");
    let fine: Value =
        serde_json::from_str(&sandbox.done(&["check", "fine.json", "--json"]).out).expect("JSON");
    assert_eq!(fine, json!({"valid": true, "errors": [], "warnings": []}));

    let text =
        json!({"content": "x", "colour": "red", "styles": {"fontFamily": "No Such Family", "opacity": 0.5}});
    sandbox.write("odd.json", composition(&[overlay(1, "text", text)]).to_string());
    let printed = sandbox.done(&["check", "odd.json"]).out;
    assert!(printed.contains("overlays[0].colour") && printed.contains("No Such Family"), "{printed}");
    assert!(printed.contains("with 2 warnings"), "{printed}");
    let odd: Value = serde_json::from_str(&sandbox.done(&["check", "odd.json", "--json"]).out).expect("JSON");
    let codes: Vec<&str> =
        odd["warnings"].as_array().expect("warnings").iter().filter_map(|w| w["code"].as_str()).collect();
    assert!(codes.contains(&"UNKNOWN_FIELD") && codes.contains(&"FONT_NOT_RESOLVED"), "{codes:?}");
    assert!(odd["warnings"][0]["path"].is_string() && odd["warnings"][0]["message"].is_string());

    sandbox.write("wrong.json", json!({"width": "wide", "overlays": [{"type": "video"}]}).to_string());
    let wrong = sandbox.rondo(&["check", "wrong.json", "--json"]);
    let report: Value = serde_json::from_str(&wrong.out).expect("JSON");
    assert_eq!((wrong.code, &report["valid"]), (Some(1), &json!(false)));
    let paths: Vec<&str> =
        report["errors"].as_array().expect("errors").iter().filter_map(|e| e["path"].as_str()).collect();
    for path in ["width", "durationInFrames", "overlays[0].src", "overlays[0].id"] {
        assert!(paths.contains(&path), "{path} is not in {paths:?}");
    }

    sandbox.write("lost.json", composition(&[overlay(1, "image", json!({"src": "lost.png"}))]).to_string());
    let lost = sandbox.rondo(&["check", "lost.json", "--json"]);
    let report: Value = serde_json::from_str(&lost.out).expect("JSON");
    assert_eq!((lost.code, &report["valid"]), (Some(1), &json!(false)));
    assert_eq!(report["warnings"][0]["code"], "MEDIA_UNREACHABLE");

    sandbox.done(&["frame", "fine.json", "--frame", "0", "-o", "cut.png"]);
    let whole = std::fs::read(sandbox.path("cut.png")).expect("a picture");
    std::fs::write(sandbox.path("cut.png"), &whole[..whole.len() - 20]).expect("a file");
    sandbox.write("cut.json", composition(&[overlay(1, "image", json!({"src": "cut.png"}))]).to_string());
    let cut = sandbox.rondo(&["check", "cut.json"]);
    assert!(cut.code == Some(1) && cut.out.contains("cut.png cannot be read"), "{}", cut.out);
}

#[test]
fn schema_is_json_and_names_the_overlay_types() {
    let schema: Value = serde_json::from_str(&Sandbox::new().done(&["schema"]).out).expect("JSON");
    let text = schema.to_string();
    for kind in ["text", "video", "image", "sound", "shape", "sticker", "caption", "effect"] {
        assert!(text.contains(&format!("\"{kind}\"")), "{kind}");
    }
    assert!(schema["$schema"].is_string());
}

#[test]
fn registry_lists_names_with_aliases_and_details() {
    let sandbox = Sandbox::new();
    let listed = |area: &str| -> Vec<Value> {
        serde_json::from_str(&sandbox.done(&["registry", area, "--json"]).out).expect("a JSON array")
    };
    let find = |area: &str, name: &str| listed(area).into_iter().find(|row| row["name"] == name).expect(name);
    assert_eq!(find("shapes", "ellipse"), json!({"name": "ellipse", "aliases": ["oval"]}));
    assert_eq!(find("stickers", "review-card")["category"], "Reviews");
    assert_eq!(find("filters", "noir")["css"], "grayscale(1) contrast(1.4) brightness(0.9)");
    assert_eq!(find("during", "spin")["kind"], "loop");
    for area in ["animations", "layouts", "effects", "captions", "easings", "fonts"] {
        assert!(listed(area).len() >= 8, "{area}");
    }
    let table = sandbox.done(&["registry", "shapes"]).out;
    assert!(table.lines().any(|line| line.starts_with("ellipse ") && line.ends_with("also oval")), "{table}");
    let ran = sandbox.rondo(&["registry", "fruit"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("fruit") && ran.err.contains("stickers"), "{}", ran.err);
}

#[test]
fn user_fonts_take_precedence_over_bundled_ones() {
    let sandbox = Sandbox::new();
    let family = |ran: Ran, name: &str| -> Value {
        let list: Value = serde_json::from_str(&ran.out).expect("JSON");
        let found = list.as_array().expect("a list").iter().find(|f| f["family"] == name).cloned();
        found.unwrap_or_else(|| panic!("{name} is listed"))
    };
    let bundled = family(sandbox.done(&["fonts", "--json"]), "Inter");
    assert_eq!(bundled["source"], "bundled");
    assert!(bundled["weights"].as_array().expect("weights").contains(&json!(700)));
    let table = sandbox.done(&["fonts"]).out;
    assert!(table.lines().any(|line| line.starts_with("Inter ") && line.contains("400")), "{table}");

    let fonts = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts");
    sandbox.write("fonts/own.ttf", std::fs::read(fonts.join("Inter-400.ttf")).expect("a font"));
    sandbox.write("fonts/broken.ttf", b"no font");
    sandbox.write("fonts/readme.txt", b"ignored");
    let own = run(sandbox.command(&["fonts", "--json"]).env("RONDO_FONT_DIR", sandbox.path("fonts")));
    assert!(own.err.contains("broken.ttf") && !own.err.contains("readme.txt"), "{}", own.err);
    let own = family(own, "Inter");
    assert_eq!((&own["source"], &own["weights"]), (&json!("user"), &json!([400])));

    let text = json!({"content": "x", "styles": {"fontFamily": "Inter", "fontWeight": "700"}});
    sandbox.write("film.json", composition(&[overlay(1, "text", text)]).to_string());
    assert_eq!(sandbox.done(&["check", "film.json"]).out, "The composition is valid.\n");
    let report =
        run(sandbox.command(&["check", "film.json", "--json"]).env("RONDO_FONT_DIR", sandbox.path("fonts")))
            .out;
    assert!(report.contains("FONT_WEIGHT_UNAVAILABLE"), "the user's Inter has no 700: {report}");
}

#[test]
fn media_paths_start_at_the_composition() {
    let sandbox = Sandbox::new();
    sandbox.picture("project/media/red.png");
    let image = |src: &str| composition(&[overlay(1, "image", json!({"src": src}))]).to_string();
    sandbox.write("project/film.json", image("media/red.png"));
    sandbox.done(&["frame", "project/film.json", "--frame", "0", "-o", "out.png"]);
    assert!(sandbox.middle("out.png")[0] > 250);
    for src in [sandbox.path("project/media/red.png").display().to_string(), "file://PATH".into()] {
        let src = src.replace("PATH", &sandbox.path("project/media/red.png").display().to_string());
        sandbox.write("film.json", image(&src));
        sandbox.done(&["frame", "film.json", "--frame", "0", "-o", "out.png"]);
        assert!(sandbox.middle("out.png")[0] > 250, "{src}");
    }
}

#[test]
fn media_can_be_http_and_data_urls() {
    let sandbox = Sandbox::new();
    sandbox.picture("red.png");
    let address = serve(std::fs::read(sandbox.path("red.png")).expect("a picture"));
    let image = |src: &str| composition(&[overlay(1, "image", json!({"src": src}))]).to_string();
    let svg = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='8' height='8'%3E%3Crect width='8' \
               height='8' fill='red'/%3E%3C/svg%3E";
    for src in [format!("{address}/media/red.png?size=8"), svg.to_owned()] {
        sandbox.write("film.json", image(&src));
        sandbox.done(&["frame", "film.json", "--frame", "0", "-o", "out.png"]);
        assert!(sandbox.middle("out.png")[0] > 250, "{src}");
    }
    assert_eq!(sandbox.files(), ["film.json", "out.png", "red.png"], "downloads are gone");
    sandbox.write("film.json", image(&format!("{address}/gone.png")));
    let error = sandbox.rejected(&["render", "film.json", "-o", "film.mp4"]);
    assert!(error.contains("/gone.png") && error.contains("404"), "{error}");
    assert!(error.contains("overlays[0].src"), "{error}");
    sandbox.write("film.json", image("data:image/png;base64,!!!"));
    let error = sandbox.rejected(&["render", "film.json", "-o", "film.mp4"]);
    assert!(error.contains("invalid data URL"), "{error}");
    sandbox.write("film.json", image("http://127.0.0.1:9/nobody.png"));
    assert!(
        sandbox.rejected(&["render", "film.json", "-o", "film.mp4"]).contains("nobody.png cannot be read")
    );
}

#[test]
fn film_with_downloaded_audio_is_complete() {
    let sandbox = Sandbox::new();
    sandbox.ffmpeg(&["-f", "lavfi", "-i", "sine=440:d=1"], "tone.wav");
    let address = serve(std::fs::read(sandbox.path("tone.wav")).expect("a sound"));
    let sound = overlay(1, "sound", json!({"src": format!("{address}/media/tone.wav")}));
    sandbox.write("film.json", composition(&[sound]).to_string());
    sandbox.done(&["render", "film.json", "-o", "film.mp4"]);
    assert_eq!(sandbox.size("film.mp4").2, 10);
    assert_eq!(sandbox.files(), ["film.json", "film.mp4", "tone.wav"]);
}

#[test]
fn loudness_is_set_by_the_request_or_the_command_line() {
    let sandbox = Sandbox::new();
    sandbox.ffmpeg(&["-f", "lavfi", "-i", "sine=440:d=1"], "tone.wav");
    let film = composition(&[overlay(1, "sound", json!({"src": "tone.wav", "durationInFrames": 30}))]);
    let body = |audio: Value| json!({"inputProps": film, "audio": audio}).to_string();
    sandbox.write("body.json", body(json!({"loudness": -20, "ducking": true})));
    let render = ["render", "body.json", "-o", "sound.wav", "--frames", "30"];
    let ran = sandbox.done(&render);
    assert!(ran.err.contains("-20.0 LUFS") && ran.err.contains("audio.ducking"), "{}", ran.err);
    let events = lines(&sandbox.done(&[&render[..], &["--loudness", "-16.5", "--json"]].concat()).out);
    assert_eq!(events.last().expect("a line")["loudness"], -16.5);
    let wrong = sandbox.rondo(&[&render[..], &["--loudness", "14"]].concat());
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    sandbox.write("body.json", body(json!({"ducking": {"amount": 99}})));
    let rejected = sandbox.rejected(&render);
    assert!(rejected.contains("`audio.ducking.amount` must be") && rejected.contains("got 99"), "{rejected}");
}

#[test]
fn a_dash_reads_standard_input() {
    let sandbox = Sandbox::new();
    let ran = sandbox.with_input(&["frame", "-", "--frame", "0", "-o", "out.png"], &blue());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(sandbox.middle("out.png"), [0, 0, 255]);
    let ran = sandbox.with_input(&["check", "-"], "{");
    assert_eq!(ran.code, Some(1));
}

#[test]
fn render_request_body_is_accepted_as_input() {
    let sandbox = Sandbox::new();
    let request =
        json!({"inputProps": composition(&[]), "width": 32, "webhookUrl": "https://example.com/hook"});
    sandbox.write("request.json", request.to_string());
    sandbox.done(&["render", "request.json", "-o", "film.mp4"]);
    assert_eq!(sandbox.size("film.mp4"), (32, 48, 10));
}

#[test]
fn encode_every_frame_makes_the_same_film_without_repeats() {
    let sandbox = Sandbox::new();
    let mut still = composition(&[]);
    still["durationInFrames"] = json!(60);
    sandbox.write("film.json", still.to_string());
    sandbox.done(&["render", "film.json", "-o", "repeats.mp4"]);
    sandbox.done(&["render", "film.json", "-o", "plain.mp4", "--encode-every-frame"]);
    assert_ne!(
        std::fs::read(sandbox.path("repeats.mp4")).ok(),
        std::fs::read(sandbox.path("plain.mp4")).ok()
    );
    for film in ["repeats.mp4", "plain.mp4"] {
        assert_eq!(sandbox.size(film), (64, 48, 60));
        assert_eq!(sandbox.middle(film), sandbox.middle("plain.mp4"));
    }
}

#[test]
fn sandboxed_commands_make_the_same_files_and_print_the_same_findings() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let both = |arguments: &[&str], plain: &str, sandboxed: &str| {
        let with = |output: &str, more: &[&str]| {
            let output = ["-o", output];
            sandbox.done(&[arguments, &output, more].concat());
        };
        with(plain, &[]);
        with(sandboxed, &["--sandbox"]);
        let read = |name: &str| std::fs::read(sandbox.path(name)).expect("a file");
        assert!(read(plain) == read(sandboxed), "{arguments:?} differ");
    };
    both(&["render", "film.json"], "plain.mp4", "film.mp4");
    both(&["render", "film.json", "--range", "1-3"], "plain.zip", "film.zip");
    both(&["frame", "film.json", "--frame", "3"], "plain.png", "frame.png");
    both(&["sheet", "film.json"], "plain-sheet.png", "sheet.png");
    let events =
        lines(&sandbox.done(&["render", "film.json", "-o", "film.mp4", "--json", "--sandbox=auto"]).out);
    let done = events.last().expect("lines");
    assert_eq!((&done["event"], &done["frames"], &done["width"]), (&json!("done"), &json!(10), &json!(64)));

    let mut broken: Value = serde_json::from_str(&blue()).expect("JSON");
    broken["overlays"] = json!([{"id": 1, "type": "image", "src": "broken.png", "from": 0, "durationInFrames": 10,
        "row": 0, "left": 0, "top": 0, "width": 64, "height": 48, "styles": {"filter": "blurr(2px)"}}]);
    sandbox.write("broken.json", broken.to_string());
    sandbox.write("broken.png", b"\x89PNG\r\n\x1a\nnothing");
    let plain = sandbox.rondo(&["check", "broken.json", "--json"]);
    let sandboxed = sandbox.rondo(&["check", "broken.json", "--json", "--sandbox"]);
    assert_eq!(plain.out, sandboxed.out);
    let error = sandbox.rejected(&["render", "broken.json", "-o", "broken.mp4", "--sandbox"]);
    assert!(error.contains("overlays[0].src") && error.contains("broken.png"), "{error}");
}

#[test]
fn sandboxed_captions_are_those_of_the_same_recording() {
    let sandbox = Sandbox::new();
    sandbox.done(&["say", "The quick brown fox jumps over the lazy dog.", "-o", "fox.wav"]);
    let plain = sandbox.done(&["captions", "fox.wav"]);
    let sandboxed = sandbox.done(&["captions", "fox.wav", "--sandbox=required"]);
    assert!(plain.out.to_lowercase().contains("fox"), "{}", plain.out);
    assert_eq!(plain.out, sandboxed.out);
    sandbox.write("broken.wav", b"RIFF nothing");
    let error = sandbox.rejected(&["captions", "broken.wav", "--sandbox"]);
    assert!(error.contains("broken.wav"), "{error}");
    sandbox.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2"], "silent.mp4");
    let error = sandbox.rejected(&["captions", "silent.mp4", "--sandbox"]);
    assert!(error.contains("silent.mp4 has no audio."), "{error}");
}

#[test]
fn the_sandbox_works_where_root_stands_for_one_user_only() {
    // As in a container without root.
    let alone = ["--user", "--map-root-user"];
    if !Command::new("unshare").args(alone).arg("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: user namespaces are refused, or unshare is missing.");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    let mut command = Command::new("unshare");
    command.args(alone).arg(env!("CARGO_BIN_EXE_rondo"));
    command.args(["render", "film.json", "-o", "film.mp4", "--sandbox"]).current_dir(sandbox.path("."));
    let ran = run(command.env("TMPDIR", sandbox.path("tmp")).env("RONDO_FONT_REGISTRY", "off"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("The sandbox lacks user"), "{}", ran.err);
    assert_eq!(sandbox.size("film.mp4"), (64, 48, 10));
}

#[test]
fn interrupt_removes_partial_output() {
    let sandbox = Sandbox::new();
    let mut long = composition(&[]);
    long["durationInFrames"] = json!(300_000);
    sandbox.write("film.json", long.to_string());
    let mut command = sandbox.command(&["render", "film.json", "-o", "film.mp4", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    read_until(child.stdout.take().expect("its output"), "\"progress\"");
    assert!(sandbox.files().len() > 1, "the render has started");
    send_signal(&child, libc::SIGINT);
    let exited =
        wait_within(&mut child, Duration::from_secs(60), || "the render to stop after SIGINT".to_owned());
    assert_eq!(exited.code(), Some(1));
    let mut error = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut error).expect("text");
    assert_eq!(error, "Cancelled. No film was written.\n");
    assert_eq!(sandbox.files(), ["film.json"]);
}

#[test]
#[cfg(target_os = "linux")]
fn ffmpeg_is_loaded_only_when_it_is_needed() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", blue());
    // The loader lists the libraries that the program loads at startup.
    let started = sandbox.command(&[]).env("LD_TRACE_LOADED_OBJECTS", "1").output().expect("a list");
    let libraries = String::from_utf8_lossy(&started.stdout);
    assert!(libraries.contains("libc.so"), "{libraries}");
    assert!(!libraries.contains("libav") && !libraries.contains("libsw"), "{libraries}");

    // Broken FFmpeg libraries of every version.
    for version in 1..100 {
        for name in ["avutil", "avcodec", "avformat", "swscale", "swresample"] {
            sandbox.write(&format!("broken/lib{name}.so.{version}"), "");
        }
    }
    let without = |arguments: &[&str]| {
        finished(sandbox.command(arguments).env("LD_LIBRARY_PATH", sandbox.path("broken")))
    };
    let still = without(&["frame", "film.json", "--frame", "0", "-o", "still.png"]);
    assert_eq!(still.code, Some(0), "{}", still.err);
    let film = without(&["render", "film.json", "-o", "film.mp4"]);
    assert_eq!(film.code, Some(1), "{}", film.err);
    assert!(
        film.err.starts_with("film.mp4 cannot be written: FFmpeg's libraries cannot be loaded ("),
        "{}",
        film.err
    );
    assert!(film.err.contains("libavutil.so"), "{}", film.err);
    let cached = without(&["render", "film.json", "-o", "film.mp4", "--chunk-cache", "chunks"]);
    assert_eq!(cached.code, Some(1), "{}", cached.err);
    let expected =
        "a film of 64×48 at 30 frames per second cannot be encoded: FFmpeg's libraries cannot be loaded (";
    assert!(cached.err.starts_with(expected), "{}", cached.err);
    assert!(!sandbox.path("film.mp4").exists());
}
