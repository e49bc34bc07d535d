//! `Idempotency-Key`: one answer per key.

use rondo_store::{Access, KeyMode, KeyOptions, Plan};
use serde_json::json;

use crate::harness::{Account, Service, film};

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_gets_the_first_answer_and_creates_nothing() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let body = json!({"inputProps": film(2, &json!([]))});
    let key = [("idempotency-key", "order-7")];
    let first = service.send("POST", "/renders", &ada.key, &key, Some(&body)).await;
    let again = service.send("POST", "/renders", &ada.key, &key, Some(&body)).await;
    first.data();
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert!(first.headers.get("idempotency-replayed").is_none());
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(service.credits(&ada).await, 9);
    let other = service.send("POST", "/renders", &bob.key, &key, Some(&body)).await;
    assert_ne!(other.data()["jobId"], first.data()["jobId"], "keys belong to an account");

    let changed = json!({"inputProps": film(3, &json!([]))});
    let reused = service.send("POST", "/renders", &ada.key, &key, Some(&changed)).await;
    reused.refused(422, "IDEMPOTENCY_KEY_REUSED");
    let preview = service.send("POST", "/previews", &ada.key, &key, Some(&body)).await;
    preview.refused(422, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_does_not_use_its_key_up() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 1).await;
    let key = [("idempotency-key", "k")];
    let wrong = json!({"templateId": "tpl_none"});
    service.send("POST", "/renders", &ada.key, &key, Some(&wrong)).await.refused(404, "NOT_FOUND");
    let right = json!({"inputProps": film(2, &json!([]))});
    service.send("POST", "/renders", &ada.key, &key, Some(&right)).await.data();
    let long = "k".repeat(300);
    let long = [("idempotency-key", long.as_str())];
    service.send("POST", "/renders", &ada.key, &long, Some(&right)).await.refused(400, "INVALID_REQUEST");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_repetitions_at_once_create_one_render() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": film(2, &json!([]))});
    let answers = futures_util::future::join_all(
        (0..20)
            .map(|_| service.send("POST", "/renders", &ada.key, &[("idempotency-key", "one")], Some(&body))),
    )
    .await;
    let mut jobs: Vec<String> = Vec::new();
    for answer in &answers {
        match answer.status {
            200 => jobs.push(answer.data()["jobId"].as_str().unwrap().to_owned()),
            _ => drop(answer.refused(409, "IDEMPOTENCY_IN_PROGRESS")),
        }
    }
    jobs.dedup();
    assert_eq!(jobs.len(), 1);
    assert_eq!(service.credits(&ada).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_other_kinds_of_credentials_are_other_keys() {
    let service = Service::start(&[("role", "api")]).await;
    let live = service.account(Plan::None, 10).await;
    let limited = async |access, mode| {
        let options = KeyOptions { name: None, access, mode, expires_at: None };
        let key = service.store.create_limited_key(&live.id, options).await.unwrap();
        Account { id: live.id.clone(), key: key.secret }
    };
    let test = limited(Access::Full, KeyMode::Test).await;
    let reader = limited(Access::Read, KeyMode::Live).await;
    let key = [("idempotency-key", "order-7")];

    // A program that was tried out gets its film, not the one with a watermark.
    let body = json!({"inputProps": film(2, &json!([]))});
    let tried = service.send("POST", "/renders", &test.key, &key, Some(&body)).await;
    let bought = service.send("POST", "/renders", &live.key, &key, Some(&body)).await;
    assert_eq!((&tried.data()["creditsUsed"], &bought.data()["creditsUsed"]), (&json!(0), &json!(1)));
    let again = service.send("POST", "/renders", &test.key, &key, Some(&body)).await;
    assert_eq!(again.body, tried.body);

    let key = [("idempotency-key", "hook")];
    let body = json!({"url": "http://127.0.0.1:9/hook"});
    service.send("POST", "/webhooks", &live.key, &key, Some(&body)).await.data();
    let asked = service.send("POST", "/webhooks", &reader.key, &key, Some(&body)).await;
    asked.refused(403, "READ_ONLY_KEY");
}
