//! Compositions in responses: what the OpenAPI document says of them holds, also when `null` or what is tolerated was sent.

use std::collections::BTreeSet;

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, Service, overlay};
use crate::projects::greeting;
use crate::schema::{fits, resolved};

/// The greeting with fields that are `null` and an overlay of an older editor, and the same as the schema allows it. Fields
/// that nobody knows are in both.
fn odd_and_tidy() -> (Value, Value) {
    let mut odd = greeting("Hello");
    odd["backgroundColor"] = Value::Null;
    odd["posterFrame"] = Value::Null;
    odd["x-editor"]["selected"] = Value::Null;
    let title = &mut odd["overlays"][0];
    title["rotation"] = Value::Null;
    title["styles"] = json!({"opacity": null, "animation": {"enter": "fade", "duringIntensity": null}});
    let mut picture = overlay(2, &json!({"type": "image", "src": "", "name": "logo", "isDynamic": true}));
    picture["styles"] = Value::Null;
    let clip = json!({
        "type": "clip", "src": "", "name": "take", "isDynamic": true, "isDragging": "no",
        "styles": {"animation": "fadeIn 1s", "opacity": 0.5},
    });
    let mut clip = overlay(3, &clip);
    clip["id"] = json!("3");
    odd["overlays"].as_array_mut().unwrap().extend([picture, clip]);
    let mut tidy = odd.clone();
    for field in ["backgroundColor", "posterFrame"] {
        tidy.as_object_mut().unwrap().shift_remove(field);
    }
    tidy["overlays"][0].as_object_mut().unwrap().shift_remove("rotation");
    tidy["overlays"][0]["styles"] = json!({"animation": {"enter": "fade"}});
    tidy["overlays"][1].as_object_mut().unwrap().shift_remove("styles");
    let clip = &mut tidy["overlays"][2];
    clip.as_object_mut().unwrap().shift_remove("isDragging");
    (clip["id"], clip["type"]) = (json!(3), json!("video"));
    clip["styles"] = json!({"opacity": 0.5});
    (odd, tidy)
}

/// Whether a schema describes compositions, at whatever depth.
fn holds_composition(document: &Value, schema: &Value, seen: &mut BTreeSet<String>) -> bool {
    match schema {
        Value::Object(fields) => {
            if let Some(target) = schema["$ref"].as_str() {
                return target == "#/components/schemas/Composition"
                    || seen.insert(target.to_owned())
                        && holds_composition(document, resolved(document, schema), seen);
            }
            fields.values().any(|part| holds_composition(document, part, seen))
        }
        Value::Array(parts) => parts.iter().any(|part| holds_composition(document, part, seen)),
        _ => false,
    }
}

/// The operations whose answers the test has compared with the document.
struct Compared {
    document: Value,
    operations: BTreeSet<String>,
}

impl Compared {
    fn schema(&self, method: &str, path: &str) -> &Value {
        &self.document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]
    }

    /// Compares an answer with the schema of its operation.
    #[track_caller]
    fn answer<'a>(&mut self, method: &str, path: &str, answer: &'a Answer) -> &'a Value {
        let schema = self.schema(method, path);
        assert!(schema.is_object(), "{method} {path}");
        fits(&self.document, &answer.body, schema).unwrap_or_else(|why| panic!("{method} {path}: {why}"));
        self.operations.insert(format!("{method} {path}"));
        answer.data()
    }

    /// Every operation that answers with compositions.
    fn all(&self) -> BTreeSet<String> {
        let paths = self.document["paths"].as_object().unwrap();
        let methods = paths.iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| (method.as_str(), path.as_str()))
        });
        methods
            .filter(|(method, path)| {
                holds_composition(&self.document, self.schema(method, path), &mut BTreeSet::new())
            })
            .map(|(method, path)| format!("{method} {path}"))
            .collect()
    }
}

