//! Destinations: films are copied into buckets of their accounts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use rondo_store::Plan;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};

use crate::bucket_server::BucketServer;
use crate::harness::{Account, Service, busy, client, film, media_server, overlay, probe};

const SECRET: &str = "wrong-and-never-shown";

/// A destination in the bucket of a server.
fn films(bucket: &BucketServer, secret: &str) -> Value {
    films_at(&bucket.url(), secret)
}

fn films_at(endpoint: &str, secret: &str) -> Value {
    json!({"name": "films", "url": "s3://films/rondo/mine", "endpoint": endpoint,
        "credentials": {"accessKeyId": "key", "secretAccessKey": secret}})
}

/// Requests in the order of their arrival: `PUT /films/rondo/mine/job_….mp4`.
type Log = Arc<Mutex<Vec<String>>>;

/// A server that answers a request with a status and a text, or never.
async fn stand_in(
    answer: impl Fn(&str) -> Option<(u16, &'static str)> + Clone + Send + Sync + 'static,
) -> (String, Log) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let log = Log::default();
    let shared = log.clone();
    let router = Router::new()
        .fallback(move |method: Method, uri: Uri, _: Bytes| {
            let request = format!("{method} {uri}");
            let answered = answer(&request);
            shared.lock().unwrap().push(request);
            async move {
                match answered {
                    Some((status, text)) => {
                        (StatusCode::from_u16(status).unwrap(), [("etag", "\"1\"")], text)
                    }
                    None => std::future::pending().await,
                }
            }
        })
        .layer(DefaultBodyLimit::disable());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, log)
}

