//! A webhook receiver with configurable responses that records the requests.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

#[derive(Clone)]
pub struct Receiver {
    pub url: String,
    seen: Arc<Mutex<Vec<Received>>>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

#[derive(Clone)]
pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub at: Instant,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// In hexadecimal.
pub fn hmac_hex(key: &str, message: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Receiver {
    /// Answers with the statuses one after the other, the last one for ever. 0 stands for no answer at all; 302 leads to
    /// `/elsewhere`.
    pub async fn start(statuses: &[u16]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            seen: Arc::default(),
            statuses: Arc::new(Mutex::new(statuses.to_vec())),
        };
        let router = Router::new().fallback(take).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        receiver
    }

    pub fn seen(&self) -> Vec<Received> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until so many requests have come.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let started = Instant::now();
        while self.seen().len() < count {
            let came = self.seen().len();
            assert!(started.elapsed() < Duration::from_secs(30), "{came} of {count} requests came");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.seen()
    }
}

async fn take(
    State(receiver): State<Receiver>,
    uri: Uri,
    headers: HeaderMap,
    body: bytes::Bytes,
) -> Response {
    let received = Received { path: uri.path().to_owned(), headers, body: body.to_vec(), at: Instant::now() };
    receiver.seen.lock().unwrap().push(received);
    let status = {
        let mut statuses = receiver.statuses.lock().unwrap();
        if statuses.len() > 1 { statuses.remove(0) } else { statuses[0] }
    };
    match status {
        0 => std::future::pending().await,
        302 => (StatusCode::FOUND, [(header::LOCATION, "/elsewhere")]).into_response(),
        status => (StatusCode::from_u16(status).unwrap(), "noted").into_response(),
    }
}
