//! The guard from the outside: notations of addresses, redirects, limits.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::*;

const LIMITS: DownloadLimits = DownloadLimits { bytes: 1000, time: Duration::from_secs(5) };

/// Answers every request with what `answer` makes of it; gives its port and the requests it saw.
fn server(answer: impl Fn(&str) -> String + Send + 'static) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = seen.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut part = [0; 1024];
            while !request.windows(4).any(|w| w == b"\r\n\r\n") {
                match stream.read(&mut part) {
                    Ok(count) if count > 0 => request.extend_from_slice(&part[..count]),
                    _ => break,
                }
            }
            let request = String::from_utf8_lossy(&request).to_ascii_lowercase();
            let response = answer(&request);
            requests.lock().unwrap().push(request);
            let _ = stream.write_all(response.as_bytes());
        }
    });
    (port, seen)
}

fn ok(headers: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{headers}Connection: close\r\n\r\n{body}", body.len())
}

fn moved(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

fn open() -> Fetch {
    Fetch::new(true).unwrap()
}

async fn download(fetch: &Fetch, url: &str) -> Result<(Downloaded, Vec<u8>), FetchError> {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("file");
    let downloaded = fetch.download(url, &to, LIMITS).await?;
    Ok((downloaded, std::fs::read(to).unwrap()))
}

#[tokio::test]
async fn private_addresses_are_refused_in_every_notation() {
    let fetch = Fetch::new(false).unwrap();
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.01",
        "127.0.0.1.",
        "0x7F.0.0.0x1",
        "1.2.3.4@127.0.0.1",
        "example.com:80@127.0.0.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:a9fe:a9fe]",
        "[64:ff9b::a00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fd00::1]",
        "0",
        "0.0.0.0",
        "10.1.2.3",
        "0xa.1.2.3",
        "012.1.2.3",
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "192.168.0.1",
        "172.16.1",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "localhost",
        "LocalHost.",
        "x.localhost",
        "metadata.google.internal",
        "%31%32%37.0.0.1",
        "127。0。0。1",
        "１２７.0.0.1",
        "①②⑦.⓪.⓪.①",
    ] {
        for url in [format!("http://{host}/x"), format!("https://{host}:8443/x?y#z")] {
            let error = fetch.check_url(&url).await.unwrap_err();
            assert!(matches!(error, FetchError::Private(_)), "{url}: {error}");
            assert_eq!(fetch.probe(&url).await.unwrap_err(), error, "{url}");
        }
    }
}

