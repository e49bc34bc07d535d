//! User names and passwords in media URLs: used by renders, shown nowhere.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::get;
use rondo_store::Plan;
use serde_json::json;

use crate::harness::{Service, film, middle, overlay, red_png};

/// Serves `/red.png` to those who send `me:hunter2`.
async fn guarded_media() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let router = Router::new().route(
        "/red.png",
        get(|headers: HeaderMap| async move {
            // me:hunter2
            match headers.get(header::AUTHORIZATION).is_some_and(|value| value == "Basic bWU6aHVudGVyMg==") {
                true => Ok(red_png(96, 64)),
                false => Err(StatusCode::UNAUTHORIZED),
            }
        }),
    );
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    host
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_in_media_urls_are_used_and_never_shown() {
    let host = guarded_media().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 20).await;
    let picture = |url: &str| {
        let fields = json!({"type": "image", "src": url, "isDynamic": true, "name": "logo"});
        film(3, &json!([overlay(1, &fields)]))
    };
    let url = format!("http://me:hunter2@{host}/red.png");
    let body = json!({"inputProps": picture(&url), "createProject": true});
    let mut shown = Vec::new();
    let preview = service.post(&ada, "/previews", &body).await;
    assert_eq!(preview.data()["resolved"]["variables"][0]["value"], format!("http://***@{host}/red.png"));
    let preview_url = preview.data()["previewUrl"].as_str().unwrap().to_owned();
    shown.push(preview.body.to_string());
    let job = service.render(&ada, &body).await;
    let ended = service.ended(&ada, &job).await;
    assert_eq!(ended["status"], "COMPLETED", "{ended}");
    assert_eq!(ended["inputProps"]["overlays"][0]["src"], format!("http://***@{host}/red.png"));
    let path = service.download(ended["outputUrl"].as_str().unwrap(), "film.mp4").await;
    let [red, green, _] = middle(&path, 1, 96, 64);
    assert!(red > 200 && green < 40, "the picture is shown");
    shown.push(ended.to_string());

    // The project keeps them too, and its film is made with them.
    let project = ended["projectId"].as_str().unwrap();
    shown.push(service.get(&ada, &format!("/projects/{project}/variables")).await.data().to_string());
    shown.push(service.get(&ada, "/projects").await.data().to_string());
    let job = service.render(&ada, &json!({"projectId": project})).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    let frame = reqwest::get(format!("{preview_url}?frame=1&format=png")).await.unwrap();
    assert_eq!(frame.status(), 200);

    // Wrong ones fail, with a message that does not tell them.
    let wrong = json!({"inputProps": picture(&format!("http://me:hunter2-old@{host}/red.png"))});
    let job = service.render(&ada, &wrong).await;
    let failed = service.ended(&ada, &job).await;
    assert_eq!(failed["status"], "FAILED", "{failed}");
    shown.push(failed.to_string());
    shown.push(service.get(&ada, "/renders").await.data().to_string());
    for text in shown {
        assert!(!text.contains("hunter2"), "{text}");
    }
    for entry in walk(service.folder.path()) {
        let bytes = std::fs::read(&entry).unwrap();
        let found = bytes.windows(7).any(|window| window == b"hunter2");
        assert!(!found, "{} contains the password", entry.display());
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}
