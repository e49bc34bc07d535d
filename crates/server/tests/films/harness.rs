//! A service on a free port with a folder of its own, and a server of media beside it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use rondo_server::{Running, start};
use rondo_service::open_store;
use rondo_store::{Credits, NewAccount, NewTemplate, Plan, Store};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};
use tempfile::TempDir;

#[allow(unused_imports, reason = "only films wait for what these shorten")]
pub use settings::{BRIEF, HASTY, HURRIED, IMPATIENT, THRIFTY};
use settings::{Flags, read_settings};

use crate::bucket_server::{BUCKET, BucketServer};

#[path = "../support/settings.rs"]
mod settings;

/// An HTTP client that shows responses as they were sent, and follows no redirects if `redirects` is false. A request fails after two minutes instead of waiting
/// without end.
pub fn client(redirects: bool) -> reqwest::Client {
    // A test may ask for a client before it starts a service.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().timeout(Duration::from_secs(120)).no_gzip();
    match redirects {
        true => client.build().unwrap(),
        false => client.redirect(reqwest::redirect::Policy::none()).build().unwrap(),
    }
}

/// Whether services are clusters unless a test says otherwise, as `RONDO_TEST_CLUSTER` asks for: an API in the process of the test and
/// a worker in one of its own, with folders of their own, on a database server and a bucket.
pub fn is_cluster() -> bool {
    std::env::var_os("RONDO_TEST_CLUSTER").is_some()
}

/// The flag of a service that is one process with SQLite and a folder, never a cluster.
pub const ON_FOLDER: &str = "on-folder";
/// The flag of a service whose renders a worker of its own makes.
const HAS_WORKER: &str = "has-worker";

/// The address of a new schema on the test server, if there is one.
pub async fn database() -> Option<String> {
    let Ok(server) = std::env::var("RONDO_TEST_POSTGRES") else {
        println!("skipped: RONDO_TEST_POSTGRES is not set. ./test starts a server.");
        return None;
    };
    sqlx::any::install_default_drivers();
    let schema = format!("test_{}", rondo_store::id::secret(16).to_lowercase());
    let mut connection = AnyConnection::connect(&server).await.unwrap();
    let create = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::raw_sql(create).execute(&mut connection).await.unwrap();
    let joint = if server.contains('?') { '&' } else { '?' };
    Some(format!("{server}{joint}options=-c%20search_path%3D{schema}"))
}

pub struct Service {
    running: Running,
    worker: Option<Worker>,
    pub store: Store,
    client: reqwest::Client,
    flags: Flags,
    pub folder: TempDir,
}

pub struct Account {
    pub id: String,
    pub key: String,
}

pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Answer {
    /// The data of a success.
    #[track_caller]
    pub fn data(&self) -> &Value {
        assert_eq!(self.status, 200, "{}", self.body);
        assert_eq!(self.body["success"], true);
        &self.body["data"]
    }

    /// `details` of a failure with this status and reason.
    #[track_caller]
    pub fn refused(&self, status: u16, reason: &str) -> &Value {
        assert_eq!(
            (self.status, self.body["details"]["reason"].as_str()),
            (status, Some(reason)),
            "{}",
            self.body
        );
        assert_eq!(self.body["success"], false);
        assert!(
            self.body["error"].as_str().is_some_and(|sentence| sentence.ends_with(['.', '?', ')'])),
            "{}",
            self.body
        );
        &self.body["details"]
    }
}

/// The program that starts render processes.
pub const FORK_SERVER: &str = env!("CARGO_BIN_EXE_rondo-fork-server");

impl Service {
    /// `flags` as on the command line; private addresses are allowed unless they say otherwise.
    pub async fn start(flags: &[(&str, &str)]) -> Self {
        Self::start_with(FORK_SERVER.into(), flags).await
    }

