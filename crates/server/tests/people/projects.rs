//! Projects: saved, changed and kept apart.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::harness::{Account, Answer, Service, film, overlay};

/// A film with fields that nobody knows, in an order of its own.
pub fn greeting(text: &str) -> Value {
    let title = json!({"type": "text", "content": text, "name": "title", "isDynamic": true, "zz": {"b": 1, "a": [null, 2.50]}});
    let mut film = film(5, &json!([overlay(1, &title)]));
    film["x-editor"] = json!({"zoom": 1.5, "locked": [1]});
    film
}

/// Creates a project and gives its id.
pub async fn project(service: &Service, account: &Account, composition: &Value) -> String {
    let body = json!({"name": "Greeting", "composition": composition});
    service.post(account, "/projects", &body).await.data()["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn etag(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let header = answer.headers["etag"].to_str().unwrap().to_owned();
    assert_eq!(header.trim_matches('"'), answer.body["data"]["etag"].as_str().unwrap());
    header
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_returned_as_it_was_saved() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let composition = greeting("Hello");
    let body = json!({"name": " Greeting ", "description": "For the launch", "composition": composition});
    let made = service.post(&ada, "/projects", &body).await;
    let data = made.data();
    assert_eq!((&data["name"], &data["description"]), (&json!("Greeting"), &json!("For the launch")));
    assert_eq!(data["composition"].to_string(), composition.to_string(), "order and unknown fields are kept");
    assert_eq!((&data["variables"][0]["name"], &data["changedBy"]["kind"]), (&json!("title"), &json!("key")));
    let id = data["id"].as_str().unwrap();
    assert_eq!(data["editUrl"], json!(service.url(&format!("/edit/{id}"))));
    let path = format!("/projects/{id}");
    let got = service.get(&ada, &path).await;
    assert_eq!(got.data(), data);
    assert_eq!(etag(&got), etag(&made));
    let same = service.send("GET", &path, &ada.key, &[("if-none-match", &etag(&got))], None).await;
    assert_eq!((same.status, &same.body), (304, &json!("")));
    let other = service.send("GET", &path, &ada.key, &[("if-none-match", "\"r99\"")], None).await;
    assert_eq!(other.data(), data);
    assert_eq!(service.get(&ada, "/projects").await.data()["projects"][0]["id"], data["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_change_answers_412_and_changes_nothing() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let id = project(&service, &ada, &greeting("One")).await;
    let path = format!("/projects/{id}");
    let put = async |if_match: Option<&str>, body: &Value| {
        let headers: Vec<(&str, &str)> = if_match.map(|tag| ("if-match", tag)).into_iter().collect();
        service.send("PUT", &path, &ada.key, &headers, Some(body)).await
    };
    let first = etag(&service.get(&ada, &path).await);
    let second = put(Some(&first), &json!({"composition": greeting("Two")})).await;
    assert_eq!(second.data()["composition"], greeting("Two"));
    assert_ne!(etag(&second), first);
    for tag in [first.as_str(), "\"r0\"", "\"nothing\"", ""] {
        let stale = put(Some(tag), &json!({"composition": greeting("Lost"), "name": "Lost"})).await;
        let details = stale.refused(412, "PROJECT_CHANGED").clone();
        assert_eq!(details["etag"], second.data()["etag"]);
    }
    let now = service.get(&ada, &path).await;
    assert_eq!((now.data(), etag(&now)), (second.data(), etag(&second)));
    // Without If-Match the last change wins; what is left out stays.
    let renamed = put(None, &json!({"name": "New", "description": "Text"})).await;
    assert_eq!(renamed.data()["composition"], greeting("Two"));
    let cleared = put(Some("*"), &json!({"description": ""})).await;
    assert_eq!((&cleared.data()["name"], &cleared.data()["description"]), (&json!("New"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_has_the_problems_that_a_render_of_it_would_have_but_for_media_of_variables() {
    let service = Service::start(&[("role", "api"), ("allow-private-network", "false")]).await;
    let ada = service.account(Plan::None, 0).await;
    let id = project(&service, &ada, &film(5, &json!([]))).await;
    let picture = |fields: &Value| {
        let mut picture = overlay(1, &json!({"type": "image"}));
        picture.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        film(5, &json!([picture]))
    };
    let mut wide = film(5, &json!([]));
    wide["width"] = json!(9000);
    let mut long = film(5, &json!([]));
    long["durationInFrames"] = json!(400_000);
    let cases = [
        (json!([]), 400, "INVALID_REQUEST", "composition"),
        (json!({"overlays": []}), 400, "INVALID_REQUEST", "composition.durationInFrames"),
        (wide, 422, "VALUE_OUT_OF_RANGE", "composition.width"),
        (long, 422, "VALUE_OUT_OF_RANGE", "composition.durationInFrames"),
        (
            picture(&json!({"src": "file:///etc/passwd"})),
            422,
            "MEDIA_URL_NOT_ALLOWED",
            "composition.overlays[0].src",
        ),
        (picture(&json!({"src": ""})), 400, "MISSING_MEDIA_SOURCE", ""),
    ];
    for (composition, status, reason, path) in cases {
        for (method, place) in [("POST", "/projects".to_owned()), ("PUT", format!("/projects/{id}"))] {
            let body = json!({"name": "Wrong", "composition": composition});
            let answer = service.send(method, &place, &ada.key, &[], Some(&body)).await;
            let details = answer.refused(status, reason);
            assert!(path.is_empty() || details["issues"][0]["path"] == path, "{method} {details}");
        }
    }
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["etag"], "r1");
    for body in [
        json!({"composition": film(5, &json!([]))}),
        json!({"name": "  ", "composition": film(5, &json!([]))}),
        json!({"name": "x".repeat(201), "composition": film(5, &json!([]))}),
        json!({"name": "No film"}),
    ] {
        assert!([400, 422].contains(&service.post(&ada, "/projects", &body).await.status), "{body}");
    }
    // The media of a variable are needed by a render alone; what only warns is saved.
    let slot = picture(&json!({"src": "", "isDynamic": true, "name": "photo", "styles": {"no-such": 1}}));
    let id = project(&service, &ada, &slot).await;
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["composition"], slot);
    service.post(&ada, "/renders", &json!({"projectId": id})).await.refused(400, "MISSING_MEDIA_SOURCE");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_its_owners_alone() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 0).await, service.account(Plan::None, 0).await);
    let id = project(&service, &ada, &greeting("Hello")).await;
    for (method, path, body) in [
        ("GET", format!("/projects/{id}"), None),
        ("PUT", format!("/projects/{id}"), Some(json!({"name": "Mine"}))),
        ("DELETE", format!("/projects/{id}"), None),
        ("POST", format!("/projects/{id}/duplicate"), None),
    ] {
        service.send(method, &path, &eve.key, &[], body.as_ref()).await.refused(403, "FORBIDDEN");
        let unknown = path.replace(&id, "prj_unknown");
        service.send(method, &unknown, &eve.key, &[], body.as_ref()).await.refused(404, "NOT_FOUND");
        let refused = service.send(method, &path, "rnd_unknown", &[], body.as_ref()).await;
        refused.refused(401, "UNAUTHORIZED");
    }
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["name"], "Greeting");
    service.send("DELETE", &format!("/projects/{id}"), &ada.key, &[], None).await.data();
    service.get(&ada, &format!("/projects/{id}")).await.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_project_is_changed_apart_from_it() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let id = project(&service, &ada, &greeting("Hello")).await;
    let path = format!("/projects/{id}/duplicate");
    let copy = service.send("POST", &path, &ada.key, &[], None).await;
    assert_eq!(copy.data()["name"], "Greeting (copy)");
    let named = service.post(&ada, &path, &json!({"name": "Second"})).await;
    assert_eq!(named.data()["name"], "Second");
    assert_eq!(named.data()["composition"], greeting("Hello"));
    let place = format!("/projects/{}", copy.data()["id"].as_str().unwrap());
    let body = json!({"composition": greeting("Changed")});
    service.send("PUT", &place, &ada.key, &[], Some(&body)).await.data();
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["composition"], greeting("Hello"));
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_of_urls_survive_a_change_and_are_never_shown() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let picture = |id: u32, src: &str| overlay(id, &json!({"type": "image", "src": src}));
    let secret = film(5, &json!([picture(1, "https://me:hunter2@example.com/a.png")]));
    let id = project(&service, &ada, &secret).await;
    let shown = service.get(&ada, &format!("/projects/{id}")).await;
    assert!(!shown.body.to_string().contains("hunter2"));
    let masked = shown.data()["composition"]["overlays"][0]["src"].as_str().unwrap();
    // The overlay moves behind a new one, with what the editor was shown.
    let edited = film(5, &json!([picture(2, "https://example.com/b.png"), picture(1, masked)]));
    let put = json!({"composition": edited});
    let put = service.send("PUT", &format!("/projects/{id}"), &ada.key, &[], Some(&put)).await;
    assert_eq!(put.data()["composition"], edited);
    let copy = service.send("POST", &format!("/projects/{id}/duplicate"), &ada.key, &[], None).await;
    for id in [id.as_str(), copy.data()["id"].as_str().unwrap()] {
        let kept = service.store.project(id).await.unwrap().unwrap().composition_to_render();
        assert_eq!(kept["overlays"][1]["src"], "https://me:hunter2@example.com/a.png");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_signed_in_saves_through_the_api_and_other_sites_cannot() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let body = json!({"name": "Film", "composition": greeting("Hello")});
    let made = ada.api("POST", "/projects", &[], Some(&body)).await;
    assert_eq!(made.data()["changedBy"], json!({"kind": "person", "name": "Ada"}));
    let path = format!("/projects/{}", made.data()["id"].as_str().unwrap());
    let tag = etag(&made);
    let put = ada.api("PUT", &path, &[("if-match", &tag)], Some(&json!({"name": "New"}))).await;
    assert_ne!(etag(&put), tag);
    let elsewhere = [("origin", "https://evil.example"), ("content-type", "application/json")];
    let body = json!({"name": "Stolen"}).to_string();
    let forged = ada.send("PUT", &format!("/api/v1{path}"), &elsewhere, Some(body)).await;
    assert_eq!((forged.status, &forged.json()["details"]["reason"]), (403, &json!("CROSS_ORIGIN")));
    assert_eq!(ada.api("GET", &path, &[], None).await.data()["name"], "New");
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_count_against_the_storage_of_an_account() {
    let service = Service::start(&[("role", "api"), ("storage-mb-creator", "1")]).await;
    let ada = service.account(Plan::Creator, 0).await;
    let id = project(&service, &ada, &greeting("Hello")).await;
    let mut large = greeting("Large");
    large["x-editor"]["notes"] = "x".repeat(1_000_000).into();
    let large = json!({"name": "Large", "composition": large});
    service.post(&ada, "/projects", &large).await.refused(403, "STORAGE_QUOTA_EXCEEDED");
    let put = service.send("PUT", &format!("/projects/{id}"), &ada.key, &[], Some(&large)).await;
    put.refused(403, "STORAGE_QUOTA_EXCEEDED");
    assert_eq!(service.get(&ada, "/projects").await.data()["total"], 1);
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["etag"], "r1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_someone_edited_is_not_replaced_by_a_render_of_its_template() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 5).await;
    service.template("tpl_hello", 1, true, &greeting("Hello")).await;
    let render = json!({"templateId": "tpl_hello", "projectName": "Launch"});
    let first = service.post(&ada, "/renders", &render).await.data()["projectId"].clone();
    let path = format!("/projects/{}", first.as_str().unwrap());
    let edited = json!({"composition": greeting("By hand")});
    service.send("PUT", &path, &ada.key, &[], Some(&edited)).await.data();
    let second = service.post(&ada, "/renders", &render).await.data()["projectId"].clone();
    assert_ne!(first, second);
    assert_eq!(service.get(&ada, &path).await.data()["composition"], greeting("By hand"));
}
