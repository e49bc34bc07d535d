//! Faults of the machine as clients see them: a full disk, a database server that is away, one worker and a long queue.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rondo_store::{Plan, RenderStatus};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};
use tempfile::TempDir;
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::task::{JoinHandle, JoinSet};

use super::harness::{Account, Service, busy, film};
use super::hostile_media::{Flow, Origin};

/// A file system of a few megabytes.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Nothing where this process may not mount.
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "rondo-test"])
            .arg(folder.path())
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self { folder });
        }
        println!("skipped: a full disk is a tmpfs, and this process may not mount one. Run it as root.");
        None
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Leaves no byte free.
    fn fill(&self) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(self.filler()).unwrap();
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
    }

    fn empty(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).output();
    }
}

async fn start(flags: &[(&str, &str)]) -> Service {
    let own = [("listen", "127.0.0.1:0"), ("allow-private-network", "true")];
    let flags = flags.iter().chain(&own);
    let flags = flags.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Service::open(flags, tempfile::tempdir().unwrap()).await
}

async fn ready(service: &Service) -> (u16, Value) {
    let response = reqwest::get(service.url("/readyz")).await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn becomes_ready(service: &Service) {
    let started = Instant::now();
    loop {
        let answer = ready(service).await;
        if answer.0 == 200 {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(10), "the service does not recover: {answer:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_only_until_there_is_room_again() {
    let Some(disk) = SmallDisk::mount("40m") else { return };
    let place = disk.path().to_str().unwrap().to_owned();
    let service = start(&[("data", &place), ("min-free-disk-mb", "0")]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    assert_eq!(ready(&service).await.0, 200);

    disk.fill();
    // The log of the database may still have room of its own.
    let mut keys = 0;
    while service.store.create_key(&ada.id, None).await.is_ok() {
        keys += 1;
        assert!(keys < 5000, "the disk is not full");
    }
    let body = json!({"inputProps": film(5, &json!([]))});
    for _ in 0..3 {
        service.post(&ada, "/renders", &body).await.refused(503, "DISK_FULL");
    }
    let refused = service.post(&ada, "/renders", &body).await;
    assert!(refused.headers.contains_key("retry-after"));
    assert!(!refused.body.to_string().contains(&place), "{}", refused.body);
    assert_eq!(service.get(&ada, "/account").await.status, 200, "reads go on");
    let (status, body) = ready(&service).await;
    assert_eq!((status, body["reason"].as_str()), (503, Some("DISK_FULL")), "{body}");

    disk.empty();
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    becomes_ready(&service).await;
    assert_eq!(service.credits(&ada).await, 8);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_meets_a_full_disk_waits_and_completes() {
    let Some(disk) = SmallDisk::mount("60m") else { return };
    let place = disk.path().to_str().unwrap().to_owned();
    let service = start(&[("data", &place), ("min-free-disk-mb", "0")]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(200)})).await;
    service.under_way(&job).await;
    disk.fill();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let waiting = service.store.render(&job).await.unwrap().unwrap();
    assert_eq!((waiting.status, waiting.error_message), (RenderStatus::Processing, None));
    disk.empty();
    let ended = service.ended(&ada, &job).await;
    assert_eq!(ended["status"], "COMPLETED", "{ended}");
    assert_eq!(service.credits(&ada).await, 9);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_ends_while_there_is_room_and_its_render_waits_and_completes() {
    let Some(disk) = SmallDisk::mount("160m") else { return };
    let place = disk.path().to_str().unwrap().to_owned();
    let service = start(&[("data", &place), ("min-free-disk-mb", "60")]).await;
    let ada = service.account(Plan::None, 10).await;
    let flow = Flow { length: 400_000_000, bytes: 100_000, pause: Duration::ZERO };
    let origin = Origin::start(1, flow).await;
    let (watched, (stop, stopped)) = (disk.path().to_owned(), oneshot::channel::<()>());
    let watching = tokio::task::spawn_blocking(move || {
        let (mut least, mut stopped) = (u64::MAX, stopped);
        while stopped.try_recv() == Err(TryRecvError::Empty) {
            least = least.min(rondo_store::free_disk(&watched).unwrap());
            std::thread::sleep(Duration::from_millis(2));
        }
        least
    });
    let job = service.render(&ada, &origin.film()).await;
    origin.is_asked().await;
    let ended = service.ended(&ada, &job).await;
    stop.send(()).unwrap();
    let least = watching.await.unwrap() / 1_000_000;
    assert!((30..60).contains(&least), "{least} MB were free");
    assert_eq!(ended["status"], "COMPLETED", "{ended}");
    assert_eq!(service.credits(&ada).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_a_render_that_is_given_up_do_not_stay() {
    // The next attempt would be made by nobody else: this process renders nothing.
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let body =
        json!({"inputProps": film(5, &json!([])), "output": {"format": "mp4", "also": [{"format": "gif"}]}});
    let given_up = service.render(&ada, &body).await;
    // Each worker disappears while it keeps the files.
    for attempt in 1..=rondo_store::MAX_CRASHES {
        let claimed = service.store.claim(Duration::from_millis(1)).await.unwrap().unwrap();
        assert_eq!((&claimed.render.id, claimed.attempt), (&given_up, attempt));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let waiting = service.render(&ada, &body).await;
    let keep = |id: &str| {
        let names = [format!("{id}.mp4"), format!("{id}-2.gif"), format!("{id}-poster.jpg")];
        let paths = names.map(|name| service.kept(&name));
        for path in &paths {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "film").unwrap();
        }
        paths
    };
    let (of_given_up, of_waiting) = (keep(&given_up), keep(&waiting));
    // The second one is claimed, and then nothing is left to do but to look for workers that disappeared.
    for _ in 0..2 {
        service.store.claim(Duration::from_secs(60)).await.unwrap();
    }
    let ended = service.store.render(&given_up).await.unwrap().unwrap();
    assert_eq!(ended.status, RenderStatus::Failed);
    assert!(ended.error_message.unwrap().contains("exited unexpectedly 5 times"));
    assert_eq!(service.credits(&ada).await, 9);

    let service = service.restart().await;
    let started = Instant::now();
    while of_given_up.iter().any(|path| path.exists()) {
        assert!(started.elapsed() < Duration::from_secs(20), "the files of the render stay");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(of_waiting.iter().all(|path| path.exists()), "a render that goes on keeps its files");
    drop(service);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_serves_a_single_film_after_one_film_of_a_long_queue() {
    let service = Service::start(&[("workers", "1")]).await;
    let many = service.account(Plan::Business, 100).await;
    let few = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": film(5, &json!([]))});
    let mut queue = Vec::new();
    for _ in 0..30 {
        queue.push(service.render(&many, &body).await);
    }
    let single = service.render(&few, &body).await;
    service.ended(&few, &single).await;
    let single = service.store.render(&single).await.unwrap().unwrap();
    let mut between = 0;
    for job in &queue {
        let started = service.store.render(job).await.unwrap().unwrap().started_at;
        if started.is_some_and(|at| at > single.created_at && Some(at) < single.started_at) {
            between += 1;
        }
    }
    assert!(between <= 1, "{between} films of the other account came first");
    cancel(&service, &many, &queue).await;
}

async fn cancel(service: &Service, account: &Account, jobs: &[String]) {
    for job in jobs {
        service.post(account, &format!("/renders/{job}/cancel"), &json!({})).await;
    }
}

/// Passes connections on to the server's socket, until it is closed.
struct Proxy {
    address: SocketAddr,
    socket: PathBuf,
    accepting: Option<JoinHandle<()>>,
}

impl Proxy {
    async fn open(socket: PathBuf) -> Self {
        let mut proxy = Self { address: "127.0.0.1:0".parse().unwrap(), socket, accepting: None };
        proxy.reopen().await;
        proxy
    }

    async fn reopen(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        let socket = self.socket.clone();
        self.accepting = Some(tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut client, _)) = listener.accept().await {
                let socket = socket.clone();
                connections.spawn(async move {
                    let mut server = UnixStream::connect(socket).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                });
            }
        }));
    }

    async fn close(&mut self) {
        let accepting = self.accepting.take().unwrap();
        accepting.abort();
        let _ = accepting.await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_server_that_is_away_is_told_within_a_second_and_missed_no_longer_than_it_is_away() {
    let Ok(server) = std::env::var("RONDO_TEST_POSTGRES") else {
        println!("skipped: RONDO_TEST_POSTGRES is not set. ./test starts a server.");
        return;
    };
    let Some((_, folder)) = server.split_once("host=/") else {
        println!("skipped: RONDO_TEST_POSTGRES has no socket to connect to.");
        return;
    };
    sqlx::any::install_default_drivers();
    let schema = format!("test_{}", rondo_store::id::secret(16).to_lowercase());
    let mut connection = AnyConnection::connect(&server).await.unwrap();
    let create = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::raw_sql(create).execute(&mut connection).await.unwrap();
    let mut proxy = Proxy::open(Path::new("/").join(folder).join(".s.PGSQL.5432")).await;
    let url = format!("postgres://postgres@{}/postgres?options=-c%20search_path%3D{schema}", proxy.address);
    let data = tempfile::tempdir().unwrap();
    let service = start(&[("data", data.path().to_str().unwrap()), ("database-url", &url)]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": film(5, &json!([]))});
    let job = service.render(&ada, &body).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");

    proxy.close().await;
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        let away = service.post(&ada, "/renders", &body).await;
        quickest = quickest.min(started.elapsed());
        away.refused(503, "DATABASE_UNAVAILABLE");
        assert!(away.headers.contains_key("retry-after"));
        assert!(!away.body.to_string().contains("127.0.0.1"), "{}", away.body);
    }
    assert!(quickest < Duration::from_secs(1), "{quickest:?}");
    let (status, told) = ready(&service).await;
    assert_eq!((status, told["reason"].as_str()), (503, Some("DATABASE_UNAVAILABLE")), "{told}");

    proxy.reopen().await;
    becomes_ready(&service).await;
    let job = service.render(&ada, &body).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    assert_eq!(service.credits(&ada).await, 8);
    assert!(service.store.audit().await.unwrap().is_empty());
}
