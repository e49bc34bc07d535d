//! The data folder of a service: who can read it, backups of it, and the master key.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use common::{Sandbox, send_signal, wait_within};
use serde_json::Value;

/// Time limit for the service to exit after SIGTERM.
const STOP_DEADLINE: Duration = Duration::from_secs(60);

struct Service(Child);

impl Service {
    fn start(sandbox: &Sandbox, data: &str) -> Self {
        let mut command =
            sandbox.command(&["serve", "--listen", "127.0.0.1:0", "--data", data, "--gallery", "off"]);
        let mut child = command.env_remove("RONDO_MASTER_KEY").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("listening")), "the service did not start");
        std::thread::spawn(move || for _ in lines {});
        Self(child)
    }

    fn stop(mut self) {
        send_signal(&self.0, libc::SIGTERM);
        wait_within(&mut self.0, STOP_DEADLINE, || "the service to exit".to_owned());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
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
