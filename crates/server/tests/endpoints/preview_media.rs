//! Media of previews that are sent while they are fetched from a slow server, or from one that does not keep to the rules.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use reqwest::Response;
use rondo_store::Plan;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::harness::{Account, Service, client, film, overlay};

const MEGABYTE: usize = 1 << 20;
/// The length of the file.
const LENGTH: usize = 5 * MEGABYTE + 17;
/// What of it comes before the server waits.
const FIRST: usize = MEGABYTE;
/// The part of it that players of many MP4 files ask for next.
const TAIL: usize = LENGTH - 100_000;
/// A wait that should be short.
const SOON: Duration = Duration::from_secs(20);

/// How a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As it should.
    Honest,
    /// With an entity tag of its own for parts, or another date.
    OtherTag,
    OtherDate,
    /// With the wrong place of the part, or the wrong length of the file.
    OtherPlace,
    OtherLength,
    /// With the whole file, a page, or nothing, in place of a part.
    Whole,
    Page,
    Refusal,
    /// With more bytes than it says, without an end.
    Endless,
    /// With fewer.
    Short,
    /// With a redirect to a place that must not be called.
    Inside,
    /// Without a tag and a date, so that nobody knows whether the file is the same.
    Nameless,
    /// With bytes of another file, which it calls the same.
    Liar,
    /// Without the length of the file.
    Unmeasured,
    /// With a page under the name of a film.
    PageForFilm,
    /// With more than is read for a preview.
    Huge,
    /// With more, and the range of a small file beside it.
    Understated,
    /// With parts that take a while.
    LateParts,
    /// With less than it promised, and not at all where a part is asked for.
    Broken,
}

/// A server of one file, which holds the rest of it back until it is released.
struct Origin {
    url: String,
    /// Requests for the whole file, and for parts of it.
    whole: Arc<AtomicUsize>,
    parts: Arc<AtomicUsize>,
    released: watch::Sender<bool>,
}

fn file() -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..LENGTH).map(|at| (at * 31 + at / 251) as u8).collect();
    bytes[..24].copy_from_slice(b"\0\0\0\x18ftypisom\0\0\0\0isommp42");
    bytes
}

impl Origin {
    async fn start(kind: Kind) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/clip.mp4", listener.local_addr().unwrap());
        let (released, hold) = watch::channel(false);
        let (whole, parts): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
        let counts = (whole.clone(), parts.clone());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (hold, counts) = (hold.clone(), counts.clone());
                // Who leaves early is no error.
                tokio::spawn(async move { answer(stream, kind, hold, &counts.0, &counts.1).await.ok() });
            }
        });
        Self { url, whole, parts, released }
    }

    fn release(&self) {
        self.released.send_replace(true);
    }

    fn whole(&self) -> usize {
        self.whole.load(Ordering::SeqCst)
    }

    fn parts(&self) -> usize {
        self.parts.load(Ordering::SeqCst)
    }
}

