//! Projects: saved, changed and kept apart.

use std::time::{Duration, Instant};

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

#[tokio::test(flavor = "multi_thread")]
async fn what_was_there_before_an_edit_can_be_restored() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 0).await, service.account(Plan::None, 0).await);
    let id = project(&service, &ada, &greeting("One")).await;
    let path = format!("/projects/{id}");
    let put = async |body: &Value| service.send("PUT", &path, &ada.key, &[], Some(body)).await.data().clone();
    let versions = async || service.get(&ada, &format!("{path}/versions")).await.data().clone();
    assert_eq!(versions().await["total"], 0);
    // Autosaves of one sitting are one version: what was there before it.
    for text in ["Two", "Three", "Four"] {
        put(&json!({"composition": greeting(text)})).await;
    }
    let list = versions().await;
    assert_eq!((&list["total"], &list["versions"][0]["name"]), (&json!(1), &Value::Null));
    assert_eq!(list["versions"][0]["changedBy"]["kind"], "key");
    // A change with a name is kept with what it replaced; so is a state that someone names.
    put(&json!({"composition": greeting("Five"), "change": "Shorter title"})).await;
    let named = service.post(&ada, &format!("{path}/versions"), &json!({"name": "For the client"})).await;
    let list = versions().await;
    let names: Vec<&Value> = list["versions"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, [&json!("For the client"), &Value::Null, &Value::Null], "one state has one version");
    assert_eq!(list["versions"][0]["id"], named.data()["id"]);
    let first = list["versions"][2]["id"].as_str().unwrap();
    let page = service.get(&ada, &format!("{path}/versions?limit=2")).await;
    assert_eq!((&page.data()["hasMore"], &page.data()["total"]), (&json!(true), &json!(3)));
    let next = page.data()["nextCursor"].as_str().unwrap();
    let page = service.get(&ada, &format!("{path}/versions?limit=2&cursor={next}")).await;
    assert_eq!(page.data()["versions"][0]["id"], first);

    let place = format!("{path}/versions/{first}");
    assert_eq!(service.get(&ada, &place).await.data()["composition"], greeting("One"));
    let stale =
        service.send("POST", &format!("{place}/restore"), &ada.key, &[("if-match", "r1")], None).await;
    stale.refused(412, "PROJECT_CHANGED");
    let restored = service.send("POST", &format!("{place}/restore"), &ada.key, &[], None).await;
    assert_eq!(restored.data()["composition"], greeting("One"));
    assert_eq!(service.get(&ada, &path).await.data(), restored.data());
    let list = versions().await;
    assert!(list["versions"][0]["name"].as_str().unwrap().starts_with("Restored: "), "{list}");

    for path in [format!("{path}/versions"), place.clone()] {
        service.get(&eve, &path).await.refused(403, "FORBIDDEN");
    }
    let theirs = service.send("POST", &format!("{place}/restore"), &eve.key, &[], None).await;
    theirs.refused(403, "FORBIDDEN");
    service.get(&ada, &format!("{path}/versions/ver_unknown")).await.refused(404, "NOT_FOUND");
    let other = project(&service, &ada, &greeting("Other")).await;
    service.get(&ada, &format!("/projects/{other}/versions/{first}")).await.refused(404, "NOT_FOUND");
    service.send("DELETE", &path, &ada.key, &[], None).await.data();
    service.get(&ada, &place).await.refused(404, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_keeps_at_most_a_hundred_versions_and_the_named_ones_first() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 0).await;
    let id = project(&service, &ada, &greeting("0")).await;
    let author =
        |name: &str| rondo_store::Author { kind: rondo_store::AuthorKind::App, name: name.to_owned() };
    service.store.name_version(&id, "The first").await.unwrap();
    for number in 1..=120 {
        let composition = greeting(&number.to_string());
        let change = rondo_store::ProjectChange {
            composition: Some(&composition),
            ..rondo_store::ProjectChange::default()
        };
        // Two who take turns.
        let who = author(if number % 2 == 0 { "A" } else { "B" });
        service.store.change_project(&id, None, change, &who).await.unwrap();
    }
    let list = service.get(&ada, &format!("/projects/{id}/versions")).await.data().clone();
    assert_eq!(list["total"], 100);
    let versions = list["versions"].as_array().unwrap();
    assert_eq!(versions.last().unwrap()["name"], "The first");
    let newest = versions[0]["id"].as_str().unwrap();
    let newest = service.get(&ada, &format!("/projects/{id}/versions/{newest}")).await;
    assert_eq!(newest.data()["composition"], greeting("119"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_opens_for_the_maker_alone() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let mut eve = Browser::new(&service);
    let body = json!({"name": "Film", "composition": greeting("Hello")});
    let project =
        ada.api("POST", "/projects", &[], Some(&body)).await.data()["id"].as_str().unwrap().to_owned();
    let preview = ada.api("POST", "/previews", &[], Some(&json!({"inputProps": greeting("Hello")}))).await;
    let edit_url = preview.data()["editUrl"].as_str().unwrap();
    let preview = preview.data()["previewId"].as_str().unwrap().to_owned();
    assert_eq!(edit_url, service.url(&format!("/edit/{preview}")));
    for path in [format!("/edit/{project}"), format!("/edit/{preview}?frame=3"), "/edit/new".to_owned()] {
        let sent = eve.page(&path).await;
        assert_eq!(sent.status, 303, "{path}");
        let to = url::Url::parse(&service.url(sent.header("location"))).unwrap();
        assert_eq!((to.path(), crate::browser::parameter(&to, "next")), ("/sign-in", Some(path.clone())));
        // Without the dashboard in this build the page says so.
        assert!([200, 503].contains(&ada.page(&path).await.status), "{path}");
    }
    let stranger = service.account(Plan::None, 0).await;
    let key = &stranger.key;
    let theirs = service.send("POST", "/projects", key, &[], Some(&body)).await.data()["id"].clone();
    let refused = ada.page(&format!("/edit/{}", theirs.as_str().unwrap())).await;
    assert_eq!(refused.status, 403);
    assert!(refused.text.contains("belongs to another account"), "{}", refused.text);
    let theirs = service.post(&stranger, "/previews", &json!({"inputProps": greeting("Hello")})).await;
    let theirs = theirs.data()["previewId"].as_str().unwrap();
    assert_eq!(ada.page(&format!("/edit/{theirs}")).await.status, 403);
    ada.api("GET", &format!("/projects/{theirs}"), &[], None).await.refused(403, "FORBIDDEN");
    assert_eq!(ada.page("/edit/prj_unknown").await.status, 404);

    // The copy is changed apart from the preview, and can be kept.
    let path = format!("/projects/{preview}");
    let copy = ada.api("GET", &path, &[], None).await;
    assert!(copy.data()["expiresAt"].is_string());
    let mut edited = copy.data()["composition"].clone();
    edited["overlays"][0]["content"] = "Edited".into();
    let tag = etag(&copy);
    let put = ada.api("PUT", &path, &[("if-match", &tag)], Some(&json!({"composition": edited}))).await;
    assert_ne!(etag(&put), tag);
    let again = ada.api("PUT", &path, &[("if-match", &tag)], Some(&json!({"composition": edited}))).await;
    again.refused(412, "PROJECT_CHANGED");
    assert_eq!(ada.api("GET", &path, &[], None).await.data()["composition"], edited, "after a reload");
    let public =
        ada.send("GET", &format!("/preview/{preview}"), &[("accept", "application/json")], None).await;
    assert!(public.text.contains("Hello") && !public.text.contains("Edited"), "{}", public.text);
    let kept = ada.api("POST", &format!("{path}/duplicate"), &[], Some(&json!({"name": "Kept"}))).await;
    assert_eq!((&kept.data()["composition"], &kept.data()["name"]), (&edited, &json!("Kept")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_editor_learns_of_a_change_within_a_second() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let body = json!({"name": "Film", "composition": greeting("Hello")});
    let made = ada.api("POST", "/projects", &[], Some(&body)).await;
    let id = made.data()["id"].as_str().unwrap().to_owned();
    let key =
        ada.post("/keys", &json!({"name": "Agent"})).await.data()["apiKey"].as_str().unwrap().to_owned();
    let mut stream = crate::harness::client(true)
        .get(service.url("/api/dashboard/events"))
        .header("cookie", ada.cookie.clone().unwrap())
        .send()
        .await
        .unwrap();
    let mut text = String::new();
    let mut wait = async |what: &str| {
        let found = async {
            while !text.contains(what) {
                text.push_str(std::str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(30), found).await.unwrap_or_else(|_| panic!("no {what}"));
    };
    wait("event: account").await;
    let edits = json!({"edits": [{"op": "set", "id": 1, "path": "content", "value": "By an agent"}]});
    let changed = service.send("POST", &format!("/projects/{id}/edits"), &key, &[], Some(&edits)).await;
    let started = Instant::now();
    let etag = changed.data()["etag"].as_str().unwrap();
    let data = json!({"projectId": id, "etag": etag, "changedBy": {"kind": "key", "name": "Agent"}});
    wait(&format!("event: project\ndata: {data}")).await;
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());

    service.send("DELETE", &format!("/projects/{id}"), &key, &[], None).await.data();
    let data = json!({"projectId": id, "etag": null, "changedBy": null, "deleted": true});
    wait(&format!("event: project\ndata: {data}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_are_applied_all_or_none() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 0).await, service.account(Plan::None, 0).await);
    let id = project(&service, &ada, &greeting("Hello")).await;
    let path = format!("/projects/{id}/edits");
    let line = overlay(9, &json!({"type": "text", "content": "Second"}));
    let mut added = line.clone();
    added.as_object_mut().unwrap().remove("id");
    let body = json!({"name": "A second line", "edits": [
        {"op": "set", "id": 1, "path": "styles.opacity", "value": 0.5},
        {"op": "add", "overlay": added, "index": 0},
        {"op": "set", "path": "backgroundColor", "value": "#123456"},
        {"op": "set", "path": "x-editor.zoom"},
    ]});
    let edited = service.post(&ada, &path, &body).await;
    let film = &edited.data()["composition"];
    assert_eq!((&film["overlays"][0]["id"], &film["overlays"][1]["id"]), (&json!(2), &json!(1)));
    assert_eq!(film["overlays"][1]["styles"]["opacity"], 0.5);
    assert_eq!((&film["backgroundColor"], &film["x-editor"]), (&json!("#123456"), &json!({"locked": [1]})));
    assert_eq!(etag(&edited), etag(&service.get(&ada, &format!("/projects/{id}")).await));
    let versions = service.get(&ada, &format!("/projects/{id}/versions")).await;
    assert_eq!(versions.data()["versions"][0]["name"], "A second line");

    for (edits, status, place) in [
        (
            json!([{"op": "set", "id": 1, "path": "content", "value": "x"}, {"op": "remove", "id": 5}]),
            422,
            "edits[1].id",
        ),
        (json!([{"op": "set", "id": 1, "path": "width", "value": []}]), 400, "edits[0].value"),
        (json!([{"op": "set", "id": 1, "path": "row"}]), 400, "edits[0].path"),
        (json!([{"op": "add", "overlay": {"id": 4, "type": "text"}}]), 400, "edits[0].overlay.row"),
        (json!([{"op": "turn"}]), 422, "edits[0].op"),
        (json!([]), 422, "edits"),
    ] {
        let refused = service.post(&ada, &path, &json!({"edits": edits})).await;
        let issues = refused.body["details"]["issues"].as_array().unwrap();
        assert_eq!(refused.status, status, "{}", refused.body);
        assert!(issues.iter().any(|issue| issue["path"] == place), "{place}: {issues:?}");
    }
    let now = service.get(&ada, &format!("/projects/{id}")).await;
    assert_eq!(now.data(), edited.data());
    let stale = service.send("POST", &path, &ada.key, &[("if-match", "r1")], Some(&body)).await;
    stale.refused(412, "PROJECT_CHANGED");
    service.post(&eve, &path, &body).await.refused(403, "FORBIDDEN");

    // Ten writers at the same time: every edit is there.
    let writers = (0..10).map(|number| {
        let body = json!({"edits": [{"op": "set", "path": format!("x-writer.n{number}"), "value": true}]});
        let (service, ada, path) = (&service, &ada, &path);
        async move { service.post(ada, path, &body).await.status }
    });
    let statuses = futures_util::future::join_all(writers).await;
    let written =
        service.get(&ada, &format!("/projects/{id}")).await.data()["composition"]["x-writer"].clone();
    let saved = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(written.as_object().unwrap().len(), saved, "{statuses:?}");
    assert!(saved >= 5 && statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
}
