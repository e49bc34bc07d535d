//! The examples of the guides, run as a reader would run them: the real program, real sockets, a shell.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A service started from the command line, ended with the test.
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
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data"])
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
        // SIGTERM through the shell: the service hands back what it does.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let ended = self.child.wait().unwrap();
        assert!(std::thread::panicking() || ended.success(), "the service ended with {ended}");
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

/// The blocks of a guide whose fence says exactly `kind`.
fn blocks(guide: &str, kind: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(guide);
    let text = std::fs::read_to_string(path).unwrap();
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
    let script = blocks(guide, "sh").join("\n");
    let ran = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(service.folder.path())
        .env("RONDO_URL", &service.url)
        .env("RONDO_KEY", &service.key)
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{guide}: {said}\n{complained}");
    said.into_owned()
}

#[test]
fn the_examples_of_the_guides_work() {
    let service = Service::start();
    run(&service, "quick-start.md");
    let job = std::fs::read_to_string(service.folder.path().join("job.json")).unwrap();
    assert!(job.contains("\"status\":\"COMPLETED\""), "{job}");
    let film = std::fs::read(service.folder.path().join("film.mp4")).unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    run(&service, "outputs.md");
    let film = std::fs::read(service.folder.path().join("circle.webm")).unwrap();
    assert_eq!(film[..4], [0x1a, 0x45, 0xdf, 0xa3], "a WebM file");
    let said = run(&service, "templates.md");
    assert!(said.contains("\"overlayType\"") && said.contains("\"resolved\""), "{said}");
    let said = run(&service, "webhooks.md");
    assert!(said.contains("\"secret\":\"whsec_") && said.contains("\"deleted\":true"), "{said}");
}

#[test]
fn the_verification_snippets_accept_what_is_signed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    // HMAC-SHA256 of the body {"event":"x"} with the key whsec_test.
    let signature = "1fb1b5ffa72be9697ddabdd345f5aa0d77a10a27a45597350ecd80d32fe6c146";
    let node = format!(
        "{}\nconst now = String(Math.floor(Date.now() / 1000));\n\
         const h = (s, t) => ({{'x-rondo-signature': s, 'x-rondo-timestamp': t}});\n\
         const body = '{{\"event\":\"x\"}}';\n\
         console.log(verify(body, h('{signature}', now), 'whsec_test'), verify(body + ' ', h('{signature}', now), 'whsec_test'), \
         verify(body, h('{signature}', '1'), 'whsec_test'), verify(body, h('', now), 'whsec_test'));",
        blocks("webhooks.md", "js verify")[0]
    );
    let python = format!(
        "{}\n\nh = lambda s, t: {{'x-rondo-signature': s, 'x-rondo-timestamp': t}}\nnow = str(int(time.time()))\n\
         body = b'{{\"event\":\"x\"}}'\n\
         print(*[str(answer).lower() for answer in (verify(body, h('{signature}', now), 'whsec_test'), \
         verify(body + b' ', h('{signature}', now), 'whsec_test'), verify(body, h('{signature}', '1'), 'whsec_test'), \
         verify(body, h('', now), 'whsec_test'))])\n",
        blocks("webhooks.md", "python verify")[0]
    );
    for (program, file, text) in [("node", "verify.mjs", node), ("python3", "verify.py", python)] {
        std::fs::write(folder.path().join(file), text).unwrap();
        let ran = Command::new(program).arg(file).current_dir(folder.path()).output();
        let ran = ran.unwrap_or_else(|e| panic!("{program} is needed to try the examples: {e}"));
        let said = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(said.trim(), "true false false false", "{}", String::from_utf8_lossy(&ran.stderr));
    }
}
