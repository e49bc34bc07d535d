//! A service as a process: who can read its data folder, backups of it, the master key, and its memory after large pictures.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Sandbox, overlay, send_signal, serve, wait_within};
use serde_json::{Value, json as value};

/// Time limit for the service to exit after SIGTERM.
const STOP_DEADLINE: Duration = Duration::from_secs(60);

struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(sandbox: &Sandbox, data: &str) -> Self {
        Self::start_with(sandbox, data, &[])
    }

    fn start_with(sandbox: &Sandbox, data: &str, flags: &[&str]) -> Self {
        let usual = ["serve", "--listen", "127.0.0.1:0", "--data", data, "--gallery", "off"];
        let mut command = sandbox.command(&[&usual[..], flags].concat());
        let mut child = command.env_remove("RONDO_MASTER_KEY").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.find_map(|line| line.ok().filter(|line| line.contains("listening")));
        let line = line.expect("the service did not start");
        std::thread::spawn(move || for _ in lines {});
        let address = line.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ':');
        let address = address.filter(|word| word.starts_with("127.0.0.1:")).map(str::to_owned).next();
        Self { process: child, address: address.unwrap_or_else(|| panic!("no address: {line}")) }
    }

    fn stop(mut self) {
        send_signal(&self.process, libc::SIGTERM);
        wait_within(&mut self.process, STOP_DEADLINE, || "the service to exit".to_owned());
    }

    /// Status and body of an answer.
    fn ask(&self, method: &str, path: &str, key: &str, body: &str) -> (u16, String) {
        ask(&self.address, method, path, key, body)
    }

    /// Memory of the process itself in megabytes.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }
}

fn ask(address: &str, method: &str, path: &str, key: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    serde_json::from_str(&sandbox.done(arguments).out).unwrap()
}

