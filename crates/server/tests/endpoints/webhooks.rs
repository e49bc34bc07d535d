//! Webhooks and what is delivered to them.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use rondo_store::{Plan, Time};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::harness::{Account, Service, film};
use crate::receiver::{Received, Receiver, hmac_hex};

async fn register(service: &Service, account: &Account, url: &str) -> Value {
    service.post(account, "/webhooks", &json!({"url": url})).await.data().clone()
}

/// Sends a test event and gives its delivery id.
async fn test(service: &Service, account: &Account, webhook: &Value) -> String {
    let path = format!("/webhooks/{}/test", webhook["id"].as_str().unwrap());
    let answer = service.send("POST", &path, &account.key, &[], None).await;
    answer.data()["deliveryId"].as_str().unwrap().to_owned()
}

/// Waits until a delivery has ended, and gives it.
async fn ended(service: &Service, account: &Account, webhook: &Value, id: &str) -> Value {
    let path = format!("/webhooks/{}/deliveries", webhook["id"].as_str().unwrap());
    let started = Instant::now();
    loop {
        let answer = service.get(account, &path).await;
        let list = answer.data()["deliveries"].as_array().unwrap().clone();
        let delivery = list.into_iter().find(|delivery| delivery["deliveryId"] == id).unwrap();
        if delivery["status"] != "PENDING" {
            return delivery;
        }
        assert!(started.elapsed() < Duration::from_secs(40), "{delivery}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn assert_signed(received: &Received, secret: &str) {
    assert_eq!(received.header("x-rondo-signature").unwrap(), hmac_hex(secret, &received.body));
    let sent: i64 = received.header("x-rondo-timestamp").unwrap().parse().unwrap();
    assert!((Time::now().seconds() - sent).abs() <= 30);
}

/// The signature of a delivery by the Standard Webhooks specification.
fn standard(received: &Received, secret: &str) -> String {
    let key = STANDARD.decode(&secret["whsec_".len()..]).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let header = |name| received.header(name).unwrap();
    mac.update(format!("{}.{}.", header("webhook-id"), header("webhook-timestamp")).as_bytes());
    mac.update(&received.body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_shows_its_secret_once() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let body = json!({"url": "https://example.com/hook", "events": ["render.failed", "render.failed"]});
    let webhook = service.post(&account, "/webhooks", &body).await.data().clone();
    assert!(webhook["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(webhook["events"], json!(["render.failed"]));
    assert_eq!(webhook["isActive"], true);
    let both = register(&service, &account, "https://example.com/both").await;
    assert_eq!(both["events"], json!(["render.completed", "render.failed"]));

    let list = service.get(&account, "/webhooks").await.data().clone();
    assert_eq!((&list["total"], list["webhooks"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!(list["webhooks"][0]["id"], webhook["id"]);
    assert!(list["webhooks"].as_array().unwrap().iter().all(|webhook| webhook.get("secret").is_none()));

    let path = format!("/webhooks/{}/rotate", webhook["id"].as_str().unwrap());
    let rotated = service.send("POST", &path, &account.key, &[], None).await.data().clone();
    assert!(rotated["secret"] != webhook["secret"] && rotated["id"] == webhook["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_registered_is_told() {
    let service = Service::start(&[("allow-private-network", "false")]).await;
    let account = service.account(Plan::Business, 0).await;
    for body in [
        json!({}),
        json!({"url": null}),
        json!({"url": 7}),
        json!({"url": "not an address"}),
        json!({"url": "/hook"}),
        json!({"url": "https://example.com", "events": []}),
        json!({"url": "https://example.com", "events": "render.failed"}),
        json!({"url": "https://example.com", "events": [1]}),
    ] {
        service.post(&account, "/webhooks", &body).await.refused(400, "INVALID_REQUEST");
    }
    let unknown = json!({"url": "https://example.com", "events": ["render.completed", "render.started"]});
    let answer = service.post(&account, "/webhooks", &unknown).await;
    assert_eq!(answer.refused(422, "INVALID_ENUM_VALUE")["issues"][0]["path"], "events[1]");
    for url in [
        "http://127.0.0.1/x",
        "http://[::1]/",
        "http://0x7f.1/",
        "http://169.254.169.254/",
        "ftp://example.com/",
    ] {
        let answer = service.post(&account, "/webhooks", &json!({"url": url})).await;
        answer.refused(422, "WEBHOOK_URL_NOT_ALLOWED");
    }
    assert_eq!(service.get(&account, "/webhooks").await.data()["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_webhooks_may_be_active_and_each_belongs_to_its_account() {
    let service = Service::start(&[]).await;
    let (account, other) =
        (service.account(Plan::Business, 0).await, service.account(Plan::Business, 0).await);
    let mut webhooks = Vec::new();
    for _ in 0..5 {
        webhooks.push(register(&service, &account, "https://example.com/hook").await);
    }
    let answer = service.post(&account, "/webhooks", &json!({"url": "https://example.com/hook"})).await;
    let details = answer.refused(422, "WEBHOOK_LIMIT_REACHED");
    assert_eq!((&details["limit"], &details["active"]), (&json!(5), &json!(5)));

    let path = format!("/webhooks?id={}", webhooks[0]["id"].as_str().unwrap());
    service.send("DELETE", &path, &other.key, &[], None).await.refused(404, "NOT_FOUND");
    service.send("DELETE", "/webhooks", &account.key, &[], None).await.refused(400, "INVALID_REQUEST");
    let answer = service.send("DELETE", &path, &account.key, &[], None).await;
    assert_eq!(answer.data(), &json!({"id": webhooks[0]["id"], "deleted": true}));
    service.send("DELETE", &path, &account.key, &[], None).await.refused(404, "NOT_FOUND");
    for part in ["test", "rotate"] {
        let path = format!("/webhooks/{}/{part}", webhooks[1]["id"].as_str().unwrap());
        service.send("POST", &path, &other.key, &[], None).await.refused(404, "NOT_FOUND");
    }
    register(&service, &account, "https://example.com/hook").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_signed_in_both_ways() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let receiver = Receiver::start(&[204]).await;
    let webhook = register(&service, &account, &receiver.url).await;
    let secret = webhook["secret"].as_str().unwrap();
    let id = test(&service, &account, &webhook).await;
    let received = receiver.wait_for(1).await.remove(0);

    assert_signed(&received, secret);
    assert_eq!(received.header("x-rondo-delivery"), Some(id.as_str()));
    assert_eq!(received.header("content-type"), Some("application/json"));
    assert!(received.header("user-agent").unwrap().starts_with("Rondo/"));
    assert_eq!(received.json()["deliveryId"], id.as_str());
    assert_eq!(received.json()["event"], "render.completed");

    assert_eq!(received.header("webhook-signature"), Some(standard(&received, secret).as_str()));
    assert_eq!(ended(&service, &account, &webhook, &id).await["status"], "DELIVERED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_secret_also_signs_for_a_day() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let receiver = Receiver::start(&[204, 204]).await;
    let webhook = register(&service, &account, &receiver.url).await;
    assert!(webhook.get("oldSecretExpiresAt").is_none());
    let old = webhook["secret"].as_str().unwrap();
    let path = format!("/webhooks/{}/rotate", webhook["id"].as_str().unwrap());
    let rotated = service.send("POST", &path, &account.key, &[], None).await.data().clone();
    let new = rotated["secret"].as_str().unwrap();
    let until = Time::parse(rotated["oldSecretExpiresAt"].as_str().unwrap()).unwrap();
    let left = until.millis() - Time::now().millis();
    assert!((86_390_000..=86_400_000).contains(&left), "{left}");

    test(&service, &account, &webhook).await;
    let received = receiver.wait_for(1).await.remove(0);
    let both = format!("{} {}", standard(&received, new), standard(&received, old));
    assert_eq!(received.header("webhook-signature"), Some(both.as_str()));
    assert_signed(&received, new);

    // A second rotation ends the first secret.
    let again = service.send("POST", &path, &account.key, &[], None).await.data().clone();
    test(&service, &account, &webhook).await;
    let received = receiver.wait_for(2).await.remove(1);
    let newest = again["secret"].as_str().unwrap();
    let both = format!("{} {}", standard(&received, newest), standard(&received, new));
    assert_eq!(received.header("webhook-signature"), Some(both.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_are_tried_three_times_under_one_id_and_written_down() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let receiver = Receiver::start(&[500, 503, 500]).await;
    let webhook = register(&service, &account, &receiver.url).await;
    let id = test(&service, &account, &webhook).await;
    let delivery = ended(&service, &account, &webhook, &id).await;
    assert_eq!(delivery["status"], "FAILED");
    let statuses: Vec<&Value> =
        delivery["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["statusCode"]).collect();
    assert_eq!(statuses, [&json!(500), &json!(503), &json!(500)]);
    assert_eq!(delivery["attempts"][0]["response"], "noted");

    tokio::time::sleep(Duration::from_millis(2500)).await;
    let seen = receiver.seen();
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|received| received.header("x-rondo-delivery") == Some(id.as_str())));
    assert!(seen.iter().all(|received| received.body == seen[0].body));
    let (first, second) = (seen[1].at - seen[0].at, seen[2].at - seen[1].at);
    assert!(first >= Duration::from_millis(950), "{first:?}");
    assert!(second >= Duration::from_millis(1950), "{second:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_success_ends_the_attempts() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let receiver = Receiver::start(&[429, 200]).await;
    let webhook = register(&service, &account, &receiver.url).await;
    let id = test(&service, &account, &webhook).await;
    let delivery = ended(&service, &account, &webhook, &id).await;
    assert_eq!(
        (&delivery["status"], delivery["attempts"].as_array().unwrap().len()),
        (&json!("DELIVERED"), 2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_or_a_redirect_is_final_and_not_followed() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    for status in [404, 302] {
        let receiver = Receiver::start(&[status]).await;
        let webhook = register(&service, &account, &receiver.url).await;
        let id = test(&service, &account, &webhook).await;
        let delivery = ended(&service, &account, &webhook, &id).await;
        assert_eq!(
            (&delivery["status"], &delivery["attempts"][0]["statusCode"]),
            (&json!("FAILED"), &json!(status))
        );
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let paths: Vec<String> = receiver.seen().into_iter().map(|received| received.path).collect();
        assert_eq!(paths, ["/hook"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_hangs_is_given_ten_seconds_and_delays_no_other() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let (silent, quick) = (Receiver::start(&[0, 200]).await, Receiver::start(&[200]).await);
    let slow = register(&service, &account, &silent.url).await;
    let id = test(&service, &account, &slow).await;
    silent.wait_for(1).await;
    let other = register(&service, &account, &quick.url).await;
    let started = Instant::now();
    test(&service, &account, &other).await;
    quick.wait_for(1).await;
    assert!(started.elapsed() < Duration::from_secs(9));

    let delivery = ended(&service, &account, &slow, &id).await;
    assert_eq!(delivery["status"], "DELIVERED");
    let first = &delivery["attempts"][0];
    assert!(first["statusCode"].is_null() && first["error"].as_str().unwrap().contains("10 s"), "{first}");
    assert!((9_900..11_500).contains(&first["duration"].as_u64().unwrap()), "{first}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_render_goes_to_webhooks_and_to_the_one_off_callback() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 5).await;
    let (registered, deaf, callback) =
        (Receiver::start(&[200]).await, Receiver::start(&[200]).await, Receiver::start(&[200]).await);
    let webhook = register(&service, &account, &registered.url).await;
    let failures = json!({"url": deaf.url, "events": ["render.failed"]});
    service.post(&account, "/webhooks", &failures).await.data();
    let body =
        json!({"inputProps": film(5, &json!([])), "webhookUrl": callback.url, "metadata": {"order": "7"}});
    let job = service.render(&account, &body).await;

    let received = registered.wait_for(1).await.remove(0);
    assert_signed(&received, webhook["secret"].as_str().unwrap());
    let event = received.json();
    assert_eq!((&event["event"], &event["data"]["jobId"]), (&json!("render.completed"), &json!(job)));
    assert_eq!(event["data"]["status"], "COMPLETED");
    let keys: Vec<&String> = event["data"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "jobId",
            "status",
            "outputUrl",
            "outputSize",
            "outputs",
            "durationInFrames",
            "width",
            "height",
            "fps",
            "creditsUsed",
            "duration",
            "completedAt",
            "metadata"
        ]
    );
    let film = reqwest::get(event["data"]["outputUrl"].as_str().unwrap()).await.unwrap();
    assert_eq!(film.headers()["content-type"], "video/mp4");
    assert_eq!(film.content_length(), event["data"]["outputSize"].as_u64());

    let once = callback.wait_for(1).await.remove(0);
    assert!(once.json().get("deliveryId").is_none());
    for name in ["x-rondo-delivery", "webhook-id", "webhook-signature"] {
        assert!(once.header(name).is_none(), "{name}");
    }
    assert_eq!(once.header("x-rondo-signature").unwrap().len(), 64);
    assert!(once.header("x-rondo-timestamp").is_some());
    assert_eq!(once.json()["data"], event["data"]);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!((registered.seen().len(), callback.seen().len(), deaf.seen().len()), (1, 1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_can_be_changed_and_keeps_its_id_and_secret() {
    let service = Service::start(&[("allow-private-network", "true")]).await;
    let (account, other) =
        (service.account(Plan::Business, 0).await, service.account(Plan::Business, 0).await);
    let (old, new) = (Receiver::start(&[204]).await, Receiver::start(&[204]).await);
    let webhook = register(&service, &account, &old.url).await;
    let path = format!("/webhooks/{}", webhook["id"].as_str().unwrap());
    let change = async |key: &str, body: &Value| service.send("PATCH", &path, key, &[], Some(body)).await;

    let unchanged = change(&account.key, &json!({})).await.data().clone();
    assert_eq!((&unchanged["url"], &unchanged["events"]), (&webhook["url"], &webhook["events"]));
    assert!(unchanged.get("secret").is_none());
    let body = json!({"url": new.url, "events": ["render.failed"], "isActive": false});
    let changed = change(&account.key, &body).await.data().clone();
    assert_eq!(changed["id"], webhook["id"]);
    assert_eq!(
        (&changed["url"], &changed["events"], &changed["isActive"]),
        (&json!(new.url), &json!(["render.failed"]), &json!(false))
    );
    assert_eq!(service.get(&account, "/webhooks").await.data()["webhooks"][0], changed);

    // A disabled webhook gives its place to others, and needs one to come back.
    for _ in 0..5 {
        register(&service, &account, "https://example.com/hook").await;
    }
    let refused = change(&account.key, &json!({"isActive": true})).await;
    refused.refused(422, "WEBHOOK_LIMIT_REACHED");
    let list = service.get(&account, "/webhooks").await.data().clone();
    let third = list["webhooks"][2]["id"].as_str().unwrap();
    service.send("DELETE", &format!("/webhooks?id={third}"), &account.key, &[], None).await.data();
    assert_eq!(change(&account.key, &json!({"isActive": true})).await.data()["isActive"], true);

    test(&service, &account, &webhook).await;
    assert_signed(&new.wait_for(1).await[0], webhook["secret"].as_str().unwrap());
    assert!(old.seen().is_empty());

    change(&other.key, &json!({"isActive": false})).await.refused(404, "NOT_FOUND");
    for (body, status, reason, at) in [
        (json!({"events": []}), 400, "INVALID_REQUEST", "events"),
        (json!({"url": ""}), 400, "INVALID_REQUEST", "url"),
        (json!({"isActive": "no"}), 400, "INVALID_REQUEST", "isActive"),
        (json!({"events": ["render.begun"]}), 422, "INVALID_ENUM_VALUE", "events[0]"),
        (json!({"url": "ftp://example.com"}), 422, "WEBHOOK_URL_NOT_ALLOWED", "url"),
    ] {
        let answer = change(&account.key, &body).await;
        assert_eq!(answer.refused(status, reason)["issues"][0]["path"], at, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_can_be_sent_again_to_the_url_of_today() {
    let service = Service::start(&[]).await;
    let (account, other) =
        (service.account(Plan::Business, 0).await, service.account(Plan::Business, 0).await);
    let (broken, fixed) = (Receiver::start(&[404]).await, Receiver::start(&[204]).await);
    let webhook = register(&service, &account, &broken.url).await;
    let id = test(&service, &account, &webhook).await;
    assert_eq!(ended(&service, &account, &webhook, &id).await["status"], "FAILED");
    let path = format!("/webhooks/{}", webhook["id"].as_str().unwrap());
    service.send("PATCH", &path, &account.key, &[], Some(&json!({"url": fixed.url}))).await.data();

    let again = format!("{path}/deliveries/{id}/redeliver");
    let sent = service.send("POST", &again, &account.key, &[], None).await.data().clone();
    assert_eq!((&sent["status"], &sent["event"]), (&json!("PENDING"), &json!("render.completed")));
    assert_ne!(sent["deliveryId"], id.as_str());
    let received = fixed.wait_for(1).await.remove(0);
    assert_signed(&received, webhook["secret"].as_str().unwrap());
    assert_eq!(received.json()["deliveryId"], sent["deliveryId"]);
    assert_eq!(received.json()["data"], broken.seen()[0].json()["data"]);

    let second = register(&service, &account, &fixed.url).await;
    let elsewhere = format!("/webhooks/{}/deliveries/{id}/redeliver", second["id"].as_str().unwrap());
    for (path, key) in [
        (again.clone(), &other.key),
        (elsewhere, &account.key),
        (format!("{path}/deliveries/del_unknown/redeliver"), &account.key),
    ] {
        service.send("POST", &path, key, &[], None).await.refused(404, "NOT_FOUND");
    }
}
