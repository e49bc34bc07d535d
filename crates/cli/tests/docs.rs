//! Runs the examples of the guides with the real program, real sockets and a shell.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{send_signal, wait_within};
use serde_json::Value;
use tempfile::TempDir;

/// Time limit for all examples of one guide, on a slow machine.
const GUIDE_DEADLINE: Duration = Duration::from_secs(300);
/// Time limit for the service to exit after SIGTERM.
const STOP_DEADLINE: Duration = Duration::from_secs(60);

/// Shell examples that this test does not run, by guide and info string, and why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("agents.md", "connect", "needs the command of an agent"),
    ("batches.md", "setup", "the test sets its own address and key"),
    ("brand-kit.md", "setup", "the test sets its own address and key"),
    (
        "command-line.md",
        "live",
        "does not end, or needs a service of that name; cli::remote and cli::project test the commands",
    ),
    ("destinations.md", "setup", "the test sets its own address and key"),
    ("first-film.md", "setup", "the test sets its own address and key"),
    (
        "first-film.md",
        "typescript",
        "installs packages; packages/typescript/test runs the examples with the client",
    ),
    ("first-film.md", "python", "installs packages; packages/python/test runs the examples with the client"),
    ("first-film.md", "connect", "needs the command of an agent"),
    ("importing.md", "setup", "the test sets its own address and key"),
    ("integrations.md", "install", "installs a package; integrations/test runs the node"),
    ("quick-start.md", "setup", "the test sets its own address and key"),
    ("scaling.md", "processes", "needs a server of that name; films::processes starts such processes"),
    ("scaling.md", "machines", "needs a bucket; films::buckets starts such processes"),
    ("sdks.md", "install", "installs packages; the tests of the clients run the examples"),
    ("sdks.md", "setup", "the test sets its own address and key"),
    ("self-hosting.md", "debian", "needs the package and systemd; packaging/deb/test installs it"),
    ("self-hosting.md", "docker", "needs Docker; deploy/check reads the Dockerfile"),
    ("self-hosting.md", "data", "the test has a data folder of its own"),
    ("self-hosting.md", "doctor", "fails where the kernel refuses a layer; a test of its own runs it"),
    ("self-hosting.md", "rotate", "needs a service that is stopped; cli::service rotates the key"),
    ("self-hosting.md", "bucket", "needs a bucket; films::buckets has one"),
    ("self-hosting.md", "move", "needs a bucket; films::buckets has one"),
    (
        "speech.md",
        "whisper",
        "needs a model of 500 MB and a recording; speech::whisper transcribes with a small one",
    ),
    ("templates.md", "setup", "the test sets its own address and key"),
    ("webhooks.md", "setup", "the test sets its own address and key"),
];

/// Commands of the table of accounts in self-hosting.md that no example runs, and why.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("rondo key rotate-master", "needs a service that is stopped; cli::service rotates the key"),
    ("rondo templates build", "renders for minutes; films::gallery tests what it makes"),
    (
        "rondo webhook reactivate",
        "needs a webhook that failed for days; store::outbox deactivates and reactivates one",
    ),
];

/// A service started from the command line and stopped when the test ends.
struct Service {
    child: Child,
    url: String,
    key: String,
    folder: TempDir,
}

impl Service {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = rondo(&folder)
            .args(["account", "create", "--email", "reader@example.com", "--name", "Reader"])
            .args(["--plan", "business", "--credits", "100", "--data", "data"])
            .output()
            .unwrap();
        let account: Value = serde_json::from_slice(&made.stdout).unwrap();
        let mut child = rondo(&folder)
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data", "--gallery", "off"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        std::thread::spawn(move || for _ in lines.lines() {});
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Self { child, url, key: account["apiKey"].as_str().unwrap().to_owned(), folder }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.child.kill();
            return;
        }
        send_signal(&self.child, libc::SIGTERM);
        let awaited = || "the service to exit after SIGTERM".to_owned();
        let exited = wait_within(&mut self.child, STOP_DEADLINE, awaited);
        assert!(exited.success(), "the service exited with {exited}");
    }
}

fn rondo(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rondo"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RONDO_")) {
        command.env_remove(name);
    }
    command.current_dir(folder.path());
    command
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The code blocks of a guide whose info string is exactly `kind`.
fn blocks(guide: &str, kind: &str) -> Vec<String> {
    let text = std::fs::read_to_string(docs().join(guide)).unwrap();
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{kind}") {
            blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    assert!(!blocks.is_empty(), "{guide} has no {kind} examples");
    blocks
}

/// Runs all shell examples of a guide as one script.
fn run(service: &Service, guide: &str) -> String {
    shell(service, guide, &blocks(guide, "sh").join("\n"))
}

