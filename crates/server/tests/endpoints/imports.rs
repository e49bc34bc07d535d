//! POST /imports: films of other services and editors.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::Service;

/// An edit with a merge field, a missing length and something without an equal.
fn edit() -> Value {
    json!({
        "timeline": {"background": "#ff0000", "tracks": [{"clips": [
            {"asset": {"type": "text", "text": "{{ NAME }}", "font": {"size": 20}}, "start": 0, "length": 2},
            {"asset": {"type": "luma", "src": "matte.mp4"}, "start": 0, "length": 2}
        ]}]},
        "output": {"format": "mp4", "size": {"width": 96, "height": 64}, "fps": 10},
        "merge": [{"find": "NAME", "replace": "Ada"}]
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_film_can_be_previewed_as_it_is_and_costs_nothing() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let answer = service.post(&ada, "/imports", &json!({"document": edit()})).await;
    let data = answer.data();
    assert_eq!(data["from"], "shotstack");
    let composition = &data["composition"];
    assert_eq!((&composition["width"], &composition["durationInFrames"]), (&json!(96), &json!(20)));
    assert_eq!(composition["overlays"][0]["name"], "NAME");
    let warnings = data["warnings"].as_array().unwrap();
    let luma = warnings.iter().find(|w| w["path"] == "timeline.tracks[0].clips[1].asset").unwrap();
    assert_eq!((&luma["code"], &luma["severity"]), (&json!("NO_EQUIVALENT"), &json!("warning")));

    let preview = service.post(&ada, "/previews", &json!({"inputProps": composition})).await;
    let severities: Vec<&Value> =
        preview.data()["warnings"].as_array().unwrap().iter().map(|w| &w["severity"]).collect();
    assert!(!severities.contains(&&json!("error")), "{}", preview.body);
    assert_eq!(service.credits(&ada).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_documents_are_refused_with_paths_in_the_request() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let issue = |answer: &crate::harness::Answer| answer.body["details"]["issues"][0]["path"].clone();
    let clip = json!({"asset": {"type": "text", "text": "x"}, "start": 0, "length": 1});
    let crowd = json!({"timeline": {"tracks": [{"clips": vec![clip; 501]}]}});
    let rows = [
        (json!({}), 400, "INVALID_REQUEST", "document"),
        (json!({"document": {"a": 1}}), 400, "INVALID_REQUEST", "document"),
        (json!({"document": edit(), "from": "word"}), 422, "INVALID_ENUM_VALUE", "from"),
        (
            json!({"document": {"scenes": []}, "from": "shotstack"}),
            400,
            "INVALID_REQUEST",
            "document.timeline",
        ),
        (json!({"document": crowd}), 422, "TOO_MANY_OVERLAYS", "document.timeline.tracks"),
    ];
    for (body, status, reason, path) in rows {
        let answer = service.post(&ada, "/imports", &body).await;
        answer.refused(status, reason);
        assert_eq!(issue(&answer), path, "{}", answer.body);
    }
    let array = json!({"document": [{"id": 1, "type": "text", "content": "x", "from": 0, "durationInFrames": 5, "row": 0}]});
    assert_eq!(service.post(&ada, "/imports", &array).await.data()["from"], "rve");
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_needs_credentials() {
    let service = Service::start(&[("role", "api")]).await;
    let answer = service.send("POST", "/imports", "rnd_wrong", &[], Some(&json!({"document": edit()}))).await;
    assert_eq!(answer.status, 401);
}
