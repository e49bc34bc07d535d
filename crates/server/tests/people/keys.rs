//! API keys that expire or can only read, and suspended accounts.

use std::time::Duration;

use rondo_store::{Access, KeyMode, KeyOptions, Plan, Time};
use serde_json::{Value, json};

use crate::browser::{Browser, Client, PASSWORD};
use crate::harness::{Account, Service, film};

async fn account_with(service: &Service, access: Access, expires_at: Option<Time>) -> Account {
    let account = service.account(Plan::None, 10).await;
    let options = KeyOptions { name: Some("limited"), access, mode: KeyMode::Live, expires_at };
    let key = service.store.create_limited_key(&account.id, options).await.unwrap().secret;
    Account { id: account.id, key }
}

/// Calls a tool of the MCP server. Gives the status and the body.
async fn tool(service: &Service, key: &str, name: &str, arguments: Value) -> (u16, String) {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}});
    let headers = [
        ("authorization", format!("Bearer {key}")),
        ("content-type", "application/json".to_owned()),
        ("accept", "application/json, text/event-stream".to_owned()),
        ("mcp-protocol-version", "2025-06-18".to_owned()),
    ];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let page = Browser::new(service).send("POST", "/api/mcp", &headers, Some(request.to_string())).await;
    (page.status, page.text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_can_only_read_changes_nothing() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = account_with(&service, Access::Read, None).await;
    for path in ["/account", "/renders", "/templates", "/webhooks"] {
        service.get(&ada, path).await.data();
    }
    service.post(&ada, "/auth/verify", &json!({})).await.data();
    service.post(&ada, "/imports", &json!({"document": {"scenes": []}})).await.data();
    let body = json!({"inputProps": film(10, &json!([]))});
    for (method, path, body) in [
        ("POST", "/renders", Some(&body)),
        ("POST", "/previews", Some(&body)),
        ("POST", "/uploads", Some(&json!({"contentType": "image/png"}))),
        (
            "POST",
            "/webhooks",
            Some(&json!({"url": "https://hooks.example.com", "events": ["render.completed"]})),
        ),
        ("DELETE", "/webhooks?id=whk_1", None),
        ("DELETE", "/renders/job_1", None),
    ] {
        let refused = service.send(method, path, &ada.key, &[], body).await;
        refused.refused(403, "READ_ONLY_KEY");
        let keyed = service.send(method, path, &ada.key, &[("idempotency-key", "k")], body).await;
        keyed.refused(403, "READ_ONLY_KEY");
    }
    assert_eq!(service.credits(&ada).await, 10);

    let (status, text) = tool(&service, &ada.key, "account", json!({})).await;
    assert!(status == 200 && text.contains("\"credits\":10"), "{text}");
    let (status, text) = tool(&service, &ada.key, "render", body).await;
    assert!(status == 200 && text.contains("READ_ONLY_KEY"), "{text}");
    assert!(service.get(&ada, "/renders").await.data()["renders"].as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_key_is_refused_with_its_time() {
    let service = Service::start(&[("role", "api")]).await;
    let soon = service.store.now().plus(Duration::from_millis(1500));
    let ada = account_with(&service, Access::Full, Some(soon)).await;
    service.get(&ada, "/account").await.data();
    tokio::time::sleep(Duration::from_millis(1600)).await;
    let refused = service.get(&ada, "/account").await;
    refused.refused(401, "UNAUTHORIZED");
    let sentence = refused.body["error"].as_str().unwrap();
    assert!(sentence.contains("expired at 20") && sentence.contains(&ada.key[..12]), "{sentence}");
    assert!(!sentence.contains(&ada.key), "{sentence}");
    assert_eq!(tool(&service, &ada.key, "account", json!({})).await.0, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_create_keys_that_expire_or_only_read() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let body = json!({"name": "CI", "access": "read", "expiresAt": "2999-01-01T00:00:00Z"});
    let created = ada.post("/keys", &body).await;
    let listed = ada.get("/keys").await;
    for key in [created.data(), &listed.data()[0]] {
        assert_eq!((&key["name"], &key["access"]), (&json!("CI"), &json!("read")));
        assert_eq!(key["expiresAt"], "2999-01-01T00:00:00.000Z");
    }
    let plain = ada.post("/keys", &json!({})).await;
    assert_eq!((&plain.data()["access"], &plain.data()["expiresAt"]), (&json!("full"), &Value::Null));
    ada.post("/keys", &json!({"expiresAt": "2020-01-01T00:00:00Z"})).await.refused(422, "VALUE_OUT_OF_RANGE");
    ada.post("/keys", &json!({"expiresAt": "tomorrow"})).await.refused(400, "INVALID_REQUEST");
    let wrong = ada.post("/keys", &json!({"access": "write"})).await;
    assert_eq!(wrong.body["details"]["issues"][0]["path"], "access", "{}", wrong.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_can_do_nothing_until_it_is_resumed() {
    let service = Service::start(&[("sign-up", "open")]).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let mut bob = Browser::of(&service, "bob@example.com").await;
    let account = service.store.account_by_email("bob@example.com").await.unwrap().unwrap();
    let key = service.store.create_key(&account.id, None).await.unwrap().secret;
    let app = Client::register(&service).await;
    let token = app.tokens(&service, &mut bob).await["access_token"].as_str().unwrap().to_owned();

    let path = format!("/operator/accounts/{}", account.id);
    operator.call("PATCH", &path, Some(&json!({"suspended": true}))).await.data();
    let listed = operator.get("/operator/accounts?search=bob").await;
    assert!(listed.data()["items"][0]["suspendedAt"].is_string());
    for credential in [&key, &token] {
        let refused = service.send("GET", "/account", credential, &[], None).await;
        refused.refused(403, "ACCOUNT_SUSPENDED");
        assert_eq!(tool(&service, credential, "account", json!({})).await.0, 403);
    }
    bob.get("/keys").await.refused(403, "ACCOUNT_SUSPENDED");
    assert_eq!(bob.page("/api/v1/account").await.status, 403);
    assert_eq!(bob.page(&app.asks(&[])).await.status, 403);
    let body = json!({"email": "bob@example.com", "password": PASSWORD});
    Browser::new(&service).post("/session/sign-in", &body).await.refused(403, "ACCOUNT_SUSPENDED");
    let wrong = json!({"email": "bob@example.com", "password": "wrong horse"});
    Browser::new(&service).post("/session/sign-in", &wrong).await.refused(401, "SIGN_IN_FAILED");

    operator.call("PATCH", &path, Some(&json!({"suspended": false}))).await.data();
    bob.get("/keys").await.data();
    assert_eq!(service.send("GET", "/account", &key, &[], None).await.status, 200);
    let own = service.store.account_by_email("ada@example.com").await.unwrap().unwrap();
    let path = format!("/operator/accounts/{}", own.id);
    let last = operator.call("PATCH", &path, Some(&json!({"suspended": true}))).await;
    last.refused(409, "LAST_OPERATOR");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queued_render_of_a_suspended_account_waits() {
    let service = Service::start(&[("role", "api")]).await;
    service.account(Plan::None, 0).await;
    let bob = service.account(Plan::None, 5).await;
    let job = service.render(&bob, &json!({"inputProps": film(1, &json!([]))})).await;
    let lease = Duration::from_secs(30);
    service.store.set_suspended(&bob.id, true).await.unwrap();
    assert!(service.store.claim(lease).await.unwrap().is_none());
    service.store.set_suspended(&bob.id, false).await.unwrap();
    assert_eq!(service.store.claim(lease).await.unwrap().unwrap().render.id, job);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_can_revoke_keys_and_apps() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let id = service.store.account_by_email("ada@example.com").await.unwrap().unwrap().id;
    let app = Client::register(&service).await;
    let opens = async |credential: &str| {
        let answer = service.send("GET", "/account", credential, &[], None).await;
        answer.status == 200
    };
    let mut credentials = Vec::new();
    for _ in 0..2 {
        let key = service.store.create_key(&id, None).await.unwrap().secret;
        let token = app.tokens(&service, &mut ada).await["access_token"].as_str().unwrap().to_owned();
        credentials.push((key, token));
    }
    let link = service.store.create_password_reset(&id).await.unwrap();
    ada.post("/password", &json!({"current": PASSWORD, "password": "another horse"})).await.data();
    assert!(opens(&credentials[0].0).await && opens(&credentials[0].1).await, "both stay unless asked for");
    let body = json!({"token": link, "password": "third horse"});
    Browser::new(&service).post("/session/reset", &body).await.refused(403, "RESET_INVALID");

    let body = json!({"current": "another horse", "password": "third horse!", "revokeKeys": true});
    ada.post("/password", &body).await.data();
    assert!(!opens(&credentials[1].0).await && opens(&credentials[1].1).await);
    let token = service.store.create_password_reset(&id).await.unwrap();
    let body = json!({"token": token, "password": "fourth horse!", "revokeApps": true});
    ada.post("/session/reset", &body).await.data();
    assert!(!opens(&credentials[0].1).await && !opens(&credentials[1].1).await);
}