fn create_account(sandbox: &Sandbox) {
    let account = ["account", "create", "--email", "ada@example.com", "--name", "Ada", "--credits", "7"];
    sandbox.done(&[&account[..], &["--data", "data"]].concat());
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

/// Every file and folder below `folder`.
fn everything(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(everything(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn only_the_owner_can_read_the_data_folder() {
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let data = sandbox.path("data");
    fs::create_dir(data.join("outputs")).unwrap();
    fs::write(data.join("outputs/job_1.mp4"), "film").unwrap();
    for path in everything(&data) {
        let open = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path, Permissions::from_mode(open)).unwrap();
    }
    let service = Service::start(&sandbox, "data");
    let all = everything(&data);
    assert!(all.contains(&data.join("master.key")) && all.contains(&data.join("rondo.db-wal")), "{all:?}");
    for path in all {
        assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
    service.stop();
}

#[test]
fn a_running_service_is_backed_up_and_restored() {
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let service = Service::start(&sandbox, "data");
    sandbox.write("data/outputs/job_1.mp4", "film");
    sandbox.write("data/media/content/cached", "can be fetched again");
    let backup = json(&sandbox, &["backup", "copy", "--data", "data"]);
    assert_eq!((&backup["database"], &backup["masterKey"]), (&true.into(), &true.into()), "{backup}");
    assert!(sandbox.path("copy/outputs/job_1.mp4").is_file() && !sandbox.path("copy/media").exists());
    for path in everything(&sandbox.path("copy")) {
        assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
    let refused = sandbox.rejected(&["backup", "copy", "--data", "data"]);
    assert!(refused.contains("copy is not empty"), "{refused}");
    let refused = sandbox.rejected(&["backup", "other", "--data", "nowhere"]);
    assert!(refused.contains("There is no database in nowhere"), "{refused}");
    assert!(!sandbox.path("nowhere").exists());
    service.stop();

    json(&sandbox, &["restore", "copy", "--data", "new"]);
    let accounts = |data| json(&sandbox, &["account", "list", "--data", data]);
    assert_eq!(accounts("new"), accounts("data"));
    assert_eq!(accounts("new")["accounts"][0]["credits"], 7);
    assert_eq!(fs::read_to_string(sandbox.path("new/outputs/job_1.mp4")).unwrap(), "film");
    Service::start(&sandbox, "new").stop();
    let refused = sandbox.rejected(&["restore", "copy", "--data", "new"]);
    assert!(refused.contains("new is not empty"), "{refused}");

    sandbox.write("copy/outputs/job_1.mp4", "fake");
    let refused = sandbox.rejected(&["restore", "copy", "--data", "third"]);
    assert!(refused.contains("job_1.mp4 differs from the manifest"), "{refused}");
    fs::remove_file(sandbox.path("copy/manifest.json")).unwrap();
    let refused = sandbox.rejected(&["restore", "copy", "--data", "third"]);
    assert!(refused.contains("copy is not a complete backup"), "{refused}");
}

#[test]
fn a_backup_without_the_key_needs_it_again() {
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let backup = json(&sandbox, &["backup", "copy", "--data", "data", "--without-key"]);
    assert_eq!(backup["masterKey"], false);
    assert!(!sandbox.path("copy/master.key").exists());
    let refused = sandbox.rejected(&["restore", "copy", "--data", "new"]);
    assert!(refused.contains("there is no master key"), "{refused}");
    sandbox.write("third/master.key", fs::read(sandbox.path("data/master.key")).unwrap());
    json(&sandbox, &["restore", "copy", "--data", "third"]);
}

#[test]
fn a_test_key_is_created_and_says_what_it_is() {
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let create = ["key", "create", "ada@example.com", "--data", "data"];
    let live = json(&sandbox, &create);
    let test = json(&sandbox, &[&create[..], &["--test"]].concat());
    assert_eq!((&live["mode"], &test["mode"]), (&Value::from("live"), &Value::from("test")));
    let starts = |key: &Value| key["apiKey"].as_str().unwrap().starts_with("rnd_test_");
    assert!(starts(&test) && !starts(&live));
}

#[test]
fn the_master_key_is_rotated_while_the_service_is_stopped() {
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let service = Service::start(&sandbox, "data");
    let refused = sandbox.rejected(&["key", "rotate-master", "--data", "data"]);
    assert!(refused.contains("Stop the service first"), "{refused}");
    service.stop();

    let old = fs::read_to_string(sandbox.path("data/master.key")).unwrap();
    json(&sandbox, &["key", "rotate-master", "--data", "data"]);
    let new = fs::read_to_string(sandbox.path("data/master.key")).unwrap();
    assert_ne!(old, new);
    assert_eq!(mode(&sandbox.path("data/master.key")), 0o600);
    Service::start(&sandbox, "data").stop();

    sandbox.write("data/master.key", &old);
    let mut serve =
        sandbox.command(&["serve", "--listen", "127.0.0.1:0", "--data", "data", "--gallery", "off"]);
    let refused = common::finished(&mut serve);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("The master key does not fit the database"), "{}", refused.err);

    // A key from the environment instead of the file.
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        common::finished(command.envs(variables.iter().copied()))
    };
    let rotate = ["key", "rotate-master", "--data", "data"];
    let refused = run(&[("RONDO_MASTER_KEY", new.trim())], &rotate);
    assert!(refused.err.contains("RONDO_NEW_MASTER_KEY must be set"), "{}", refused.err);
    let third = "1f".repeat(32);
    let rotated = run(&[("RONDO_MASTER_KEY", new.trim()), ("RONDO_NEW_MASTER_KEY", &third)], &rotate);
    assert_eq!(rotated.code, Some(0), "{}", rotated.err);
    let list = ["account", "list", "--data", "data"];
    assert_eq!(run(&[("RONDO_MASTER_KEY", &third)], &list).code, Some(0));
    assert_eq!(run(&[("RONDO_MASTER_KEY", new.trim())], &list).code, Some(1));
}

#[test]
fn three_hundred_large_pictures_in_one_film_are_refused_or_fail_and_leave_the_service_as_it_was() {
    /// Time for a film of them to fail, in a debug build on a busy machine.
    const FAIL_WITHIN: Duration = Duration::from_secs(120);
    let sandbox = Sandbox::new();
    create_account(&sandbox);
    let key = json(&sandbox, &["key", "create", "ada@example.com", "--data", "data"]);
    let key = key["apiKey"].as_str().unwrap_or_else(|| panic!("{key}"));
    // One bit for each pixel: some kilobytes.
    let black = ["-f", "lavfi", "-i", "color=black:s=10000x10000", "-pix_fmt", "monob", "-frames:v", "1"];
    sandbox.ffmpeg(&black, "large.png");
    let media = serve(fs::read(sandbox.path("large.png")).unwrap());
    let film = |addresses: u32| {
        let picture = |n: u32| {
            let src = format!("{media}/media{}.png", n % addresses);
            let styles = value!({"objectFit": "none"});
            overlay(n + 1, "image", value!({"src": src, "row": n, "styles": styles}))
        };
        let overlays: Vec<Value> = (0..300).map(picture).collect();
        value!({"inputProps": common::composition(&overlays)}).to_string()
    };
    let service = Service::start_with(&sandbox, "data", &["--allow-private-network"]);
    /// Ends the thread below also when the test fails.
    struct Ended<'a>(&'a AtomicBool);
    impl Drop for Ended<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ended = Ended(&ended);
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                let asked = Instant::now();
                assert_eq!(service.ask("GET", "/healthz", "", "").0, 200);
                // A second, and some on a machine where other tests run.
                assert!(asked.elapsed() < Duration::from_secs(5), "it took {:?}", asked.elapsed());
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let before = service.memory();
        let (status, body) = service.ask("POST", "/api/v1/renders", key, &film(300));
        assert!(status == 422 && body.contains("MEDIA_LIMIT_EXCEEDED"), "{status} {body}");

        let (status, body) = service.ask("POST", "/api/v1/renders", key, &film(150));
        assert_eq!(status, 200, "{body}");
        let body: Value = serde_json::from_str(&body).unwrap();
        let path = format!("/api/v1/renders/{}", body["data"]["jobId"].as_str().unwrap());
        let started = Instant::now();
        let job = loop {
            let (_, body) = service.ask("GET", &path, key, "");
            let job = serde_json::from_str::<Value>(&body).unwrap()["data"].clone();
            if job["status"] == "FAILED" || job["status"] == "COMPLETED" {
                break job;
            }
            assert!(started.elapsed() < FAIL_WITHIN, "the film does not end: {job}");
            std::thread::sleep(Duration::from_millis(100));
        };
        assert_eq!(job["status"], "FAILED", "{job}");
        let sentence = job["errorMessage"].as_str().unwrap();
        assert!(sentence.contains("megapixels") || sentence.contains("memory"), "{sentence}");

        // What was fetched is on the disk, and what was decoded was elsewhere.
        let started = Instant::now();
        while service.memory() > before + 64 {
            let memory = service.memory();
            assert!(started.elapsed() < Duration::from_secs(20), "{memory} MB, before {before} MB");
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let accounts = json(&sandbox, &["account", "list", "--data", "data"]);
    assert_eq!(accounts["accounts"][0]["credits"], 7, "{accounts}");
    service.stop();
}
