//! Templates that accounts make of their projects.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::harness::{Account, Service, film, overlay};
use crate::projects::{greeting, project};

async fn template_of(service: &Service, account: &Account, id: &str) -> Value {
    let list = service.get(account, "/templates").await;
    let found = list.data()["templates"].as_array().unwrap().iter().find(|template| template["id"] == id);
    found.cloned().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_template_is_its_makers_alone() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 9).await, service.account(Plan::None, 9).await);
    let id = project(&service, &ada, &greeting("Hello")).await;
    let body = json!({"projectId": id, "name": " Greeting ", "category": "EVENTS", "creditsPerMinute": 3});
    let made = service.post(&ada, "/templates", &body).await;
    let template = made.data()["id"].as_str().unwrap();
    let listed = template_of(&service, &ada, template).await;
    assert_eq!(listed, *made.data());
    assert_eq!(
        (&listed["own"], &listed["visibility"], &listed["name"]),
        (&json!(true), &json!("private"), &json!("Greeting"))
    );
    assert_eq!((&listed["category"], &listed["creditsPerMinute"]), (&json!("EVENTS"), &json!(3)));
    assert_eq!(listed["variables"][0]["name"], "title");

    // Its film stays as it was when the project changes.
    let change = json!({"composition": greeting("Changed")});
    service.send("PUT", &format!("/projects/{id}"), &ada.key, &[], Some(&change)).await.data();
    let use_it = json!({"templateId": template});
    let preview = service.post(&ada, "/previews", &use_it).await;
    assert_eq!(preview.data()["resolved"]["variables"][0]["value"], "Hello");
    assert_eq!(preview.data()["quote"]["creditsPerMinute"], 3);
    service.post(&ada, "/renders", &use_it).await.data();

    assert_eq!(template_of(&service, &eve, template).await, Value::Null);
    service.post(&eve, "/previews", &use_it).await.refused(404, "NOT_FOUND");
    service.post(&eve, "/renders", &use_it).await.refused(404, "NOT_FOUND");
    let path = format!("/templates/{template}");
    service.get(&eve, &format!("{path}/variables")).await.refused(404, "NOT_FOUND");
    for (method, body) in [("PUT", Some(json!({"name": "Mine"}))), ("DELETE", None)] {
        service.send(method, &path, &eve.key, &[], body.as_ref()).await.refused(404, "NOT_FOUND");
    }
    service
        .post(&eve, "/templates", &json!({"projectId": id, "name": "Mine"}))
        .await
        .refused(403, "FORBIDDEN");

    let update = json!({"projectId": id, "description": "New"});
    let changed = service.send("PUT", &path, &ada.key, &[], Some(&update)).await;
    assert_eq!(
        (&changed.data()["name"], &changed.data()["description"]),
        (&json!("Greeting"), &json!("New"))
    );
    let preview = service.post(&ada, "/previews", &use_it).await;
    assert_eq!(preview.data()["resolved"]["variables"][0]["value"], "Changed");
    service.send("DELETE", &path, &ada.key, &[], None).await.data();
    assert_eq!(template_of(&service, &ada, template).await, Value::Null);
    service.post(&ada, "/renders", &use_it).await.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn templates_for_all_are_published_by_operators_unless_the_setting_says_everyone() {
    for (setting, status) in [("operators", 403), ("everyone", 200)] {
        let service = Service::start(&[("role", "api"), ("publish", setting)]).await;
        // The first account is the operator's.
        let mut operator = Browser::of(&service, "ada@example.com").await;
        let (eve, bob) = (service.account(Plan::None, 0).await, service.account(Plan::None, 0).await);
        let id = project(&service, &eve, &greeting("Hello")).await;
        let body = json!({"projectId": id, "name": "Public", "visibility": "public"});
        let made = service.post(&eve, "/templates", &body).await;
        assert_eq!(made.status, status, "{}", made.body);
        if status == 200 {
            let template = made.data()["id"].as_str().unwrap();
            let seen = template_of(&service, &bob, template).await;
            assert_eq!((&seen["own"], &seen["visibility"]), (&json!(false), &Value::Null));
            service.post(&bob, "/previews", &json!({"templateId": template})).await.data();
            let path = format!("/templates/{template}");
            service.send("DELETE", &path, &bob.key, &[], None).await.refused(403, "FORBIDDEN");
        } else {
            made.refused(403, "PUBLISHING_NOT_ALLOWED");
            let private = json!({"projectId": id, "name": "Private"});
            let private = service.post(&eve, "/templates", &private).await.data()["id"].clone();
            let path = format!("/templates/{}", private.as_str().unwrap());
            let put = service.send("PUT", &path, &eve.key, &[], Some(&json!({"visibility": "public"}))).await;
            put.refused(403, "PUBLISHING_NOT_ALLOWED");
        }
        let body = json!({"name": "Film", "composition": greeting("Hello")});
        let own = operator.api("POST", "/projects", &[], Some(&body)).await.data()["id"].clone();
        let body = json!({"projectId": own, "name": "By the operator", "visibility": "public"});
        let made = operator.api("POST", "/templates", &[], Some(&body)).await;
        assert_eq!(made.data()["visibility"], "public");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_template_says_of_itself_is_bounded() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let id = project(&service, &ada, &greeting("Hello")).await;
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(101))),
        ("description", json!("x".repeat(1001))),
        ("category", json!("MISC")),
        ("creditsPerMinute", json!(0)),
        ("creditsPerMinute", json!(-1)),
        ("creditsPerMinute", json!(1001)),
        ("creditsPerMinute", json!("1")),
        ("visibility", json!("secret")),
        ("projectId", json!("prj_unknown")),
    ] {
        let mut body = json!({"projectId": id, "name": "Template"});
        body[field] = value.clone();
        let refused = service.post(&ada, "/templates", &body).await;
        assert!([400, 404, 422].contains(&refused.status), "{field} {value}: {}", refused.body);
    }
    let secret = overlay(1, &json!({"type": "image", "src": "https://me:hunter2@example.com/a.png"}));
    let secret = project(&service, &ada, &film(5, &json!([secret]))).await;
    let refused = service.post(&ada, "/templates", &json!({"projectId": secret, "name": "Secret"})).await;
    refused.refused(422, "PASSWORD_IN_URL");
    assert!(!refused.body.to_string().contains("hunter2"));
    for number in 0..100 {
        let new = rondo_store::NewTemplate {
            name: number.to_string(),
            description: String::new(),
            category: "EVENTS".into(),
            credits_per_minute: 1,
            composition: greeting("Hello"),
            is_public: false,
        };
        service.store.publish_template(&ada.id, &new).await.unwrap();
    }
    let refused = service.post(&ada, "/templates", &json!({"projectId": id, "name": "One too many"})).await;
    refused.refused(403, "TEMPLATE_LIMIT");
}
