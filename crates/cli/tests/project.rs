//! `rondo init` and `rondo dev`: a project from nothing, and a page that follows its file.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Sandbox, composition, overlay, send_signal, wait_within};
use serde_json::{Value, json};

/// Time limit for the page to follow a change, on a slow machine.
const FOLLOW_DEADLINE: Duration = Duration::from_secs(60);

/// `rondo dev`, stopped when the test ends.
struct Dev {
    child: Child,
    address: String,
}

impl Dev {
    fn start(sandbox: &Sandbox, file: &str) -> Self {
        Self::start_with(sandbox, file, &[])
    }

    fn start_with(sandbox: &Sandbox, file: &str, more: &[&str]) -> Self {
        let mut command = sandbox.command(&[&["dev", file, "--port", "0"], more].concat());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        std::thread::spawn(move || for _ in lines.lines() {});
        let url = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let address = url.unwrap_or_else(|| panic!("no address: {line}")).trim_end_matches('.').to_owned();
        Self { child, address }
    }

    /// Status and body of an answer. `host` is the name that the page is asked under.
    fn get_as(&self, host: &str, path: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        self.get_as(&self.address, path)
    }

    fn state(&self) -> Value {
        let (status, _, body) = self.get("/film");
        assert_eq!(status, 200);
        serde_json::from_slice(&body).unwrap()
    }

