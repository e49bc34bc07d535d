//! The audit log, and mail about what may be someone else's doing.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::browser::{Browser, Client, PASSWORD};
use crate::harness::Service;

fn actions(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|event| event["action"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_an_account_is_recorded() {
    let service = Service::start(&[("sign-up", "open")]).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let mut bob = Browser::of(&service, "bob@example.com").await;
    let wrong = json!({"email": "bob@example.com", "password": "wrong horse"});
    Browser::new(&service).post("/session/sign-in", &wrong).await.refused(401, "SIGN_IN_FAILED");
    let right = json!({"email": "bob@example.com", "password": PASSWORD});
    Browser::new(&service).post("/session/sign-in", &right).await.data();
    let key = bob.post("/keys", &json!({})).await.data().clone();
    bob.call("DELETE", &format!("/keys/{}", key["id"].as_str().unwrap()), None).await.data();
    let app = Client::register(&service).await;
    app.tokens(&service, &mut bob).await;
    bob.call("DELETE", &format!("/apps/{}", app.id), None).await.data();
    let body = json!({"current": PASSWORD, "password": "another horse", "revokeKeys": true});
    bob.post("/password", &body).await.data();
    let id = service.store.account_by_email("bob@example.com").await.unwrap().unwrap().id;
    let change = json!({"plan": "creator", "credits": 5});
    operator.call("PATCH", &format!("/operator/accounts/{id}"), Some(&change)).await.data();

    let own = bob.get("/audit").await;
    let expected = [
        "account.plan",
        "account.credits",
        "password.changed",
        "app.revoked",
        "app.granted",
        "key.revoked",
        "key.created",
        "sign-in",
        "sign-in.failed",
        "account.created",
    ];
    assert_eq!(actions(own.data()), expected);
    let items = own.data()["items"].as_array().unwrap();
    // What an operator did is shown without the operator's address.
    assert_eq!((&items[0]["actor"], &items[0]["subject"]), (&json!("operator"), &json!("creator")));
    assert_eq!(items[0]["address"], "");
    assert_eq!(items[2]["subject"], "keys revoked");
    assert_eq!(items[4]["subject"], "Film <b>Bot</b>");
    assert_eq!((&items[6]["subject"], &items[6]["actor"]), (&key["prefix"], &json!("bob@example.com")));
    assert_eq!((&items[8]["actor"], &items[8]["address"]), (&json!(""), &json!("127.0.0.1")));
    assert_eq!(items[7]["userAgent"], "Test Browser");
    assert!(!own.body.to_string().contains("horse"), "{}", own.body);

    let all = operator.get("/operator/audit").await;
    assert_eq!(all.data()["items"].as_array().unwrap().len(), expected.len() + 1);
    let bobs = operator.get("/operator/audit?email=BOB%40example.com").await;
    assert_eq!(actions(bobs.data()), expected);
    assert_eq!(bobs.data()["items"][0]["actor"], "ada@example.com");
    assert_eq!(actions(operator.get("/audit").await.data()), ["account.created"]);
    operator.get("/operator/audit?email=nobody%40example.com").await.refused(404, "NOT_FOUND");
    bob.get("/operator/audit").await.refused(403, "OPERATOR_ONLY");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_log_is_read_by_pages() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    for _ in 0..60 {
        ada.post("/keys", &json!({})).await.data();
    }
    let first = ada.get("/audit").await;
    assert_eq!(first.data()["items"].as_array().unwrap().len(), 50);
    let cursor = first.data()["nextCursor"].as_str().unwrap();
    let second = ada.get(&format!("/audit?cursor={cursor}")).await;
    assert_eq!(second.data()["items"].as_array().unwrap().len(), 11);
    assert!(second.data()["nextCursor"].is_null());
}

/// A mail server that accepts everything. Gives its address and the mails.
fn mail_server() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("smtp://{}", listener.local_addr().unwrap());
    let (send, mails) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, send) = (stream.unwrap(), send.clone());
            std::thread::spawn(move || {
                let lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let (mut text, mut in_data) = (String::new(), false);
                stream.write_all(b"220 test\r\n").unwrap();
                for line in lines.map_while(Result::ok) {
                    let answer = match line.as_str() {
                        "." if in_data => {
                            in_data = false;
                            let _ = send.send(std::mem::take(&mut text));
                            "250 ok\r\n"
                        }
                        _ if in_data => {
                            text.push_str(&line);
                            text.push('\n');
                            continue;
                        }
                        "DATA" => {
                            in_data = true;
                            "354 go on\r\n"
                        }
                        "QUIT" => "221 bye\r\n",
                        _ => "250 ok\r\n",
                    };
                    if stream.write_all(answer.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, mails)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_is_told_of_new_keys_and_of_sign_ins_from_new_places() {
    let (smtp, mails) = mail_server();
    let flags = [("smtp-url", smtp.as_str()), ("mail-from", "rondo@example.com"), ("trusted-proxies", "1")];
    let service = Service::start(&flags).await;
    service.account(Plan::None, 0).await;
    let origin = service.url("");
    let sign_in = async |address: &str, agent: &str| {
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
            ("x-forwarded-for", address),
            ("user-agent", agent),
        ];
        let body = json!({"email": "ada@example.com", "password": PASSWORD}).to_string();
        let mut browser = Browser::new(&service);
        let page = browser.send("POST", "/api/dashboard/session/sign-in", &headers, Some(body)).await;
        assert_eq!(page.status, 200, "{}", page.text);
    };
    let hash = rondo_service::password::hash(PASSWORD).unwrap();
    let new = rondo_store::NewAccount {
        email: "ada@example.com",
        name: "Ada",
        plan: Plan::None,
        credits: rondo_store::Credits::ZERO,
        password_hash: Some(&hash),
        is_operator: false,
    };
    service.store.create_account(new).await.unwrap();
    let mail = || mails.recv_timeout(Duration::from_secs(20)).unwrap();
    sign_in("203.0.113.7", "Firefox/130").await;
    sign_in("203.0.113.8", "Firefox/131").await;
    sign_in("198.51.100.9", "Firefox/131").await;
    let text = mail();
    assert!(text.contains("To: ada@example.com") && text.contains("198.51.100.9"), "{text}");
    sign_in("203.0.113.7", "Other Browser").await;
    assert!(mail().contains("Other Browser"));

    let mut ada = Browser::new(&service);
    ada.post("/session/sign-in", &json!({"email": "ada@example.com", "password": PASSWORD})).await.data();
    assert!(mail().contains("127.0.0.1"));
    let key = ada.post("/keys", &json!({})).await.data().clone();
    let text = mail();
    assert!(text.contains(key["prefix"].as_str().unwrap()), "{text}");
    assert!(!text.contains(key["apiKey"].as_str().unwrap()), "{text}");
    assert!(mails.try_recv().is_err(), "no other mail");
}
