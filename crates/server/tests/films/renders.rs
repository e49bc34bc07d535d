//! Renders from the request to the film, and every way one can end.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Service, busy, film, media_server, middle, overlay, probe};

#[tokio::test(flavor = "multi_thread")]
async fn a_direct_render_ends_as_a_film_of_the_asked_size_and_length_and_costs_its_price() {
    let media = media_server().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let picture = overlay(1, &json!({"type": "image", "src": format!("{media}/red.png"), "from": 2}));
    let body = json!({"inputProps": film(5, &json!([picture])), "metadata": {"order": 7}});
    let created = service.post(&ada, "/renders", &body).await;
    let created = created.data();
    assert_eq!(created["status"], "PROCESSING");
    assert_eq!(
        (&created["creditsUsed"], &created["mode"], &created["projectId"]),
        (&json!(1), &json!("direct"), &Value::Null)
    );
    assert_eq!(created["estimatedDurationMinutes"], 1);

    let job = service.ended(&ada, created["jobId"].as_str().unwrap()).await;
    assert_eq!((&job["status"], &job["progressPercentage"]), (&json!("COMPLETED"), &json!(100)), "{job}");
    assert_eq!(
        (&job["metadata"], &job["inputProps"]["overlays"][0]["from"]),
        (&json!({"order": 7}), &json!(2))
    );
    assert!(job["completedAt"].is_string() && job["duration"].is_u64() && job["errorMessage"].is_null());
    let path = service.download(job["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(job["outputSize"], std::fs::metadata(&path).unwrap().len());
    assert_eq!(probe(&path), (96, 64, 5));
    let [r, g, b] = middle(&path, 1, 96, 64);
    assert!(r < 20 && g < 20 && b < 20, "black before the picture: {r} {g} {b}");
    let [r, g, b] = middle(&path, 3, 96, 64);
    assert!(r > 200 && g < 50 && b < 50, "red with the picture: {r} {g} {b}");
    assert_eq!(service.credits(&ada).await, 9);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_odd_size_is_kept_on_the_job_and_grows_in_the_file() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": film(2, &json!([])), "width": 97, "height": 65});
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["width"], &job["height"]), (&json!(97), &json!(65)));
    let path = service.download(job["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(probe(&path), (98, 66, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn media_that_cannot_be_used_fail_the_job_and_give_the_credits_back() {
    let media = media_server().await;
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    for (src, reason) in [("broken.png", "cannot be read"), ("gone.png", "status 404")] {
        let picture = overlay(1, &json!({"type": "image", "name": "logo", "src": format!("{media}/{src}")}));
        let job = service.render(&ada, &json!({"inputProps": film(3, &json!([picture]))})).await;
        let job = service.ended(&ada, &job).await;
        assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("FAILED"), &json!(0)), "{job}");
        let message = job["errorMessage"].as_str().unwrap();
        assert!(
            message.contains("\"logo\"") && message.contains(src) && message.contains(reason),
            "{message}"
        );
        assert!(!message.contains(service.folder.path().to_str().unwrap()), "{message}");
        assert!(job["completedAt"].is_string() && job["outputUrl"].is_null());
    }
    assert_eq!(service.credits(&ada).await, 10);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_render_stops_and_gives_its_credits_back() {
    let service = Service::start(&[]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let job = service.render(&ada, &json!({"inputProps": busy(3000)})).await;
    service.under_way(&job).await;
    let path = format!("/renders/{job}/cancel");
    service.post(&bob, &path, &json!({})).await.refused(403, "FORBIDDEN");
    let cancelled = service.send("POST", &path, &ada.key, &[], None).await;
    let cancelled = cancelled.data();
    assert_eq!((&cancelled["status"], &cancelled["errorMessage"]), (&json!("FAILED"), &json!("Cancelled")));
    assert_eq!(service.credits(&ada).await, 10);
    // The worker is free at once: the next film does not wait for the cancelled one.
    let next = service.render(&ada, &json!({"inputProps": film(2, &json!([]))})).await;
    assert_eq!(service.ended(&ada, &next).await["status"], "COMPLETED");
    let again = service.send("DELETE", &format!("/renders/{next}"), &ada.key, &[], None).await;
    assert_eq!(again.data()["status"], "COMPLETED", "what has ended stays as it is");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_service_hands_its_render_back_and_goes_on_after_the_restart() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(120)})).await;
    service.under_way(&job).await;
    let before = std::time::Instant::now();
    let service = service.restart().await;
    assert!(before.elapsed() < std::time::Duration::from_secs(10));
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("COMPLETED"), &json!(1)), "{job}");
    let path = service.download(job["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(probe(&path), (1280, 720, 120));
    assert_eq!(service.credits(&ada).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_beyond_the_plan_wait_as_pending_until_one_ends() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": film(2, &json!([]))});
    let mut jobs = Vec::new();
    for expected in ["PROCESSING", "PROCESSING", "PENDING"] {
        let created = service.post(&ada, "/renders", &body).await;
        assert_eq!(created.data()["status"], expected);
        jobs.push(created.data()["jobId"].as_str().unwrap().to_owned());
    }
    service.send("DELETE", &format!("/renders/{}", jobs[0]), &ada.key, &[], None).await.data();
    let waiting = service.get(&ada, &format!("/renders/{}", jobs[2])).await;
    assert_eq!(waiting.data()["status"], "PROCESSING");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_tell_the_progress_and_end_with_the_job() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(60)})).await;
    let text = service.text(&format!("/api/v1/renders/{job}/events"), &ada.key).await;
    let events: Vec<(&str, Value)> = text
        .split("\n\n")
        .filter_map(|event| {
            let name = event.lines().find_map(|line| line.strip_prefix("event: "))?;
            let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
            Some((name, serde_json::from_str(data).unwrap()))
        })
        .collect();
    assert_eq!(events.first().unwrap().0, "progress");
    let (name, last) = events.last().unwrap();
    assert_eq!((*name, &last["status"], &last["jobId"]), ("completed", &json!("COMPLETED"), &json!(job)));
    assert!(last.get("inputProps").is_none());
    let progress: Vec<u64> =
        events.iter().map(|(_, job)| job["progressPercentage"].as_u64().unwrap()).collect();
    assert!(progress.is_sorted() && progress.last() == Some(&100), "{progress:?}");
}
