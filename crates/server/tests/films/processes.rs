//! Several processes on one database server, and what they share.

use std::path::Path;

use rondo_server::start as start_service;
use rondo_service::settings::{Settings, Sources};
use rondo_store::Plan;
use serde_json::json;

use crate::harness::{FORK_SERVER, Service, database, film, overlay, red_png};

pub fn settings(data: &Path, flags: &[(&str, &str)]) -> Settings {
    let read = |name: &str| match name {
        "data" => Some(data.to_str().unwrap().to_owned()),
        "listen" => Some("127.0.0.1:0".to_owned()),
        "font-registry" | "gallery" => Some("off".to_owned()),
        _ => flags.iter().find(|(flag, _)| *flag == name).map(|(_, value)| (*value).to_owned()),
    };
    let mut settings =
        Settings::read(&Sources { flag: &read, variable: &|name| read(name), file: toml::Table::new() })
            .unwrap();
    settings.fork_server = Some((FORK_SERVER.into(), Vec::new()));
    settings
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_in_a_process_of_its_own_renders_under_the_address_that_the_api_was_given() {
    let Some(url) = database().await else { return };
    let api = Service::start(&[
        ("database-url", &url),
        ("role", "api"),
        ("public-url", "https://video.example.com"),
    ])
    .await;
    let data = api.folder.path();
    let worker = start_service(settings(data, &[("database-url", &url), ("role", "worker")])).await.unwrap();
    let ada = api.account(Plan::None, 10).await;
    let job = api.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    let done = api.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED");
    assert_eq!(done["outputUrl"], format!("https://video.example.com/files/{job}.mp4"));
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_cannot_see_the_files_of_the_others_refuses_to_start() {
    let Some(url) = database().await else { return };
    let first = Service::start(&[("database-url", &url)]).await;
    let other = tempfile::tempdir().unwrap();
    std::fs::copy(first.folder.path().join("master.key"), other.path().join("master.key")).unwrap();
    let refused =
        start_service(settings(other.path(), &[("database-url", &url)])).await.err().unwrap().to_string();
    assert!(refused.contains("Give all processes on one database the same data folder."), "{refused}");
    // The folder takes the place of the other as the sentence says.
    let id = std::fs::read_to_string(first.folder.path().join("folder-id")).unwrap();
    assert!(refused.contains(id.trim()), "{refused}");
    std::fs::write(other.path().join("folder-id"), id).unwrap();
    start_service(settings(other.path(), &[("database-url", &url)])).await.unwrap().stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_with_an_upload_renders_after_the_public_address_changed() {
    let service = Service::start(&[("public-url", "https://a.example.com")]).await;
    let ada = service.account(Plan::None, 10).await;
    let png = red_png(96, 64);
    let upload = service.post(&ada, "/uploads", &json!({"contentType": "image/png"})).await;
    let (put, src) =
        (upload.data()["uploadUrl"].as_str().unwrap(), upload.data()["fileUrl"].as_str().unwrap());
    let path = put.strip_prefix("https://a.example.com").unwrap();
    service.put_bytes(path, "image/png", png).await;
    let picture = film(5, &json!([overlay(1, &json!({"type": "image", "src": src}))]));
    let project = service.post(&ada, "/projects", &json!({"name": "Mine", "composition": picture})).await;
    let id = project.data()["id"].as_str().unwrap().to_owned();
    assert!(
        project.data()["editUrl"].as_str().unwrap().starts_with("https://a.example.com/"),
        "{}",
        project.body
    );

    // The address is kept without the flag.
    let service = service.restart_with(&[]).await;
    let project = service.get(&ada, &format!("/projects/{id}")).await;
    assert!(
        project.data()["editUrl"].as_str().unwrap().starts_with("https://a.example.com/"),
        "{}",
        project.body
    );

    let service = service.restart_with(&[("public-url", "https://b.example.com")]).await;
    let project = service.get(&ada, &format!("/projects/{id}")).await;
    let moved = src.replace("https://a.", "https://b.");
    assert_eq!(project.data()["composition"]["overlays"][0]["src"], json!(moved));
    let job = service.render(&ada, &json!({"projectId": id})).await;
    let done = service.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    assert_eq!(done["outputUrl"], format!("https://b.example.com/files/{job}.mp4"));
}
