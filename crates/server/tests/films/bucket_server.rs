//! A real S3 server on a loopback port, which checks signatures.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::OnceLock;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};

pub const BUCKET: &str = "films";
const KEY: &str = "key";
const SECRET: &str = "secret";

pub struct BucketServer {
    folder: TempDir,
    address: SocketAddr,
    running: AbortHandle,
}

impl BucketServer {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let (address, running) = serve(folder.path().to_owned(), "127.0.0.1:0".parse().unwrap()).await;
        Self { folder, address, running }
    }

    /// Answers no more; connections break.
    pub fn stop(&self) {
        self.running.abort();
    }

    /// Answers again at the same address.
    pub async fn resume(&mut self) {
        (self.address, self.running) = serve(self.folder.path().to_owned(), self.address).await;
    }

    /// One for all tests of a process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<BucketServer> = OnceLock::new();
        SHARED.get_or_init(|| {
            let (send, receive) = std::sync::mpsc::channel();
            // It outlives the runtime of the test that starts it.
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    send.send(Self::start().await).unwrap();
                    std::future::pending::<()>().await;
                });
            });
            receive.recv().unwrap()
        })
    }

    /// How a service is told to keep its files in this bucket.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        self.flags_for("rondo")
    }

    /// The same with another prefix.
    pub fn flags_for(&self, prefix: &str) -> Vec<(&'static str, String)> {
        flags(self.address, prefix)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the server keeps a file with this key.
    pub fn place(&self, key: &str) -> PathBuf {
        self.place_of("rondo", key)
    }

    /// The same with another prefix.
    pub fn place_of(&self, prefix: &str, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(prefix).join(key)
    }
}

/// How a service is told to keep its files in the bucket of a server.
pub fn flags(address: SocketAddr, prefix: &str) -> Vec<(&'static str, String)> {
    vec![
        ("files", format!("s3://{BUCKET}/{prefix}")),
        ("AWS_ENDPOINT_URL", format!("http://{address}")),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
    ]
}

/// Serves the buckets of a folder.
pub async fn serve(folder: PathBuf, address: SocketAddr) -> (SocketAddr, AbortHandle) {
    let mut builder = S3ServiceBuilder::new(FileSystem::new(folder).unwrap());
    builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = builder.build();
    let listener = TcpListener::bind(address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        // Connections end with it.
        let mut connections = JoinSet::new();
        while let Ok((socket, _)) = listener.accept().await {
            let serving = http1::Builder::new().serve_connection(TokioIo::new(socket), service.clone());
            connections.spawn(async move { drop(serving.await) });
        }
    });
    (address, serving.abort_handle())
}