/// Runs a script of a guide.
fn shell(service: &Service, guide: &str, script: &str) -> String {
    let output = service.folder.path().join("output.txt");
    let file = std::fs::File::create(&output).unwrap();
    let mut shell = Command::new("bash")
        .args(["-euxo", "pipefail", "-c", script])
        .current_dir(service.folder.path())
        .env("RONDO_URL", &service.url)
        .env("RONDO_API_KEY", &service.key)
        .env("RONDO_DATA", "data")
        .env("RONDO_FONT_REGISTRY", "off")
        .env("HOME", service.folder.path())
        .env("XDG_CONFIG_HOME", service.folder.path().join("config"))
        .env("PATH", path_with_rondo())
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .spawn()
        .unwrap();
    let printed = || std::fs::read_to_string(&output).unwrap();
    let awaited = || format!("the examples of {guide}, which printed {}", printed());
    let exited = wait_within(&mut shell, GUIDE_DEADLINE, awaited);
    assert!(exited.success(), "{guide}: {}", printed());
    printed()
}

/// The program under test comes first.
fn path_with_rondo() -> std::ffi::OsString {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_rondo")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([own].into_iter().chain(std::env::split_paths(&others))).unwrap()
}

#[test]
fn guide_examples_work() {
    let service = Service::start();
    let printed = run(&service, "quick-start.md");
    assert_eq!(printed.to_lowercase().matches("\nrange: bytes=0-39").count(), 2, "{printed}");
    let job = std::fs::read_to_string(service.folder.path().join("job.json")).unwrap();
    assert!(job.contains("\"status\":\"COMPLETED\""), "{job}");
    let film = std::fs::read(service.folder.path().join("film.mp4")).unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    let printed = run(&service, "batches.md");
    assert!(printed.contains("\"total\":2") && printed.contains("\"status\":\"COMPLETED\""), "{printed}");
    run(&service, "first-film.md");
    let film = std::fs::read(service.folder.path().join("quote.mp4")).unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    let printed = run(&service, "api.md");
    assert!(
        printed.contains("\"email\":\"reader@example.com\"") && printed.contains("\"hasMore\""),
        "{printed}"
    );
    run(&service, "outputs.md");
    let film = std::fs::read(service.folder.path().join("circle.webm")).unwrap();
    assert_eq!(film[..4], [0x1a, 0x45, 0xdf, 0xa3], "a WebM file");
    let printed = run(&service, "templates.md");
    assert!(printed.contains("\"overlayType\"") && printed.contains("\"resolved\""), "{printed}");
    let printed = run(&service, "fonts.md");
    assert!(printed.contains("\"uploadUrl\""), "{printed}");
    let printed = run(&service, "brand-kit.md");
    assert!(printed.contains("\"logoUrl\":\"http") && printed.contains("\"resolved\""), "{printed}");
    let printed = run(&service, "projects.md");
    assert!(printed.contains("\"etag\":\"r2\"") && printed.contains("\"name\":\"Welcome\""), "{printed}");
    let printed = run(&service, "importing.md");
    assert!(printed.contains("\"from\":\"shotstack\"") && printed.contains("Brought over"), "{printed}");
    let printed = run(&service, "command-line.md");
    assert!(printed.contains("Signed in to") && printed.contains("tpl_quote_card"), "{printed}");
    let film = std::fs::read(service.folder.path().join("first-film/hello.mp4")).unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    let printed = run(&service, "webhooks.md");
    assert!(printed.contains("\"secret\":\"whsec_") && printed.contains("\"deleted\":true"), "{printed}");
}

#[test]
fn commands_of_operators_work() {
    let service = Service::start();
    let project = r#"
        PROJECT_ID=$(curl -sf -X POST "$RONDO_URL/api/v1/projects" -H "Authorization: Bearer $RONDO_API_KEY" \
          -H "Content-Type: application/json" -d '{"name": "Card", "composition": {"durationInFrames": 9, "overlays": []}}' |
          sed 's/.*"data":{"id":"\([^"]*\)".*/\1/')
    "#;
    let examples = blocks("self-hosting.md", "sh").join("\n");
    let printed = shell(&service, "self-hosting.md", &format!("{project}\n{examples}"));
    assert!(printed.contains("\"isOperator\": true") && printed.contains("\"isPublic\": false"), "{printed}");
    for folder in ["BACKUP/manifest.json", "NEW/master.key"] {
        assert!(service.folder.path().join(folder).is_file(), "{folder}: {printed}");
    }
    // Every command of the table is shown above it, or is in the table of those that are not.
    let guide = std::fs::read_to_string(docs().join("self-hosting.md")).unwrap();
    let listed: BTreeSet<&str> = guide
        .lines()
        .filter(|line| line.starts_with("| `rondo "))
        .flat_map(|line| line.split('|').nth(1).unwrap().split('`'))
        .filter(|code| code.starts_with("rondo "))
        .map(|code| &code[..code.match_indices(' ').nth(2).map_or(code.len(), |(at, _)| at)])
        .collect();
    assert!(listed.len() > 12, "{listed:?}");
    for command in listed {
        let is_shown = examples.contains(command);
        let is_left_out = NOT_SHOWN.iter().any(|(left_out, _)| *left_out == command);
        assert!(is_shown != is_left_out, "`{command}` is shown: {is_shown}, in NOT_SHOWN: {is_left_out}");
    }
}