    /// The same, with another path to the fork server.
    pub async fn start_with(fork_server: PathBuf, flags: &[(&str, &str)]) -> Self {
        let mut flags: Flags =
            flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let folder = tempfile::tempdir().unwrap();
        flags.push(("data".to_owned(), folder.path().to_str().unwrap().to_owned()));
        flags.push(("listen".to_owned(), "127.0.0.1:0".to_owned()));
        flags.push(("font-registry".to_owned(), "off".to_owned()));
        flags.push(("allow-private-network".to_owned(), "true".to_owned()));
        flags.push(("gallery".to_owned(), "off".to_owned()));
        let is_given = |wanted: &str| flags.iter().any(|(name, _)| name == wanted);
        if is_cluster() && ["files", "database-url", ON_FOLDER].iter().all(|name| !is_given(name)) {
            let (owner, has_role) = (rondo_store::id::secret(12), is_given("role"));
            // The worker has to know the address of the API.
            let given = flags.iter().find(|(name, address)| name == "listen" && !address.ends_with(":0"));
            let address = given.map_or_else(free_address, |(_, address)| address.clone());
            if !is_given("public-url") {
                flags.push(("public-url".to_owned(), format!("http://{address}")));
            }
            flags.retain(|(name, _)| name != "listen");
            flags.push(("listen".to_owned(), address));
            let mut give = |name: &str, value: String| flags.push((name.to_owned(), value));
            for (name, value) in BucketServer::shared().flags_for(&owner) {
                give(name, value);
            }
            give("proxy-files", "true".to_owned());
            give("database-url", database().await.expect("RONDO_TEST_POSTGRES names a server"));
            if !has_role {
                give("role", "api".to_owned());
                give(HAS_WORKER, String::new());
            }
        }
        Self::open_with(fork_server, flags, folder).await
    }

    pub async fn open(flags: Flags, folder: TempDir) -> Self {
        Self::open_with(FORK_SERVER.into(), flags, folder).await
    }

    async fn open_with(fork_server: PathBuf, flags: Flags, folder: TempDir) -> Self {
        let settings = read_settings(&fork_server, &flags);
        let store = open_store(&settings).await.unwrap();
        let running = start(settings).await.unwrap();
        let worker = match flags.iter().any(|(name, _)| name == HAS_WORKER) {
            true => Some(Worker::start(&fork_server, &flags, folder.path()).await),
            false => None,
        };
        Self { running, worker, store, client: client(true), flags, folder }
    }

    /// The address of its database.
    pub fn database_url(&self) -> String {
        let given = self.flags.iter().find(|(name, _)| name == "database-url");
        match given {
            Some((_, url)) => url.clone(),
            None => format!("sqlite:{}", self.folder.path().join("rondo.db").display()),
        }
    }

    /// The jobs of the process that answers.
    pub fn jobs(&self) -> &rondo_jobs::Jobs {
        &self.running.service.media.isolation.jobs
    }

    /// The process id of the fork server of the process that renders, or of the one that answers while only that has children.
    pub fn fork_server(&self) -> u32 {
        let own = self.jobs().process_id();
        let Some(of_worker) = self.worker.as_ref().map(Worker::fork_server) else { return own };
        match children_of(of_worker).is_empty() && !children_of(own).is_empty() {
            true => own,
            false => of_worker,
        }
    }

    /// Where a file of a film is kept that all processes share.
    pub fn kept(&self, name: &str) -> PathBuf {
        let bucket = format!("s3://{BUCKET}/");
        let files = self.flags.iter().find(|(flag, _)| flag == "files");
        match files.and_then(|(_, files)| files.strip_prefix(&bucket)) {
            Some(prefix) => BucketServer::shared().place_of(prefix, &format!("files/{name}")),
            None => self.folder.path().join("outputs").join(name),
        }
    }

    /// Ends the service and starts it again on the same folder.
    pub async fn restart(self) -> Self {
        let (flags, folder) = self.stop().await;
        Self::open(flags, folder).await
    }

    /// Ends the service, and gives what it was started with.
    pub async fn stop(self) -> (Flags, TempDir) {
        let Self { running, worker, flags, folder, .. } = self;
        if let Some(worker) = worker {
            worker.stop().await;
        }
        running.stop().await;
        (flags, folder)
    }

    /// The same with another public URL, or none.
    pub async fn restart_with(mut self, flags: &[(&str, &str)]) -> Self {
        self.flags.retain(|(name, _)| name != "public-url");
        let new = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.flags.extend(new);
        self.restart().await
    }