#[tokio::test]
async fn only_well_formed_http_addresses_are_taken() {
    let fetch = Fetch::new(false).unwrap();
    for text in
        ["", "film.mp4", "//example.com/x", "http://", "http:///", "http://exa mple.com/", "http://[::1/"]
    {
        assert!(matches!(fetch.check_url(text).await, Err(FetchError::Malformed(_))), "{text}");
    }
    for text in ["ftp://example.com/x", "file:///etc/passwd", "gopher://1.1.1.1/", "data:text/plain,x"] {
        assert!(matches!(fetch.check_url(text).await, Err(FetchError::Scheme(_))), "{text}");
    }
    assert_eq!(fetch.check_url(" http://1.1.1.1/a ").await.unwrap().as_str(), "http://1.1.1.1/a");
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_unreachable_and_not_refused() {
    let fetch = Fetch::new(false).unwrap();
    assert!(fetch.check_url("https://nowhere.invalid/x").await.is_ok());
    let error = fetch.probe("https://nowhere.invalid/x").await.unwrap_err();
    assert!(!error.is_refusal(), "{error}");
}

#[tokio::test]
async fn names_are_judged_by_the_addresses_that_are_connected_to() {
    let (port, seen) = server(|_| ok("", "secret"));
    let fetch =
        Fetch::guarded(Guard { permits: is_public, private_names: true }, Names::of_system()).unwrap();
    let error = download(&fetch, &format!("http://localhost:{port}/")).await.unwrap_err();
    assert_eq!(error, FetchError::Private("localhost".into()));
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn metadata_services_are_refused_also_where_private_addresses_are_allowed() {
    let (port, _) = server(|_| moved("http://168.63.129.16/metadata"));
    let fetch = open();
    for host in [
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "[::ffff:169.254.169.254]",
        "[fd00:ec2::254]",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
    ] {
        let url = format!("http://{host}/latest/meta-data/");
        let error = fetch.check_url(&url).await.unwrap_err();
        assert!(matches!(error, FetchError::Metadata(_)) && error.is_refusal(), "{url}: {error}");
        assert_eq!(download(&fetch, &url).await.unwrap_err(), error, "{url}");
    }
    let error = download(&fetch, &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert_eq!(error, FetchError::Metadata("168.63.129.16".into()));
    let public = Fetch::new(false).unwrap();
    let error = public.check_url("http://168.63.129.16/").await.unwrap_err();
    assert_eq!(error, FetchError::Metadata("168.63.129.16".into()));
}

/// A name server that answers what `answer` makes of the name of each question; gives its port and its questions.
fn name_server(
    answer: impl Fn(&str) -> Option<std::net::Ipv4Addr> + Send + 'static,
) -> (u16, Arc<Mutex<Vec<String>>>) {
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let questions = asked.clone();
    std::thread::spawn(move || {
        let mut packet = [0; 2000];
        while let Ok((length, sender)) = socket.recv_from(&mut packet) {
            let (mut name, mut at) = (String::new(), 12);
            while packet[at] != 0 {
                let label = usize::from(packet[at]);
                name.push_str(&String::from_utf8_lossy(&packet[at + 1..=at + label]));
                name.push('.');
                at += label + 1;
            }
            let end = at + 5;
            let is_a = packet[at + 2] == 1;
            let Some(address) = answer(&name.to_lowercase()).filter(|_| length >= end) else { continue };
            if is_a {
                questions.lock().unwrap().push(name.to_lowercase());
            }
            let mut reply = packet[..2].to_vec();
            reply.extend([0x81, 0x80, 0, 1, 0, u8::from(is_a), 0, 0, 0, 0]);
            reply.extend(&packet[12..end]);
            if is_a {
                // The name of the question, type A, class IN, a life of 0 s, 4 bytes.
                reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
                reply.extend(address.octets());
            }
            let _ = socket.send_to(&reply, sender);
        }
    });
    (port, asked)
}

fn names_of(port: u16) -> Names {
    use hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
    let mut server = NameServerConfig::udp(IpAddr::from([127, 0, 0, 1]));
    server.connections[0].port = port;
    Names::new(ResolverConfig::from_name_servers(vec![server]), ResolverOpts::default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_name_server_holds_up_neither_other_names_nor_blocking_work() {
    let (port, _) = name_server(|name| name.starts_with("good").then_some([1, 1, 1, 1].into()));
    let fetch = Fetch::guarded(Guard::PUBLIC, names_of(port)).unwrap();
    let started = Instant::now();
    let silent: Vec<_> = (0..300)
        .map(|n| {
            let fetch = fetch.clone();
            tokio::spawn(async move { fetch.check_url(&format!("http://silent{n}.example/")).await })
        })
        .collect();
    tokio::task::spawn_blocking(|| ()).await.unwrap();
    let good = fetch.names.resolve("good.example").await.unwrap();
    assert_eq!(good, [SocketAddr::from(([1, 1, 1, 1], 0))]);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    for asked in silent {
        // Unreachable, not refused.
        assert!(asked.await.unwrap().is_ok());
    }
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_name_is_resolved_once_whatever_life_its_server_gives_it() {
    let (port, asked) = name_server(|_| Some([127, 0, 0, 1].into()));
    let only_here = Guard { permits: |address| address.is_loopback(), private_names: false };
    let fetch = Fetch::guarded(only_here, names_of(port)).unwrap();
    let (http, _) = server(|_| ok("", "pixels"));
    for n in 0..5 {
        download(&fetch, &format!("http://media.example:{http}/{n}")).await.unwrap();
    }
    assert_eq!(*asked.lock().unwrap(), ["media.example."]);
}

#[tokio::test]
async fn a_redirect_to_a_refused_address_is_not_followed() {
    let (port, seen) = server(|request| match request.starts_with("get /start") {
        true => moved("http://127.0.0.2:1/x"),
        false => moved("file:///etc/passwd"),
    });
    let only_one = Guard { permits: |address| address == IpAddr::from([127, 0, 0, 1]), private_names: false };
    let fetch = Fetch::guarded(only_one, Names::of_system()).unwrap();
    let error = download(&fetch, &format!("http://127.0.0.1:{port}/start")).await.unwrap_err();
    assert_eq!(error, FetchError::Private("127.0.0.2".into()));
    let error = download(&fetch, &format!("http://127.0.0.1:{port}/file")).await.unwrap_err();
    assert_eq!(error, FetchError::Scheme("file".into()));
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn redirects_are_followed_without_credentials_cookies_or_referrer() {
    let (port, seen) = server(|request| match request.starts_with("get /a") {
        true => moved("/b").replace("Content", "Set-Cookie: s=1\r\nContent"),
        false => ok("Content-Type: image/png; x=y\r\nETag: \"v1\"\r\n", "pixels"),
    });
    let (downloaded, bytes) = download(&open(), &format!("http://me:pw@127.0.0.1:{port}/a")).await.unwrap();
    assert_eq!((bytes.as_slice(), downloaded.url.path()), (b"pixels".as_slice(), "/b"));
    assert_eq!(downloaded.content_type.as_deref(), Some("image/png"));
    assert_eq!(downloaded.validator.as_deref(), Some("\"v1\""));
    let seen = seen.lock().unwrap();
    assert!(seen[0].contains("authorization: basic"));
    for word in ["authorization", "cookie", "referer"] {
        assert!(!seen[1].contains(word), "{}", seen[1]);
    }
}

#[tokio::test]
async fn endless_redirects_end() {
    let (port, seen) = server(|_| moved("/again"));
    let error = download(&open(), &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert_eq!(error, FetchError::TooManyRedirects("127.0.0.1".into()));
    assert_eq!(seen.lock().unwrap().len(), 6);
}

#[tokio::test]
async fn a_file_beyond_the_limit_is_given_up_also_when_its_length_is_not_told() {
    let (port, _) = server(|request| match request.starts_with("get /told") {
        true => "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n".to_owned(),
        false => format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", "x".repeat(5000)),
    });
    for path in ["told", "untold"] {
        let error = download(&open(), &format!("http://127.0.0.1:{port}/{path}")).await.unwrap_err();
        assert!(matches!(error, FetchError::TooLarge { limit: 1000, .. }), "{path}: {error}");
    }
}

fn read_request(stream: &mut TcpStream) {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        request.push(byte[0]);
    }
}

/// Sends a head, then a byte every few milliseconds without end.
fn dripping() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            read_request(&mut stream);
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n").unwrap();
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    });
    port
}

#[tokio::test]
async fn a_server_that_drips_is_given_up_and_one_that_pauses_is_not() {
    let window = Duration::from_millis(500);
    let hasty = || open().with_pace(Pace { window, bytes_per_second: 1000 });
    let error = download(&hasty(), &format!("http://127.0.0.1:{}/", dripping())).await.unwrap_err();
    assert_eq!(error, FetchError::TooSlow { host: "127.0.0.1".into(), least: 500, window });
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        read_request(&mut stream);
        let body = "x".repeat(600);
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{body}").unwrap();
        std::thread::sleep(Duration::from_millis(700));
        stream.write_all(&[b'x'; 300]).unwrap();
    });
    let (downloaded, _) = download(&hasty(), &format!("http://127.0.0.1:{port}/")).await.unwrap();
    assert_eq!(downloaded.bytes, 900);
}

#[tokio::test]
async fn a_download_ends_when_there_is_no_room_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let tell = |told: Downloading| if told.bytes > 2 { Err(FetchError::NoRoom) } else { Ok(()) };
    let url = format!("http://127.0.0.1:{}/", dripping());
    let error = open().download_telling(&url, &folder.path().join("file"), LIMITS, tell).await.unwrap_err();
    assert_eq!(error, FetchError::NoRoom);
}

#[tokio::test]
async fn packed_files_and_files_that_break_off_are_errors() {
    let (port, _) = server(|request| match request.starts_with("get /packed") {
        true => ok("Content-Encoding: gzip\r\n", "bomb"),
        false => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf".to_owned(),
    });
    let error = download(&open(), &format!("http://127.0.0.1:{port}/packed")).await.unwrap_err();
    assert!(matches!(error, FetchError::Packed { .. }), "{error}");
    let error = download(&open(), &format!("http://127.0.0.1:{port}/half")).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_probe_asks_again_for_one_byte_where_head_is_not_known() {
    let (port, seen) = server(|request| match request.starts_with("head") {
        true => "HTTP/1.1 405 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
        false => "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-0/77\r\nContent-Length: 1\r\n\r\nx".to_owned(),
    });
    let probe = open().probe(&format!("http://127.0.0.1:{port}/")).await.unwrap();
    assert_eq!((probe.status, probe.length), (206, Some(77)));
    assert!(seen.lock().unwrap()[1].contains("range: bytes=0-0"));
}

#[tokio::test]
async fn any_answer_but_success_is_an_error_of_a_probe() {
    let (port, _) =
        server(|_| "HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned());
    let error = open().probe(&format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert_eq!(error, FetchError::Status { host: "127.0.0.1".into(), status: 404 });
    let error = open().probe("http://127.0.0.1:1/").await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_post_does_not_follow_redirects_and_gives_up_in_time() {
    let (port, seen) = server(|_| moved("/elsewhere"));
    let url = format!("http://127.0.0.1:{port}/hook");
    let post = |url: String, patience| async move {
        open().post(&url, HeaderMap::new(), Bytes::from_static(b"{}"), patience).await
    };
    assert_eq!(post(url, Duration::from_secs(5)).await.unwrap().status, 302);
    assert_eq!(seen.lock().unwrap().len(), 1);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let error = post(url, Duration::from_millis(200)).await.unwrap_err();
    assert!(matches!(error, FetchError::TimedOut { .. }), "{error}");
}
