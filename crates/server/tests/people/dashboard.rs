//! The operations behind the dashboard's pages.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Browser, opens};
use crate::harness::{Service, film, overlay};

fn greeting() -> Value {
    let text = json!({"type": "text", "content": "Hello", "name": "title", "isDynamic": true});
    film(5, &json!([overlay(1, &text)]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_shown_once_works_and_is_void_when_revoked() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let made = ada.post("/keys", &json!({"name": "Build server"})).await;
    let made = made.data();
    let key = made["apiKey"].as_str().unwrap();
    assert!(key.starts_with("rnd_") && opens(&service, key).await);
    let listed = ada.get("/keys").await;
    assert_eq!(listed.data()[0]["name"], "Build server");
    assert!(listed.data()[0]["lastUsedAt"].is_string() && !listed.body.to_string().contains(key));
    ada.call("DELETE", &format!("/keys/{}", made["id"].as_str().unwrap()), None).await.data();
    assert!(!opens(&service, key).await);
    ada.call("DELETE", "/keys/key_unknown", None).await.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_tells_the_request_that_would_make_it_again() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let id = ada.get("/session").await.data()["account"]["id"].as_str().unwrap().to_owned();
    ada.call("PATCH", &format!("/operator/accounts/{id}"), Some(&json!({"credits": 10, "plan": "creator"})))
        .await
        .data();
    service.template("tpl_hello", 1, true, &greeting()).await;
    let origin = service.url("");
    let headers = [("origin", origin.as_str()), ("content-type", "application/json")];
    let asked =
        json!({"templateId": "tpl_hello", "replacements": {"title": "Bye"}, "metadata": {"order": 7}});
    let direct = json!({"inputProps": greeting(), "draft": true, "webhookUrl": "http://127.0.0.1:9/x"});
    for body in [&asked, &direct] {
        let made = ada.send("POST", "/api/v1/renders", &headers, Some(body.to_string())).await;
        assert_eq!(made.status, 200, "{}", made.text);
        let job = made.json()["data"]["jobId"].as_str().unwrap().to_owned();
        let details = ada.get(&format!("/renders/{job}")).await;
        let request = &details.data()["request"];
        assert_eq!(details.data()["jobId"], json!(job));
        for (field, value) in body.as_object().unwrap().iter().filter(|(field, _)| *field != "inputProps") {
            assert_eq!(&request[field], value);
        }
        let again = ada.send("POST", "/api/v1/renders", &headers, Some(request.to_string())).await;
        assert_eq!(again.status, 200, "{}", again.text);
    }
    let usage = ada.get("/usage").await;
    let days = usage.data()["days"].as_array().unwrap();
    assert_eq!((days.len(), &days[29]["renders"], &days[29]["credits"]), (30, &json!(4), &json!(4.0)));
    let stranger = service.account(rondo_store::Plan::None, 5).await;
    let job = service.render(&stranger, &json!({"inputProps": greeting()})).await;
    ada.get(&format!("/renders/{job}")).await.refused(403, "FORBIDDEN");
    ada.get("/renders/job_unknown").await.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_stream_tells_of_every_render_and_of_credits_and_ends_with_the_session() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let id = ada.get("/session").await.data()["account"]["id"].as_str().unwrap().to_owned();
    service
        .store
        .add_credits(
            &id,
            rondo_store::Credits::from_whole(10),
            rondo_store::TransactionType::AdditionalCredits,
        )
        .await
        .unwrap();
    let key = ada.post("/keys", &json!({})).await.data()["apiKey"].as_str().unwrap().to_owned();
    let mut stream = crate::harness::client(true)
        .get(service.url("/api/dashboard/events"))
        .header("cookie", ada.cookie.clone().unwrap())
        .send()
        .await
        .unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let account = crate::harness::Account { id, key };
    let jobs = [
        service.render(&account, &json!({"inputProps": greeting()})).await,
        service.render(&account, &json!({"inputProps": greeting(), "draft": true})).await,
    ];
    let mut text = String::new();
    let all = async {
        while !jobs
            .iter()
            .all(|job| text.split("\n\n").any(|event| event.contains(job) && event.contains("\"COMPLETED\"")))
        {
            text.push_str(std::str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap());
        }
    };
    tokio::time::timeout(Duration::from_secs(60), all).await.unwrap();
    assert!(text.contains("event: account\ndata: {\"credits\":"), "{text}");
    assert!(text.contains("\"outputUrl\":\"http"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_shows_its_payload_and_can_be_sent_again() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let origin = service.url("");
    let headers = [("origin", origin.as_str()), ("content-type", "application/json")];
    let body = json!({"url": service.url("/healthz")}).to_string();
    let webhook = ada.send("POST", "/api/v1/webhooks", &headers, Some(body)).await.json();
    let id = webhook["data"]["id"].as_str().unwrap();
    let sent = ada.send("POST", &format!("/api/v1/webhooks/{id}/test"), &headers, None).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    let list = format!("/webhooks/{id}/deliveries");
    let first = ada.get(&list).await.data()[0].clone();
    assert_eq!((&first["event"], &first["body"]["deliveryId"]), (&json!("render.completed"), &first["id"]));
    let again =
        ada.call("POST", &format!("/deliveries/{}/replay", first["id"].as_str().unwrap()), None).await;
    let again = again.data();
    assert_ne!(again["id"], first["id"]);
    assert_eq!(
        (&again["body"]["deliveryId"], &again["body"]["data"]),
        (&again["id"], &first["body"]["data"])
    );
    assert_eq!(ada.get(&list).await.data().as_array().unwrap().len(), 2);
    ada.call("POST", "/deliveries/del_unknown/replay", None).await.refused(404, "NOT_FOUND");
    let reactivated = ada.call("POST", &format!("/webhooks/{id}/reactivate"), None).await;
    assert_eq!(reactivated.data()["isActive"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_is_public() {
    let service = Service::start(&[("role", "api")]).await;
    let document = Browser::new(&service).page("/api/dashboard/openapi.json").await.json();
    assert!(document["paths"]["/session/sign-in"]["post"]["requestBody"].is_object());
    assert!(document["components"]["schemas"]["SignInBody"]["properties"]["email"].is_object());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_project_of_a_template_is_found_renamed_and_deleted() {
    let service = Service::start(&[("role", "api"), ("sign-up-credits", "9")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    service.template("tpl_hello", 1, true, &greeting()).await;
    let origin = service.url("");
    let headers = [("origin", origin.as_str()), ("content-type", "application/json")];
    let mut render = async |name: &str, title: &str| {
        let body = json!({"templateId": "tpl_hello", "projectName": name, "replacements": {"title": title}});
        let made = ada.send("POST", "/api/v1/renders", &headers, Some(body.to_string())).await;
        let data = made.json()["data"].clone();
        (data["jobId"].as_str().unwrap().to_owned(), data["projectId"].as_str().unwrap().to_owned())
    };
    let (_, first) = render("Launch", "One").await;
    let (job, again) = render("Launch", "Two").await;
    let (_, other) = render("Holiday", "Three").await;
    assert_eq!(first, again, "rendered again under the same name");
    assert_ne!(first, other);
    let variables = ada.api("GET", &format!("/projects/{first}"), &[], None).await;
    assert_eq!(variables.data()["variables"][0]["default"], "Two");
    let search = async |ada: &mut Browser<'_>, path: &str| {
        let found = ada.send("GET", path, &[], None).await;
        found.json()["data"]["total"].as_u64().unwrap()
    };
    assert_eq!(search(&mut ada, "/api/v1/projects?search=LAUN").await, 1);
    assert_eq!(search(&mut ada, "/api/v1/renders?search=laun").await, 2);

    let path = format!("/projects/{first}");
    ada.api("PUT", &path, &[], Some(&json!({"name": " "}))).await.refused(400, "INVALID_REQUEST");
    ada.api("PUT", &path, &[], Some(&json!({"name": "Start"}))).await.data();
    assert_eq!(ada.api("GET", &path, &[], None).await.data()["name"], "Start");
    ada.api("DELETE", &path, &[], None).await.data();
    ada.api("GET", &path, &[], None).await.refused(404, "NOT_FOUND");
    let render = ada.get(&format!("/renders/{job}")).await;
    assert_eq!(
        (&render.data()["project"], &render.data()["templateId"]),
        (&Value::Null, &json!("tpl_hello"))
    );
    assert!(ada.get(&format!("/renders/{job}/deliveries")).await.data().as_array().unwrap().is_empty());
    let statement = ada.get("/statement").await;
    let entries = statement.data()["entries"].as_array().unwrap();
    let sum: f64 = entries.iter().map(|entry| entry["credits"].as_f64().unwrap()).sum();
    assert_eq!((entries.len(), sum, &entries[3]["cause"]), (4, 6.0, &json!("credit")));
}