async fn answer(
    mut stream: TcpStream,
    kind: Kind,
    mut hold: watch::Receiver<bool>,
    whole: &AtomicUsize,
    parts: &AtomicUsize,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(stream.read_u8().await?);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let range = request.lines().find_map(|line| line.strip_prefix("range: bytes="));
    let names = match kind {
        Kind::Nameless => "",
        Kind::OtherDate => "Last-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\n",
        _ => "ETag: \"one\"\r\n",
    };
    let Some(range) = range.filter(|_| request.starts_with("get")) else {
        if request.starts_with("get") {
            whole.fetch_add(1, Ordering::SeqCst);
        }
        return send_whole(stream, kind, names, &mut hold).await;
    };
    parts.fetch_add(1, Ordering::SeqCst);
    let (first, last) = range.trim().split_once('-').unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let mut part = file()[first..=last].to_vec();
    if kind == Kind::Liar {
        part.fill(b'!');
    }
    let mut place = (first, LENGTH);
    let mut names = names;
    match kind {
        Kind::Whole => return send_whole(stream, kind, names, &mut hold).await,
        Kind::Page => {
            let page = "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: 15\r\n\r\n<!doctype html>";
            return stream.write_all(page.as_bytes()).await;
        }
        Kind::Refusal => {
            return stream.write_all(b"HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n").await;
        }
        Kind::Inside => {
            let there = "Location: http://169.254.169.254/latest/meta-data/";
            let moved = format!("HTTP/1.1 302 Found\r\n{there}\r\nContent-Length: 0\r\n\r\n");
            return stream.write_all(moved.as_bytes()).await;
        }
        Kind::Broken => return std::future::pending().await,
        Kind::LateParts => tokio::time::sleep(Duration::from_millis(500)).await,
        Kind::OtherTag => names = "ETag: \"two\"\r\n",
        Kind::OtherDate => names = "Last-Modified: Thu, 02 Jan 2025 00:00:00 GMT\r\n",
        Kind::OtherPlace => place.0 += 1,
        Kind::OtherLength => place.1 += 1,
        _ => {}
    }
    let mut head = format!("HTTP/1.1 206 Part\r\n{names}Connection: close\r\n");
    write!(head, "Content-Range: bytes {}-{}/{}\r\n", place.0, place.0 + last - first, place.1).unwrap();
    if kind != Kind::Endless && kind != Kind::Short {
        write!(head, "Content-Length: {}\r\n", part.len()).unwrap();
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    if kind == Kind::Short {
        part.pop();
    }
    stream.write_all(&part).await?;
    if kind != Kind::Endless {
        return Ok(());
    }
    loop {
        stream.write_all(&part).await?;
    }
}

/// The beginning of the file, and the rest when it is released.
async fn send_whole(
    mut stream: TcpStream,
    kind: Kind,
    names: &str,
    hold: &mut watch::Receiver<bool>,
) -> std::io::Result<()> {
    let mut bytes = file();
    if kind == Kind::PageForFilm {
        bytes[..FIRST].fill(b' ');
        bytes[..24].copy_from_slice(b"<!doctype html><script> ");
    }
    let mut head = format!("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nConnection: close\r\n{names}");
    match kind {
        Kind::Unmeasured => {}
        Kind::Huge => head += "Content-Length: 500000001\r\n",
        Kind::Understated => head += "Content-Length: 500000001\r\nContent-Range: bytes 0-0/10\r\n",
        _ => write!(head, "Content-Length: {LENGTH}\r\n").unwrap(),
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    stream.write_all(&bytes[..FIRST]).await?;
    hold.wait_for(|released| *released).await.ok();
    let rest = if kind == Kind::Broken { &bytes[FIRST..2 * FIRST] } else { &bytes[FIRST..] };
    stream.write_all(rest).await
}

/// The address of a file at the service, through a preview that names it.
async fn proxy(service: &Service, origin: &Origin) -> String {
    proxy_of(service, &service.account(Plan::Business, 0).await, origin).await
}

/// The same, for a preview of this account.
async fn proxy_of(service: &Service, account: &Account, origin: &Origin) -> String {
    let clip = overlay(1, &json!({"type": "video", "src": origin.url}));
    let answer = service.post(account, "/previews", &json!({"inputProps": film(5, &json!([clip]))})).await;
    let url = answer.data()["previewUrl"].as_str().unwrap().to_owned();
    let answer = client(false).get(&url).header("accept", "application/json").send().await.unwrap();
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    // Making the preview looked at the file, too, for a while.
    origin.whole.store(0, Ordering::SeqCst);
    answer["media"][&origin.url]["proxy"].as_str().unwrap().to_owned()
}

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let request = client(false).get(url);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The bytes of a part, which the service must send now.
async fn part(url: &str, first: usize, last: usize) -> Bytes {
    let asked = format!("bytes={first}-{last}");
    let read = async {
        let response = get(url, &[("range", &asked)]).await;
        assert_eq!(response.status().as_u16(), 206, "{asked}");
        assert_eq!(header(&response, "content-range"), format!("bytes {first}-{last}/{LENGTH}"));
        assert_eq!(header(&response, "content-type"), "video/mp4");
        response.bytes().await.unwrap()
    };
    timeout(SOON, read).await.unwrap_or_else(|_| panic!("{asked} was not sent in time"))
}

/// The same, to be waited for.
fn part_later(url: &str, first: usize, last: usize) -> JoinHandle<Bytes> {
    let url = url.to_owned();
    tokio::spawn(async move { part(&url, first, last).await })
}

/// Waits until something is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, waiting).await.unwrap_or_else(|_| panic!("it took too long until {what}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_a_file_are_sent_before_its_server_sent_all_of_it() {
    let (service, origin, file) = (Service::start(&[]).await, Origin::start(Kind::Honest).await, file());
    let url = proxy(&service, &origin).await;
    // The server holds all but the beginning back: these can come from nowhere else.
    assert!(part(&url, 0, 99_999).await == file[..100_000]);
    assert_eq!(origin.parts(), 0, "what has arrived is not asked for again");
    assert!(part(&url, TAIL, LENGTH - 1).await == file[TAIL..]);
    let parts = origin.parts();
    assert!((1..=2).contains(&parts), "{parts}");
    assert!(part(&url, TAIL + 100, LENGTH - 1).await == file[TAIL + 100..]);
    assert_eq!((origin.parts(), origin.whole()), (parts, 1), "parts are asked for once");
    let head = client(false).head(&url).send().await.unwrap();
    assert_eq!(header(&head, "content-length"), LENGTH.to_string());
    assert_eq!((header(&head, "cache-control"), header(&head, "etag")), ("no-store", ""));
    assert_eq!(header(&head, "x-content-type-options"), "nosniff");
    assert_eq!(header(&head, "content-disposition"), "attachment");
    let beyond = get(&url, &[("range", &format!("bytes={LENGTH}-"))]).await;
    assert_eq!(beyond.status().as_u16(), 416);

    // The whole file comes as its server sends it, to one who asked before.
    let mut whole = get(&url, &[]).await;
    assert_eq!((whole.status().as_u16(), header(&whole, "content-length")), (200, &*LENGTH.to_string()));
    let mut bytes = whole.chunk().await.unwrap().unwrap().to_vec();
    assert!(bytes.len() <= FIRST);
    // Whoever has a copy asks whether it is good, which only the whole file tells.
    let checked = {
        let url = url.clone();
        tokio::spawn(async move { get(&url, &[("range", "bytes=0-9"), ("if-range", "\"old\"")]).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!checked.is_finished());
    origin.release();
    let checked = timeout(SOON, checked).await.unwrap().unwrap();
    assert_eq!(checked.status().as_u16(), 200);
    assert!(!header(&checked, "etag").is_empty());
    while let Some(chunk) = timeout(SOON, whole.chunk()).await.unwrap().unwrap() {
        bytes.extend_from_slice(&chunk);
    }
    assert!(bytes == file);
    assert_eq!(origin.whole(), 1);
    let kept = get(&url, &[]).await;
    assert_eq!(header(&kept, "cache-control"), "private, max-age=3600");
    assert!(kept.bytes().await.unwrap() == file);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_that_may_be_of_another_file_are_not_sent() {
    let (service, file) = (Service::start(&[]).await, file());
    for kind in [
        Kind::OtherTag,
        Kind::OtherDate,
        Kind::OtherPlace,
        Kind::OtherLength,
        Kind::Whole,
        Kind::Page,
        Kind::Refusal,
        Kind::Endless,
        Kind::Short,
        Kind::Inside,
        Kind::Nameless,
    ] {
        let origin = Origin::start(kind).await;
        let url = proxy(&service, &origin).await;
        assert!(part(&url, 0, 9).await == file[..10], "{kind:?}");
        let tail = part_later(&url, TAIL, LENGTH - 1);
        if kind != Kind::Nameless {
            until("a part was asked for", || origin.parts() > 0).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!tail.is_finished(), "{kind:?}");
        // What is there is sent on.
        assert!(part(&url, FIRST - 10, FIRST - 1).await == file[FIRST - 10..FIRST], "{kind:?}");
        origin.release();
        assert!(tail.await.unwrap() == file[TAIL..], "{kind:?}");
        let asked = usize::from(kind != Kind::Nameless);
        assert_eq!((origin.parts(), origin.whole()), (asked, 1), "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_is_asked_for_once_also_if_the_first_who_needs_it_leaves() {
    let (service, origin, file) = (Service::start(&[]).await, Origin::start(Kind::LateParts).await, file());
    let url = proxy(&service, &origin).await;
    let left = part_later(&url, LENGTH - 10, LENGTH - 1);
    until("a part was asked for", || origin.parts() > 0).await;
    left.abort();
    // The service hears of it before the part comes.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(part(&url, LENGTH - 10, LENGTH - 1).await == file[LENGTH - 10..]);
    assert_eq!(origin.parts(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_does_not_wait_for_the_turn_of_another_account() {
    let service = Service::start(&[]).await;
    let (busy, other) = (service.account(Plan::Business, 0).await, service.account(Plan::Business, 0).await);
    let mut held = Vec::new();
    // As many as are fetched for one account at a time.
    for _ in 0..4 {
        let origin = Origin::start(Kind::Honest).await;
        part(&proxy_of(&service, &busy, &origin).await, 0, 9).await;
        held.push(origin);
    }
    let (origin, file) = (Origin::start(Kind::Honest).await, file());
    let of_other = proxy_of(&service, &other, &origin).await;
    let waiting = part_later(&proxy_of(&service, &busy, &origin).await, 0, 9);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!((waiting.is_finished(), origin.whole()), (false, 0));
    assert!(part(&of_other, 0, 9).await == file[..10]);
    assert!(!waiting.is_finished());
    held.iter().for_each(Origin::release);
    assert!(waiting.await.unwrap() == file[..10]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_kept_is_one_answer_of_its_server() {
    let (service, origin, file) = (Service::start(&[]).await, Origin::start(Kind::Liar).await, file());
    let url = proxy(&service, &origin).await;
    let told = part(&url, TAIL, LENGTH - 1).await;
    assert!(told.iter().all(|byte| *byte == b'!'), "the server calls it the same file");
    origin.release();
    assert!(get(&url, &[("if-none-match", "\"\"")]).await.bytes().await.unwrap() == file);
    assert!(part(&url, TAIL, LENGTH - 1).await == file[TAIL..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_unknown_length_is_waited_for() {
    let (service, origin, file) = (Service::start(&[]).await, Origin::start(Kind::Unmeasured).await, file());
    let url = proxy(&service, &origin).await;
    let head = part_later(&url, 0, 9);
    until("the file was asked for", || origin.whole() > 0).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!head.is_finished());
    origin.release();
    assert!(head.await.unwrap() == file[..10]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_passed_on_are_refused_before_all_of_them_came() {
    let service = Service::start(&[]).await;
    for (kind, status, reason) in [
        (Kind::PageForFilm, 415, "UNSUPPORTED_MEDIA_TYPE"),
        (Kind::Huge, 422, "MEDIA_UNREACHABLE"),
        (Kind::Understated, 422, "MEDIA_UNREACHABLE"),
    ] {
        let origin = Origin::start(kind).await;
        let url = proxy(&service, &origin).await;
        // Nothing is released.
        let response = timeout(SOON, get(&url, &[("range", "bytes=0-")])).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{kind:?}");
        let answer: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!(answer["details"]["reason"], reason);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_breaks_off_ends_the_answers_and_is_fetched_again() {
    let (service, origin) = (Service::start(&[]).await, Origin::start(Kind::Broken).await);
    let url = proxy(&service, &origin).await;
    let whole = get(&url, &[]).await;
    assert_eq!(whole.status().as_u16(), 200);
    let tail = get(&url, &[("range", &format!("bytes={TAIL}-"))]).await;
    assert_eq!(tail.status().as_u16(), 206);
    until("a part was asked for", || origin.parts() > 0).await;
    origin.release();
    for answer in [whole, tail] {
        assert!(timeout(SOON, answer.bytes()).await.unwrap().is_err(), "the end is missing");
    }
    // The failure is noted a moment later.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let again = get(&url, &[("if-none-match", "\"\"")]).await;
    assert_eq!(again.status().as_u16(), 422);
    assert_eq!(origin.whole(), 2);
}
