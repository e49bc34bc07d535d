//! `rondo login`, `rondo logout` and `rondo remote` with a service of the same program.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{Ran, Sandbox, composition, finished, overlay, send_signal, wait_within};
use serde_json::{Value, json};

const STOP_DEADLINE: Duration = Duration::from_secs(60);

/// A service with one account, stopped when the test ends.
struct Service {
    child: Child,
    url: String,
    key: String,
}

impl Service {
    fn start(sandbox: &Sandbox) -> Self {
        let account =
            ["account", "create", "--email", "ada@example.com", "--name", "Ada", "--plan", "business"];
        let made = sandbox.done(&[&account[..], &["--credits", "50", "--data", "data"]].concat());
        let account: Value = serde_json::from_str(&made.out).unwrap();
        let listen = ["serve", "--listen", "127.0.0.1:0", "--data", "data", "--gallery", "off"];
        let mut child = sandbox.command(&listen).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.by_ref().map(Result::unwrap).find(|line| line.contains("listening")).unwrap();
        std::thread::spawn(move || for _ in lines {});
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Self { child, url, key: account["apiKey"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        send_signal(&self.child, libc::SIGTERM);
        wait_within(&mut self.child, STOP_DEADLINE, || "the service to exit".to_owned());
    }
}

/// A command whose settings are in the folder of the test.
fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.command(arguments);
    command.env("XDG_CONFIG_HOME", sandbox.path("config"));
    for name in ["RONDO_URL", "RONDO_API_KEY", "RONDO_KEY"] {
        command.env_remove(name);
    }
    command
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    finished(&mut command(sandbox, arguments))
}

#[track_caller]
fn done(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let ran = run(sandbox, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let ran = run(sandbox, arguments);
    assert_eq!(ran.code, Some(1), "{arguments:?}: {}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    ran.err
}

#[test]
fn a_film_with_local_media_is_rendered_by_a_service_and_downloaded() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox);
    let login = done(&sandbox, &["login", &service.url, "--key", &service.key]);
    assert!(login.contains("as Ada (ada@example.com), with 50 credits"), "{login}");

    sandbox.picture("film/photo.png");
    sandbox
        .ffmpeg(&["-f", "lavfi", "-i", "color=lime:s=8x8,format=rgb24", "-frames:v", "1"], "film/green.png");
    let image = overlay(1, "image", json!({"src": "photo.png", "isDynamic": true, "name": "photo"}));
    let film = json!({"inputProps": composition(&[image]), "metadata": {"from": "test"}});
    sandbox.write("film/film.json", film.to_string());
    let ran = run(&sandbox, &["remote", "render", "film/film.json", "--draft", "-o", "red.mp4"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("Uploading film/photo.png") && ran.err.contains("red.mp4: "), "{}", ran.err);
    assert_eq!(sandbox.size("red.mp4"), (64, 48, 10));
    let [red, green, blue] = sandbox.middle("red.mp4");
    assert!(red > 200 && green < 60 && blue < 60, "{red} {green} {blue}");

    // A value for a variable with media names a file of the project; --file names one of the current folder.
    for value in [["--set", "photo=green.png"], ["--file", "photo=film/green.png"]] {
        let arguments = ["remote", "render", "film/film.json", "-o", "green.png"];
        done(&sandbox, &[&arguments[..], &value].concat());
        let [red, green, blue] = sandbox.middle("green.png");
        assert!(red < 60 && green > 200 && blue < 60, "{value:?}: {red} {green} {blue}");
    }

    let several = ["-o", "several.mp4", "-o", "several.gif", "-o", "several.png"];
    let ran = run(&sandbox, &[&["remote", "render", "film/film.json"], &several[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("several.mp4: ") && ran.err.contains("several.png: "), "{}", ran.err);
    assert_eq!((sandbox.size("several.mp4"), sandbox.size("several.gif")), ((64, 48, 10), (64, 48, 10)));
    assert_eq!(sandbox.size("several.png"), (64, 48, 1));

    let job: Value =
        serde_json::from_str(&done(&sandbox, &["remote", "render", "film/film.json", "--draft", "--json"]))
            .unwrap();
    assert_eq!((&job["status"], &job["metadata"]["from"]), (&json!("COMPLETED"), &json!("test")));
    assert!(job.get("inputProps").is_none());
    let id = job["jobId"].as_str().unwrap();
    let status = done(&sandbox, &["remote", "status", id]);
    let address = job["outputUrl"].as_str().unwrap();
    assert!(status.starts_with(&format!("{id}: COMPLETED")) && status.contains(address), "{status}");
}

#[test]
fn templates_and_projects_are_rendered_by_id() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox);
    done(&sandbox, &["login", &service.url, "--key", &service.key]);
    let list = done(&sandbox, &["remote", "templates"]);
    let row = list.lines().find(|line| line.starts_with("tpl_quote_card ")).unwrap();
    assert!(row.contains("1080 × 1350") && row.contains("quote, "), "{row}");
    let list: Value = serde_json::from_str(&done(&sandbox, &["remote", "templates", "--json"])).unwrap();
    assert!(list.as_array().unwrap().len() > 30);
    let id = done(
        &sandbox,
        &["remote", "render", "--template", "tpl_quote_card", "--set", "quote=Short.", "--no-wait"],
    );
    let job: Value =
        serde_json::from_str(&done(&sandbox, &["remote", "status", id.trim(), "--json"])).unwrap();
    assert_eq!(job["templateId"], "tpl_quote_card");
    let project = job["projectId"].as_str().unwrap();
    let again = done(&sandbox, &["remote", "render", "--project", project, "--no-wait", "--json"]);
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!((&again["mode"], &again["projectId"]), (&json!("project"), &json!(project)));
}

#[test]
fn keys_are_kept_for_each_service_and_only_their_owner_reads_them() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox);
    let error = refused(&sandbox, &["remote", "templates"]);
    assert!(error.contains("rondo login"), "{error}");
    let error = refused(&sandbox, &["login", &service.url, "--key", "rnd_wrong"]);
    assert!(error.contains("rondo login"), "{error}");
    assert!(!sandbox.path("config/rondo/services.json").exists(), "a key that is not valid is not kept");

