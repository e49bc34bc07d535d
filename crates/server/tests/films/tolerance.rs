//! Films of other editors are accepted with a warning instead of being refused.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Service, film, media_server, overlay};

async fn service() -> (Service, Account, String) {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    (service, ada, media_server().await)
}

/// The warnings with this code.
fn told<'a>(data: &'a Value, code: &str) -> Vec<&'a Value> {
    data["warnings"].as_array().unwrap().iter().filter(|warning| warning["code"] == code).collect()
}

/// The only warning with this code.
#[track_caller]
fn once<'a>(data: &'a Value, code: &str, severity: &str) -> &'a Value {
    let told = told(data, code);
    assert_eq!(told.len(), 1, "{code}: {:#}", data["warnings"]);
    assert_eq!(told[0]["severity"], severity);
    told[0]
}

/// A film with every value that is tolerated.
fn odd_film(media: &str) -> Value {
    let mut props = film(
        20,
        &json!([
            overlay(1, &json!({"type": "sticker", "content": "emoji-fire", "category": "Animals"})),
            overlay(2, &json!({"type": "sticker", "content": "emoji-fire", "category": "Plants"})),
            overlay(3, &json!({"type": "shape", "content": "star", "styles": {"animation": "fadeIn 1s"}})),
            overlay(4, &json!({"type": "clip", "src": format!("{media}/gone.mp4"), "trackMuted": false})),
            overlay(
                5,
                &json!({"id": "5", "type": "text", "content": "Hi", "meta": {"from": "an editor"},
                "styles": {"fontSize": "3rem", "padding": 20, "borderRadius": 24}})
            ),
            overlay(
                6,
                &json!({"type": "text", "content": "Hi", "isDragging": "no", "styles": {"fontSize": "2em"}})
            ),
        ]),
    );
    props["aspectRatio"] = json!("16:9");
    props
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_tells_every_tolerance_once() {
    let (service, ada, media) = service().await;
    let preview = service.post(&ada, "/previews", &json!({"inputProps": odd_film(&media)})).await;
    let data = preview.data();

    let category = once(data, "STICKER_CATEGORY_UNKNOWN", "info");
    assert_eq!(category["detail"]["overlays"], json!([1, 2]));
    assert_eq!(category["detail"]["path"], "overlays[0].category");
    assert!(category["hint"].as_str().unwrap().contains("Shapes, Discounts"), "{category}");

    let animation = once(data, "ANIMATION_IGNORED", "warning");
    assert_eq!(animation["detail"]["path"], "overlays[2].styles.animation");
    assert_eq!(animation["detail"]["overlayId"], 3);
    assert!(animation["message"].as_str().unwrap().contains("\"fadeIn 1s\""), "{animation}");
    for name in ["slide-up", "zoom-blur", "ken-burns-in"] {
        assert!(animation["hint"].as_str().unwrap().contains(name), "{animation}");
    }

    let clip = once(data, "OVERLAY_TYPE_RENAMED", "info");
    assert_eq!((&clip["detail"]["overlayId"], &clip["detail"]["overlayType"]), (&json!(4), &json!("video")));

    let size = once(data, "FONT_SIZE_UNIT_IGNORED", "warning");
    assert_eq!(size["detail"]["overlays"], json!([5, 6]));
    assert_eq!(
        size["detail"]["paths"],
        json!(["overlays[4].styles.fontSize", "overlays[5].styles.fontSize"])
    );

    let editor = once(data, "EDITOR_FIELD_IGNORED", "info");
    let mut paths: Vec<&str> =
        editor["detail"]["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        ["aspectRatio", "overlays[3].trackMuted", "overlays[4].meta", "overlays[5].isDragging"]
    );

    assert_eq!(told(data, "UNKNOWN_FIELD"), Vec::<&Value>::new());
    assert_eq!(told(data, "INVALID_CSS_VALUE"), Vec::<&Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_keeps_what_was_read_and_its_project_can_be_rendered_again() {
    let (service, ada, media) = service().await;
    let body = json!({"inputProps": odd_film(&media), "createProject": true});
    let created = service.post(&ada, "/renders", &body).await;
    let created = created.data();
    let job = service.get(&ada, &format!("/renders/{}", created["jobId"].as_str().unwrap())).await;
    let overlays = &job.data()["inputProps"]["overlays"];
    assert_eq!(overlays[0].get("category"), None);
    assert_eq!(overlays[2]["styles"].get("animation"), None);
    assert_eq!(overlays[3]["type"], "video");
    assert_eq!(overlays[4]["id"], 5);
    assert_eq!(overlays[4]["styles"]["padding"], "20px");
    assert_eq!(overlays[4]["styles"]["borderRadius"], "24px");

    let again = service.post(&ada, "/previews", &json!({"projectId": created["projectId"]})).await;
    for code in ["STICKER_CATEGORY_UNKNOWN", "EDITOR_FIELD_IGNORED"] {
        assert_eq!(told(again.data(), code), Vec::<&Value>::new(), "they were dropped");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_template_with_odd_values_is_read_and_tells_them() {
    let (service, ada, media) = service().await;
    let mut props = odd_film(&media);
    props["overlays"][4]["isDynamic"] = json!(true);
    props["overlays"][4]["name"] = json!("headline");
    service.template("tpl_odd", 1, true, &props).await;
    let variables = service.get(&ada, "/templates/tpl_odd/variables").await;
    assert_eq!(variables.data()["variables"][0]["name"], "headline");
    let body = json!({"templateId": "tpl_odd", "replacements": {"headline": "Hello"}});
    let preview = service.post(&ada, "/previews", &body).await;
    let data = preview.data();
    assert_eq!(data["resolved"]["variables"][0]["overlayId"], 5);
    once(data, "ANIMATION_IGNORED", "warning");
    once(data, "OVERLAY_TYPE_RENAMED", "info");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_ids_types_and_duplicates_stay_refused() {
    let (service, ada, _) = service().await;
    let post = async |overlays: Value| {
        service.post(&ada, "/previews", &json!({"inputProps": film(20, &overlays)})).await
    };
    let star = |id: Value| overlay(1, &json!({"id": id, "type": "shape", "content": "star"}));
    post(json!([star(json!("twelve"))])).await.refused(400, "INVALID_REQUEST");
    post(json!([star(json!(12)), star(json!("12"))])).await.refused(422, "DUPLICATE_OVERLAY_ID");
    let hologram = overlay(1, &json!({"type": "hologram"}));
    post(json!([hologram])).await.refused(422, "UNKNOWN_OVERLAY_TYPE");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_that_starts_behind_its_end_is_told_and_frames_are_recognised() {
    let (service, ada, media) = service().await;
    let sound = |id: u32, start: f64| {
        let src = format!("{media}/tone.wav");
        overlay(id, &json!({"type": "sound", "src": src, "startFromSound": start, "durationInFrames": 5}))
    };
    // The tone lasts a second, and the film has 10 frames a second.
    let props = film(20, &json!([sound(1, 0.5), sound(2, 5.0), sound(3, 60.0)]));
    let preview = service.post(&ada, "/previews", &json!({"inputProps": props})).await;
    let late = told(preview.data(), "MEDIA_START_PAST_END");
    let ids: Vec<&Value> = late.iter().map(|warning| &warning["detail"]["overlayId"]).collect();
    assert_eq!(ids, [2, 3]);
    assert!(late.iter().all(|warning| warning["severity"] == "warning"));
    assert_eq!(late[0]["detail"]["path"], "overlays[1].startFromSound");
    assert_eq!(late[0]["hint"], "startFromSound is in seconds. If 5 is a number of frames, write 0.500.");
    assert_eq!(late[1]["hint"], "Write a number of seconds below 1.0.");
    assert_eq!(told(preview.data(), "MEDIA_SHORTER_THAN_OVERLAY"), Vec::<&Value>::new());
}