#[test]
fn doctor_tells_what_the_machine_offers() {
    let service = Service::start();
    let doctor = blocks("self-hosting.md", "sh doctor").join("\n");
    // 1 where something is missing.
    let printed = shell(&service, "self-hosting.md", &format!("{doctor} || [ $? = 1 ]"));
    assert!(printed.contains("system-calls") && printed.contains("database"), "{printed}");
}

#[test]
fn speech_examples_work() {
    let service = Service::start();
    let printed = run(&service, "speech.md");
    assert!(printed.contains("\"jobId\"") && printed.to_lowercase().contains("hello from"), "{printed}");
    let subtitles = std::fs::read_to_string(service.folder.path().join("hello.srt")).unwrap();
    assert!(subtitles.contains("-->") && subtitles.contains("Hello from"), "{subtitles}");
}

#[test]
fn the_first_request_of_the_readme_works() {
    let readme = std::fs::read_to_string(docs().join("../README.md")).unwrap();
    let lines = readme.lines().skip_while(|line| !line.starts_with("    curl -X POST")).map(str::trim_start);
    let request: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let service = Service::start();
    let script = request.join("\n").replace("http://127.0.0.1:8080", "\"$RONDO_URL\"");
    assert!(script.contains("$RONDO_URL"), "{script}");
    let printed = shell(&service, "README.md", &script);
    assert!(printed.contains("\"jobId\""), "{printed}");
}

#[test]
fn destination_examples_work() {
    let service = Service::start();
    let printed = run(&service, "destinations.md");
    assert!(printed.contains("\"jobId\"") && printed.contains("\"destination\""), "{printed}");
}

#[test]
fn every_shell_example_is_run_or_says_why_not() {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(docs()).unwrap() {
        let guide = entry.unwrap().file_name().into_string().unwrap();
        if !guide.ends_with(".md") {
            continue;
        }
        let text = std::fs::read_to_string(docs().join(&guide)).unwrap();
        for kind in text.lines().filter_map(|line| line.strip_prefix("```sh")) {
            found.insert((guide.clone(), kind.trim().to_owned()));
        }
        let indented =
            text.lines().find(|line| line.starts_with("    rondo ") || line.starts_with("    curl "));
        assert_eq!(indented, None, "{guide}: indented examples are not run. Use a fenced block.");
    }
    let own = include_str!("docs.rs");
    // A row of `NOT_RUN` names the guide as well: only a call runs its blocks.
    let is_called = |guide: &str| {
        own.contains(&format!("run(&service, \"{guide}\")"))
            || own.contains(&format!("blocks(\"{guide}\", \"sh\")"))
    };
    for (guide, kind) in &found {
        let is_run = kind.is_empty() && is_called(guide);
        let reason = NOT_RUN.iter().find(|(other, not_run, _)| other == guide && not_run == kind);
        assert!(
            is_run || reason.is_some(),
            "{guide}: the examples `sh {kind}` are not run. Run them, or say why not."
        );
    }
    for (guide, kind, _) in NOT_RUN {
        let known = found.contains(&((*guide).to_owned(), (*kind).to_owned()));
        assert!(known, "NOT_RUN: {guide} has no examples `sh {kind}`.");
    }
}

const BODY: &str = r#"{"event":"x"}"#;

/// Timestamps that are no number of seconds, or of a time far away.
const ODD_TIMESTAMPS: [&str; 6] = ["", "soon", "²", "nan", "-1", "99999999999999999999"];

/// Headers without one of them.
fn without(name: &str, headers: &str) -> String {
    let mut headers: Value = serde_json::from_str(headers).unwrap();
    assert!(headers.as_object_mut().unwrap().remove(name).is_some(), "{name}");
    headers.to_string()
}

/// The expressions that sign a body in Node and Python. They use `now` and `body`.
struct Signer {
    secret: &'static str,
    node: &'static str,
    python: &'static str,
}

