//! Uploads in parts: what broke off goes on where it stopped.

use std::time::{Duration, Instant};

use reqwest::Response;
use rondo_store::{Plan, Time};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Account, Service, client, is_cluster};

/// A picture of so many bytes, as far as its first ones tell, no two parts of which are equal.
fn gif(bytes: usize) -> Vec<u8> {
    let mut gif = b"GIF89a".to_vec();
    gif.extend((0u32..).flat_map(u32::to_le_bytes).take(bytes - 6));
    gif
}

async fn promise(service: &Service, account: &Account, size: usize) -> Value {
    let body = json!({"contentType": "image/gif", "size": size});
    service.post(account, "/uploads", &body).await.data().clone()
}

async fn put(url: &str, range: &str, bytes: &[u8]) -> Response {
    let request = client(true).put(url).header("content-type", "image/gif").header("content-range", range);
    request.body(bytes.to_vec()).send().await.unwrap()
}

/// Status, what is there, and the details of a failure.
async fn sent(url: &str, range: &str, bytes: &[u8]) -> (u16, String, Value) {
    let response = put(url, range, bytes).await;
    let there = response.headers().get("range").map_or("", |range| range.to_str().unwrap()).to_owned();
    let status = response.status().as_u16();
    let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default();
    (status, there, body)
}

