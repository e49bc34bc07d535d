//! A registry on this machine serves packages made here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use rondo_composition::Limits;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

const FONT: &[u8] = include_bytes!("../../../../assets/fonts/core/roboto-mono-latin-400-normal.woff2");

/// A tar archive packed with gzip.
fn pack(entries: &[(&str, u8, &[u8])]) -> Vec<u8> {
    let mut archive = GzEncoder::new(Vec::new(), Compression::fast());
    for (name, kind, bytes) in entries {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = *kind;
        archive.write_all(&header).unwrap();
        archive.write_all(bytes).unwrap();
        archive.write_all(&vec![0; bytes.len().next_multiple_of(512) - bytes.len()]).unwrap();
    }
    archive.write_all(&[0; 1024]).unwrap();
    archive.finish().unwrap()
}

fn package() -> Vec<u8> {
    let metadata = json!({"family": "Plain Mono", "weights": [400, 700], "styles": ["normal"]}).to_string();
    let ranges = json!({"latin": "U+0000-00FF"}).to_string();
    pack(&[
        ("package/metadata.json", b'0', metadata.as_bytes()),
        ("package/unicode.json", b'0', ranges.as_bytes()),
        ("package/../../etc/evil.woff2", b'0', b"never written"),
        ("package/files/link.woff2", b'2', b""),
        ("package/files/plain-mono-latin-400-normal.woff", b'0', b"another format"),
        ("package/files/plain-mono-latin-400-normal.woff2", b'0', FONT),
        ("package/files/plain-mono-latin-700-normal.woff2", b'0', b"a weight that is not kept"),
        ("package/LICENSE", b'0', b"OFL"),
    ])
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn row() -> FontPackage {
    let files = format!("LICENSE {}\nplain-mono-latin-400-normal.woff2 {}\n", sha256(b"OFL"), sha256(FONT));
    FontPackage::parse(&format!("plain-mono 1.0.0 400 {}", sha256(files.as_bytes()))).unwrap()
}

/// Serves a body; returns the address, and a count of the requests.
async fn serve(body: Vec<u8>, delay: Duration) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = requests.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap();
            let found = request[..read].starts_with(b"GET /@fontsource/plain-mono/-/plain-mono-1.0.0.tgz ");
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(delay).await;
            let status = if found { "200 OK" } else { "404 Not Found" };
            let head =
                format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&body).await.unwrap();
        }
    });
    (address, requests)
}

fn fonts(folder: &tempfile::TempDir, registry: FontRegistry) -> Fonts {
    let options = FontOptions {
        fonts: FontSettings::default(),
        fetched: FetchedFamilies::new(folder.path().join("fonts")),
        registry,
        packages: vec![row()],
        wait: WAIT,
    };
    Fonts::open(options).unwrap().0
}

fn film(families: &str) -> Composition {
    let film = json!({"durationInFrames": 1, "overlays": [{"id": 1, "type": "text", "content": "Hello", "from": 0,
        "durationInFrames": 1, "row": 0, "left": 0, "top": 0, "width": 100, "height": 100,
        "styles": {"fontFamily": families}}]});
    Composition::parse(&film.to_string(), Limits::WIDEST).unwrap().composition
}

#[tokio::test]
async fn a_family_is_fetched_once_by_the_films_that_name_it_and_kept() {
    let (address, requests) = serve(package(), Duration::from_millis(100)).await;
    let folder = tempfile::tempdir().unwrap();
    let fetching = fonts(&folder, FontRegistry::At(address.clone()));
    fetching.fetch_for(&film("Inter, Plain Mono")).await;
    assert_eq!(requests.load(Ordering::SeqCst), 0, "Inter is there");
    let named = film("'Plain Mono', Inter");
    tokio::join!(fetching.fetch_for(&named), fetching.fetch_for(&named), fetching.fetch_for(&named));
    let resolved = fetching.catalog().resolve("plain mono", 400, false);
    assert_eq!((resolved.family.as_str(), resolved.exact, resolved.available.len()), ("Plain Mono", true, 1));
    // Another start finds it.
    let again = fonts(&folder, FontRegistry::At(address));
    again.fetch_for(&named).await;
    assert!(again.catalog().has("Plain Mono"));
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_differs_from_the_pinned_hash_is_not_kept_and_not_fetched_again_at_once() {
    let mut other = FONT.to_vec();
    other[FONT.len() - 1] ^= 1;
    let wrong = pack(&[
        (
            "package/metadata.json",
            b'0',
            br#"{"family": "Plain Mono", "weights": [400], "styles": ["normal"]}"#,
        ),
        ("package/unicode.json", b'0', br#"{"latin": "U+0000-00FF"}"#),
        ("package/files/plain-mono-latin-400-normal.woff2", b'0', &other),
        ("package/LICENSE", b'0', b"OFL"),
    ]);
    for body in [wrong, package()[..2000].to_vec(), b"<html>".to_vec(), Vec::new()] {
        let (address, requests) = serve(body, Duration::ZERO).await;
        let folder = tempfile::tempdir().unwrap();
        let fetching = fonts(&folder, FontRegistry::At(address));
        for _ in 0..3 {
            let problems = fetching.fetch_for(&film("Plain Mono")).await;
            assert!(
                problems[0].starts_with("The font package plain-mono cannot be fetched: "),
                "{problems:?}"
            );
        }
        assert!(!fetching.catalog().has("Plain Mono") && !folder.path().join("fonts").exists());
        assert_eq!(requests.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn no_family_is_fetched_when_it_is_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let off = fonts(&folder, FontRegistry::Off);
    off.fetch_for(&film("Plain Mono")).await;
    assert!(!off.catalog().has("Plain Mono") && off.catalog().is_installable("Plain Mono"));
}

#[test]
fn the_pinned_list_is_read() {
    let packages = font_packages();
    assert_eq!(packages.len(), 177);
    let brush = packages.iter().find(|package| package.name == "alex-brush").unwrap();
    assert!(brush.weights.is_none() && brush.hash.len() == 64);
    assert!(brush.url("http://registry.test").ends_with("/@fontsource/alex-brush/-/alex-brush-5.3.0.tgz"));
}
