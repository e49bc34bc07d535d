//! Copies to destinations in the clouds that tests have no server for: a stand-in takes every file, and shows what was sent.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Service, client, film};

#[derive(Debug, Clone)]
struct Sent {
    method: Method,
    path: String,
    query: String,
    headers: HeaderMap,
    body: Bytes,
}

type Log = Arc<Mutex<Vec<Sent>>>;

async fn stand_in() -> (String, Log) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let log = Log::default();
    let shared = log.clone();
    let router = Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or_default().to_owned());
        shared.lock().unwrap().push(Sent { method, path, query, headers, body });
        async {
            (StatusCode::CREATED, [("etag", "\"1\""), ("last-modified", "Sat, 14 Nov 2026 09:30:00 GMT")])
        }
    });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, log)
}

/// Renders a film to a destination. Returns the film, the copy as the job shows it, and what was sent.
async fn copied(url: &str, credentials: &Value) -> (Vec<u8>, Value, Sent) {
    let (endpoint, log) = stand_in().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"name": "films", "url": url, "endpoint": endpoint, "credentials": credentials});
    service.post(&ada, "/destinations", &body).await.data();
    let body = json!({"inputProps": film(3, &json!([])), "output": {"destination": "films"}});
    let job = service.render(&ada, &body).await;
    let done = service.ended(&ada, &job).await;
    let started = Instant::now();
    let copy = loop {
        let copy = service.get(&ada, &format!("/renders/{job}")).await.data()["destination"].clone();
        if copy["status"] == "COPIED" {
            break copy;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the film is not copied: {copy}");
        tokio::time::sleep(Duration::from_millis(600)).await;
    };
    let film = client(true).get(done["outputUrl"].as_str().unwrap()).send().await.unwrap();
    let film = film.bytes().await.unwrap().to_vec();
    let sent = log.lock().unwrap().clone();
    assert_eq!(sent.len(), 1, "one request: {sent:?}");
    assert_eq!(copy["urls"], json!([format!("{url}/{job}.mp4")]));
    let sent = sent[0].clone();
    // Azure has a header of its own for the type that a file is read with.
    let content_type = sent.headers.get("x-ms-blob-content-type").or(sent.headers.get("content-type"));
    assert_eq!(content_type.unwrap(), "video/mp4");
    assert_eq!(sent.headers["content-length"], film.len().to_string());
    (film, copy, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn azure_gets_the_film_signed_with_the_key_of_the_destination() {
    let key = json!({"account": "studio", "accountKey": "c2VjcmV0"});
    let (film, _, sent) = copied("az://films/rondo", &key).await;
    assert!(sent.method == Method::PUT && sent.path.starts_with("/films/rondo/job_"), "{}", sent.path);
    assert_eq!(sent.headers["x-ms-blob-type"], "BlockBlob");
    assert!(sent.headers["authorization"].to_str().unwrap().starts_with("SharedKey studio:"));
    assert!(sent.body == film, "the copy differs");

    let token = json!({"account": "studio", "sasToken": "?sv=2024-11-04&sp=cw&sig=never%2Fshown"});
    let (_, copy, sent) = copied("az://films/rondo", &token).await;
    assert!(sent.query.contains("sig=never%2Fshown"), "{}", sent.query);
    assert!(!sent.headers.contains_key("authorization"));
    assert!(!copy.to_string().contains("never"), "{copy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn google_gets_the_film_with_a_token_of_the_service_account() {
    let made = Command::new("openssl")
        .args(["genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
        .output();
    let Some(key) = made.ok().filter(|output| output.status.success()) else {
        println!("skipped: there is no openssl to make a key.");
        return;
    };
    let file = json!({"type": "service_account", "client_email": "rondo@studio.example", "private_key_id": "7",
        "private_key": String::from_utf8(key.stdout).unwrap(), "token_uri": "http://169.254.169.254/token"});
    let (film, _, sent) = copied("gs://films/rondo", &json!({"serviceAccountKey": file.to_string()})).await;
    // The address escapes everything but letters and digits.
    assert!(sent.method == Method::PUT && sent.path.starts_with("/films/rondo%2Fjob%5F"), "{}", sent.path);
    let token = sent.headers["authorization"].to_str().unwrap().strip_prefix("Bearer ").unwrap();
    assert_eq!(token.split('.').count(), 3, "{token}");
    assert!(sent.body == film, "the copy differs");
}
