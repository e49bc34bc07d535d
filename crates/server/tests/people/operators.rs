//! What only operators can do.

use rondo_store::Plan;
use serde_json::json;

use crate::browser::{Browser, PASSWORD};
use crate::harness::Service;

#[tokio::test(flavor = "multi_thread")]
async fn only_operators_get_to_operators_pages() {
    let service = Service::start(&[("sign-up", "open")]).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let mut person = Browser::of(&service, "bob@example.com").await;
    let id = person.get("/session").await.data()["account"]["id"].as_str().unwrap().to_owned();
    let change = json!({"isOperator": true});
    let account = format!("/operator/accounts/{id}");
    for (method, path, body) in [
        ("GET", "/operator/accounts", None),
        ("PATCH", account.as_str(), Some(&change)),
        ("GET", "/operator/invites", None),
        ("POST", "/operator/invites", Some(&json!({}))),
        ("DELETE", "/operator/invites/inv_x", None),
        ("GET", "/operator/queue", None),
        ("GET", "/operator/workers", None),
    ] {
        person.call(method, path, body).await.refused(403, "OPERATOR_ONLY");
        Browser::new(&service).call(method, path, body).await.refused(401, "UNAUTHORIZED");
    }
    // The right is checked before the input: errors in it are not reported to others.
    let malformed = json!({"isOperator": "yes", "credits": {}});
    person.call("PATCH", &account, Some(&malformed)).await.refused(403, "OPERATOR_ONLY");
    person.call("POST", "/operator/invites", Some(&json!([1]))).await.refused(403, "OPERATOR_ONLY");
    person.call("GET", "/operator/accounts?limit=many", None).await.refused(403, "OPERATOR_ONLY");
    operator.call("PATCH", &account, Some(&malformed)).await.refused(400, "INVALID_REQUEST");
    operator.call("PATCH", &account, Some(&change)).await.data();
    person.get("/operator/queue").await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_find_and_change_accounts_and_one_of_them_always_stays() {
    let service = Service::start(&[("role", "api")]).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let bob = service.account(Plan::None, 3).await;
    let all = operator.get("/operator/accounts").await;
    assert_eq!(all.data()["pagination"]["total"], 2);
    let found = operator.get("/operator/accounts?search=ADA%40").await;
    assert_eq!(found.data()["items"][0]["email"], "ada@example.com");
    assert!(
        found.data()["items"][0]["lastSeenAt"].is_null()
            || found.data()["items"][0]["lastSeenAt"].is_string()
    );
    assert_eq!(found.data()["items"].as_array().unwrap().len(), 1);

    let path = format!("/operator/accounts/{}", bob.id);
    let change = json!({"plan": "business", "credits": 7, "password": PASSWORD});
    let changed = operator.call("PATCH", &path, Some(&change)).await;
    assert_eq!((&changed.data()["plan"], &changed.data()["credits"]), (&json!("business"), &json!(10)));
    assert_eq!(service.store.transactions(&bob.id).await.unwrap().len(), 2);
    let taken = operator.call("PATCH", &path, Some(&json!({"credits": -11}))).await;
    taken.refused(422, "VALUE_OUT_OF_RANGE");
    let email = changed.data()["email"].clone();
    Browser::new(&service)
        .post("/session/sign-in", &json!({"email": email, "password": PASSWORD}))
        .await
        .data();

    let id = operator.get("/session").await.data()["account"]["id"].as_str().unwrap().to_owned();
    let own = format!("/operator/accounts/{id}");
    let demoted = operator.call("PATCH", &own, Some(&json!({"isOperator": false}))).await;
    demoted.refused(409, "LAST_OPERATOR");
    let unknown = operator.call("PATCH", "/operator/accounts/usr_x", Some(&json!({}))).await;
    unknown.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_the_queue_and_this_process() {
    let service = Service::start(&[("role", "api")]).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let bob = service.account(Plan::None, 3).await;
    let film = crate::harness::film(5, &json!([]));
    service.render(&bob, &json!({"inputProps": film})).await;
    let queue = operator.get("/operator/queue").await;
    assert_eq!((&queue.data()["waiting"], &queue.data()["running"]), (&json!(1), &json!([])));
    let workers = operator.get("/operator/workers").await;
    assert_eq!((&workers.data()[0]["role"], &workers.data()[0]["running"]), (&json!("api"), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_starts_with_the_plan_and_credits_of_the_invitation() {
    let flags = [("role", "api"), ("sign-up-credits", "3"), ("contact", "help@example.com")];
    let service = Service::start(&flags).await;
    let mut operator = Browser::of(&service, "ada@example.com").await;
    let mut starts = Vec::new();
    for (number, body) in
        [json!({}), json!({"plan": "creator", "credits": 40}), json!({"credits": 0})].iter().enumerate()
    {
        let made = operator.post("/operator/invites", body).await;
        let url = made.data()["url"].as_str().unwrap().to_owned();
        let mut person = Browser::new(&service);
        let secret = url.split("invite=").nth(1).unwrap();
        let email = format!("{number}@example.com");
        let sign_up = json!({"email": email, "name": "Bob", "password": PASSWORD, "invite": secret});
        person.post("/session/sign-up", &sign_up).await.data();
        let session = person.get("/session").await;
        assert_eq!(session.data()["contact"], "help@example.com");
        let account = session.data()["account"].clone();
        starts.push((account["plan"].clone(), account["credits"].clone()));
    }
    let expected = [("none", 3), ("creator", 40), ("none", 0)];
    assert_eq!(starts, expected.map(|(plan, credits)| (json!(plan), json!(credits))));
    let listed = operator.get("/operator/invites").await;
    let middle = &listed.data()[1];
    assert_eq!((&middle["plan"], &middle["credits"]), (&json!("creator"), &json!(40)));
    operator.post("/operator/invites", &json!({"plan": "gold"})).await.refused(422, "INVALID_ENUM_VALUE");
    operator.post("/operator/invites", &json!({"credits": -1})).await.refused(422, "VALUE_OUT_OF_RANGE");
    assert!(Browser::new(&service).get("/session").await.data()["contact"].is_null());
    let workers = operator.get("/operator/workers").await;
    assert!(workers.data().as_array().unwrap().iter().all(|worker| worker["host"].is_string()));
}