    /// Sends a file to an upload's path.
    pub async fn put_bytes(&self, path: &str, content_type: &str, bytes: Vec<u8>) {
        let request = self.client.put(self.url(path)).header("content-type", content_type).body(bytes);
        let response = request.send().await.unwrap();
        assert!(response.status().is_success(), "{}", response.text().await.unwrap());
    }

    pub async fn account(&self, plan: Plan, credits: i64) -> Account {
        let email = format!("{}@example.com", rondo_store::id::secret(12));
        let new = NewAccount {
            email: &email,
            name: "Ada",
            plan,
            credits: Credits::from_whole(credits),
            password_hash: None,
            is_operator: false,
        };
        let account = self.store.create_account(new).await.unwrap();
        let key = self.store.create_key(&account.id, None).await.unwrap().secret;
        Account { id: account.id, key }
    }

    /// Whole credits that can be spent.
    pub async fn credits(&self, account: &Account) -> i64 {
        self.store.account(&account.id).await.unwrap().unwrap().credits.whole()
    }

    pub async fn template(&self, id: &str, rate: u32, is_public: bool, composition: &Value) {
        let new = NewTemplate {
            name: "Greeting".into(),
            description: "Says hello.".into(),
            category: "BRANDING".into(),
            credits_per_minute: rate,
            composition: composition.clone(),
            is_public,
        };
        self.store.ship_template(id, &new).await.unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address.unwrap())
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        key: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let mut request = self
            .client
            .request(method.parse().unwrap(), self.url(&format!("/api/v1{path}")))
            .header("authorization", format!("Bearer {key}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Answer { status, headers, body }
    }

    pub async fn get(&self, account: &Account, path: &str) -> Answer {
        self.send("GET", path, &account.key, &[], None).await
    }

    pub async fn post(&self, account: &Account, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &account.key, &[], Some(body)).await
    }

    /// Creates a render and gives its id.
    pub async fn render(&self, account: &Account, body: &Value) -> String {
        let answer = self.post(account, "/renders", body).await;
        answer.data()["jobId"].as_str().unwrap().to_owned()
    }

