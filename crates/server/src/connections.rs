//! Accepting connections: how many, from which networks, and how long a client may take.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rondo_service::limit::network;
use rondo_service::open_files::raise_limit;
use rondo_service::settings::Settings;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::paced_body::{Pace, Paced};

/// Bytes buffered for a connection. A longer request head is answered with 431.
const BUFFER: usize = 1 << 16;
/// Pause after a failed accept, such as when no file descriptor is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// Descriptors kept free for files, the database and outgoing connections, as a divisor of the limit.
const RESERVED_PART: u64 = 4;

/// What connections may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub in_all: usize,
    /// Connections from one network; `None` behind proxies, whose addresses stand for many clients.
    pub per_network: Option<usize>,
    /// From accepting a connection to the end of its first request head.
    pub first_head: Duration,
    /// From a response to the end of the next request head.
    pub idle: Duration,
    /// A client that does not read for this long is disconnected.
    pub write_stall: Duration,
    pub body: Pace,
}

impl Limits {
    pub fn of(settings: &Settings) -> Self {
        let files = raise_limit();
        let possible = usize::try_from(files - files / RESERVED_PART).unwrap_or(usize::MAX);
        Self {
            in_all: settings.max_connections.min(possible),
            per_network: (settings.trusted_proxies == 0).then_some(settings.max_connections_per_address),
            first_head: Duration::from_secs(15),
            // Longer than proxies keep connections open, so that they, not the service, end idle ones.
            idle: Duration::from_secs(75),
            write_stall: Duration::from_secs(60),
            body: Pace { window: Duration::from_secs(30), bytes_per_second: 1000 },
        }
    }
}

/// Open connections by network.
#[derive(Debug, Default)]
struct Open {
    in_all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// A counted connection.
struct Seat {
    open: Arc<Mutex<Open>>,
    network: IpAddr,
}

impl Seat {
    fn take(open: &Arc<Mutex<Open>>, address: IpAddr, limits: &Limits) -> Option<Self> {
        let network = network(address);
        let mut counts = open.lock().unwrap_or_else(PoisonError::into_inner);
        let from_network = counts.by_network.get(&network).copied().unwrap_or_default();
        if counts.in_all >= limits.in_all || limits.per_network.is_some_and(|most| from_network >= most) {
            return None;
        }
        counts.in_all += 1;
        counts.by_network.insert(network, from_network + 1);
        drop(counts);
        Some(Self { open: open.clone(), network })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut counts = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        counts.in_all -= 1;
        if let Some(count) = counts.by_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.by_network.remove(&self.network);
            }
        }
    }
}

/// Answers requests until `stopping`, then lets the requests in progress end.
pub async fn answer(listener: TcpListener, router: Router, limits: Limits, stopping: CancellationToken) {
    let open = Arc::new(Mutex::new(Open::default()));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stopping.cancelled() => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, address)) => match Seat::take(&open, address.ip(), &limits) {
                Some(seat) => {
                    let (router, stopping) = (router.clone(), stopping.clone());
                    connections.spawn(async move {
                        let _seat = seat;
                        converse(stream, address, router, limits, stopping).await;
                    });
                }
                None => refuse(&stream),
            },
            // The client was gone before it was accepted.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::warn!(%error, "failed to accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Says why a connection is closed. The socket of a new connection has room for it.
fn refuse(stream: &TcpStream) {
    const BODY: &str = "{\"success\":false,\"error\":\"Too many connections are open from this address. Close some and \
                        try again.\",\"details\":{\"reason\":\"TOO_MANY_CONNECTIONS\"}}";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    // A client that is gone by now needs no answer.
    let _ = stream.try_write(answer.as_bytes());
}

