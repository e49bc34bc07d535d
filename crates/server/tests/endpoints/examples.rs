//! Code of the guides that no other test runs: requests are accepted, answers and events are those that the service
//! sends, and the example in Rust verifies its deliveries.

use std::collections::BTreeSet;

use rondo_store::{Plan, Time};
use serde_json::{Map, Value, json};

use crate::harness::{Account, Service, client, film, media_server, overlay};
use crate::receiver::Receiver;
use crate::schema::{fits, resolved};
use crate::verify::verify;

/// The code blocks of a guide with exactly this info string.
fn blocks(guide: &str, kind: &str) -> Vec<String> {
    let path = format!("{}/../../docs/{guide}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(str::trim_start);
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if line.strip_prefix("```") == Some(kind) {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(block.join("\n"));
        }
    }
    assert!(!blocks.is_empty(), "{guide} has no examples `{kind}`");
    blocks
}

fn json_of(guide: &str, number: usize) -> Value {
    serde_json::from_str(&blocks(guide, "json")[number]).unwrap()
}

fn document() -> Value {
    serde_json::from_str(include_str!("../../../../web/openapi/api.json")).unwrap()
}

/// The paths of fields that a schema does not name.
fn unnamed(document: &Value, value: &Value, schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    let mut parts = vec![resolved(document, schema)];
    let mut next = 0;
    while let Some(part) = parts.get(next).copied() {
        let inner =
            ["oneOf", "anyOf", "allOf"].iter().flat_map(|key| part[*key].as_array().into_iter().flatten());
        parts.extend(inner.map(|inner| resolved(document, inner)));
        next += 1;
    }
    for item in value.as_array().into_iter().flatten() {
        let items = parts.iter().map(|part| &part["items"]).find(|items| items.is_object());
        unnamed(document, item, items.unwrap_or(&Value::Null), at, found);
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        let named = parts.iter().map(|part| &part["properties"][name]).find(|named| !named.is_null());
        let mut others = parts.iter().map(|part| &part["additionalProperties"]);
        let others = others.any(|others| others.is_object() || *others == true);
        match named {
            Some(named) => unnamed(document, field, named, &at, found),
            None if others => {}
            None => {
                found.insert(at);
            }
        }
    }
}

/// A film with a text variable, a voice and a picture.
async fn template(service: &Service, id: &str) {
    let media = media_server().await;
    let overlays = json!([
        overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "quote"})),
        overlay(
            2,
            &json!({"type": "sound", "name": "Voice", "src": format!("{media}/tone.wav"), "durationInFrames": 5})
        ),
        overlay(4, &json!({"type": "image", "src": format!("{media}/red.png")})),
    ]);
    service.template(id, 1, true, &film(5, &overlays)).await;
}