async fn send(service: &Service, account: &Account, method: &str, path: &str) -> Answer {
    service.send(method, path, &account.key, &[], None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_answers_with_a_composition_keeps_its_schema_when_odd_values_were_sent() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 100).await;
    let (odd, tidy) = odd_and_tidy();
    let document = serde_json::from_str(include_str!("../../../../web/openapi/api.json")).unwrap();
    let mut compared = Compared { document, operations: BTreeSet::new() };
    let is_tidy = |project: &Value| assert_eq!(project["composition"].to_string(), tidy.to_string());

    // Projects.
    let made = service.post(&ada, "/projects", &json!({"name": "Nulls", "composition": odd})).await;
    is_tidy(compared.answer("post", "/projects", &made));
    let id = made.data()["id"].as_str().unwrap().to_owned();
    let path = format!("/projects/{id}");
    let got = send(&service, &ada, "GET", &path).await;
    is_tidy(compared.answer("get", "/projects/{projectId}", &got));
    assert_eq!(got.data()["etag"], made.data()["etag"]);
    // The same film again, tidy, is a change like any other.
    let tag = format!("\"{}\"", got.data()["etag"].as_str().unwrap());
    let body = json!({"composition": got.data()["composition"], "change": "Cleaned"});
    let put = service.send("PUT", &path, &ada.key, &[("if-match", &tag)], Some(&body)).await;
    is_tidy(compared.answer("put", "/projects/{projectId}", &put));
    assert_eq!(put.data()["etag"], "r2");
    let edits = json!({"edits": [{"op": "set", "id": 1, "path": "styles.opacity", "value": null}]});
    let edited = service.post(&ada, &format!("{path}/edits"), &edits).await;
    is_tidy(compared.answer("post", "/projects/{projectId}/edits", &edited));
    let copy = send(&service, &ada, "POST", &format!("{path}/duplicate")).await;
    is_tidy(compared.answer("post", "/projects/{projectId}/duplicate", &copy));

    // The first version is as it was sent.
    let versions = send(&service, &ada, "GET", &format!("{path}/versions")).await;
    let first = versions.data()["versions"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap();
    let first = format!("{path}/versions/{first}");
    let version = send(&service, &ada, "GET", &first).await;
    is_tidy(compared.answer("get", "/projects/{projectId}/versions/{versionId}", &version));
    let restored = send(&service, &ada, "POST", &format!("{first}/restore")).await;
    is_tidy(compared.answer("post", "/projects/{projectId}/versions/{versionId}/restore", &restored));

    // A preview, which opens as a project.
    let media = crate::harness::media_server().await;
    let mut film = odd.clone();
    film["overlays"].as_array_mut().unwrap().truncate(2);
    film["overlays"][1]["src"] = json!(format!("{media}/red.png"));
    let preview = service.post(&ada, "/previews", &json!({"inputProps": film})).await;
    let preview = format!("/projects/{}", preview.data()["previewId"].as_str().unwrap());
    compared.answer("get", "/projects/{projectId}", &send(&service, &ada, "GET", &preview).await);

    // Renders: of the film itself, and of a template that was stored as it was sent.
    service.template("tpl_nulls", 1, true, &film).await;
    let with_output = |mut body: Value| {
        body["output"] = json!({"format": "gif", "scale": null});
        body["audio"] = Value::Null;
        body["metadata"] = json!({"order": 1});
        body
    };
    for body in [json!({"inputProps": film}), json!({"templateId": "tpl_nulls"})] {
        let job = service.render(&ada, &with_output(body)).await;
        let path = format!("/renders/{job}");
        let render = send(&service, &ada, "GET", &path).await;
        let render = compared.answer("get", "/renders/{jobId}", &render);
        assert_eq!(render["inputProps"]["overlays"][1]["type"], "image", "{render}");
        compared.answer("get", "/renders", &send(&service, &ada, "GET", "/renders").await);
        let cancelled = send(&service, &ada, "POST", &format!("{path}/cancel")).await;
        compared.answer("post", "/renders/{jobId}/cancel", &cancelled);
        compared.answer("delete", "/renders/{jobId}", &send(&service, &ada, "DELETE", &path).await);
    }
    let batch = json!({"templateId": "tpl_nulls", "sets": [{"replacements": {"title": null}}, {}]});
    let batch = service.post(&ada, "/renders/batch", &batch).await;
    let path = format!("/batches/{}", batch.data()["batchId"].as_str().unwrap());
    compared.answer("get", "/batches/{batchId}", &send(&service, &ada, "GET", &path).await);

    let clip =
        json!({"asset": {"type": "text", "text": "x", "font": null}, "start": 0, "length": 1, "fit": null});
    let edit = json!({"timeline": {"background": null, "tracks": [{"clips": [clip]}]}, "output": {"format": "mp4", "fps": null}});
    let imported = service.post(&ada, "/imports", &json!({"document": edit})).await;
    compared.answer("post", "/imports", &imported);

    assert_eq!(compared.operations, compared.all());
}