/// One connection, from its first byte to its last.
async fn converse(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    limits: Limits,
    stopping: CancellationToken,
) {
    let asked = Arc::new(AtomicBool::new(false));
    let service = service_fn({
        let asked = asked.clone();
        move |request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            let mut request = request.map(|body| Body::new(Paced::new(body, limits.body)));
            request.extensions_mut().insert(ConnectInfo(address));
            let answer = router.clone().oneshot(request);
            async move { Ok::<_, Infallible>(answer.await.unwrap_or_else(|never| match never {})) }
        }
    });
    let io = TokioIo::new(Attended { stream, patience: limits.write_stall, stalled: None });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.idle)
            .max_buf_size(BUFFER)
            .serve_connection(io, service)
    );
    let first_head = async {
        sleep(limits.first_head).await;
        if asked.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = first_head => return,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// A stream whose reader must not stand still.
struct Attended {
    stream: TcpStream,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Attended {
    fn in_time<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Attended {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Attended {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::body::Bytes;
    use axum::http::Extensions;
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;
    use tokio::time::timeout;

    use super::*;
    use crate::http::request::read_body;

    const DEADLINE: Duration = Duration::from_secs(20);

    fn quick() -> Limits {
        Limits {
            in_all: 1000,
            per_network: Some(500),
            first_head: Duration::from_millis(300),
            idle: Duration::from_millis(500),
            write_stall: Duration::from_millis(500),
            body: Pace { window: Duration::from_millis(400), bytes_per_second: 1000 },
        }
    }

    async fn serve(limits: Limits) -> SocketAddr {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let large = Bytes::from(vec![b'x'; 50_000_000]);
        let router = Router::new()
            .route("/healthz", get(|| async { "ok" }))
            .route("/large", get(|| async { large }))
            .route(
                "/body",
                post(|body: Body| async {
                    read_body(&Extensions::new(), body).await.map(|bytes| bytes.len().to_string())
                }),
            );
        tokio::spawn(answer(listener, router, limits, CancellationToken::new()));
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    async fn connect(from: [u8; 4], to: SocketAddr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        socket.connect(to).await.unwrap()
    }

    /// Sends bytes and reads until the server closes.
    async fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> String {
        stream.write_all(bytes).await.unwrap();
        rest(stream).await
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut answer = Vec::new();
        // A reset ends a connection as well as an orderly close.
        let _ = timeout(DEADLINE, stream.read_to_end(&mut answer)).await.expect("the server does not close");
        String::from_utf8_lossy(&answer).into_owned()
    }

    const ASK: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    #[tokio::test(flavor = "multi_thread")]
    async fn half_open_connections_of_one_address_do_not_stop_another() {
        let limits = Limits { per_network: Some(100), first_head: Duration::from_secs(60), ..quick() };
        let server = serve(limits).await;
        let mut held = Vec::new();
        for _ in 0..300 {
            let mut stream = connect([127, 0, 0, 1], server).await;
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nX-Slow: ").await;
            held.push(stream);
        }
        let started = Instant::now();
        let answer = exchange(&mut connect([127, 0, 0, 2], server).await, ASK).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        let refused = exchange(&mut connect([127, 0, 0, 1], server).await, b"").await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("TOO_MANY_CONNECTIONS"), "{refused}");
        drop(held);
        // Closed connections are not counted.
        let started = Instant::now();
        while !exchange(&mut connect([127, 0, 0, 1], server).await, ASK).await.starts_with("HTTP/1.1 200") {
            assert!(started.elapsed() < DEADLINE, "closed connections still count");
            sleep(Duration::from_millis(20)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn all_connections_together_are_limited_also_behind_proxies() {
        let limits = Limits { in_all: 5, per_network: None, first_head: DEADLINE, ..quick() };
        let server = serve(limits).await;
        let mut held = Vec::new();
        for n in 1..=5 {
            held.push(connect([127, 0, 0, n], server).await);
        }
        let refused = exchange(&mut connect([127, 0, 0, 9], server).await, b"").await;
        assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_request_head_that_does_not_end_and_an_idle_connection_are_closed() {
        let server = serve(quick()).await;
        let started = Instant::now();
        assert_eq!(rest(&mut connect([127, 0, 0, 1], server).await).await, "", "nothing was sent");
        let slow = exchange(&mut connect([127, 0, 0, 1], server).await, b"GET /healthz HTTP/1.1\r\n").await;
        assert!(!slow.contains("200"), "{slow}");
        let idle =
            exchange(&mut connect([127, 0, 0, 1], server).await, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                .await;
        assert!(idle.starts_with("HTTP/1.1 200"), "{idle}");
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_body_may_be_slow_but_not_stand_still() {
        let server = serve(quick()).await;
        let head = |length: usize| {
            format!("POST /body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n")
        };
        let mut stream = connect([127, 0, 0, 1], server).await;
        stream.write_all(head(10).as_bytes()).await.unwrap();
        let started = Instant::now();
        let stalled = exchange(&mut stream, b"12345").await;
        assert!(stalled.starts_with("HTTP/1.1 408") && stalled.contains("REQUEST_TIMEOUT"), "{stalled}");
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());

        let mut stream = connect([127, 0, 0, 1], server).await;
        stream.write_all(head(4000).as_bytes()).await.unwrap();
        for _ in 0..10 {
            sleep(Duration::from_millis(100)).await;
            stream.write_all(&[b'x'; 400]).await.unwrap();
        }
        let steady = rest(&mut stream).await;
        assert!(steady.starts_with("HTTP/1.1 200") && steady.ends_with("4000"), "{steady}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_client_that_does_not_read_is_disconnected() {
        let server = serve(quick()).await;
        let mut stream = connect([127, 0, 0, 1], server).await;
        stream.write_all(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        sleep(Duration::from_secs(2)).await;
        let received = rest(&mut stream).await;
        assert!(received.len() < 50_000_000, "{}", received.len());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_body_that_says_it_is_too_large_is_refused_before_it_is_sent() {
        let server = serve(quick()).await;
        let mut stream = connect([127, 0, 0, 1], server).await;
        let head =
            b"POST /body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 500000000\r\n\r\n";
        let refused = exchange(&mut stream, head).await;
        assert!(refused.starts_with("HTTP/1.1 413"), "{refused}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_request_head_beyond_64_kb_is_refused() {
        let server = serve(quick()).await;
        let mut stream = connect([127, 0, 0, 1], server).await;
        let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: {}", "x".repeat(100_000));
        let refused = exchange(&mut stream, head.as_bytes()).await;
        assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 431"), "{refused}");
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        let open = Arc::new(Mutex::new(Open::default()));
        let limits = Limits { per_network: Some(2), ..quick() };
        let take = |address: &str| Seat::take(&open, address.parse().unwrap(), &limits);
        let first = take("2001:db8:1:2::1");
        assert!(first.is_some());
        let second = take("2001:db8:1:2:ffff::9");
        assert!(second.is_some() && take("2001:db8:1:2:a:b:c:d").is_none());
        assert!(take("2001:db8:1:3::1").is_some());
        drop(second);
        assert!(take("2001:db8:1:2:a:b:c:d").is_some());
    }
}