async fn with_template(id: &str) -> (Service, Account) {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 100).await;
    template(&service, id).await;
    (service, ada)
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_the_guides_do_what_they_are_shown_for() {
    let (service, ada) = with_template("tpl_quote_card").await;
    let mut sound = json_of("audio.md", 0);
    assert_eq!(sound["templateId"], "…", "a template of the reader's own");
    sound["templateId"] = json!("tpl_quote_card");
    let render = service.render(&ada, &sound).await;
    let kept = service.store.render(&render).await.unwrap().unwrap().audio.unwrap();
    assert_eq!((&kept["loudness"], &kept["ducking"]["narration"]), (&json!(-14), &json!(["Voice"])));

    let tagged = service.render(&ada, &json_of("integrations.md", 0)).await;
    let tagged = service.get(&ada, &format!("/renders/{tagged}")).await;
    assert_eq!(tagged.data()["metadata"]["customer"], "42");
    assert_eq!(tagged.data()["inputProps"]["overlays"][0]["content"], "Less is more.");

    let text = json!({"type": "text", "content": "Hello", "styles": {"fontSize": "40px"}});
    let two =
        film(5, &json!([overlay(1, &text), overlay(4, &json!({"type": "shape", "content": "circle"}))]));
    let project = service.post(&ada, "/projects", &json!({"name": "Title", "composition": two})).await;
    let edits = format!("/projects/{}/edits", project.data()["id"].as_str().unwrap());
    let edited = service.post(&ada, &edits, &json_of("projects.md", 0)).await;
    let wrong = service.post(&ada, "/previews", &json!({"templateId": "tpl_quote_card", "width": 8})).await;
    assert_eq!((wrong.status, wrong.body), (422, json_of("errors.md", 0)));
    let edited = &edited.data()["composition"];
    assert_eq!(edited["backgroundColor"], "#101820");
    let overlays = edited["overlays"].as_array().unwrap();
    assert_eq!((overlays.len(), &overlays[0]["styles"]["fontSize"]), (2, &json!("120px")));
    assert_eq!((&overlays[1]["content"], &overlays[1]["width"]), (&json!("circle"), &json!(200)));
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_compositions_in_the_guides_fit_into_a_film() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let styles = json!({"fontFamily": "Outfit", "color": "#7c3aed"});
    let plain = film(5, &json!([overlay(1, &json!({"type": "text", "content": "Hi", "styles": styles}))]));
    let with = |part: &Value| {
        let mut film = plain.clone();
        film.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        json!({"name": "Part", "composition": film})
    };
    let variables: [(usize, &str, [&str; 2]); 2] =
        [(0, "color", ["accent", "background"]), (1, "font", ["heading_font", "body_font"])];
    for (number, kind, names) in variables {
        let part = json_of("templates.md", number);
        let project = service.post(&ada, "/projects", &with(&part)).await;
        let found: Vec<&Value> = project.data()["variables"].as_array().unwrap().iter().collect();
        assert_eq!(found.iter().map(|it| it["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
        assert!(found.iter().all(|it| it["overlayType"] == kind && it["type"] == "text"), "{found:?}");
    }
    let faces = json_of("fonts.md", 0);
    let project = service.post(&ada, "/projects", &with(&faces)).await;
    assert_eq!(project.data()["composition"]["fontFaces"], faces["fontFaces"]);
    let (document, mut found) = (document(), BTreeSet::new());
    let composition = json!({"$ref": "#/components/schemas/Composition"});
    unnamed(&document, &faces, &composition, "", &mut found);
    assert_eq!(found, BTreeSet::new());
}

#[test]
fn answers_and_events_in_the_guides_have_the_published_schema() {
    let document = document();
    let event = |name: &str| {
        document["webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"].clone()
    };
    let destination = json!({"type": "object", "properties": {"destination": document["components"]["schemas"]["RenderJob"]["properties"]["destination"]}});
    let examples = [
        ("webhooks.md", event("render.completed")),
        ("batches.md", event("batch.completed")),
        ("destinations.md", destination),
    ];
    for (guide, schema) in examples {
        assert!(schema.is_object(), "{guide}");
        let example = json_of(guide, 0);
        fits(&document, &example, &schema).unwrap_or_else(|why| panic!("{guide}: {why}"));
        let mut found = BTreeSet::new();
        unnamed(&document, &example, &schema, "", &mut found);
        assert_eq!(found, BTreeSet::new(), "{guide}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_preview_of_the_player_guide_has_the_fields_of_a_real_one() {
    let (service, ada) = with_template("tpl_quote_card").await;
    let preview = service.post(&ada, "/previews", &json!({"templateId": "tpl_quote_card"})).await;
    let url = preview.data()["previewUrl"].as_str().unwrap();
    let response = client(true).get(url).header("accept", "application/json").send().await.unwrap();
    let real: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    let example = json_of("player.md", 0);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let media = |value: &Value| value["media"].as_object().unwrap().values().next().unwrap().clone();
    assert_eq!(keys(&example), keys(&real));
    assert_eq!(keys(&media(&example)), keys(&media(&real)));
    assert!(Time::parse(example["expiresAt"].as_str().unwrap()).is_some());
    let proxy = media(&example)["proxy"].as_str().unwrap().to_owned();
    let (page, name) = proxy.split_once("/media/").unwrap();
    let (real_page, real_name) = (url, media(&real)["proxy"].as_str().unwrap().to_owned());
    assert!(
        page.contains("/preview/prv_") && real_name.starts_with(&format!("{real_page}/media/")),
        "{name}, {real_name}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_for_agents_connect() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let settings = blocks("agents.md", "json connect").remove(0);
    let settings = settings.replace("http://127.0.0.1:8080", &service.url("")).replace("rnd_…", &ada.key);
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let server = &settings["mcpServers"]["rondo"];
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    let mut request = client(true)
        .post(server["url"].as_str().unwrap())
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(body);
    for (name, value) in server["headers"].as_object().unwrap() {
        request = request.header(name, value.as_str().unwrap());
    }
    let response = request.send().await.unwrap();
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    assert!(status == 200 && text.contains("check_composition"), "{status}: {text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_registers_as_the_guide_shows() {
    let service = Service::start(&[("role", "api")]).await;
    let app = json_of("sign-in.md", 0);
    let request =
        client(true).post(service.url("/oauth/register")).header("content-type", "application/json");
    let response = request.body(app.to_string()).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 201);
    let made: Map<String, Value> = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    for (name, value) in app.as_object().unwrap() {
        assert_eq!(made.get(name), Some(value), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_in_rust_verifies_deliveries_and_nothing_else() {
    let example = blocks("webhooks.md", "rust verify").remove(0);
    let own: Vec<&str> = include_str!("verify.rs").lines().skip(2).map(str::trim_start).collect();
    assert_eq!(own.join("\n").replace("pub fn verify", "fn verify"), example);

    let service = Service::start(&[]).await;
    let ada = service.account(Plan::Business, 0).await;
    let receiver = Receiver::start(&[200]).await;
    let webhook = service.post(&ada, "/webhooks", &json!({"url": receiver.url})).await.data().clone();
    let path = format!("/webhooks/{}/test", webhook["id"].as_str().unwrap());
    service.send("POST", &path, &ada.key, &[], None).await.data();
    let received = receiver.wait_for(1).await.remove(0);
    let header = |name| received.header(name).unwrap();
    let secret = webhook["secret"].as_str().unwrap();
    let (id, signatures) = (header("webhook-id"), header("webhook-signature"));
    let at: i64 = header("webhook-timestamp").parse().unwrap();
    let body = &received.body;
    assert!(verify(body, id, at, signatures, secret, at + 300));
    assert!(verify(body, id, at, &format!("v1,b3RoZXI= {signatures}"), secret, at - 300));
    let other = format!("whsec_{}", "A".repeat(32));
    let wrong = [
        verify(&[body.as_slice(), b" "].concat(), id, at, signatures, secret, at),
        verify(body, "del_2", at, signatures, secret, at),
        verify(body, id, at + 1, signatures, secret, at),
        verify(body, id, at, signatures, secret, at + 301),
        verify(body, id, at, signatures, secret, at - 301),
        verify(body, id, at, signatures, &other, at),
        verify(body, id, at, signatures, "whsec_?", at),
        verify(body, id, at, &signatures.replace("v1,", "v2,"), secret, at),
        verify(body, id, at, "", secret, at),
    ];
    assert_eq!(wrong, [false; 9]);
}
