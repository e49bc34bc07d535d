//! Servers of media that send without end, or hardly anything: who names them waits for them alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{HASTY, Service, film, overlay, red_png};

/// How a server sends its file.
#[derive(Debug, Clone, Copy)]
pub struct Flow {
    pub length: usize,
    /// Bytes sent at a time, and the pause after them.
    pub bytes: usize,
    pub pause: Duration,
}

/// A server of one file.
pub struct Origin {
    pub url: String,
    /// Requests for the file.
    pub asked: Arc<AtomicUsize>,
}

impl Origin {
    /// The first `flows` of a request each, then a small picture.
    pub async fn start(flows: usize, flow: Flow) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/picture.png", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let count = count.clone();
                // Who leaves early is no error.
                tokio::spawn(async move { answer(stream, flows, flow, &count).await.ok() });
            }
        });
        Self { url, asked }
    }

    /// A film that shows the file.
    pub fn film(&self) -> Value {
        json!({"inputProps": film(5, &json!([overlay(1, &json!({"type": "image", "src": self.url}))]))})
    }

    pub async fn is_asked(&self) {
        let started = Instant::now();
        while self.asked.load(Ordering::SeqCst) == 0 {
            assert!(started.elapsed() < Duration::from_secs(60), "the file is not asked for");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn answer(mut stream: TcpStream, flows: usize, flow: Flow, asked: &AtomicUsize) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(stream.read_u8().await?);
    }
    let is_get = request.starts_with(b"GET");
    let picture = red_png(96, 64);
    let flows = !is_get || asked.fetch_add(1, Ordering::SeqCst) < flows;
    let length = if flows { flow.length } else { picture.len() };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    if !is_get {
        return Ok(());
    }
    if !flows {
        return stream.write_all(&picture).await;
    }
    let part = vec![0; flow.bytes];
    for _ in 0..flow.length / flow.bytes {
        stream.write_all(&part).await?;
        if !flow.pause.is_zero() {
            tokio::time::sleep(flow.pause).await;
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_sends_slowly_holds_a_worker_for_a_while_only_and_costs_nothing() {
    let service = Service::start(&[("workers", "1"), (HASTY, "")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let (drip, trickle) = ((1, Duration::from_millis(200)), (10_000, Duration::from_millis(100)));
    for ((bytes, pause), said) in [
        (drip, "127.0.0.1 sends the file too slowly: less than 16 kB in 1 s"),
        (trickle, "the media arrive too slowly: all together may take 3 s"),
    ] {
        let origin = Origin::start(usize::MAX, Flow { length: 100_000_000, bytes, pause }).await;
        let slow = service.render(&ada, &origin.film()).await;
        origin.is_asked().await;
        let quick = service.render(&bob, &json!({"inputProps": film(5, &json!([]))})).await;
        let started = Instant::now();
        assert_eq!(service.ended(&bob, &quick).await["status"], "COMPLETED");
        assert!(started.elapsed() < Duration::from_secs(60), "it took {:?}", started.elapsed());
        let slow = service.ended(&ada, &slow).await;
        assert_eq!(slow["status"], "FAILED", "{slow}");
        assert!(slow["errorMessage"].as_str().unwrap().contains(said), "{slow}");
        assert_eq!(service.credits(&ada).await, 10);
    }
}
