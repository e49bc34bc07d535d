//! Signing up, in and out, sessions and passwords.

use serde_json::json;

use crate::browser::{Browser, PASSWORD};
use crate::harness::Service;

#[tokio::test(flavor = "multi_thread")]
async fn the_first_account_is_the_operator_and_others_need_an_invitation() {
    let service = Service::start(&[]).await;
    let mut first = Browser::new(&service);
    let before = first.get("/session").await;
    assert_eq!(before.data()["firstAccount"], true);
    assert_eq!(before.data()["signUp"], "invite");
    assert_eq!(before.data()["mail"], false);
    assert!(before.data()["account"].is_null());

    let mut first = Browser::of(&service, "ada@example.com").await;
    let session = first.get("/session").await;
    assert_eq!(session.data()["account"]["isOperator"], true);
    assert_eq!(session.data()["firstAccount"], false);

    let mut second = Browser::new(&service);
    let mut body = json!({"email": "bob@example.com", "name": "Bob", "password": PASSWORD});
    second.post("/session/sign-up", &body).await.refused(403, "INVITE_NEEDED");
    body["invite"] = json!("guessed");
    second.post("/session/sign-up", &body).await.refused(403, "INVITE_INVALID");

    let invite = first.post("/operator/invites", &json!({"email": "bob@example.com"})).await;
    let url = invite.data()["url"].as_str().unwrap().to_owned();
    body["invite"] = json!(url.split_once("invite=").unwrap().1);
    body["email"] = json!("eve@example.com");
    second.post("/session/sign-up", &body).await.refused(403, "INVITE_INVALID");
    body["email"] = json!("Bob@Example.com");
    let account = second.post("/session/sign-up", &body).await;
    assert_eq!(account.data()["account"]["isOperator"], false);
    body["email"] = json!("third@example.com");
    second.post("/session/sign-up", &body).await.refused(403, "INVITE_INVALID");
    assert_eq!(first.get("/operator/invites").await.data()[0]["usedBy"], "Bob@Example.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_service_lets_nobody_sign_up_but_the_first() {
    let service = Service::start(&[("sign-up", "closed")]).await;
    Browser::of(&service, "ada@example.com").await;
    let body = json!({"email": "bob@example.com", "name": "Bob", "password": PASSWORD});
    Browser::new(&service).post("/session/sign-up", &body).await.refused(403, "SIGN_UP_CLOSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_opens_the_api_until_the_person_signs_out() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let account = ada.page("/api/v1/account").await;
    assert_eq!((account.status, &account.json()["data"]["email"]), (200, &json!("ada@example.com")));
    assert!(account.json()["data"]["apiKeyPrefix"].is_null());
    let cookie = ada.cookie.clone().unwrap();
    ada.call("POST", "/session/sign-out", None).await.data();
    assert!(ada.cookie.is_none());
    ada.cookie = Some(cookie);
    assert_eq!(ada.page("/api/v1/account").await.status, 401);
    ada.get("/keys").await.refused(401, "UNAUTHORIZED");
    assert!(ada.get("/session").await.data()["account"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_out_of_reach_for_scripts_other_sites_and_plain_connections() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::new(&service);
    let body = json!({"email": "ada@example.com", "name": "Ada", "password": PASSWORD});
    let answer = ada.post("/session/sign-up", &body).await;
    let cookie = answer.headers.get("set-cookie").unwrap().to_str().unwrap();
    assert!(cookie.starts_with("__Host-rondo="), "{cookie}");
    for attribute in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");

    // Reached by plain http from elsewhere, browsers would drop a secure cookie.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (listen, public) = (format!("127.0.0.1:{port}"), format!("http://0.0.0.0:{port}"));
    let service = Service::start(&[("listen", &listen), ("public-url", &public)]).await;
    let headers = [("origin", public.as_str()), ("content-type", "application/json")];
    let answer = Browser::new(&service)
        .send("POST", "/api/dashboard/session/sign-up", &headers, Some(body.to_string()))
        .await;
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("rondo=") && !cookie.contains("Secure") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_can_be_ended_from_another_one() {
    let service = Service::start(&[]).await;
    let mut laptop = Browser::of(&service, "ada@example.com").await;
    let mut phone = Browser::new(&service);
    phone.post("/session/sign-in", &json!({"email": " ADA@example.com ", "password": PASSWORD})).await.data();
    let sessions = laptop.get("/sessions").await;
    let sessions = sessions.data().as_array().unwrap().clone();
    assert_eq!(sessions.len(), 2);
    let other = sessions.iter().find(|session| session["current"] == false).unwrap();
    assert_eq!((&other["address"], &other["userAgent"]), (&json!("127.0.0.1"), &json!("Test Browser")));
    let path = format!("/sessions/{}", other["id"].as_str().unwrap());
    laptop.call("DELETE", &path, None).await.data();
    phone.get("/sessions").await.refused(401, "UNAUTHORIZED");
    assert_eq!(laptop.get("/sessions").await.data().as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_every_other_session_and_the_old_password() {
    let service = Service::start(&[]).await;
    let mut laptop = Browser::of(&service, "ada@example.com").await;
    let mut phone = Browser::new(&service);
    let old = json!({"email": "ada@example.com", "password": PASSWORD});
    phone.post("/session/sign-in", &old).await.data();
    let wrong = json!({"current": "wrong", "password": "another horse"});
    laptop.post("/password", &wrong).await.refused(403, "WRONG_PASSWORD");
    let weak = json!({"current": PASSWORD, "password": "short"});
    laptop.post("/password", &weak).await.refused(422, "WEAK_PASSWORD");
    laptop.post("/password", &json!({"current": PASSWORD, "password": "another horse"})).await.data();
    phone.get("/keys").await.refused(401, "UNAUTHORIZED");
    laptop.get("/keys").await.data();
    phone.post("/session/sign-in", &old).await.refused(401, "SIGN_IN_FAILED");
    let new = json!({"email": "ada@example.com", "password": "another horse"});
    phone.post("/session/sign-in", &new).await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_link_sets_a_password_once_and_ends_every_session() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let id = service.store.account_by_email("ada@example.com").await.unwrap().unwrap().id;
    let token = service.store.create_password_reset(&id).await.unwrap();
    let mut elsewhere = Browser::new(&service);
    let body = json!({"token": token, "password": "another horse"});
    elsewhere
        .post("/session/reset", &json!({"token": token, "password": "short"}))
        .await
        .refused(422, "WEAK_PASSWORD");
    elsewhere.post("/session/reset", &body).await.data();
    elsewhere.get("/keys").await.data();
    ada.get("/keys").await.refused(401, "UNAUTHORIZED");
    elsewhere.post("/session/reset", &body).await.refused(403, "RESET_INVALID");
}
