//! The gallery: pictures and films of the included templates, made after the start.

use std::time::{Duration, Instant, SystemTime};

use rondo_store::Plan;
use serde_json::Value;

use crate::harness::{Account, ON_FOLDER, Service, client};

/// Time for the first pictures of a fresh data folder.
const DEADLINE: Duration = Duration::from_secs(180);

async fn templates(service: &Service, account: &Account) -> Vec<Value> {
    service.get(account, "/templates?limit=100").await.data()["templates"].as_array().unwrap().clone()
}

/// Waits until so many templates have a picture.
async fn with_pictures(service: &Service, account: &Account, count: usize) -> Vec<Value> {
    let started = Instant::now();
    loop {
        let mut shown = templates(service, account).await;
        shown.retain(|template| template["thumbnailUrl"].is_string());
        if shown.len() >= count {
            return shown;
        }
        assert!(started.elapsed() < DEADLINE, "only {} templates have a picture", shown.len());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_service_draws_the_pictures_of_its_templates_and_goes_on_after_a_restart() {
    let service = Service::start(&[(ON_FOLDER, ""), ("gallery", "on")]).await;
    let ada = service.account(Plan::Business, 10).await;
    assert!(templates(&service, &ada).await.iter().any(|template| template["thumbnailUrl"].is_null()));

    let shown = with_pictures(&service, &ada, 2).await;
    for template in &shown {
        let answer = client(true).get(template["thumbnailUrl"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["content-type"]),
            (200, &"image/png".parse().unwrap())
        );
        let bytes = answer.bytes().await.unwrap();
        let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        let (width, height) = (size(16), size(20));
        assert!(width.max(height).abs_diff(640) <= 1, "{}: {width} × {height}", template["id"]);
        let wanted = template["width"].as_f64().unwrap() / template["height"].as_f64().unwrap();
        assert!((f64::from(width) / f64::from(height) - wanted).abs() < 0.02, "{}", template["id"]);
        assert!(template["previewVideoUrl"].is_null(), "films are made after all pictures");
    }
    assert_eq!(service.credits(&ada).await, 10, "nobody is charged");

    let path = |id: &Value| service.folder.path().join(format!("templates/{}.png", id.as_str().unwrap()));
    let first = path(&shown[0]["id"]);
    let written = |path: &std::path::Path| -> SystemTime { path.metadata().unwrap().modified().unwrap() };
    let before = written(&first);
    let service = service.restart().await;
    with_pictures(&service, &ada, shown.len() + 1).await;
    assert_eq!(written(&first), before, "a picture that is there is not drawn again");
}