/// Runs the verification examples of the guide with bodies and headers (JSON objects), and compares their results.
/// `NOW` in the headers is the Unix time, `EARLIER` ten seconds before, `SIGNATURE` the signature of `BODY` at `NOW`.
#[track_caller]
fn assert_verified(kind: &str, signer: &Signer, calls: &[(&str, String, bool)]) {
    let folder = tempfile::tempdir().unwrap();
    let checks: String =
        calls.iter().map(|(body, headers, _)| format!("check({body:?}, {headers:?})\n")).collect();
    let node = format!(
        "{}\nconst now = Math.floor(Date.now() / 1000), body = {BODY:?}, signature = {};\n\
         const check = (text, headers) => console.log(verify(text, JSON.parse(headers.replace('NOW', now)\
         .replace('EARLIER', now - 10).replace('SIGNATURE', signature)), {:?}));\n{checks}",
        blocks("webhooks.md", &format!("js {kind}"))[0],
        signer.node,
        signer.secret,
    );
    let python = format!(
        "{}\nimport json\nnow, body = int(time.time()), {BODY:?}\nsignature = {}\n\
         def check(text, headers):\n    \
         headers = headers.replace('NOW', str(now)).replace('EARLIER', str(now - 10)).replace('SIGNATURE', signature)\n    \
         print(str(verify(text.encode(), json.loads(headers), {:?})).lower())\n{checks}",
        blocks("webhooks.md", &format!("python {kind}"))[0],
        signer.python,
        signer.secret,
    );
    let expected: String = calls.iter().map(|(.., valid)| format!("{valid}\n")).collect();
    for (program, file, text) in [("node", "verify.mjs", node), ("python3", "verify.py", python)] {
        std::fs::write(folder.path().join(file), text).unwrap();
        let ran = Command::new(program).arg(file).current_dir(folder.path()).output();
        let ran = ran.unwrap_or_else(|e| panic!("{program} is required to run the examples: {e}"));
        let printed = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(printed, expected, "{file}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn standard_webhooks_examples_accept_only_valid_signatures() {
    let signer = Signer {
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        node: "createHmac('sha256', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))\
               .update('del_1.' + now + '.' + body).digest('base64')",
        python: "base64.b64encode(hmac.new(base64.b64decode('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), \
                 f'del_1.{now}.{body}'.encode(), hashlib.sha256).digest()).decode()",
    };
    let headers = |id: &str, timestamp: &str, signature: &str| {
        serde_json::json!({"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature})
            .to_string()
    };
    let changed = format!("{BODY} ");
    let calls = [
        (BODY, headers("del_1", "NOW", "v1,SIGNATURE"), true),
        (BODY, headers("del_1", "NOW", "v1,b3RoZXI= v1,SIGNATURE"), true),
        (&changed, headers("del_1", "NOW", "v1,SIGNATURE"), false),
        (BODY, headers("del_2", "NOW", "v1,SIGNATURE"), false),
        (BODY, headers("del_1", "EARLIER", "v1,SIGNATURE"), false),
        (BODY, headers("del_1", "1", "v1,SIGNATURE"), false),
        (BODY, headers("del_1", "NOW", "v2,SIGNATURE"), false),
        (BODY, headers("del_1", "NOW", ""), false),
        (BODY, headers("del_1", "NOW", "v1 , v1,é"), false),
        (BODY, headers("é", "NOW", "v1,SIGNATURE"), false),
    ];
    let odd = ODD_TIMESTAMPS.map(|timestamp| (BODY, headers("del_1", timestamp, "v1,SIGNATURE"), false));
    let missing = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        .map(|name| (BODY, without(name, &headers("del_1", "NOW", "v1,SIGNATURE")), false));
    let calls: Vec<_> = calls.into_iter().chain(odd).chain(missing).collect();
    assert_verified("verify", &signer, &calls);
}

#[test]
fn body_signature_examples_accept_only_valid_signatures() {
    // HMAC-SHA256 of the body with the key whsec_test.
    let signature = "'1fb1b5ffa72be9697ddabdd345f5aa0d77a10a27a45597350ecd80d32fe6c146'";
    let signer = Signer { secret: "whsec_test", node: signature, python: signature };
    let headers = |timestamp: &str, signature: &str| {
        serde_json::json!({"x-rondo-timestamp": timestamp, "x-rondo-signature": signature}).to_string()
    };
    let changed = format!("{BODY} ");
    let calls = [
        (BODY, headers("NOW", "SIGNATURE"), true),
        (&changed, headers("NOW", "SIGNATURE"), false),
        (BODY, headers("1", "SIGNATURE"), false),
        (BODY, headers("NOW", ""), false),
        (BODY, headers("NOW", "é"), false),
    ];
    let odd = ODD_TIMESTAMPS.map(|timestamp| (BODY, headers(timestamp, "SIGNATURE"), false));
    let missing = ["x-rondo-timestamp", "x-rondo-signature"]
        .map(|name| (BODY, without(name, &headers("NOW", "SIGNATURE")), false));
    let calls: Vec<_> = calls.into_iter().chain(odd).chain(missing).collect();
    assert_verified("verify body", &signer, &calls);
}
