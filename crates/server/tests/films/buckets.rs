//! Files in a bucket, which processes with folders of their own share.

use rondo_server::start as start_service;
use rondo_service::move_files::move_files;
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::bucket_server::BucketServer;
use crate::harness::{Account, ON_FOLDER, Service, busy, client, database, film, overlay, red_png};
use crate::processes::settings;

/// A service whose files are in a bucket.
async fn service(bucket: &BucketServer, flags: &[(&str, &str)]) -> Service {
    let given = bucket.flags();
    let mut all: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    all.extend(flags);
    Service::start(&all).await
}

/// A picture that shows an address.
fn showing(address: &str) -> Value {
    film(3, &json!([overlay(1, &json!({"type": "image", "src": address}))]))
}

/// A place for a file of a known size.
async fn place(service: &Service, ada: &Account, content_type: &str, size: usize) -> Value {
    let body = json!({"contentType": content_type, "size": size, "name": "red.png"});
    service.post(ada, "/uploads", &body).await.data().clone()
}

async fn put(address: &Value, content_type: &str, bytes: Vec<u8>) -> u16 {
    let request = client(false).put(address.as_str().unwrap()).header("content-type", content_type);
    request.body(bytes).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn api_and_worker_with_folders_of_their_own_share_a_bucket() {
    let Some(url) = database().await else { return };
    let bucket = BucketServer::start().await;
    let flags = [("database-url", url.as_str()), ("role", "api"), ("public-url", "http://video.example.com")];
    let api = service(&bucket, &flags).await;
    let other = tempfile::tempdir().unwrap();
    std::fs::copy(api.folder.path().join("master.key"), other.path().join("master.key")).unwrap();
    let given = bucket.flags();
    let mut flags: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    flags.extend([("database-url", url.as_str()), ("role", "worker")]);
    let worker = start_service(settings(other.path(), &flags)).await.unwrap();

    let ada = api.account(Plan::None, 10).await;
    let png = red_png(96, 64);
    let upload = place(&api, &ada, "image/png", png.len()).await;
    assert_eq!(put(&upload["uploadUrl"], "image/png", png).await, 200);
    let file = upload["fileUrl"].as_str().unwrap();
    let job = api.render(&ada, &json!({"inputProps": showing(file)})).await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    let address = done["outputUrl"].as_str().unwrap().replace("http://video.example.com", &api.url(""));
    let path = api.download(&address, "film.mp4").await;
    assert_eq!(crate::harness::probe(&path), (96, 64, 3));
    assert!(bucket.place(&format!("files/{job}.mp4")).is_file());
    for folder in [api.folder.path(), other.path()] {
        assert_eq!(std::fs::read_dir(folder.join("outputs")).unwrap().count(), 0, "{folder:?}");
    }
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_read_at_signed_addresses_of_the_bucket_and_parts_of_them_too() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::None, 10).await;
    let job = api.render(&ada, &json!({"inputProps": film(3, &json!([]))})).await;
    let done = api.ended(&ada, &job).await;
    let address = done["outputUrl"].as_str().unwrap();

    let asked = client(false).get(address).send().await.unwrap();
    assert_eq!(asked.status().as_u16(), 307);
    let signed = asked.headers()["location"].to_str().unwrap().to_owned();
    assert!(signed.starts_with(&bucket.url()) && signed.contains("X-Amz-Signature="), "{signed}");
    assert_eq!(asked.headers()["access-control-allow-origin"], "*");
    let whole = client(false).get(&signed).send().await.unwrap();
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    assert_eq!(whole.headers()["content-disposition"], format!("inline; filename=\"{job}.mp4\""));
    let whole = whole.bytes().await.unwrap();
    assert_eq!(&whole[4..8], b"ftyp");
    // A signature is good for its file only.
    let forged = signed.replace(&job, "job_other");
    assert_eq!(client(false).get(forged).send().await.unwrap().status().as_u16(), 403);

    let headers = client(true).head(address).send().await.unwrap();
    assert_eq!(headers.status().as_u16(), 200);
    assert_eq!(headers.headers()["content-length"], whole.len().to_string());
    let part = client(true).get(address).header("range", "bytes=4-7").send().await.unwrap();
    assert_eq!((part.status().as_u16(), part.bytes().await.unwrap().as_ref()), (206, b"ftyp".as_ref()));
    let named = client(true).get(format!("{address}?download=My film")).send().await.unwrap();
    assert_eq!(named.headers()["content-disposition"], "attachment; filename=\"Myfilm.mp4\"");

    api.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await.data();
    assert_eq!(client(true).get(address).send().await.unwrap().status().as_u16(), 404);
    assert!(!bucket.place(&format!("files/{job}.mp4")).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bucket_takes_an_upload_of_the_declared_type_and_size_only() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("role", "api")]).await;
    let ada = api.account(Plan::None, 0).await;
    let png = red_png(96, 64);
    let upload = place(&api, &ada, "image/png", png.len()).await;
    let to = &upload["uploadUrl"];
    assert!(to.as_str().unwrap().starts_with(&bucket.url()), "{to}");
    let file = upload["fileUrl"].as_str().unwrap();
    assert_eq!(put(to, "image/png", [png.clone(), vec![0]].concat()).await, 403);
    assert_eq!(put(to, "image/jpeg", png.clone()).await, 403);
    assert_eq!(client(true).get(file).send().await.unwrap().status().as_u16(), 404);
    assert_eq!(api.get(&ada, "/uploads").await.data()["total"], 0);

    assert_eq!(put(to, "image/png", png.clone()).await, 200);
    let listed = api.get(&ada, "/uploads").await;
    assert_eq!(
        (&listed.data()["total"], &listed.data()["uploads"][0]["size"]),
        (&json!(1), &json!(png.len()))
    );
    let read = client(true).get(file).send().await.unwrap();
    assert_eq!(read.headers()["content-type"], "image/png");
    assert_eq!(read.bytes().await.unwrap(), png);
    // What is sent later does not replace it.
    assert_eq!(put(to, "image/png", vec![7; png.len()]).await, 200);
    assert_eq!(api.get(&ada, "/uploads").await.data()["total"], 1);
    assert_eq!(client(true).get(file).send().await.unwrap().bytes().await.unwrap(), png);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_what_it_was_said_to_be_is_not_kept() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("role", "api")]).await;
    let ada = api.account(Plan::None, 10).await;
    let page = b"<!doctype html><script>alert(1)</script>".to_vec();
    let upload = place(&api, &ada, "image/png", page.len()).await;
    assert_eq!(put(&upload["uploadUrl"], "image/png", page).await, 200);
    let file = upload["fileUrl"].as_str().unwrap();
    assert_eq!(client(true).get(file).send().await.unwrap().status().as_u16(), 404);
    assert_eq!(api.get(&ada, "/uploads").await.data()["total"], 0);
    let id = upload["id"].as_str().unwrap();
    assert!(!bucket.place(&format!("arrived/{id}.png")).exists());
    assert!(!bucket.place(&format!("files/{id}.png")).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn with_proxy_files_all_bytes_pass_through_the_service() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("proxy-files", "true")]).await;
    let ada = api.account(Plan::None, 10).await;
    let png = red_png(96, 64);
    let upload = place(&api, &ada, "image/png", png.len()).await;
    assert!(upload["uploadUrl"].as_str().unwrap().starts_with(&api.url("/uploads/")));
    assert_eq!(put(&upload["uploadUrl"], "image/png", png.clone()).await, 200);
    let file = upload["fileUrl"].as_str().unwrap();
    let part = client(false).get(file).header("range", "bytes=1-3").send().await.unwrap();
    let tag = part.headers()["etag"].clone();
    assert_eq!((part.status().as_u16(), part.bytes().await.unwrap().as_ref()), (206, b"PNG".as_ref()));
    let known = client(false).get(file).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(known.status().as_u16(), 304);
    let id = upload["id"].as_str().unwrap();
    assert!(bucket.place(&format!("files/{id}.png")).is_file());
    assert!(!bucket.place(&format!("arrived/{id}.png")).exists());
    let job = api.render(&ada, &json!({"inputProps": showing(file)})).await;
    assert_eq!(api.ended(&ada, &job).await["status"], "COMPLETED");
    api.send("DELETE", &format!("/uploads/{id}"), &ada.key, &[], None).await.data();
    assert_eq!(client(false).get(file).send().await.unwrap().status().as_u16(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_an_upload_may_reach_different_processes() {
    let Some(url) = database().await else { return };
    let bucket = BucketServer::start().await;
    let flags = [("database-url", url.as_str()), ("role", "api"), ("public-url", "http://video.example.com")];
    let one = service(&bucket, &flags).await;
    let key = std::fs::read_to_string(one.folder.path().join("master.key")).unwrap();
    let two = service(&bucket, &[&flags[..], &[("master-key", key.trim())]].concat()).await;
    let ada = one.account(Plan::None, 0).await;
    let png = red_png(300, 300);
    let (half, size) = (png.len() / 2, png.len());
    let upload = one.post(&ada, "/uploads", &json!({"contentType": "image/png"})).await.data().clone();
    let path = upload["uploadUrl"].as_str().unwrap().strip_prefix("http://video.example.com").unwrap();
    let part = async |service: &Service, range: String, bytes: &[u8]| {
        let request = client(false).put(service.url(path)).header("content-type", "image/png");
        request.header("content-range", range).body(bytes.to_vec()).send().await.unwrap()
    };
    let first = part(&one, format!("bytes 0-{}/{size}", half - 1), &png[..half]).await;
    assert_eq!(
        (first.status().as_u16(), &first.headers()["range"]),
        (308, &format!("bytes=0-{}", half - 1).parse().unwrap())
    );
    let asked = part(&two, format!("bytes */{size}"), &[]).await;
    assert_eq!(asked.headers()["range"], format!("bytes=0-{}", half - 1));
    let again = part(&two, format!("bytes 0-{}/{size}", half - 1), &png[..half]).await;
    assert_eq!(again.status().as_u16(), 416);
    let last = part(&two, format!("bytes {half}-{}/{size}", size - 1), &png[half..]).await;
    assert_eq!(last.status().as_u16(), 200, "{}", last.text().await.unwrap());
    let id = upload["id"].as_str().unwrap();
    assert_eq!(std::fs::read(bucket.place(&format!("files/{id}.png"))).unwrap(), png);
    assert!(!bucket.place("parts").join(id).join(format!("{:020}", 0)).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_bucket_is_away_nothing_is_lost() {
    let mut bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::None, 10).await;
    let first = api.render(&ada, &json!({"inputProps": film(3, &json!([]))})).await;
    let done = api.ended(&ada, &first).await;
    let address = done["outputUrl"].as_str().unwrap();
    let credits = api.credits(&ada).await;

    bucket.stop();
    let away = client(false).get(address).send().await.unwrap();
    assert_eq!((away.status().as_u16(), away.headers().contains_key("retry-after")), (503, true));
    let job = api.render(&ada, &json!({"inputProps": film(4, &json!([]))})).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    bucket.resume().await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    let path = api.download(done["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(crate::harness::probe(&path), (96, 64, 4));
    assert_eq!(api.credits(&ada).await, credits - 1);
}

/// What a process answers at an address: the status, and the reason if it is not ready.
async fn probed(address: &str) -> (u16, Option<String>) {
    let answer = reqwest::get(address).await.unwrap();
    let status = answer.status().as_u16();
    let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    (status, body["reason"].as_str().map(str::to_owned))
}

/// Waits until a process answers so.
async fn becomes(address: &str, status: u16, reason: Option<&str>) {
    let started = std::time::Instant::now();
    loop {
        let answer = probed(address).await;
        if answer == (status, reason.map(str::to_owned)) {
            return;
        }
        assert!(started.elapsed().as_secs() < 20, "{address} answers {answer:?}, not {status} {reason:?}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_alive_but_not_ready_while_the_bucket_is_away() {
    let mut bucket = BucketServer::start().await;
    let api = service(&bucket, &[("role", "api")]).await;
    let folder = tempfile::tempdir().unwrap();
    let given = bucket.flags();
    let mut flags: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let own = bucket.flags_for("worker");
    flags[0].1 = &own[0].1;
    flags.extend([("role", "worker"), ("workers", "2"), ("metrics-listen", "127.0.0.1:0")]);
    let worker = start_service(settings(folder.path(), &flags)).await.unwrap();
    let worker_url = format!("http://{}", worker.metrics_address.unwrap());
    for url in [api.url(""), worker_url.clone()] {
        becomes(&format!("{url}/readyz"), 200, None).await;
    }
    bucket.stop();
    for url in [api.url(""), worker_url.clone()] {
        becomes(&format!("{url}/readyz"), 503, Some("FILES_UNAVAILABLE")).await;
        assert_eq!(probed(&format!("{url}/healthz")).await, (200, None));
    }
    let metrics = reqwest::get(format!("{worker_url}/metrics")).await.unwrap().text().await.unwrap();
    for line in [
        "rondo_workers{state=\"idle\"} 2",
        "rondo_queue_renders{state=\"ready\"} 0",
        "rondo_queue_oldest_seconds 0",
    ] {
        assert!(metrics.lines().any(|reported| reported == line), "{line}: {metrics}");
    }
    bucket.resume().await;
    for url in [api.url(""), worker_url] {
        becomes(&format!("{url}/readyz"), 200, None).await;
    }
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_waits_for_its_media_while_the_bucket_is_away() {
    let mut bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::None, 10).await;
    let png = red_png(96, 64);
    let upload = place(&api, &ada, "image/png", png.len()).await;
    assert_eq!(put(&upload["uploadUrl"], "image/png", png).await, 200);
    let shown = json!({"inputProps": showing(upload["fileUrl"].as_str().unwrap())});
    // A long film holds the worker until the bucket is away.
    let long = api.render(&ada, &json!({"inputProps": busy(60)})).await;
    let job = api.render(&ada, &shown).await;
    bucket.stop();
    for folder in ["copies", "drafts"] {
        for copy in std::fs::read_dir(api.folder.path().join(folder)).unwrap().flatten() {
            drop(std::fs::remove_file(copy.path()));
        }
    }
    tokio::time::sleep(std::time::Duration::from_secs(14)).await;
    let waiting = api.store.render(&job).await.unwrap().unwrap();
    assert!(!waiting.status.is_final(), "{waiting:?}");
    bucket.resume().await;
    for job in [long, job] {
        let done = api.ended(&ada, &job).await;
        assert_eq!(done["status"], "COMPLETED", "{done}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_many_ask_for_at_once_is_completed_once() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("role", "api")]).await;
    let ada = api.account(Plan::None, 0).await;
    let drawing = br#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>"#.to_vec();
    let upload = place(&api, &ada, "image/svg+xml", drawing.len()).await;
    assert_eq!(put(&upload["uploadUrl"], "image/svg+xml", drawing.clone()).await, 200);
    let file = upload["fileUrl"].as_str().unwrap();
    let asked =
        (0..12).map(|_| async { client(true).get(file).send().await.unwrap().bytes().await.unwrap() });
    for read in futures_util::future::join_all(asked).await {
        assert_eq!(read, drawing);
    }
    let id = upload["id"].as_str().unwrap();
    for left in ["arrived", "secured"] {
        assert!(!bucket.place(&format!("{left}/{id}.svg")).exists(), "{left}");
    }
    // Also where a CDN serves the bucket, a drawing is not shown as a page.
    let signed =
        client(false).get(file).send().await.unwrap().headers()["location"].to_str().unwrap().to_owned();
    let read = client(false).get(signed).send().await.unwrap();
    assert!(read.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
}

#[tokio::test(flavor = "multi_thread")]
async fn room_is_reserved_for_what_the_bucket_may_receive() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("role", "api"), ("storage-mb-none", "10")]).await;
    let ada = api.account(Plan::None, 0).await;
    place(&api, &ada, "image/png", 6_000_000).await;
    let body = json!({"contentType": "image/png", "size": 6_000_000});
    api.post(&ada, "/uploads", &body).await.refused(403, "STORAGE_QUOTA_EXCEEDED");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_folder_are_moved_before_the_bucket_is_used() {
    let bucket = BucketServer::start().await;
    let first = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = first.account(Plan::None, 10).await;
    let job = first.render(&ada, &json!({"inputProps": film(3, &json!([]))})).await;
    first.ended(&ada, &job).await;
    let film = std::fs::read(first.folder.path().join(format!("outputs/{job}.mp4"))).unwrap();

    let given = bucket.flags();
    let flags: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let with_bucket = settings(first.folder.path(), &flags);
    let refused = start_service(with_bucket.clone()).await.err().unwrap().to_string();
    assert!(refused.contains("rondo files move --to s3://films/rondo"), "{refused}");

    let moved = move_files(&with_bucket, |_, _| {}).await.unwrap();
    // The film, its poster and its two segments.
    assert_eq!((moved.files, moved.before, moved.finished), (4, 0, false));
    assert_eq!(std::fs::read(bucket.place(&format!("files/{job}.mp4"))).unwrap(), film);
    let again = move_files(&with_bucket, |_, _| {}).await.unwrap();
    assert_eq!((again.files, again.before, again.finished), (0, 4, false));

    // What is deleted before the next run is deleted in the bucket.
    std::fs::remove_file(first.folder.path().join(format!("outputs/{job}-poster.jpg"))).unwrap();
    move_files(&with_bucket, |_, _| {}).await.unwrap();
    assert!(!bucket.place(&format!("files/{job}-poster.jpg")).exists());
    let refused = start_service(with_bucket.clone()).await.err().unwrap().to_string();
    assert!(refused.contains("rondo files move"), "the move is not finished: {refused}");

    let (mut all, folder) = first.stop().await;
    assert!(move_files(&with_bucket, |_, _| {}).await.unwrap().finished);
    // Emptying the folder deletes nothing.
    std::fs::remove_file(folder.path().join(format!("outputs/{job}.mp4"))).unwrap();
    assert!(move_files(&with_bucket, |_, _| {}).await.unwrap().finished);
    let without = start_service(settings(folder.path(), &[])).await.err().unwrap().to_string();
    assert!(without.contains("are in a bucket"), "{without}");
    all.extend(given.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let moved = Service::open(all, folder).await;
    let read = client(true).get(moved.url(&format!("/files/{job}.mp4"))).send().await.unwrap();
    assert_eq!(read.bytes().await.unwrap(), film);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_of_another_service_is_refused() {
    let bucket = BucketServer::start().await;
    let _first = service(&bucket, &[]).await;
    let second = Service::start(&[(ON_FOLDER, "")]).await;
    let given = bucket.flags();
    let flags: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let other = settings(second.folder.path(), &flags);
    let refused = move_files(&other, |_, _| {}).await.err().unwrap().to_string();
    assert!(refused.contains("holds the files of another service"), "{refused}");
    let refused = start_service(other).await.err().unwrap().to_string();
    assert!(refused.contains("holds the files of another service"), "{refused}");
    // It still starts as before.
    second.restart().await;
}

/// A film of noise in ProRes, which has more than a megabyte a frame.
async fn large_film(service: &Service, ada: &Account) -> Value {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 1280, 720);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = noise.take(1280 * 720 * 3).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let upload = place(service, ada, "image/png", png.len()).await;
    assert_eq!(put(&upload["uploadUrl"], "image/png", png).await, 200);
    let shown = json!({"type": "image", "src": upload["fileUrl"], "width": 1280, "height": 720});
    let mut film = film(24, &json!([overlay(1, &shown)]));
    (film["width"], film["height"]) = (json!(1280), json!(720));
    json!({"inputProps": film, "output": {"format": "mov", "codec": "prores"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_film_is_sent_in_parts_while_it_is_made() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::Business, 10).await;
    let body = large_film(&api, &ada).await;
    let job = api.render(&ada, &body).await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    let kept = std::fs::read(bucket.place(&format!("files/{job}.mov"))).unwrap();
    assert!(kept.len() > 24 << 20, "{} bytes do not take three parts", kept.len());
    assert_eq!(done["outputs"][0]["size"], kept.len(), "{done}");

    // The same film as a file.
    let folder = Service::start(&[(ON_FOLDER, "")]).await;
    let eve = folder.account(Plan::Business, 10).await;
    let job = folder.render(&eve, &large_film(&folder, &eve).await).await;
    assert_eq!(folder.ended(&eve, &job).await["status"], "COMPLETED");
    let expected = std::fs::read(folder.folder.path().join(format!("outputs/{job}.mov"))).unwrap();
    assert!(kept == expected, "the film has other bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_film_waits_for_a_bucket_that_is_away_and_is_charged_once() {
    let mut bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::Business, 10).await;
    let body = large_film(&api, &ada).await;
    let job = api.render(&ada, &body).await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    bucket.stop();
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    bucket.resume().await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    let size = std::fs::metadata(bucket.place(&format!("files/{job}.mov"))).unwrap().len();
    assert_eq!(done["outputs"][0]["size"], size, "{done}");
    assert_eq!(api.credits(&ada).await, 10 - done["creditsUsed"].as_i64().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_that_is_too_large_leaves_nothing_in_the_bucket() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("max-output-mb", "20")]).await;
    let ada = api.account(Plan::Business, 10).await;
    let body = large_film(&api, &ada).await;
    let job = api.render(&ada, &body).await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "FAILED", "{done}");
    assert!(done["errorMessage"].as_str().unwrap().contains("20 MB"), "{done}");
    assert_eq!(done["creditsUsed"], 0);
    assert!(!bucket.place(&format!("files/{job}.mov")).exists());
}

/// Waits until the bucket has a file in a folder, and returns its path.
async fn appeared(bucket: &BucketServer, folder: &str) -> std::path::PathBuf {
    for _ in 0..200 {
        let files = std::fs::read_dir(bucket.place(folder)).into_iter().flatten().flatten();
        if let Some(file) = files.map(|file| file.path()).find(|path| path.is_file()) {
            return file;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("nothing appeared in {folder}");
}

/// Serves a picture that does not change, and counts how often it is fetched.
async fn counting_server() -> (String, std::sync::Arc<std::sync::atomic::AtomicU32>) {
    use axum::http::Method;
    let fetched = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let count = fetched.clone();
    let router = axum::Router::new().route(
        "/red.png",
        axum::routing::get(async move |method: Method| {
            if method == Method::GET {
                count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
            ([("etag", "\"1\""), ("content-type", "image/png")], red_png(96, 64))
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (base, fetched)
}

#[tokio::test(flavor = "multi_thread")]
async fn media_that_one_machine_has_fetched_are_taken_from_the_bucket_by_the_others() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[("allow-private-network", "true")]).await;
    let ada = api.account(Plan::None, 10).await;
    let (base, fetched) = counting_server().await;
    let render = async |frames: u32| {
        let mut shown = showing(&format!("{base}/red.png"));
        shown["durationInFrames"] = frames.into();
        let job = api.render(&ada, &json!({"inputProps": shown})).await;
        assert_eq!(api.ended(&ada, &job).await["status"], "COMPLETED");
    };
    render(3).await;
    appeared(&bucket, "media/known").await;
    let first = fetched.load(std::sync::atomic::Ordering::Relaxed);
    // Another machine has an empty folder.
    std::fs::remove_dir_all(api.folder.path().join("media")).unwrap();
    render(4).await;
    assert_eq!(fetched.load(std::sync::atomic::Ordering::Relaxed), first, "it was fetched again");

    // What is damaged is fetched.
    std::fs::remove_dir_all(api.folder.path().join("media")).unwrap();
    std::fs::write(appeared(&bucket, "media/content").await, "no picture").unwrap();
    render(5).await;
    assert!(fetched.load(std::sync::atomic::Ordering::Relaxed) > first, "the damaged copy was used");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_one_process_has_drawn_is_shown_by_the_others() {
    let bucket = BucketServer::start().await;
    let api = service(&bucket, &[]).await;
    let ada = api.account(Plan::None, 10).await;
    let made = api.post(&ada, "/previews", &json!({"inputProps": film(3, &json!([]))})).await;
    let id = made.data()["previewId"].as_str().unwrap().to_owned();
    let picture = async || {
        let url = api.url(&format!("/preview/{id}.png?frame=1"));
        std::fs::read(api.download(&url, "picture.png").await).unwrap()
    };
    let drawn = picture().await;
    let kept = appeared(&bucket, "previews").await;
    assert!(std::fs::read(&kept).unwrap() == drawn);
    // Another process has not drawn it.
    let other = red_png(96, 64);
    std::fs::write(&kept, &other).unwrap();
    std::fs::remove_file(api.folder.path().join(format!("previews/{id}-1.png"))).unwrap();
    assert!(picture().await == other, "it was drawn again");
}
