//! Uploads and files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::{Response, StatusCode};
use rondo_store::{Plan, Time, Upload};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Account, ON_FOLDER, Service, client, film, overlay};
use crate::receiver::hmac_hex;

const FONT: &[u8] = include_bytes!("../../../../assets/fonts/core/roboto-mono-latin-400-normal.woff2");

async fn promise(service: &Service, account: &Account, content_type: &str) -> Value {
    service.post(account, "/uploads", &json!({"contentType": content_type})).await.data().clone()
}

async fn put(url: &str, content_type: &str, bytes: &[u8]) -> (u16, Value) {
    let request = client(true).put(url).header("content-type", content_type).body(bytes.to_vec());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let request =
        headers.iter().fold(client(true).get(url), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_uploaded_can_be_read_in_whole_and_in_parts() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "Image/GIF; charset=binary").await;
    let (to, at) = (upload["uploadUrl"].as_str().unwrap(), upload["fileUrl"].as_str().unwrap());
    assert_eq!(get(at, &[]).await.status(), StatusCode::NOT_FOUND);

    let (status, body) = put(to, "image/gif", b"GIF89a6789").await;
    assert_eq!((status, &body["data"]["size"]), (200, &json!(10)));

    let whole = get(at, &[]).await;
    assert_eq!(header(&whole, "content-type"), "image/gif");
    assert_eq!(header(&whole, "content-length"), "10");
    assert_eq!(header(&whole, "accept-ranges"), "bytes");
    assert_eq!(header(&whole, "x-content-type-options"), "nosniff");
    assert_eq!(header(&whole, "access-control-allow-origin"), "*");
    let (tag, date) = (header(&whole, "etag").to_owned(), header(&whole, "last-modified").to_owned());
    assert_eq!(header(&whole, "cache-control"), "private, max-age=3600");
    assert_eq!(whole.text().await.unwrap(), "GIF89a6789");

    for (range, part, told) in [
        ("bytes=2-4", "F89", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-1", "9", "bytes 9-9/10"),
        ("bytes=8-100", "89", "bytes 8-9/10"),
    ] {
        let response = get(at, &[("range", range), ("if-range", &tag)]).await;
        assert_eq!((response.status().as_u16(), header(&response, "content-range")), (206, told));
        assert_eq!(response.text().await.unwrap(), part);
    }
    let beyond = get(at, &[("range", "bytes=10-")]).await;
    assert_eq!((beyond.status().as_u16(), header(&beyond, "content-range")), (416, "bytes */10"));
    let changed = get(at, &[("range", "bytes=2-4"), ("if-range", "\"other\"")]).await;
    assert_eq!((changed.status().as_u16(), changed.text().await.unwrap().as_str()), (200, "GIF89a6789"));
    for known in
        [("if-none-match", tag.as_str()), ("if-none-match", "*"), ("if-modified-since", date.as_str())]
    {
        assert_eq!(get(at, &[known]).await.status(), StatusCode::NOT_MODIFIED, "{known:?}");
    }
    let head = client(true).head(at).send().await.unwrap();
    assert_eq!((head.status().as_u16(), header(&head, "content-length")), (200, "10"));

    // It has its file: a second one is refused, and the first stays.
    let (status, body) = put(to, "image/gif", b"GIF89a-new").await;
    assert_eq!((status, &body["details"]["reason"]), (409, &json!("UPLOAD_COMPLETE")));
    assert_eq!(get(at, &[("if-none-match", &tag)]).await.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_must_be_what_was_signed() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "video/mp4").await;
    let to = upload["uploadUrl"].as_str().unwrap();
    let other = promise(&service, &account, "video/mp4").await;
    let reason = |body: &Value| body["details"]["reason"].as_str().unwrap().to_owned();

    let forged = [
        to.replace("signature=", "signature=0"),
        to.replace("expires=1", "expires=2"),
        to.split("&signature").next().unwrap().to_owned(),
        to.split('?').next().unwrap().to_owned(),
        to.replace(upload["id"].as_str().unwrap(), other["id"].as_str().unwrap()),
    ];
    for url in forged {
        let (status, body) = put(&url, "video/mp4", b"film").await;
        assert_eq!((status, reason(&body).as_str()), (403, "INVALID_SIGNATURE"), "{url}");
    }
    let (status, body) = put(to, "text/html", b"<script>").await;
    assert_eq!((status, &body["details"]["expected"]), (415, &json!("video/mp4")));
    let (status, body) = put(to, "video/mp4", b"").await;
    assert_eq!((status, reason(&body).as_str()), (400, "INVALID_REQUEST"));
    let (status, _) = put(&to.replace("upl_", "upl_x"), "video/mp4", b"film").await;
    assert_eq!(status, 404);
    assert_eq!(get(upload["fileUrl"].as_str().unwrap(), &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_ends_when_it_says() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "image/gif").await;
    let left = Time::parse(upload["expiresAt"].as_str().unwrap()).unwrap().millis() - Time::now().millis();
    assert!((3_590_000..=3_600_000).contains(&left), "{left}");

    let past = Time(Time::now().millis() - 1000);
    let Upload { id, .. } =
        service.store.create_upload(&account.id, "image/gif", None, None, past).await.unwrap();
    let expires = past.seconds();
    let key = service.store.secret("signing").await.unwrap();
    let signature = hmac_hex(&key, format!("PUT\n{id}\nimage/gif\n{expires}").as_bytes());
    let url = service.url(&format!("/uploads/{id}?expires={expires}&signature={signature}"));
    let (status, body) = put(&url, "image/gif", b"GIF89a").await;
    assert_eq!((status, &body["details"]["reason"]), (403, &json!("UPLOAD_EXPIRED")));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_media_and_fonts_can_be_uploaded() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    for content_type in ["text/html", "application/pdf", "image/tiff", "png"] {
        let answer = service.post(&account, "/uploads", &json!({"contentType": content_type})).await;
        let details = answer.refused(422, "UNSUPPORTED_CONTENT_TYPE");
        assert!(details["supported"].as_array().unwrap().contains(&json!("image/png")));
    }
    for body in
        [json!({}), json!({"contentType": null}), json!({"contentType": 5}), json!({"contentType": " "})]
    {
        service.post(&account, "/uploads", &body).await.refused(400, "INVALID_REQUEST");
    }
    let large = json!({"contentType": "video/mp4", "size": 5_000_000_001_u64});
    service.post(&account, "/uploads", &large).await.refused(422, "VALUE_OUT_OF_RANGE");
}

/// A picture of so many bytes, as far as its first ones tell.
fn gif(bytes: usize) -> Vec<u8> {
    let mut gif = b"GIF89a".to_vec();
    gif.resize(bytes, 0);
    gif
}

/// Uploads a GIF of so many bytes and gives its id and address.
async fn keep_gif(service: &Service, account: &Account, bytes: usize) -> (String, String) {
    let upload = promise(service, account, "image/gif").await;
    let (status, body) = put(upload["uploadUrl"].as_str().unwrap(), "image/gif", &gif(bytes)).await;
    assert_eq!(status, 200, "{body}");
    let text = |name: &str| upload[name].as_str().unwrap().to_owned();
    (text("id"), text("fileUrl"))
}

/// Files that an upload has left in the folder of unfinished ones.
fn drafts(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("drafts")).map_or(0, Iterator::count)
}

#[tokio::test(flavor = "multi_thread")]
async fn other_names_of_types_are_read_as_the_registered_ones() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    for (asked, sent, bytes, kept) in [
        ("audio/mp3", "audio/mp3", &b"ID3\x04\0\0"[..], "audio/mpeg"),
        ("audio/x-wav", "audio/wav", b"RIFF\x04\0\0\0WAVE", "audio/wav"),
        ("image/jpeg", "image/jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
    ] {
        let upload = promise(&service, &account, asked).await;
        let (status, body) = put(upload["uploadUrl"].as_str().unwrap(), sent, bytes).await;
        assert_eq!((status, &body["data"]["contentType"]), (200, &json!(kept)), "{body}");
        let file = get(upload["fileUrl"].as_str().unwrap(), &[]).await;
        assert_eq!(header(&file, "content-type"), kept);
    }
    let heic = service.post(&account, "/uploads", &json!({"contentType": "image/heic"})).await;
    heic.refused(422, "UNSUPPORTED_CONTENT_TYPE");
    assert!(heic.body["error"].as_str().unwrap().contains("convert the file to JPEG"), "{}", heic.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_another_type_are_refused_and_nothing_is_kept() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let page = b"<!doctype html><script>fetch('/api/v1/account')</script>";
    for content_type in ["image/png", "image/svg+xml", "video/mp4", "audio/mpeg", "font/ttf"] {
        let upload = promise(&service, &account, content_type).await;
        let (status, body) = put(upload["uploadUrl"].as_str().unwrap(), content_type, page).await;
        assert_eq!((status, &body["details"]["reason"]), (415, &json!("UNSUPPORTED_MEDIA_TYPE")), "{body}");
        assert_eq!(body["details"]["expected"], content_type);
        assert_eq!(get(upload["fileUrl"].as_str().unwrap(), &[]).await.status(), StatusCode::NOT_FOUND);
    }
    let upload = promise(&service, &account, "image/png").await;
    let to = upload["uploadUrl"].as_str().unwrap();
    let (status, body) = put(to, "image/png", &gif(100)).await;
    assert!(status == 415 && body["error"].as_str().unwrap().contains("its content is image/gif"), "{body}");
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    let (status, body) = put(to, "image/png", heic).await;
    assert!(status == 415 && body["error"].as_str().unwrap().contains("HEIC"), "{body}");
    assert_eq!(drafts(service.folder.path()), 0);
    // A font is opened: its first bytes are not enough.
    for (content_type, bytes) in
        [("font/woff2", &b"wOF2"[..]), ("font/woff2", &FONT[..5000]), ("font/otf", b"OTTO")]
    {
        let upload = promise(&service, &account, content_type).await;
        let (status, body) = put(upload["uploadUrl"].as_str().unwrap(), content_type, bytes).await;
        assert_eq!(status, 415, "{body}");
        assert!(body["error"].as_str().unwrap().contains("it is not a font that can be read"), "{body}");
        assert_eq!(get(upload["fileUrl"].as_str().unwrap(), &[]).await.status(), StatusCode::NOT_FOUND);
    }
    // The address is still good for the right file.
    assert_eq!(put(to, "image/png", b"\x89PNG\r\n\x1a\n").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_the_size_that_was_declared() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let body = json!({"contentType": "image/gif", "size": 100});
    let upload = service.post(&account, "/uploads", &body).await.data().clone();
    let to = upload["uploadUrl"].as_str().unwrap();
    for size in [99, 101] {
        let (status, body) = put(to, "image/gif", &gif(size)).await;
        assert_eq!((status, &body["details"]["reason"]), (422, &json!("SIZE_MISMATCH")), "{body}");
        assert_eq!(
            (&body["details"]["expectedBytes"], &body["details"]["sentBytes"]),
            (&json!(100), &json!(size))
        );
        // The same without a Content-Length.
        let parts = futures_util::stream::iter([Ok::<_, std::io::Error>(gif(size))]);
        let chunked = reqwest::Body::wrap_stream(parts);
        let sent = client(true).put(to).header("content-type", "image/gif").body(chunked).send().await;
        assert_eq!(sent.unwrap().status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(drafts(service.folder.path()), 0);
    assert_eq!(put(to, "image/gif", &gif(100)).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_keeps_no_more_than_its_plan_allows_and_can_delete() {
    let service = Service::start(&[("storage-mb-none", "1"), ("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 5).await, service.account(Plan::Business, 5).await);
    let storage = async || service.get(&ada, "/account").await.data()["storage"].clone();
    assert_eq!(storage().await, json!({"usedBytes": 0, "allowedBytes": 1_000_000}));
    let (id, url) = keep_gif(&service, &ada, 600_000).await;
    assert_eq!(storage().await["usedBytes"], 600_000);

    // Too large by its declared size, and by the bytes that are sent.
    let quota = |details: &Value, used: u64| {
        let numbers = (&details["usedBytes"], &details["allowedBytes"]);
        assert_eq!(numbers, (&json!(used), &json!(1_000_000)), "{details}");
    };
    let declared = json!({"contentType": "image/gif", "size": 400_001});
    let answer = service.post(&ada, "/uploads", &declared).await;
    quota(answer.refused(403, "STORAGE_QUOTA_EXCEEDED"), 600_000);
    let upload = promise(&service, &ada, "image/gif").await;
    let (status, body) = put(upload["uploadUrl"].as_str().unwrap(), "image/gif", &gif(400_001)).await;
    assert_eq!((status, &body["details"]["reason"]), (403, &json!("STORAGE_QUOTA_EXCEEDED")), "{body}");
    quota(&body["details"], 600_000);
    assert_eq!(get(upload["fileUrl"].as_str().unwrap(), &[]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(drafts(service.folder.path()), 0);

    // Full: no uploads, no renders, nothing charged; others are not affected.
    let (last, _) = keep_gif(&service, &ada, 400_000).await;
    let film = json!({"inputProps": film(5, &json!([]))});
    for (path, body) in [("/uploads", &json!({"contentType": "image/gif"})), ("/renders", &film)] {
        let answer = service.post(&ada, path, body).await;
        quota(answer.refused(403, "STORAGE_QUOTA_EXCEEDED"), 1_000_000);
    }
    assert_eq!(service.credits(&ada).await, 5);
    service.render(&eve, &film).await;
    keep_gif(&service, &eve, 2_000_000).await;
    assert!(service.get(&eve, "/account").await.data()["storage"]["usedBytes"] == 2_000_000);

    // Deleting makes room, and ends the address.
    let list = service.get(&ada, "/uploads?limit=1").await.data().clone();
    assert_eq!((&list["total"], &list["uploads"][0]["id"]), (&json!(2), &json!(last)));
    assert_eq!((&list["uploads"][0]["size"], &list["hasMore"]), (&json!(400_000), &json!(true)));
    let path = format!("/uploads/{id}");
    service.send("DELETE", &path, &eve.key, &[], None).await.refused(404, "NOT_FOUND");
    assert_eq!(get(&url, &[]).await.status(), StatusCode::OK);
    service.send("DELETE", &path, &ada.key, &[], None).await.data();
    assert_eq!(get(&url, &[]).await.status(), StatusCode::NOT_FOUND);
    service.send("DELETE", &path, &ada.key, &[], None).await.refused(404, "NOT_FOUND");
    assert_eq!(storage().await["usedBytes"], 400_000);
    service.render(&ada, &film).await;
    promise(&service, &ada, "image/gif").await;
}

/// Begins to send a file, and stops before its last byte.
async fn begin(url: &str, announced: Option<usize>, sent: usize) -> TcpStream {
    let url: reqwest::Url = url.parse().unwrap();
    let address = (url.host_str().unwrap(), url.port().unwrap());
    let length = match announced {
        Some(length) => format!("Content-Length: {length}"),
        None => "Transfer-Encoding: chunked".to_owned(),
    };
    let mut stream = TcpStream::connect(address).await.unwrap();
    let target = format!("{}?{}", url.path(), url.query().unwrap());
    let head = format!("PUT {target} HTTP/1.1\r\nHost: x\r\nContent-Type: image/gif\r\n{length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    if announced.is_none() {
        stream.write_all(format!("{sent:x}\r\n").as_bytes()).await.unwrap();
    }
    stream.write_all(&gif(sent)).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_arrive_count_towards_the_storage() {
    let service = Service::start(&[("storage-mb-none", "1"), ("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 0).await, service.account(Plan::None, 0).await);
    for announced in [Some(700_000), None] {
        let (first, second) =
            (promise(&service, &ada, "image/gif").await, promise(&service, &ada, "image/gif").await);
        let held = begin(first["uploadUrl"].as_str().unwrap(), announced, 699_999).await;
        let to = second["uploadUrl"].as_str().unwrap();
        // Until its bytes are there, those that are not announced do not count.
        let started = Instant::now();
        while std::fs::read_dir(service.folder.path().join("drafts"))
            .unwrap()
            .all(|draft| draft.unwrap().metadata().map_or(0, |facts| facts.len()) < 600_000)
        {
            assert!(started.elapsed() < Duration::from_secs(30), "the first file does not arrive");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for body in [gif(400_000), gif(400_000)] {
            let (status, body) = put(to, "image/gif", &body).await;
            assert_eq!(
                (status, &body["details"]["reason"]),
                (403, &json!("STORAGE_QUOTA_EXCEEDED")),
                "{body}"
            );
            assert!(body["error"].as_str().unwrap().contains("other files of up to 1 MB arrive"), "{body}");
        }
        keep_gif(&service, &eve, 400_000).await;
        drop(held);
        let started = Instant::now();
        while put(to, "image/gif", &gif(400_000)).await.0 != 200 {
            assert!(
                started.elapsed() < Duration::from_secs(30),
                "the room of the first file is not given back"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let path = format!("/uploads/{}", second["id"].as_str().unwrap());
        service.send("DELETE", &path, &ada.key, &[], None).await.data();
        let uploads = service.get(&eve, "/uploads").await.data()["uploads"].clone();
        let path = format!("/uploads/{}", uploads[0]["id"].as_str().unwrap());
        service.send("DELETE", &path, &eve.key, &[], None).await.data();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_a_file_again_needs_no_room_for_the_one_that_broke_off() {
    let service = Service::start(&[("storage-mb-none", "1"), ("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let upload = promise(&service, &ada, "image/gif").await;
    let to = upload["uploadUrl"].as_str().unwrap();
    // Its connection is gone without a word.
    let _held = begin(to, Some(700_000), 699_999).await;
    let (status, body) = put(to, "image/gif", &gif(700_000)).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(service.get(&ada, "/account").await.data()["storage"]["usedBytes"], 700_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_film_is_gone_and_an_output_has_a_largest_size() {
    let service = Service::start(&[("max-output-mb", "1")]).await;
    let account = service.account(Plan::None, 5).await;
    let job = service.render(&account, &json!({"inputProps": film(5, &json!([]))})).await;
    let url = service.ended(&account, &job).await["outputUrl"].as_str().unwrap().to_owned();
    let file = get(&url, &[]).await;
    assert_eq!((file.status(), header(&file, "content-type")), (StatusCode::OK, "video/mp4"));
    assert!(header(&file, "content-disposition").starts_with("inline"));
    assert!(
        header(&get(&format!("{url}?download"), &[]).await, "content-disposition").starts_with("attachment")
    );
    let size = file.content_length().unwrap();
    assert_eq!(service.get(&account, "/account").await.data()["storage"]["usedBytes"], size);
    let deleted = service.send("DELETE", &format!("/renders/{job}"), &account.key, &[], None).await;
    assert_eq!(
        (&deleted.data()["status"], &deleted.data()["outputUrl"]),
        (&json!("COMPLETED"), &Value::Null)
    );
    assert_eq!(get(&url, &[]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(service.get(&account, "/account").await.data()["storage"]["usedBytes"], 0);

    // Seven seconds of sound without compression are more than a megabyte.
    let credits = service.credits(&account).await;
    let sound = json!({"inputProps": film(70, &json!([])), "output": {"format": "wav"}});
    let job = service.render(&account, &sound).await;
    let job = service.ended(&account, &job).await;
    assert_eq!((&job["status"], &job["outputUrl"]), (&json!("FAILED"), &Value::Null));
    assert!(job["errorMessage"].as_str().unwrap().contains("larger than the limit of 1 MB"), "{job}");
    assert_eq!(service.credits(&account).await, credits);
    assert_eq!(drafts(service.folder.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_folders_are_created_again() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::None, 5).await;
    for folder in ["drafts", "uploads", "outputs"] {
        std::fs::remove_dir_all(service.folder.path().join(folder)).unwrap();
    }
    let (_, url) = keep_gif(&service, &account, 100).await;
    assert_eq!(get(&url, &[]).await.status(), StatusCode::OK);
    let job = service.render(&account, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&account, &job).await["status"], "COMPLETED");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_opened_as_pages_cannot_act() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let drawing = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    for (content_type, bytes, disposition) in [
        ("image/svg+xml", &drawing[..], "attachment"),
        ("image/gif", b"GIF89a", "inline"),
        ("audio/ogg", b"OggS", "inline"),
        ("font/woff2", FONT, "attachment"),
    ] {
        let upload = promise(&service, &account, content_type).await;
        put(upload["uploadUrl"].as_str().unwrap(), content_type, bytes).await;
        let response = get(upload["fileUrl"].as_str().unwrap(), &[]).await;
        assert_eq!(header(&response, "content-type"), content_type);
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        assert!(header(&response, "content-disposition").starts_with(disposition), "{content_type}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("sandbox; default-src 'none'") && !policy.contains("script"), "{policy}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_can_have_an_origin_of_their_own() {
    let service = Service::start(&[("files-url", "http://files.example.com"), ("role", "api")]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "image/gif").await;
    put(upload["uploadUrl"].as_str().unwrap(), "image/gif", b"GIF89a").await;
    let public = upload["fileUrl"].as_str().unwrap();
    let path = public.strip_prefix("http://files.example.com").unwrap();
    let files = ("host", "files.example.com");
    let here = get(&service.url(path), &[files]).await;
    assert_eq!((here.status(), here.text().await.unwrap().as_str()), (StatusCode::OK, "GIF89a"));

    // The dashboard's origin sends no bytes, and the files' origin has neither dashboard nor API.
    let there = client(false).get(service.url(path)).send().await.unwrap();
    assert_eq!((there.status().as_u16(), header(&there, "location")), (307, public));
    assert_eq!(there.text().await.unwrap(), "");
    for path in ["/dashboard", "/", "/docs", "/api/v1/account", "/api/dashboard/session", "/oauth/authorize"]
    {
        let response = get(&service.url(path), &[files, ("authorization", &account.key)]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let dashboard = get(&service.url("/dashboard"), &[]).await;
    let policy = header(&dashboard, "content-security-policy");
    // Without a built dashboard, this is the page that says so.
    if dashboard.status() == StatusCode::OK {
        let media = policy.split(';').find(|part| part.trim_start().starts_with("media-src")).unwrap();
        assert!(media.contains("http://files.example.com"), "{policy}");
    }
    // Films use the file under both addresses.
    for source in [public.to_owned(), service.url(path)] {
        let picture = overlay(1, &json!({"type": "image", "src": source}));
        let body = json!({"inputProps": film(1, &json!([picture]))});
        let preview = service.post(&account, "/previews", &body).await;
        let warnings = preview.data()["warnings"].to_string();
        assert!(!warnings.contains("cannot be reached"), "{warnings}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn below_the_reserved_disk_space_nothing_new_is_taken_and_reads_are_answered() {
    let service = Service::start(&[("min-free-disk-mb", "4000000000")]).await;
    let account = service.account(Plan::Business, 5).await;
    let film = json!({"inputProps": film(5, &json!([]))});
    for (path, body) in [("/uploads", &json!({"contentType": "image/gif"})), ("/renders", &film)] {
        let answer = service.post(&account, path, body).await;
        answer.refused(503, "DISK_FULL");
        assert_eq!(answer.headers["retry-after"], "60");
    }
    for path in ["/account", "/renders", "/uploads", "/templates"] {
        service.get(&account, path).await.data();
    }
    service.post(&account, "/previews", &film).await.data();
    assert_eq!(service.credits(&account).await, 5);
}

/// A disk of its own in memory, unmounted on drop.
struct Disk(PathBuf);

impl Disk {
    /// `None` where this process may not mount.
    fn mount(at: &Path, megabytes: u32) -> Option<Self> {
        let size = format!("size={megabytes}m");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        println!("skipped: mounting a small disk needs root and permission to mount");
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_uploads_holds_renders_and_recovers() {
    let folder = tempfile::tempdir().unwrap();
    let Some(_disk) = Disk::mount(folder.path(), 64) else { return };
    let data = ("data", folder.path().to_str().unwrap());
    let service = Service::start(&[data, (ON_FOLDER, ""), ("role", "api"), ("min-free-disk-mb", "0")]).await;
    let account = service.account(Plan::Business, 5).await;

    // The disk fills up while the file is sent.
    let upload = promise(&service, &account, "image/gif").await;
    let to = upload["uploadUrl"].as_str().unwrap();
    let (status, body) = put(to, "image/gif", &gif(80_000_000)).await;
    assert_eq!((status, &body["details"]["reason"]), (503, &json!("DISK_FULL")), "{body}");
    assert!(!body.to_string().contains(folder.path().to_str().unwrap()), "{body}");
    assert_eq!(drafts(folder.path()), 0);
    // The room of a file that was removed while it was open is there a moment later.
    let started = Instant::now();
    while put(to, "image/gif", &gif(1000)).await.0 != 200 {
        assert!(started.elapsed() < Duration::from_secs(10), "the disk stays full");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    // Renders wait while less is free than reserved, and start when there is room again.
    let filler = folder.path().join("filler");
    std::fs::write(&filler, vec![0; 40_000_000]).unwrap();
    let job = service.render(&account, &json!({"inputProps": film(5, &json!([]))})).await;
    let worker = Service::start(&[data, (ON_FOLDER, ""), ("min-free-disk-mb", "40")]).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let waiting = worker.get(&account, &format!("/renders/{job}")).await;
    assert_eq!(waiting.data()["progressPercentage"], 0);
    assert!(worker.store.render(&job).await.unwrap().unwrap().started_at.is_none());
    let refused = worker.post(&account, "/uploads", &json!({"contentType": "image/gif"})).await;
    refused.refused(503, "DISK_FULL");
    std::fs::remove_file(&filler).unwrap();
    assert_eq!(worker.ended(&account, &job).await["status"], "COMPLETED");
    keep_gif(&worker, &account, 1000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_there_and_names_that_are_none_are_404() {
    let service = Service::start(&[]).await;
    for path in
        ["/files/job_1.mp4", "/files/..%2Frondo.db", "/files/%2e%2e%2frondo.db", "/files/upl_%00", "/files/"]
    {
        let response = get(&service.url(path), &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!(body["details"]["reason"], "NOT_FOUND", "{path}");
    }
}