    // Without --key it is read from standard input.
    sandbox.write("key", format!("{}\n", service.key));
    let mut login = command(&sandbox, &["login", &format!("{}/", service.url)]);
    login.stdin(std::fs::File::open(sandbox.path("key")).unwrap());
    let output = login.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = sandbox.path("config/rondo/services.json");
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file.as_path()), mode(file.parent().unwrap())), (0o600, 0o700));
    done(&sandbox, &["remote", "templates", "--json"]);

    let error = refused(&sandbox, &["remote", "templates", "--service", "https://other.example.com"]);
    assert!(
        error.contains("not signed in to https://other.example.com") && error.contains(&service.url),
        "{error}"
    );
    let error = refused(&sandbox, &["logout", "https://other.example.com"]);
    assert!(error.contains("not signed in"), "{error}");
    done(&sandbox, &["logout"]);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(&service.key));
    assert!(refused(&sandbox, &["logout"]).contains("not signed in to any service"));

    // Variables serve where nobody signs in. RONDO_KEY is the earlier name.
    for name in ["RONDO_API_KEY", "RONDO_KEY"] {
        let mut listed = command(&sandbox, &["remote", "templates", "--json"]);
        listed.env("RONDO_URL", &service.url).env(name, &service.key);
        assert_eq!(finished(&mut listed).code, Some(0), "{name}");
    }
}

#[test]
fn what_goes_wrong_is_said_before_anything_is_rendered() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox);
    done(&sandbox, &["login", &service.url, "--key", &service.key]);
    let image = |src: &str| composition(&[overlay(1, "image", json!({"src": src}))]).to_string();
    sandbox.write("missing.json", image("nowhere.png"));
    sandbox.write("notes.txt", "text");
    sandbox.write("text.json", image("notes.txt"));
    sandbox.write("broken.json", "{\"fps\": -1}");
    sandbox.write("empty.json", composition(&[]).to_string());
    for (arguments, words) in [
        (&["render", "missing.json"][..], &["overlays[0].src", "nowhere.png was not found"][..]),
        (&["render", "text.json"], &["notes.txt cannot be uploaded", "png"]),
        (&["render", "broken.json"], &["`fps`"]),
        (&["render", "nothing.json"], &["nothing.json cannot be read"]),
        (&["render", "empty.json", "-o", "film.avi"], &["film.avi", "mp4"]),
        (&["render", "empty.json", "-o", "nowhere/film.mp4"], &["nowhere"]),
        (&["render", "--template", "tpl_nothing"], &["no such template"]),
        (
            &["render", "--template", "tpl_quote_card", "--file", "photo=nowhere.png"],
            &["--file photo", "nowhere.png"],
        ),
        (&["status", "job_nothing"], &["render"]),
        (&["status", "../account"], &["../account is not the id"]),
    ] {
        let error = refused(&sandbox, &[&["remote"], arguments].concat());
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
    }
    for arguments in
        [&["remote", "render"][..], &["remote", "render", "empty.json", "--template", "tpl_quote_card"]]
    {
        assert_eq!(run(&sandbox, arguments).code, Some(2), "{arguments:?}");
    }
    let error = refused(&sandbox, &["login", "rondo.example.com", "--key", "rnd_1"]);
    assert!(error.contains("rondo.example.com is not the address of a service"), "{error}");
    let (url, key) = (service.url.clone(), service.key.clone());
    drop(service);
    let mut gone = command(&sandbox, &["remote", "status", "job_1"]);
    let error = finished(gone.env("RONDO_URL", &url).env("RONDO_API_KEY", &key)).err;
    assert!(error.contains(&format!("{url} cannot be reached")), "{error}");
}
