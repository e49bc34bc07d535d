//! What previews tell: the film, its price and every warning.

use rondo_render::{FamilyFace, FetchedFamilies, family_file};
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Service, film, media_server, overlay, red_png};

fn codes(data: &Value) -> Vec<(&str, &str)> {
    let warnings = data["warnings"].as_array().unwrap();
    warnings.iter().map(|w| (w["code"].as_str().unwrap(), w["severity"].as_str().unwrap())).collect()
}

fn warning<'a>(data: &'a Value, code: &str) -> &'a Value {
    let warnings = data["warnings"].as_array().unwrap();
    warnings.iter().find(|w| w["code"] == code).unwrap_or_else(|| panic!("no {code}: {warnings:#?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clean_film_resolves_without_a_warning() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let text =
        overlay(3, &json!({"type": "text", "content": "Hi", "isDynamic": true, "durationInFrames": 20}));
    let preview = service.post(&ada, "/previews", &json!({"inputProps": film(20, &json!([text]))})).await;
    let data = preview.data();
    assert_eq!(data["warnings"], json!([]));
    assert_eq!(data["aiSkipped"], Value::Null);
    let id = data["previewId"].as_str().unwrap();
    assert_eq!(data["previewUrl"], service.url(&format!("/preview/{id}")));
    assert_eq!(data["editUrl"], service.url(&format!("/edit/{id}")));
    assert_eq!(
        data["resolved"],
        json!({"mode": "direct", "width": 96, "height": 64, "fps": 10, "durationInFrames": 20, "durationSeconds": 2.0,
            "posterFrame": 10, "variables": [{"name": "overlay-3", "overlayId": 3, "overlayType": "text",
                "field": "content", "value": "Hi", "source": "default", "visibleFrame": 10, "type": "text"}]})
    );
    assert_eq!(
        data["quote"],
        json!({"credits": 1, "creditsPerMinute": 1, "durationSeconds": 2.0, "resolutionMultiplier": 1,
            "creditsAvailable": 10, "sufficient": true})
    );
    assert_eq!(service.credits(&ada).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_code_of_the_contract_is_told_the_most_severe_first() {
    let media = media_server().await;
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let text = |styles: Value| json!({"type": "text", "content": "Hi", "styles": styles});
    let clipped = json!({"type": "text", "content": "Far too much text for such a small box, however one sets it",
        "isDynamic": true, "name": "story", "styles": {"fontSize": "30px", "fontSizeFixed": true}});
    let props = film(
        20,
        &json!([
            overlay(1, &text(json!({"fontFamily": "No Such Family"}))),
            overlay(2, &text(json!({"fontFamily": "VT323", "fontWeight": "700"}))),
            overlay(3, &text(json!({"fontSize": "3rem", "colour": "red"}))),
            overlay(4, &clipped),
            overlay(
                5,
                &json!({"type": "image", "src": format!(" {media}/my pic.png"), "isDynamic": true, "name": "logo"})
            ),
            overlay(6, &json!({"type": "image", "src": format!("{media}/gone.png")})),
        ]),
    );
    let preview = service.post(&ada, "/previews", &json!({"inputProps": props})).await;
    let data = preview.data();
    assert_eq!(
        codes(data),
        [
            ("MEDIA_UNREACHABLE", "error"),
            ("FONT_NOT_RESOLVED", "warning"),
            ("FONT_WEIGHT_UNAVAILABLE", "warning"),
            ("UNKNOWN_FIELD", "warning"),
            ("FONT_SIZE_UNIT_IGNORED", "warning"),
            ("TEXT_MAY_CLIP", "warning"),
            ("MEDIA_URL_REWRITTEN", "info"),
        ]
    );
    assert_eq!(warning(data, "FONT_WEIGHT_UNAVAILABLE")["detail"]["availableWeights"], json!([400]));
    assert_eq!(warning(data, "TEXT_MAY_CLIP")["variable"], "story");
    assert!(warning(data, "FONT_NOT_RESOLVED").get("variable").is_none());
    let rewritten = warning(data, "MEDIA_URL_REWRITTEN");
    assert_eq!(
        (&rewritten["variable"], &rewritten["detail"]["to"]),
        (&json!("logo"), &json!(format!("{media}/my%20pic.png")))
    );
    assert_eq!(warning(data, "UNKNOWN_FIELD")["detail"]["field"], "inputProps.overlays[2].styles.colour");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_matches_no_variable_is_told_with_the_nearest_name() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let text = overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"}));
    service.template("tpl_one", 1, true, &film(20, &json!([text]))).await;
    let body = json!({"templateId": "tpl_one", "headlin": "Hello"});
    let preview = service.post(&ada, "/previews", &body).await;
    let data = preview.data();
    assert_eq!(codes(data), [("UNKNOWN_REPLACEMENT", "warning")]);
    let warning = warning(data, "UNKNOWN_REPLACEMENT");
    assert_eq!(warning["variable"], "headlin");
    assert!(warning["hint"].as_str().unwrap().contains("headline"));
    assert_eq!(data["resolved"]["variables"][0]["value"], "Hi");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_at_the_promised_length_never_raises_a_warning() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let text = overlay(
        1,
        &json!({"type": "text", "content": "x", "isDynamic": true, "name": "headline",
        "styles": {"fontSize": "20px", "fontSizeFixed": true, "fontWeight": "900"}}),
    );
    service.template("tpl_fixed", 1, true, &film(20, &json!([text]))).await;
    let variables = service.get(&ada, "/templates/tpl_fixed/variables").await;
    let most = variables.data()["variables"][0]["maxCharacters"].as_u64().unwrap() as usize;
    let clips = async |count: usize| {
        let body = json!({"templateId": "tpl_fixed", "headline": "W".repeat(count)});
        let preview = service.post(&ada, "/previews", &body).await;
        assert_eq!(preview.data()["resolved"]["variables"][0]["maxCharacters"], most);
        codes(preview.data()).contains(&("TEXT_MAY_CLIP", "warning"))
    };
    assert!(!clips(most).await);
    assert!(clips(most * 2).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn overlays_nobody_sees_and_media_too_small_or_too_short_are_told() {
    let media = media_server().await;
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let small = format!("data:image/png;base64,{}", base64(&red_png(8, 8)));
    let mut props = film(
        40,
        &json!([
            overlay(1, &json!({"type": "shape", "content": "square", "from": 40})),
            overlay(2, &json!({"type": "shape", "content": "square", "left": 200})),
            overlay(3, &json!({"type": "image", "src": small})),
            overlay(
                4,
                &json!({"type": "shape", "content": "dodecahedron", "styles": {"animation": {"enter": "teleport"}}})
            ),
            overlay(5, &json!({"type": "sound", "src": format!("{media}/tone.wav")})),
        ]),
    );
    props["width"] = json!(97);
    let preview = service.post(&ada, "/previews", &json!({"inputProps": props})).await;
    let codes: Vec<&str> = codes(preview.data()).into_iter().map(|(code, _)| code).collect();
    for code in [
        "ODD_DIMENSIONS",
        "OVERLAY_OUTSIDE_TIMELINE",
        "OVERLAY_OFF_CANVAS",
        "LOW_RESOLUTION_MEDIA",
        "UNKNOWN_SHAPE",
        "UNKNOWN_PRESET",
        "MEDIA_SHORTER_THAN_OVERLAY",
    ] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
}

/// Roboto Mono by another name, as a registry would bring it.
#[tokio::test(flavor = "multi_thread")]
async fn a_family_that_was_fetched_is_drawn_by_the_next_film_without_a_restart() {
    const FONT: &[u8] = include_bytes!("../../../../assets/fonts/core/roboto-mono-latin-400-normal.woff2");
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let picture = async |family: &str| {
        let styles = json!({"fontFamily": family, "color": "white"});
        let text = overlay(1, &json!({"type": "text", "content": "Hello", "styles": styles}));
        let preview = service.post(&ada, "/previews", &json!({"inputProps": film(20, &json!([text]))})).await;
        let id = preview.data()["previewId"].as_str().unwrap().to_owned();
        let path = service.download(&service.url(&format!("/preview/{id}.png?frame=5")), &id).await;
        std::fs::read(path).unwrap()
    };
    let before = picture("Fetched Mono").await;
    assert_eq!(before, picture("Inter").await);
    let face =
        FamilyFace { weight: 400, style: "normal".into(), range: "U+0000-00FF".into(), bytes: FONT.to_vec() };
    let families = FetchedFamilies::new(service.folder.path().join("fonts"));
    families.store("fetched-mono", b"OFL", &family_file("Fetched Mono", &[face])).unwrap();
    let after = picture("'Fetched Mono', Inter").await;
    assert!(after != before, "the family is not used");
    assert!(after == picture("Roboto Mono").await, "the glyphs differ");
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[tokio::test(flavor = "multi_thread")]
async fn misspelt_fields_are_told_with_the_name_that_was_meant() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let text = overlay(
        1,
        &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline", "durationInFrames": 20,
            "styles": {"fontWieght": "700"}}),
    );
    let mut props = film(20, &json!([text]));
    props["widht"] = json!(100);
    let body = json!({"inputProps": props, "fsp": 25, "output": {"fromat": "webm"}, "replacements": {"headline": "Yo"}});
    let preview = service.post(&ada, "/previews", &body).await;
    let data = preview.data();
    let told: Vec<(&str, &str)> = data["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|warning| warning["code"] == "UNKNOWN_FIELD")
        .map(|warning| {
            (warning["detail"]["field"].as_str().unwrap(), warning["hint"].as_str().unwrap_or_default())
        })
        .collect();
    for expected in [
        ("fsp", "Did you mean \"fps\"?"),
        // The width is given, so it was not meant.
        ("inputProps.widht", ""),
        ("output.fromat", "Did you mean \"format\"?"),
        ("inputProps.overlays[0].styles.fontWieght", "Did you mean \"fontWeight\"?"),
    ] {
        assert!(told.contains(&expected), "{expected:?} {:#}", data["warnings"]);
    }
    assert_eq!(warning(data, "REPLACEMENTS_IGNORED")["detail"]["path"], "replacements");

    let mut props = film(20, &json!([]));
    props.as_object_mut().unwrap().shift_remove("width");
    props["widht"] = json!(100);
    let preview = service.post(&ada, "/previews", &json!({"inputProps": props})).await;
    assert_eq!(warning(preview.data(), "UNKNOWN_FIELD")["hint"], "Did you mean \"width\"?");

    // Flat keys of a template are variables, or fields of the request.
    service.template("greeting", 1, true, &film(20, &json!([text]))).await;
    for (key, meant) in
        [("widht", "width"), ("webhookURl", "webhookUrl"), ("headlin", "headline"), ("zzz", "headline")]
    {
        let preview = service.post(&ada, "/previews", &json!({"templateId": "greeting", key: "Yo"})).await;
        let warning = warning(preview.data(), "UNKNOWN_REPLACEMENT");
        assert_eq!(warning["variable"], key);
        assert_eq!(warning["hint"], format!("Did you mean \"{meant}\"?"), "{key}");
    }
    let named = json!({"templateId": "greeting", "replacements": {"widht": "1", "headline": "Yo"}});
    let preview = service.post(&ada, "/previews", &named).await;
    assert_eq!(warning(preview.data(), "UNKNOWN_REPLACEMENT")["hint"], "Did you mean \"headline\"?");
}