/// Waits for a request that begins so.
async fn asked(log: &Log, start: &str) -> String {
    let started = Instant::now();
    loop {
        if let Some(request) = log.lock().unwrap().iter().find(|request| request.starts_with(start)) {
            return request.clone();
        }
        assert!(started.elapsed() < Duration::from_secs(30), "no {start}: {:?}", log.lock().unwrap());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn body(output: &Value) -> Value {
    json!({"inputProps": film(3, &json!([])), "output": output})
}

/// Waits until the copy of a job is as asked for.
async fn copy_until(
    service: &Service,
    account: &Account,
    job: &str,
    what: &str,
    is: impl Fn(&Value) -> bool,
) -> Value {
    let started = Instant::now();
    // An account may ask 60 times a minute.
    let mut pause = Duration::from_millis(100);
    loop {
        let answer = service.get(account, &format!("/renders/{job}?fields=status,destination")).await;
        let copy = answer.data()["destination"].clone();
        if is(&copy) {
            return copy;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "the copy is not {what}: {}", answer.body);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(2));
    }
}

async fn copied(service: &Service, account: &Account, job: &str) -> Value {
    copy_until(service, account, job, "COPIED", |copy| copy["status"] == "COPIED").await
}

/// Makes the next attempt of all copies due, `hours` after their renders completed.
async fn later(service: &Service, hours: i64) {
    let mut connection = AnyConnection::connect(&service.database_url()).await.unwrap();
    let sql = format!(
        "UPDATE render_copy SET due_at = 0, created_at = created_at - {} WHERE state = 'due'",
        hours * 3_600_000
    );
    let started = Instant::now();
    // An attempt may be under way.
    while sqlx::query(sqlx::AssertSqlSafe(sql.clone()))
        .execute(&mut connection)
        .await
        .unwrap()
        .rows_affected()
        == 0
    {
        assert!(started.elapsed() < Duration::from_secs(30), "no copy is due");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn download(address: &Value) -> Vec<u8> {
    client(true).get(address.as_str().unwrap()).send().await.unwrap().bytes().await.unwrap().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_of_a_render_is_copied_byte_by_byte() {
    let bucket = BucketServer::start().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let created = service.post(&ada, "/destinations", &films(&bucket, "secret")).await;
    let info = created.data();
    assert_eq!((&info["name"], &info["url"]), (&json!("films"), &json!("s3://films/rondo/mine")));
    assert!(info["id"].as_str().unwrap().starts_with("dst_"), "{info}");

    let output = json!({"destination": "films", "also": [{"format": "png"}]});
    let job = service.render(&ada, &body(&output)).await;
    let pending = service.get(&ada, &format!("/renders/{job}")).await;
    assert_eq!(pending.data()["destination"]["name"], "films");
    let done = service.ended(&ada, &job).await;
    let copy = copied(&service, &ada, &job).await;
    let names = [format!("{job}.mp4"), format!("{job}-2.png")];
    let urls: Vec<String> = names.iter().map(|name| format!("s3://films/rondo/mine/{name}")).collect();
    assert_eq!(copy, json!({"name": "films", "status": "COPIED", "urls": urls, "errorMessage": null}));
    for (index, name) in names.iter().enumerate() {
        let film = download(&done["outputs"][index]["url"]).await;
        assert_eq!(std::fs::read(bucket.place(&format!("mine/{name}"))).unwrap(), film, "{name}");
    }
    // Lists and batches show it too, and a render without a destination has none.
    let listed = service.get(&ada, "/renders?fields=jobId,destination").await;
    assert_eq!(listed.data()["renders"][0]["destination"], copy);
    let plain = service.render(&ada, &body(&json!({}))).await;
    assert_eq!(service.ended(&ada, &plain).await["destination"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_film_is_sent_in_parts_with_its_type() {
    let bucket = BucketServer::start().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    service.post(&ada, "/destinations", &films(&bucket, "secret")).await.data();
    // Uncompressed pictures of noise: more than one part.
    let mut film = film(2, &json!([]));
    film["overlays"] = json!([{"id": 1, "type": "effect", "content": "confetti", "row": 0, "from": 0,
        "durationInFrames": 90, "left": 0, "top": 0, "width": 1920, "height": 1080, "styles": {"particleCount": 900}}]);
    (film["width"], film["height"], film["durationInFrames"]) = (json!(1920), json!(1080), json!(40));
    let output = json!({"format": "mov", "destination": "films"});
    let job = service.render(&ada, &json!({"inputProps": film, "output": output})).await;
    let done = service.ended(&ada, &job).await;
    assert!(done["outputSize"].as_u64().unwrap() > 9 << 20, "{}", done["outputSize"]);
    copied(&service, &ada, &job).await;
    let made = download(&done["outputUrl"]).await;
    assert!(std::fs::read(bucket.place(&format!("mine/{job}.mov"))).unwrap() == made, "the copy differs");
    let types = walk(bucket.place("").parent().unwrap().parent().unwrap());
    assert!(types.iter().any(|text| text.contains("video/quicktime")), "the type is not kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_a_film_that_is_not_copied_are_removed_from_the_bucket() {
    const BEGUN: &str =
        "<InitiateMultipartUploadResult><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>";
    let (endpoint, log) = stand_in(|request| match request.split(' ').next() {
        Some("POST") => Some((200, BEGUN)),
        Some("PUT") => None,
        _ => Some((204, "")),
    })
    .await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let tone = json!({"type": "sound", "src": format!("{}/long.wav", media_server().await), "durationInFrames": 600});
    let output = json!({"format": "wav", "destination": "films"});
    let body = json!({"inputProps": film(600, &json!([overlay(1, &tone)])), "output": output});

    // The destination is deleted, then the service is stopped.
    service.post(&ada, "/destinations", &films_at(&endpoint, "secret")).await.data();
    let job = service.render(&ada, &body).await;
    let done = service.ended(&ada, &job).await;
    assert!(done["outputSize"].as_u64().unwrap() > 9 << 20, "{done}");
    let part = asked(&log, "PUT").await;
    assert!(part.contains("uploadId=upload-1"), "{part}");
    service.send("DELETE", "/destinations/films", &ada.key, &[], None).await.data();
    let removed = asked(&log, "DELETE").await;
    assert!(removed.contains(&job) && removed.contains("uploadId=upload-1"), "{removed}");

    log.lock().unwrap().clear();
    service.post(&ada, "/destinations", &films_at(&endpoint, "secret")).await.data();
    let job = service.render(&ada, &body).await;
    service.ended(&ada, &job).await;
    asked(&log, "PUT").await;
    service.stop().await;
    let log = log.lock().unwrap();
    assert!(log.iter().any(|request| request.starts_with("DELETE") && request.contains(&job)), "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_hls_film_plays_from_the_bucket() {
    let bucket = BucketServer::start().await;
    // Its own playlist names the segments in full.
    let urls = [("public-url", "http://video.example.com"), ("files-url", "http://files.example.com")];
    let service = Service::start(&urls).await;
    let ada = service.account(Plan::None, 10).await;
    service.post(&ada, "/destinations", &films(&bucket, "secret")).await.data();
    let output = json!({"format": "hls", "scale": 0.25, "destination": "films", "also": [{"format": "png"}]});
    let job = service.render(&ada, &json!({"inputProps": busy(90), "output": output})).await;
    service.ended(&ada, &job).await;
    let copy = copied(&service, &ada, &job).await;
    let names = [format!("{job}.m3u8"), format!("{job}-2.png")];
    let urls: Vec<String> = names.iter().map(|name| format!("s3://films/rondo/mine/{name}")).collect();
    assert_eq!(copy, json!({"name": "films", "status": "COPIED", "urls": urls, "errorMessage": null}));
    let read = |name: &str| std::fs::read(bucket.place(&format!("mine/{name}"))).unwrap();
    let text = String::from_utf8(read(&format!("{job}.m3u8"))).unwrap();
    assert!(text.contains(&format!("URI=\"{job}-init.mp4\"")), "{text}");
    assert!(text.contains(&format!("\n{job}-s1.m4s\n")) && text.ends_with("#EXT-X-ENDLIST\n"), "{text}");
    let mut whole = read(&format!("{job}-init.mp4"));
    for name in text.lines().filter(|line| !line.starts_with('#')) {
        whole.extend(read(name));
    }
    let path = service.folder.path().join("whole.mp4");
    std::fs::write(&path, whole).unwrap();
    assert_eq!(probe(&path), (320, 180, 90));
    let types = walk(bucket.place("").parent().unwrap().parent().unwrap());
    for content_type in ["application/vnd.apple.mpegurl", "video/iso.segment"] {
        assert!(types.iter().any(|text| text.contains(content_type)), "{content_type} is not kept");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_are_copied_once_and_before_their_playlist() {
    let asked_for = Arc::new(AtomicUsize::new(0));
    let (endpoint, log) = stand_in(move |request| {
        let fails = request.contains("-s2.m4s") && asked_for.fetch_add(1, Ordering::Relaxed) == 0;
        Some((if fails { 403 } else { 200 }, ""))
    })
    .await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    service.post(&ada, "/destinations", &films_at(&endpoint, "secret")).await.data();
    let output = json!({"format": "hls", "scale": 0.25, "destination": "films"});
    let job = service.render(&ada, &json!({"inputProps": busy(90), "output": output})).await;
    service.ended(&ada, &job).await;
    let tried = |copy: &Value| copy["errorMessage"].is_string();
    let copy = copy_until(&service, &ada, &job, "tried", tried).await;
    assert_eq!((&copy["status"], &copy["urls"]), (&json!("PENDING"), &json!([])));
    copied(&service, &ada, &job).await;
    let log = log.lock().unwrap();
    let sent: Vec<&str> = log.iter().filter_map(|request| request.split(&*job).nth(1)).collect();
    assert_eq!(sent[..4], ["-init.mp4", "-s1.m4s", "-s2.m4s", "-s2.m4s"]);
    assert_eq!(sent.last(), Some(&".m3u8"));
    let mut names = sent.clone();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), sent.len() - 1, "each once but for the one that failed: {sent:?}");
}

/// The contents of small files in a folder and those below it.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else if path.metadata().unwrap().len() < 100_000 {
            found.push(String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned());
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_credentials_are_tried_for_a_day_and_change_nothing_else() {
    let bucket = BucketServer::start().await;
    // The service has the right credentials for the same bucket, and does not use them for others.
    let own = bucket.flags();
    let flags: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let service = Service::start(&flags).await;
    let ada = service.account(Plan::None, 10).await;
    let mut shown = vec![service.post(&ada, "/destinations", &films(&bucket, SECRET)).await.body.to_string()];
    let job = service.render(&ada, &body(&json!({"destination": "films"}))).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    let tried = |copy: &Value| copy["errorMessage"].is_string();
    let copy = copy_until(&service, &ada, &job, "tried", tried).await;
    assert_eq!((&copy["status"], &copy["urls"]), (&json!("PENDING"), &json!([])));
    let why = copy["errorMessage"].as_str().unwrap();
    assert!(why.contains("refused the credentials with status 403 (SignatureDoesNotMatch)"), "{why}");

    later(&service, 25).await;
    let copy = copy_until(&service, &ada, &job, "FAILED", |copy| copy["status"] == "FAILED").await;
    assert!(copy["errorMessage"].as_str().unwrap().contains("status 403"), "{copy}");
    let done = service.get(&ada, &format!("/renders/{job}")).await;
    assert_eq!((&done.data()["status"], &done.data()["errorMessage"]), (&json!("COMPLETED"), &Value::Null));
    assert_eq!(service.credits(&ada).await, 9);
    assert!(!download(&done.data()["outputUrl"]).await.is_empty());
    assert!(!bucket.place("mine").exists(), "nothing was written");

    // No answer and no file holds the secret.
    for path in ["/destinations", "/renders", &format!("/renders/{job}")] {
        shown.push(service.get(&ada, path).await.body.to_string());
    }
    shown.push(service.post(&ada, "/destinations", &films(&bucket, SECRET)).await.body.to_string());
    shown.extend(walk(service.folder.path()));
    for text in shown {
        assert!(!text.contains(SECRET), "{text}");
    }
    let database = std::fs::read(service.folder.path().join("rondo.db")).unwrap();
    assert!(!database.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_is_away_gets_its_film_when_it_is_back_and_after_a_restart() {
    let mut bucket = BucketServer::start().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    service.post(&ada, "/destinations", &films(&bucket, "secret")).await.data();
    bucket.stop();
    let job = service.render(&ada, &body(&json!({"destination": "films"}))).await;
    service.ended(&ada, &job).await;
    let tried = |copy: &Value| copy["errorMessage"].is_string();
    let copy = copy_until(&service, &ada, &job, "tried", tried).await;
    assert_eq!(copy["status"], "PENDING");
    assert!(copy["errorMessage"].as_str().unwrap().contains("cannot be reached"), "{copy}");
    let service = service.restart().await;
    bucket.resume().await;
    later(&service, 0).await;
    copied(&service, &ada, &job).await;
    assert!(bucket.place(&format!("mine/{job}.mp4")).is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_the_account_does_not_have_is_refused_before_anything_is_charged() {
    let bucket = BucketServer::start().await;
    let service = Service::start(&[("role", "api")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    service.post(&ada, "/destinations", &films(&bucket, "secret")).await.data();
    service.template("tpl_greeting", 1, true, &film(3, &json!([]))).await;
    let output = json!({"destination": "films"});
    let batch = json!({"templateId": "tpl_greeting", "sets": [{}, {}], "output": output});
    for (path, request) in
        [("/renders", body(&output)), ("/renders/batch", batch.clone()), ("/previews", body(&output))]
    {
        let refused = service.post(&bob, path, &request).await;
        let details = refused.refused(422, "UNKNOWN_DESTINATION");
        assert_eq!(details["issues"][0]["path"], "output.destination", "{path}");
    }
    assert_eq!(service.credits(&bob).await, 10);
    service.post(&ada, "/renders/batch", &batch).await.data();
    // It is one place for all files.
    let also = json!({"also": [{"destination": "films"}]});
    let preview = service.post(&ada, "/previews", &body(&also)).await;
    let warnings = preview.data()["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "UNKNOWN_FIELD"), "{}", preview.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_destination_fails_its_copies_with_a_sentence() {
    let bucket = BucketServer::start().await;
    let service = Service::start(&[]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let info = service.post(&ada, "/destinations", &films(&bucket, SECRET)).await.data().clone();
    let job = service.render(&ada, &body(&json!({"destination": "films"}))).await;
    service.ended(&ada, &job).await;
    let id = info["id"].as_str().unwrap();
    let delete = async |account: &Account, name: &str| {
        service.send("DELETE", &format!("/destinations/{name}"), &account.key, &[], None).await
    };
    delete(&bob, id).await.refused(404, "NOT_FOUND");
    delete(&bob, "films").await.refused(404, "NOT_FOUND");
    let deleted = delete(&ada, id).await;
    assert_eq!(*deleted.data(), json!({"id": id, "name": "films", "deleted": true}));
    let copy = copy_until(&service, &ada, &job, "FAILED", |copy| copy["status"] == "FAILED").await;
    assert_eq!(copy["errorMessage"], "The destination was deleted.");
    assert_eq!(service.get(&ada, "/destinations").await.data()["total"], 0);
    delete(&ada, "films").await.refused(404, "NOT_FOUND");

    // One of the same name is another one. The files of a render can be deleted too.
    service.post(&ada, "/destinations", &films(&bucket, SECRET)).await.data();
    let job = service.render(&ada, &body(&json!({"destination": "films"}))).await;
    service.ended(&ada, &job).await;
    service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await.data();
    let copy = copy_until(&service, &ada, &job, "FAILED", |copy| copy["status"] == "FAILED").await;
    assert!(copy["errorMessage"].as_str().unwrap().contains("were deleted"), "{copy}");
    delete(&ada, "films").await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_destination_is_refused_with_its_path() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let with = |changes: Value| {
        let mut body = json!({"name": "films", "url": "s3://films/x",
            "credentials": {"accessKeyId": "key", "secretAccessKey": SECRET}});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        body
    };
    let azure = json!({"account": "films", "accountKey": "c2VjcmV0"});
    for (changes, status, path) in [
        (json!({"name": "a b"}), 422, "name"),
        (json!({"name": "dst_1"}), 422, "name"),
        (json!({"url": "https://films.example.com"}), 400, "url"),
        (json!({"url": "s3://films/../x"}), 400, "url"),
        (json!({"region": "evil.example.com/"}), 400, "region"),
        (json!({"endpoint": "ftp://films.example.com"}), 422, "endpoint"),
        (json!({"endpoint": "films"}), 400, "endpoint"),
        (json!({"endpoint": "http://169.254.169.254"}), 422, "endpoint"),
        (json!({"endpoint": format!("https://me:{SECRET}@films.example.com")}), 400, "endpoint"),
        (json!({"credentials": null}), 400, "credentials"),
        (json!({"credentials": {}}), 400, "credentials.accessKeyId"),
        (json!({"credentials": {"accessKeyId": "key"}}), 400, "credentials.secretAccessKey"),
        (json!({"credentials": {"accessKeyId": 7}}), 400, "credentials.accessKeyId"),
        (json!({"credentials": azure}), 400, "credentials.accessKeyId"),
        (json!({"url": "gs://films"}), 400, "credentials.serviceAccountKey"),
        (json!({"url": "az://films", "region": "x", "credentials": azure}), 400, "region"),
    ] {
        let refused = service.post(&ada, "/destinations", &with(changes.clone())).await;
        assert_eq!(refused.status, status, "{changes}: {}", refused.body);
        assert_eq!(refused.body["details"]["issues"][0]["path"], path, "{}", refused.body);
        assert!(!refused.body.to_string().contains(SECRET), "{}", refused.body);
    }
    // The same request with the same key is one destination, and another one has another name.
    let keyed = [("idempotency-key", "one")];
    for _ in 0..2 {
        let body = with(json!({}));
        service.send("POST", "/destinations", &ada.key, &keyed, Some(&body)).await.data();
    }
    service.post(&ada, "/destinations", &with(json!({}))).await.refused(409, "DESTINATION_EXISTS");
    service
        .post(
            &ada,
            "/destinations",
            &with(json!({"name": "azure", "url": "az://films", "credentials": azure})),
        )
        .await
        .data();
    for index in 2..20 {
        service.post(&ada, "/destinations", &with(json!({"name": format!("films-{index}")}))).await.data();
    }
    let full = service.post(&ada, "/destinations", &with(json!({"name": "more"}))).await;
    assert_eq!(full.refused(422, "DESTINATION_LIMIT_REACHED")["limit"], 20);
    let listed = service.get(&ada, "/destinations").await;
    assert_eq!(listed.data()["total"], 20);
    assert!(!listed.body.to_string().contains(SECRET), "{}", listed.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_of_private_networks_are_refused_also_after_the_destination_was_made() {
    let bucket = BucketServer::start().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    service.post(&ada, "/destinations", &films(&bucket, "secret")).await.data();
    let (flags, folder) = service.stop().await;
    let mut flags: Vec<_> = flags.into_iter().filter(|(name, _)| name != "allow-private-network").collect();
    flags.push(("allow-private-network".to_owned(), "false".to_owned()));
    let service = Service::open(flags, folder).await;
    for endpoint in [bucket.url(), "https://localhost:9000".to_owned(), "https://10.0.0.1".to_owned()] {
        let mut request = films(&bucket, "secret");
        (request["name"], request["endpoint"]) = (json!("others"), json!(endpoint));
        let refused = service.post(&ada, "/destinations", &request).await;
        refused.refused(422, "DESTINATION_NOT_ALLOWED");
        assert_eq!(refused.body["details"]["issues"][0]["path"], "endpoint");
    }
    let job = service.render(&ada, &body(&json!({"destination": "films"}))).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    let copy = copy_until(&service, &ada, &job, "FAILED", |copy| copy["status"] == "FAILED").await;
    assert!(copy["errorMessage"].as_str().unwrap().contains("is a private address"), "{copy}");
    assert!(!bucket.place("mine").exists(), "nothing was written");
}