/// Begins a part on a connection of its own, and sends only some of it.
async fn begin(url: &str, range: &str, length: usize, bytes: &[u8]) -> TcpStream {
    let url: url::Url = url.parse().unwrap();
    let at = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let mut stream = TcpStream::connect(&at).await.unwrap();
    let place = format!("{}?{}", url.path(), url.query().unwrap());
    let head = format!(
        "PUT {place} HTTP/1.1\r\nHost: {at}\r\nContent-Type: image/gif\r\nContent-Range: {range}\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    stream.flush().await.unwrap();
    stream
}

/// Waits until so many bytes are in the folder of parts.
async fn arrived(service: &Service, id: &str, bytes: u64) {
    let path = service.folder.path().join("parts").join(id);
    let started = Instant::now();
    while std::fs::metadata(&path).map_or(0, |facts| facts.len()) < bytes {
        assert!(started.elapsed() < Duration::from_secs(30), "{bytes} bytes do not arrive");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn parts(service: &Service) -> usize {
    std::fs::read_dir(service.folder.path().join("parts")).map_or(0, Iterator::count)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_broke_off_goes_on_where_it_stopped() {
    if is_cluster() {
        println!("skipped: it looks at files of the folder.");
        return;
    }
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 0).await;
    let file = gif(900_000);
    let upload = promise(&service, &ada, file.len()).await;
    let (to, id) = (upload["uploadUrl"].as_str().unwrap(), upload["id"].as_str().unwrap());
    assert_eq!(sent(to, "bytes */900000", b"").await, (308, String::new(), Value::Null));

    // The connection is cut in the middle.
    let stream = begin(to, "bytes 0-899999/900000", file.len(), &file[..300_000]).await;
    arrived(&service, id, 300_000).await;
    drop(stream);
    assert_eq!(sent(to, "bytes */900000", b"").await, (308, "bytes=0-299999".to_owned(), Value::Null));
    let at = upload["fileUrl"].as_str().unwrap();
    assert_eq!(client(true).get(at).send().await.unwrap().status(), 404, "a part is no file");

    // It falls silent without a word: the next request does not wait for it.
    let silent = begin(to, "bytes 300000-899999/900000", 600_000, &file[300_000..500_000]).await;
    arrived(&service, id, 500_000).await;
    let started = Instant::now();
    let (status, there, _) = sent(to, "bytes 500000-699999/900000", &file[500_000..700_000]).await;
    assert_eq!((status, there.as_str()), (308, "bytes=0-699999"));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    drop(silent);

    let (status, _, body) = sent(to, "bytes 700000-899999/900000", &file[700_000..]).await;
    assert_eq!((status, &body["data"]["size"]), (200, &json!(900_000)), "{body}");
    assert_eq!(client(true).get(at).send().await.unwrap().bytes().await.unwrap(), file);
    assert_eq!(parts(&service), 0);
    // Someone who did not hear the answer asks again; a second file is refused.
    let (status, _, again) = sent(to, "bytes */900000", b"").await;
    assert_eq!((status, &again), (200, &body));
    let (status, _, body) = sent(to, "bytes 0-899999/900000", &file).await;
    assert_eq!((status, &body["details"]["reason"]), (409, &json!("UPLOAD_COMPLETE")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_arrived_whole_is_kept_when_it_is_asked_for() {
    if is_cluster() {
        println!("skipped: it looks at files of the folder.");
        return;
    }
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 0).await;
    // The service ended after the last byte was written.
    let broken_off = async |file: &[u8]| {
        let upload = promise(&service, &ada, file.len()).await;
        std::fs::write(service.folder.path().join("parts").join(upload["id"].as_str().unwrap()), file)
            .unwrap();
        upload
    };
    let file = gif(1000);
    let upload = broken_off(&file).await;
    let to = upload["uploadUrl"].as_str().unwrap();
    let (status, _, body) = sent(to, "bytes */1000", b"").await;
    assert_eq!((status, &body["data"]["fileUrl"]), (200, &upload["fileUrl"]), "{body}");
    let stored = client(true).get(upload["fileUrl"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(stored.bytes().await.unwrap(), file);

    let upload = broken_off(b"This is no picture.").await;
    let (status, _, body) = sent(upload["uploadUrl"].as_str().unwrap(), "bytes */19", b"").await;
    assert_eq!((status, &body["details"]["reason"]), (415, &json!("UNSUPPORTED_MEDIA_TYPE")), "{body}");
    assert_eq!(parts(&service), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_that_do_not_fit_are_refused_with_a_sentence() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 0).await;
    let file = gif(1000);
    let upload = promise(&service, &ada, 1000).await;
    let to = upload["uploadUrl"].as_str().unwrap();
    assert_eq!(sent(to, "bytes 0-399/1000", &file[..400]).await.0, 308);

    for (first, last) in [(0, 399), (399, 999), (401, 999)] {
        let range = format!("bytes {first}-{last}/1000");
        let (status, there, body) = sent(to, &range, &file[first..=last]).await;
        assert_eq!((status, there.as_str()), (416, "bytes=0-399"), "{body}");
        assert_eq!(body["details"]["receivedBytes"], 400);
        let said = format!("The part begins at byte {first}, but 400 bytes are there. Go on at byte 400.");
        assert_eq!(body["error"], said);
    }
    for (range, bytes, status, reason) in [
        ("bytes 400-999/1001", &file[..600], 422, "SIZE_MISMATCH"),
        ("bytes */999", b"", 422, "SIZE_MISMATCH"),
        ("bytes 400-999/1000", &file[..10], 400, "INVALID_REQUEST"),
        ("bytes 400-399/1000", &file[..10], 400, "INVALID_REQUEST"),
        ("400-999", &file[400..], 400, "INVALID_REQUEST"),
        ("bytes 0-9/5000000001", &file[..10], 413, "PAYLOAD_TOO_LARGE"),
    ] {
        let (found, _, body) = sent(to, range, bytes).await;
        assert_eq!((found, &body["details"]["reason"]), (status, &json!(reason)), "{range}: {body}");
    }
    let forged = to.replace("signature=", "signature=0");
    assert_eq!(sent(&forged, "bytes 400-999/1000", &file[400..]).await.0, 403);
    // More than the range says, without a Content-Length.
    let body =
        reqwest::Body::wrap_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(file.clone())]));
    let request = client(true).put(to).header("content-type", "image/gif");
    let long = request.header("content-range", "bytes 400-499/1000").body(body).send().await.unwrap();
    assert_eq!(long.status(), 400);
    assert_eq!(sent(to, "bytes 400-999/1000", &file[400..]).await.0, 200);

    // The bytes are looked at when all are there; the address is good for the right file then.
    let upload = promise(&service, &ada, 1000).await;
    let to = upload["uploadUrl"].as_str().unwrap();
    assert_eq!(sent(to, "bytes 0-499/1000", &[b'x'; 500]).await.0, 308);
    let (status, _, body) = sent(to, "bytes 500-999/1000", &[b'x'; 500]).await;
    assert_eq!((status, &body["details"]["reason"]), (415, &json!("UNSUPPORTED_MEDIA_TYPE")));
    assert_eq!(parts(&service), 0);
    assert_eq!(sent(to, "bytes 0-999/1000", &file).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_count_against_the_storage_and_are_removed() {
    if is_cluster() {
        println!("skipped: it looks at files of the folder.");
        return;
    }
    let service = Service::start(&[("storage-mb-none", "1"), ("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let first = promise(&service, &ada, 600_000).await;
    let second = promise(&service, &ada, 600_000).await;
    let address = |upload: &Value| upload["uploadUrl"].as_str().unwrap().to_owned();
    assert_eq!(sent(&address(&first), "bytes 0-5/600000", b"GIF89a").await.0, 308);
    let (status, _, body) = sent(&address(&second), "bytes 0-5/600000", b"GIF89a").await;
    assert_eq!((status, &body["details"]["reason"]), (403, &json!("STORAGE_QUOTA_EXCEEDED")), "{body}");
    assert_eq!(parts(&service), 1);
    let path = format!("/uploads/{}", first["id"].as_str().unwrap());
    service.send("DELETE", &path, &ada.key, &[], None).await.data();
    assert_eq!(parts(&service), 0);
    assert_eq!(sent(&address(&first), "bytes */600000", b"").await.0, 404);
    assert_eq!(sent(&address(&second), "bytes 0-5/600000", b"GIF89a").await.0, 308);

    // A whole file replaces parts.
    let whole = client(true).put(address(&second)).header("content-type", "image/gif");
    assert_eq!(whole.body(gif(600_000)).send().await.unwrap().status(), 200);
    assert_eq!(parts(&service), 0);

    // What nobody goes on with is removed with its upload.
    let past = Time(Time::now().millis() - 1000);
    let old = service.store.create_upload(&ada.id, "image/gif", None, None, past).await.unwrap();
    std::fs::write(service.folder.path().join("parts").join(&old.id), b"GIF89a").unwrap();
    let service = service.restart().await;
    let started = Instant::now();
    while parts(&service) > 0 || service.store.upload(&old.id).await.unwrap().is_some() {
        assert!(started.elapsed() < Duration::from_secs(30), "the part or its upload stays");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
