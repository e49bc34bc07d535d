//! Runs the `rondo` command in a temporary folder and reads its output.
#![allow(dead_code, reason = "each test file uses a part of this module")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Time limit for one command, on a slow machine.
const COMMAND_DEADLINE: Duration = Duration::from_secs(300);

/// A temporary working folder for the command.
pub struct Sandbox {
    folder: TempDir,
}

/// A finished command.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn new() -> Self {
        let sandbox = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        std::fs::create_dir(sandbox.path("tmp")).expect("a folder");
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and creates its parent folders.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, bytes).expect("a file");
    }

    /// Sorted names of the files in the folder, including leftover temporary files.
    pub fn files(&self) -> Vec<String> {
        let mut names = names(self.folder.path());
        names.retain(|name| name != "tmp");
        names.extend(names_in_tmp(&self.path("tmp")));
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rondo"));
        command.current_dir(self.folder.path()).args(arguments).env("TMPDIR", self.path("tmp"));
        command.env("RONDO_FONT_REGISTRY", "off").env("XDG_CACHE_HOME", self.path("tmp"));
        for name in ["RONDO_FONT_DIR", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(name);
        }
        command
    }

    pub fn rondo(&self, arguments: &[&str]) -> Ran {
        finished(&mut self.command(arguments))
    }

    /// Runs the command and asserts that it succeeds.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> Ran {
        let ran = self.rondo(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
        ran
    }

    /// Runs the command and asserts that it rejects its input: exit code 1, no new file, no panic. Returns the message.
    #[track_caller]
    pub fn rejected(&self, arguments: &[&str]) -> String {
        let before = self.files();
        let ran = self.rondo(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("panicked") && !ran.err.contains("RUST_BACKTRACE"), "{}", ran.err);
        assert_eq!(self.files(), before, "no file is left");
        ran.err
    }

    pub fn with_input(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("takes input");
        ran(child, &format!("{command:?}"))
    }

    /// Writes a red image of 8 × 8.
    pub fn picture(&self, name: &str) {
        self.ffmpeg(&["-f", "lavfi", "-i", "color=red:s=8x8,format=rgb24", "-frames:v", "1"], name);
    }

    pub fn ffmpeg(&self, arguments: &[&str], name: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-y"]).args(arguments).arg(path);
        let made = command.output().expect("ffmpeg is installed");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    /// Width, height and frame count of an image or film.
    pub fn size(&self, name: &str) -> (u64, u64, u64) {
        let mut command = Command::new("ffprobe");
        command.args(["-v", "error", "-of", "json", "-count_packets", "-show_streams"]).arg(self.path(name));
        let probed: Value =
            serde_json::from_slice(&command.output().expect("ffprobe is installed").stdout).expect("JSON");
        let stream = &probed["streams"][0];
        let frames = stream["nb_read_packets"].as_str().and_then(|n| n.parse().ok()).expect("a count");
        (stream["width"].as_u64().expect("a width"), stream["height"].as_u64().expect("a height"), frames)
    }

    /// RGB of the centre pixel of an image or of the first frame of a film.
    pub fn middle(&self, name: &str) -> [u8; 3] {
        let (width, height, _) = self.size(name);
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-i"]).arg(self.path(name));
        command.args(["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]);
        let pixels = command.output().expect("ffmpeg is installed").stdout;
        let at = ((height / 2 * width + width / 2) * 3) as usize;
        [pixels[at], pixels[at + 1], pixels[at + 2]]
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn names_in_tmp(folder: &Path) -> Vec<String> {
    names(folder).iter().map(|name| format!("tmp/{name}")).collect()
}

#[track_caller]
pub fn finished(command: &mut Command) -> Ran {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the command starts");
    ran(child, &format!("{command:?}"))
}

/// Reads the output of a command until it exits.
#[track_caller]
fn ran(mut child: Child, command: &str) -> Ran {
    let out = read_all(child.stdout.take().expect("its output"));
    let err = read_all(child.stderr.take().expect("its errors"));
    let exited = wait_within(&mut child, COMMAND_DEADLINE, || format!("{command} to exit"));
    let text = |reader: JoinHandle<String>| reader.join().expect("text");
    Ran { code: exited.code(), out: text(out), err: text(err) }
}

fn read_all(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("text");
        text
    })
}

pub fn run(command: &mut Command) -> Ran {
    finished(command)
}

/// An overlay that covers a canvas of 64 × 48; `more` replaces and adds fields.
pub fn overlay(id: u32, kind: &str, more: Value) -> Value {
    let mut overlay = json!({
        "id": id, "type": kind, "from": 0, "durationInFrames": 1000, "row": 0,
        "left": 0, "top": 0, "width": 64, "height": 48,
    });
    for (key, value) in more.as_object().expect("an object") {
        overlay[key] = value.clone();
    }
    overlay
}

/// Ten frames of 64 × 48.
pub fn composition(overlays: &[Value]) -> Value {
    json!({"width": 64, "height": 48, "fps": 30, "durationInFrames": 10, "backgroundColor": "#0000ff",
        "overlays": overlays})
}

/// Ten blue frames.
pub fn blue() -> String {
    composition(&[]).to_string()
}

/// Serves `bytes` under `/media` on the loopback interface, and 404 for other paths. Returns the base URL.
pub fn serve(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut request = String::new();
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                request.push_str(&line);
                line.clear();
            }
            let found = request.starts_with("GET /media");
            let (status, body) = if found { ("200 OK", &bytes[..]) } else { ("404 Not Found", &b""[..]) };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let mut stream = reader.into_inner();
            // The client may have closed the connection.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    address
}

/// Reads lines of a running command until `wanted` is among them.
pub fn read_until(out: impl Read, wanted: &str) {
    let mut lines = BufReader::new(out).lines();
    assert!(
        lines.any(|line| line.is_ok_and(|line| line.contains(wanted))),
        "the output ended without {wanted}"
    );
}

/// Sends a signal to a running process.
pub fn send_signal(child: &Child, signal: i32) {
    let id = child.id().try_into().expect("a process id");
    // SAFETY: `kill` has no memory effects, and the process is not reaped while `child` is borrowed.
    let sent = unsafe { libc::kill(id, signal) };
    assert_eq!(sent, 0, "signal {signal} cannot be sent: {}", std::io::Error::last_os_error());
}

/// Waits for a process to exit. After `limit`, kills it and panics with `awaited`, which names what was expected.
#[track_caller]
pub fn wait_within(child: &mut Child, limit: Duration, awaited: impl Fn() -> String) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(exited) = child.try_wait().expect("the state of the process") {
            return exited;
        }
        if started.elapsed() > limit {
            child.kill().expect("the process is killed");
            child.wait().expect("the process exits");
            panic!("waited {} s for {}", limit.as_secs(), awaited());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