    /// Waits for a job to end.
    pub async fn ended(&self, account: &Account, job: &str) -> Value {
        let started = Instant::now();
        loop {
            let render = self.store.render(job).await.unwrap().unwrap();
            if render.status.is_final() {
                return self.get(account, &format!("/renders/{job}")).await.data().clone();
            }
            assert!(started.elapsed() < Duration::from_secs(120), "the job does not end: {render:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a job shows progress.
    pub async fn under_way(&self, job: &str) {
        let started = Instant::now();
        while self.store.render(job).await.unwrap().unwrap().progress == 0 {
            assert!(started.elapsed() < Duration::from_secs(60), "the job does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn download(&self, url: &str, name: &str) -> PathBuf {
        let response = self.client.get(url).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        let path = self.folder.path().join(name);
        std::fs::write(&path, response.bytes().await.unwrap()).unwrap();
        path
    }

    pub async fn text(&self, path: &str, key: &str) -> String {
        let request = self.client.get(self.url(path)).header("authorization", format!("Bearer {key}"));
        request.send().await.unwrap().text().await.unwrap()
    }
}

/// Children of a process, by what the kernel says.
pub fn children_of(parent: u32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let of_parent = pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // "pid (name) state parent …"; a zombie has ended.
        let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
        let mut fields = after.split(' ');
        fields.next() != Some("Z") && fields.next() == Some(&parent.to_string())
    });
    of_parent.collect()
}

fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// A process that renders, with a folder of its own.
struct Worker {
    process: Child,
    _folder: TempDir,
}

impl Worker {
    /// For a service with these flags and this folder.
    async fn start(fork_server: &Path, flags: &Flags, of: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(of.join("master.key"), folder.path().join("master.key")).unwrap();
        let names = ["role", "data", "listen"];
        let mut flags: Flags =
            flags.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect();
        let data = folder.path().to_str().unwrap();
        let own = names.into_iter().zip(["worker", data, "127.0.0.1:0"]);
        flags.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut process = Command::new(FORK_SERVER)
            .arg("worker")
            .arg(fork_server)
            .arg(serde_json::to_string(&flags).unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = process.stdout.take().unwrap();
        let worker = Self { process, _folder: folder };
        let first = tokio::task::spawn_blocking(|| BufReader::new(output).lines().next());
        let first = tokio::time::timeout(Duration::from_secs(60), first).await;
        let line = first.expect("the worker does not start").unwrap();
        assert_eq!(line.expect("the worker ended at once").unwrap(), "ready");
        worker
    }

    /// Its only child. One that has ended is replaced when the next job starts.
    fn fork_server(&self) -> u32 {
        let started = Instant::now();
        loop {
            if let [child] = children_of(self.process.id())[..] {
                return child.unsigned_abs();
            }
            assert!(started.elapsed() < Duration::from_secs(60), "the worker has no fork server");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    async fn stop(mut self) {
        drop(self.process.stdin.take());
        let started = Instant::now();
        while self.process.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(30), "the worker does not stop");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A composition of 96 × 64 at 10 frames a second.
pub fn film(frames: u32, overlays: &Value) -> Value {
    json!({"width": 96, "height": 64, "fps": 10, "durationInFrames": frames, "backgroundColor": "#000", "overlays": overlays})
}

/// An overlay that fills the canvas; `fields` add to it and replace.
pub fn overlay(id: u32, fields: &Value) -> Value {
    let mut overlay = json!({"id": id, "from": 0, "durationInFrames": 1000, "row": id, "left": 0, "top": 0, "width": 96, "height": 64});
    overlay.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    overlay
}

/// Something that moves in every frame, so that no frame is free.
pub fn busy(frames: u32) -> Value {
    let mut film = film(
        frames,
        &json!([overlay(
            1,
            &json!({"type": "effect", "content": "confetti",
        "durationInFrames": frames, "width": 1280, "height": 720, "styles": {"particleCount": 300}})
        )]),
    );
    (film["width"], film["height"]) = (json!(1280), json!(720));
    film
}

/// Serves `/red.png`, `/broken.png`, `/tone.wav` and others, and 404 elsewhere.
pub async fn media_server() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new()
        .route("/red.png", get(|| async { red_png(96, 64) }))
        .route("/small.png", get(|| async { red_png(8, 8) }))
        .route("/my%20pic.png", get(|| async { red_png(96, 64) }))
        .route("/broken.png", get(|| async { b"\x89PNG\r\n\x1a\nno picture".to_vec() }))
        .route("/cut.png", get(|| async { red_png(96, 64)[..90].to_vec() }))
        .route("/page.html", get(|| async { "<!doctype html><script>alert(1)</script>" }))
        .route("/tone.wav", get(|| async { wav(1) }))
        .route("/long.wav", get(|| async { wav(60) }))
        .fallback(|| async { StatusCode::NOT_FOUND });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    base
}

pub fn red_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = [255, 0, 0].repeat((width * height) as usize);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

/// Seconds of a tone of 500 Hz, mono at 8000 samples a second.
pub fn wav(seconds: u32) -> Vec<u8> {
    let bytes = seconds * 16_000;
    let mut wav = Vec::new();
    wav.extend(b"RIFF");
    wav.extend((36 + bytes).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(8000u32.to_le_bytes());
    wav.extend(16_000u32.to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(bytes.to_le_bytes());
    wav.extend((0..seconds * 8000).flat_map(|n| if n % 16 < 8 { 1000i16 } else { -1000 }.to_le_bytes()));
    wav
}

/// Width, height and frames of a film, by ffprobe.
pub fn probe(path: &Path) -> (u32, u32, u32) {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-count_frames", "-of", "csv=p=0"])
        .args(["-show_entries", "stream=width,height,nb_read_frames"])
        .arg(path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<u32> = text.trim().split(',').map(|number| number.parse().unwrap()).collect();
    (numbers[0], numbers[1], numbers[2])
}

/// The colour in the middle of a frame, by ffmpeg.
pub fn middle(path: &Path, frame: u32, width: usize, height: usize) -> [u8; 3] {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args([
            "-vf",
            &format!("select=eq(n\\,{frame})"),
            "-frames:v",
            "1",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-",
        ])
        .output()
        .unwrap();
    let at = (height / 2 * width + width / 2) * 3;
    output.stdout[at..at + 3].try_into().unwrap()
}