    /// The state once it is as wanted.
    #[track_caller]
    fn wait_for(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let state = self.state();
            if wanted(&state) {
                return state;
            }
            assert!(started.elapsed() < FOLLOW_DEADLINE, "waited for {what}, the state is {state:#}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        send_signal(&self.child, libc::SIGTERM);
        wait_within(&mut self.child, FOLLOW_DEADLINE, || "rondo dev to exit".to_owned());
    }
}

#[test]
fn a_starter_project_is_valid_and_paints() {
    let sandbox = Sandbox::new();
    let ran = sandbox.done(&["init", "films/first"]);
    assert!(
        ran.out.contains("cd films/first") && ran.out.contains("rondo dev composition.json"),
        "{}",
        ran.out
    );
    let mode = std::fs::metadata(sandbox.path("films/first/render.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111, "render.sh can be run");
    let checked = sandbox.done(&["check", "films/first/composition.json", "--json"]);
    let checked: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!((&checked["valid"], &checked["warnings"]), (&json!(true), &json!([])));
    sandbox.done(&[
        "render",
        "films/first/composition.json",
        "--frame",
        "60",
        "--scale",
        "0.1",
        "-o",
        "frame.png",
    ]);
    assert_eq!(sandbox.size("frame.png"), (192, 108, 1));
    let readme = std::fs::read_to_string(sandbox.path("films/first/README.md")).unwrap();
    let film: Value =
        serde_json::from_slice(&std::fs::read(sandbox.path("films/first/composition.json")).unwrap())
            .unwrap();
    for overlay in film["overlays"].as_array().unwrap().iter().filter(|overlay| overlay["isDynamic"] == true)
    {
        let name = overlay["name"].as_str().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "the README does not name the variable {name}");
    }
    assert_eq!(film["durationInFrames"].as_u64().unwrap() / film["fps"].as_u64().unwrap(), 6);
}

#[test]
fn a_starter_project_replaces_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("README.md", "mine");
    let error = sandbox.rejected(&["init"]);
    assert!(error.contains("README.md already exists"), "{error}");
    assert_eq!(std::fs::read_to_string(sandbox.path("README.md")).unwrap(), "mine");
    let error = sandbox.rejected(&["init", "README.md/film"]);
    assert!(error.contains("README.md/film") && error.contains("cannot be written"), "{error}");
}

#[test]
fn the_page_follows_the_file_and_its_media() {
    let sandbox = Sandbox::new();
    sandbox.picture("photo.png");
    sandbox.write("secret.txt", "not named by the film");
    let film = |content: &str, width: i32| {
        let image = overlay(1, "image", json!({"src": "photo.png"}));
        let text =
            overlay(2, "text", json!({"content": content, "width": width, "styles": {"fontSize": "12px"}}));
        composition(&[image, text]).to_string()
    };
    sandbox.write("film.json", film("One", 64));
    let dev = Dev::start(&sandbox, "film.json");

    let state = dev.wait_for("the film", |state| state["current"] == true);
    assert_eq!(state["film"]["overlays"][1]["content"], "One");
    assert_eq!(state["findings"], json!([]));
    let first = state["film"]["overlays"][0]["src"].as_str().unwrap().to_owned();
    let (status, head, body) = dev.get(&first);
    assert_eq!((status, &body), (200, &std::fs::read(sandbox.path("photo.png")).unwrap()));
    assert!(!head.contains("access-control-allow-origin"), "other sites must not read media: {head}");

    sandbox.write("film.json", film("Two", 64));
    dev.wait_for("the change", |state| state["film"]["overlays"][1]["content"] == "Two");

    // A film that cannot be read leaves the last one, with the reason.
    sandbox.write("film.json", film("Three", 64).replace("\"fps\":30", "\"fps\":-1"));
    let state = dev.wait_for("the problem", |state| state["current"] == false);
    assert_eq!(state["film"]["overlays"][1]["content"], "Two");
    assert_eq!(
        (&state["findings"][0]["severity"], &state["findings"][0]["path"]),
        (&json!("error"), &json!("fps"))
    );
    sandbox.write("film.json", "{");
    let state = dev.wait_for("the broken file", |state| state["findings"][0]["path"] == "");
    assert_eq!(state["film"]["overlays"][1]["content"], "Two");

    // Warnings are shown with the film.
    sandbox.write("film.json", film("Four", 64).replace("photo.png", "missing.png"));
    let state = dev.wait_for("the missing picture", |state| state["current"] == true);
    assert_eq!(state["findings"][0]["path"], "overlays[0].src", "{state:#}");
    std::fs::copy(sandbox.path("photo.png"), sandbox.path("missing.png")).unwrap();
    dev.wait_for("the picture that came later", |state| state["findings"] == json!([]));

    // A picture that changed has another address.
    sandbox.write("film.json", film("Five", 64));
    let before = dev.wait_for("the picture", |state| state["film"]["overlays"][1]["content"] == "Five");
    sandbox.ffmpeg(&["-f", "lavfi", "-i", "color=blue:s=8x8,format=rgb24", "-frames:v", "1"], "photo.png");
    let src = &before["film"]["overlays"][0]["src"];
    dev.wait_for("the new picture", |state| {
        state["film"]["overlays"][0]["src"] != *src && state["findings"] == json!([])
    });
}

#[test]
fn with_a_sandbox_the_page_shows_the_same_findings() {
    let sandbox = Sandbox::new();
    sandbox.picture("photo.png");
    sandbox.write("broken.png", b"\x89PNG\r\n\x1a\nnothing");
    let picture = |id: u32, src: &str| overlay(id, "image", json!({"src": src}));
    let film = composition(&[picture(1, "photo.png"), picture(2, "broken.png"), picture(3, "gone.png")]);
    sandbox.write("film.json", film.to_string());
    let plain = Dev::start(&sandbox, "film.json").wait_for("the film", |state| state["current"] == true);
    let dev = Dev::start_with(&sandbox, "film.json", &["--sandbox"]);
    let sandboxed = dev.wait_for("the film", |state| state["current"] == true);
    assert_eq!(plain["findings"], sandboxed["findings"]);
    let paths: Vec<&Value> =
        sandboxed["findings"].as_array().unwrap().iter().map(|finding| &finding["path"]).collect();
    assert_eq!(paths, ["overlays[1].src", "overlays[2].src"], "{:#}", sandboxed["findings"]);
    sandbox.picture("broken.png");
    sandbox.picture("gone.png");
    dev.wait_for("the pictures", |state| state["findings"] == json!([]));
}

#[test]
fn the_page_answers_only_this_machine_and_only_what_the_film_names() {
    let sandbox = Sandbox::new();
    sandbox.write("film.json", composition(&[]).to_string());
    sandbox.write("secret.txt", "not named by the film");
    let dev = Dev::start(&sandbox, "film.json");
    assert!(dev.address.starts_with("127.0.0.1:"), "{}", dev.address);
    let (status, head, page) = dev.get("/");
    let page = String::from_utf8(page).unwrap();
    assert!(status == 200 && page.contains("<rondo-player") && page.contains("film.json"), "{page}");
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    for path in ["/dev.css", "/dev.js", "/pages/preview.css", "/pages/icon.svg", "/player/rondo-player.js"] {
        assert_eq!(dev.get(path).0, 200, "{path}");
    }
    for path in [
        "/secret.txt",
        "/media/secret.txt",
        "/media/../secret.txt",
        "/media/%2e%2e%2fsecret.txt",
        "/film.json",
    ] {
        assert_eq!(dev.get(path).0, 404, "{path}");
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""] {
        assert_eq!(dev.get_as(host, "/film").0, 403, "{host}");
    }
    let (status, _, events) = {
        let mut stream = TcpStream::connect(&dev.address).unwrap();
        stream.set_read_timeout(Some(FOLLOW_DEADLINE)).unwrap();
        write!(stream, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        let mut seen = String::new();
        while !seen.contains("\"findings\"") {
            assert!(reader.read_line(&mut seen).unwrap() > 0, "the events ended: {seen}");
        }
        (seen.contains("200 OK"), String::new(), seen)
    };
    assert!(status && events.contains("event: film"), "{events}");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let sandbox = Sandbox::new();
    let error = sandbox.rejected(&["dev", "-"]);
    assert!(error.contains("standard input"), "{error}");
    let error = sandbox.rejected(&["dev", "nothing.json"]);
    assert!(error.contains("nothing.json cannot be read: file not found"), "{error}");
    sandbox.write("film.json", composition(&[]).to_string());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let error = sandbox.rejected(&["dev", "film.json", "--port", &port]);
    assert!(error.contains(&port) && error.contains("--port"), "{error}");
}
