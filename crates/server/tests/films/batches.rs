//! Batches: many renders of one template or project, all or none.

use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, Service, film, overlay};
use crate::receiver::Receiver;

/// A template with a headline and a picture, both variables.
async fn with_template(flags: &[(&str, &str)], credits: i64) -> (Service, Account) {
    let service = Service::start(flags).await;
    let ada = service.account(Plan::Business, credits).await;
    let overlays = json!([
        overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"})),
        overlay(2, &json!({"type": "shape", "content": "circle"})),
    ]);
    service.template("greeting", 1, true, &film(2, &overlays)).await;
    (service, ada)
}

fn sets(count: usize) -> Vec<Value> {
    (0..count)
        .map(|n| json!({"replacements": {"headline": format!("Hello {n}")}, "metadata": {"row": n}}))
        .collect()
}

fn batch(count: usize) -> Value {
    json!({"templateId": "greeting", "sets": sets(count), "metadata": {"campaign": "spring"}})
}

async fn send_table(service: &Service, account: &Account, query: &str, table: &str) -> Answer {
    let url = service.url(&format!("/api/v1/renders/batch{query}"));
    let request = crate::harness::client(true).post(url).bearer_auth(&account.key);
    let response = request
        .header("content-type", "text/csv; charset=utf-8")
        .body(table.to_owned())
        .send()
        .await
        .unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    Answer { status, headers, body }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_renders_every_set_and_reports_the_whole_once() {
    let (service, ada) = with_template(&[], 10).await;
    let (registered, callback) = (Receiver::start(&[200]).await, Receiver::start(&[200]).await);
    let webhook = json!({"url": registered.url, "events": ["batch.completed"]});
    service.post(&ada, "/webhooks", &webhook).await.data();
    let mut body = batch(3);
    body["webhookUrl"] = json!(callback.url);
    let created = service.post(&ada, "/renders/batch", &body).await.data().clone();
    assert_eq!((&created["total"], &created["creditsUsed"]), (&json!(3), &json!(3)));
    let id = created["batchId"].as_str().unwrap();
    let jobs = created["jobIds"].as_array().unwrap();
    for (n, job) in jobs.iter().enumerate() {
        let job = service.ended(&ada, job.as_str().unwrap()).await;
        assert_eq!((&job["status"], &job["batchId"]), (&json!("COMPLETED"), &json!(id)));
        assert_eq!(job["inputProps"]["overlays"][0]["content"], format!("Hello {n}"));
        assert_eq!(job["metadata"], json!({"campaign": "spring", "row": n}));
        assert_eq!((&job["mode"], &job["projectId"]), (&json!("template"), &Value::Null));
    }
    let event = registered.wait_for(1).await[0].json();
    assert_eq!(event["event"], "batch.completed");
    let data = event["data"].clone();
    assert_eq!(
        (&data["batchId"], &data["total"], &data["completed"], &data["failed"]),
        (&json!(id), &json!(3), &json!(3), &json!(0))
    );
    assert_eq!((&data["creditsUsed"], &data["metadata"]), (&json!(3), &json!({"campaign": "spring"})));
    assert_eq!(callback.wait_for(1).await[0].json()["data"], data);

    let done = service.get(&ada, &format!("/batches/{id}?fields=jobId,status&limit=2")).await.data().clone();
    assert_eq!((&done["status"], &done["progressPercentage"]), (&json!("COMPLETED"), &json!(100)));
    assert_eq!(done["counts"], json!({"pending": 0, "processing": 0, "completed": 3, "failed": 0}));
    assert_eq!(
        done["renders"],
        json!([{"jobId": jobs[0], "status": "COMPLETED"}, {"jobId": jobs[1], "status": "COMPLETED"}])
    );
    assert!(done["completedAt"].is_string() && done["hasMore"] == true);
    let cursor = done["nextCursor"].as_str().unwrap();
    let rest = service.get(&ada, &format!("/batches/{id}?fields=jobId&cursor={cursor}")).await.data().clone();
    assert_eq!((&rest["renders"], &rest["nextCursor"]), (&json!([{"jobId": jobs[2]}]), &Value::Null));
    assert_eq!(service.get(&ada, &format!("/renders?batchId={id}")).await.data()["total"], 3);
    assert_eq!(service.credits(&ada).await, 7);
    assert!(service.store.audit().await.unwrap().is_empty());
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!((registered.seen().len(), callback.seen().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_wrong_set_or_too_few_credits_refuse_the_whole_batch() {
    let (service, ada) = with_template(&[("role", "api")], 3).await;
    let mut body = batch(3);
    body["sets"][1]["replacements"]["headline"] = json!({"tts": 4});
    body["sets"][2]["replacements"]["headline"] = json!([1]);
    let answer = service.post(&ada, "/renders/batch", &body).await;
    let issues = answer.body["details"]["issues"].as_array().unwrap();
    assert!((400..=422).contains(&answer.status), "{}", answer.body);
    assert!(issues[0]["path"].as_str().unwrap().starts_with("sets[1].replacements.headline"), "{issues:?}");
    assert!(issues.iter().any(|issue| issue["path"].as_str().unwrap().starts_with("sets[2].")), "{issues:?}");
    assert!(answer.body["error"].as_str().unwrap().contains("sets[1]"), "{}", answer.body);

    let answer = service.post(&ada, "/renders/batch", &batch(4)).await;
    let details = answer.refused(402, "INSUFFICIENT_CREDITS");
    assert_eq!((&details["creditsNeeded"], &details["creditsAvailable"]), (&json!(4), &json!(3)));
    for (body, status, reason, path) in [
        (json!({"templateId": "greeting"}), 400, "INVALID_REQUEST", "sets"),
        (json!({"templateId": "greeting", "sets": {}}), 400, "INVALID_REQUEST", "sets"),
        (json!({"templateId": "greeting", "sets": []}), 422, "VALUE_OUT_OF_RANGE", "sets"),
        (json!({"templateId": "greeting", "sets": [7]}), 400, "INVALID_REQUEST", "sets[0]"),
        (json!({"templateId": "greeting", "sets": sets(1001)}), 422, "VALUE_OUT_OF_RANGE", "sets"),
        (json!({"inputProps": film(2, &json!([])), "sets": sets(1)}), 400, "INVALID_REQUEST", "inputProps"),
        (
            json!({"templateId": "greeting", "createProject": true, "sets": sets(1)}),
            400,
            "INVALID_REQUEST",
            "createProject",
        ),
        (
            json!({"templateId": "greeting", "output": {"format": "avi"}, "sets": sets(1)}),
            422,
            "INVALID_ENUM_VALUE",
            "output.format",
        ),
        (
            json!({"templateId": "none", "output": {"codec": "vp9"}, "sets": sets(1)}),
            422,
            "INVALID_ENUM_VALUE",
            "output.codec",
        ),
        (
            json!({"templateId": "greeting", "webhookUrl": "ftp://x", "sets": sets(1)}),
            400,
            "INVALID_REQUEST",
            "webhookUrl",
        ),
    ] {
        let answer = service.post(&ada, "/renders/batch", &body).await;
        let details = answer.refused(status, reason);
        assert_eq!(details["issues"][0]["path"], path);
    }
    service.post(&ada, "/renders/batch", &json!({"sets": sets(1)})).await.refused(400, "INVALID_REQUEST");
    let unknown = json!({"templateId": "unknown", "sets": sets(1)});
    service.post(&ada, "/renders/batch", &unknown).await.refused(404, "NOT_FOUND");
    assert_eq!(service.get(&ada, "/renders").await.data()["total"], 0);
    assert_eq!(service.credits(&ada).await, 3);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_batch_ends_what_has_not_ended_and_gives_the_credits_back() {
    let (service, ada) = with_template(&[("role", "api")], 200).await;
    let bob = service.account(Plan::None, 0).await;
    let callback = Receiver::start(&[200]).await;
    let mut body = batch(150);
    body["webhookUrl"] = json!(callback.url);
    let created = service.post(&ada, "/renders/batch", &body).await.data().clone();
    let path = format!("/batches/{}", created["batchId"].as_str().unwrap());
    assert_eq!(service.credits(&ada).await, 50);
    // The plan lets twenty start.
    let state = service.get(&ada, &path).await.data().clone();
    assert_eq!(state["counts"], json!({"pending": 130, "processing": 20, "completed": 0, "failed": 0}));
    assert_eq!((&state["status"], &state["completedAt"]), (&json!("PROCESSING"), &Value::Null));
    for (method, path) in [("GET", path.clone()), ("POST", format!("{path}/cancel"))] {
        service.send(method, &path, &bob.key, &[], None).await.refused(403, "FORBIDDEN");
    }
    service.get(&ada, "/batches/bat_unknown").await.refused(404, "NOT_FOUND");
    let one = format!("/renders/{}/cancel", created["jobIds"][0].as_str().unwrap());
    service.send("POST", &one, &ada.key, &[], None).await.data();

    let cancelled = service.send("POST", &format!("{path}/cancel"), &ada.key, &[], None).await.data().clone();
    assert_eq!(cancelled["counts"], json!({"pending": 0, "processing": 0, "completed": 0, "failed": 150}));
    assert_eq!((&cancelled["status"], &cancelled["creditsUsed"]), (&json!("COMPLETED"), &json!(0)));
    assert_eq!(service.credits(&ada).await, 200);
    let again = service.send("POST", &format!("{path}/cancel"), &ada.key, &[], None).await.data().clone();
    assert_eq!(again, cancelled);
    assert!(service.store.audit().await.unwrap().is_empty());
    let job = service.get(&ada, &format!("/renders/{}", created["jobIds"][149].as_str().unwrap())).await;
    assert_eq!(job.data()["errorMessage"], "Cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_a_batch_too() {
    let (service, ada) = with_template(&[("role", "api")], 10).await;
    let table = "headline,metadata.order\n\"Hello, you\",7\nBye,\n";
    let created = send_table(&service, &ada, "?templateId=greeting", table).await.data().clone();
    assert_eq!(created["total"], 2);
    let job = service
        .get(&ada, &format!("/renders/{}", created["jobIds"][0].as_str().unwrap()))
        .await
        .data()
        .clone();
    assert_eq!(job["inputProps"]["overlays"][0]["content"], "Hello, you");
    assert_eq!(job["metadata"], json!({"order": "7"}));
    send_table(&service, &ada, "", table).await.refused(400, "INVALID_REQUEST");
    send_table(&service, &ada, "?templateId=greeting", "headline\n\"").await.refused(400, "INVALID_REQUEST");
    send_table(&service, &ada, "?templateId=greeting", "headline\n").await.refused(422, "VALUE_OUT_OF_RANGE");
    let wide = send_table(&service, &ada, "?templateId=greeting", "headline\na\nb,c\n").await;
    assert_eq!(wide.refused(400, "INVALID_REQUEST")["issues"][0]["path"], "sets[1]");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_renders_are_accepted_at_once_and_only_once() {
    let (service, ada) = with_template(&[("role", "api")], 2000).await;
    let body = batch(1000);
    let headers = [("idempotency-key", "spring")];
    let send = async || service.send("POST", "/renders/batch", &ada.key, &headers, Some(&body)).await;
    let started = Instant::now();
    let first = send().await;
    let took = started.elapsed();
    println!("1000 renders were accepted in {took:?}");
    assert_eq!(first.data()["jobIds"].as_array().unwrap().len(), 1000);
    assert!(took < Duration::from_secs(10), "{took:?}");
    let again = send().await;
    assert_eq!(
        (&again.body, &again.headers["idempotency-replayed"]),
        (&first.body, &"true".parse().unwrap())
    );
    assert_eq!(service.credits(&ada).await, 1000);
    assert_eq!(service.get(&ada, "/renders").await.data()["total"], 1000);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_names_the_field_of_the_request_that_has_it() {
    let (service, ada) = with_template(&[("role", "api")], 3).await;
    for (body, reason, paths) in [
        // Shared by all renders, and told once.
        (json!({"output": {"range": [0, 9]}, "sets": sets(3)}), "VALUE_OUT_OF_RANGE", vec!["output.range"]),
        (
            json!({"replacements": {"headline": [1]}, "sets": [{}, {"replacements": {"headline": {}}}]}),
            "INVALID_REPLACEMENT_VALUE",
            vec!["replacements.headline", "sets[1].replacements.headline"],
        ),
    ] {
        let mut body = body;
        body["templateId"] = json!("greeting");
        let answer = service.post(&ada, "/renders/batch", &body).await;
        let issues = answer.refused(422, reason)["issues"].as_array().unwrap().clone();
        let found: Vec<&str> = issues.iter().map(|issue| issue["path"].as_str().unwrap()).collect();
        assert_eq!(found, paths);
        assert!(
            answer.body["error"].as_str().unwrap().contains(&format!("`{}`", paths[0])),
            "{}",
            answer.body
        );
    }
}
