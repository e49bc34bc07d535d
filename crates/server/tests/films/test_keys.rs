//! Test keys: renders that cost nothing, show what they are, and are limited.

use rondo_store::{Access, KeyMode, KeyOptions, Plan};
use serde_json::{Value, json};

use crate::harness::{Account, Service, film, middle, overlay, probe};

/// The account of a live key, with a test key.
async fn test_key(service: &Service, live: &Account) -> Account {
    let options = KeyOptions { name: None, access: Access::Full, mode: KeyMode::Test, expires_at: None };
    let key = service.store.create_limited_key(&live.id, options).await.unwrap();
    assert!(key.secret.starts_with("rnd_test_") && key.secret.starts_with(&key.key.prefix));
    Account { id: live.id.clone(), key: key.secret }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_render_is_free_marked_and_small() {
    let service = Service::start(&[]).await;
    let live = service.account(Plan::Business, 1).await;
    let test = test_key(&service, &live).await;
    let mut props = film(
        2,
        &json!([overlay(
            1,
            &json!({"type": "shape", "content": "rectangle", "row": -5,
        "width": 1920, "height": 1440, "styles": {"fill": "#000000"}})
        )]),
    );
    (props["width"], props["height"]) = (json!(1920), json!(1440));
    let body = json!({"inputProps": props.clone()});
    let created = service.post(&test, "/renders", &body).await.data().clone();
    assert_eq!(created["creditsUsed"], 0);
    let job = service.ended(&test, created["jobId"].as_str().unwrap()).await;
    assert_eq!(
        (&job["status"], &job["test"], &job["creditsUsed"]),
        (&json!("COMPLETED"), &json!(true), &json!(0)),
        "{job}"
    );
    assert_eq!(job["inputProps"]["overlays"].as_array().unwrap().len(), 1);
    let path = service.download(job["outputUrl"].as_str().unwrap(), "test.mp4").await;
    assert_eq!(probe(&path), (960, 720, 2));
    let (marked, plain) = (bright(&path, 960, 720), 0);
    assert!(marked > plain + 5000, "{marked} bright pixels");
    assert_eq!(service.credits(&live).await, 1);
    assert!(service.store.audit().await.unwrap().is_empty());

    let body = json!({"inputProps": film(2, &json!([]))});
    let job = service.render(&live, &body).await;
    let job = service.ended(&live, &job).await;
    assert_eq!((&job["test"], &job["creditsUsed"]), (&json!(false), &json!(1)));
    let path = service.download(job["outputUrl"].as_str().unwrap(), "live.mp4").await;
    assert_eq!(middle(&path, 0, 96, 64), [0, 0, 0]);
    // Every file is made small, and those without pictures are made too.
    let output = json!({"format": "mp3", "also": [{"format": "gif"}, {"format": "png", "scale": 0.25}]});
    let job = service.render(&test, &json!({"inputProps": props, "output": output})).await;
    let job = service.ended(&test, &job).await;
    let sizes: Vec<Value> = job["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| json!([file["width"], file["height"]]))
        .collect();
    assert_eq!(json!(sizes), json!([[null, null], [960, 720], [480, 360]]), "{job}");
    // An account without credits can still try.
    let more = service.post(&test, "/renders", &body).await;
    assert_eq!(more.data()["creditsUsed"], 0);
    service.post(&live, "/renders", &body).await.refused(402, "INSUFFICIENT_CREDITS");
}

/// Pixels of the first frame that are not dark.
fn bright(path: &std::path::Path, width: usize, height: usize) -> usize {
    let output = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        .output()
        .unwrap();
    assert_eq!(output.stdout.len(), width * height);
    output.stdout.iter().filter(|pixel| **pixel > 60).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn test_renders_are_limited_and_make_no_speech() {
    let service = Service::start(&[("role", "api")]).await;
    let live = service.account(Plan::Business, 500).await;
    let test = test_key(&service, &live).await;
    let voice = overlay(1, &json!({"type": "sound", "src": "", "isDynamic": true, "name": "voice"}));
    let text = overlay(2, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"}));
    service.template("greeting", 1, true, &film(2, &json!([voice, text]))).await;
    let spoken = json!({"templateId": "greeting", "createProject": false, "replacements": {"voice": {"tts": {"text": "Hello"}}}});
    let job = service.render(&test, &spoken).await;
    let job = service.get(&test, &format!("/renders/{job}")).await.data().clone();
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("PROCESSING"), &json!(0)));
    assert_eq!(job["inputProps"]["overlays"].as_array().unwrap().len(), 1);

    let batch = |count: usize| {
        let sets: Vec<Value> = (0..count).map(|n| json!({"replacements": {"headline": n.to_string(), "voice": "https://example.com/a.mp3"}})).collect();
        json!({"templateId": "greeting", "sets": sets})
    };
    let refused = service.post(&test, "/renders/batch", &batch(200)).await;
    assert_eq!(refused.refused(429, "TEST_LIMIT_REACHED")["limit"], 200);
    let accepted = service.post(&test, "/renders/batch", &batch(199)).await;
    assert_eq!(accepted.data()["creditsUsed"], 0);
    let one = json!({"inputProps": film(2, &json!([]))});
    service.post(&test, "/renders", &one).await.refused(429, "TEST_LIMIT_REACHED");
    service.post(&live, "/renders", &one).await.data();
    assert_eq!(service.credits(&live).await, 499);
    assert!(service.store.audit().await.unwrap().is_empty());
}
