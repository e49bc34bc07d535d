//! Brand kits, and the list of media they take their logo from.

use rondo_store::{NewVoiceover, Plan};
use serde_json::{Value, json};

use crate::harness::{Account, Answer, Service, client, film, is_cluster, overlay};

async fn upload(service: &Service, account: &Account, name: &str, content_type: &str) -> Value {
    let place = json!({"contentType": content_type, "name": name});
    let place = service.post(account, "/uploads", &place).await.data().clone();
    let sent = client(true).put(place["uploadUrl"].as_str().unwrap()).header("content-type", content_type);
    let bytes: &[u8] = if content_type == "image/gif" { b"GIF89a6789" } else { b"OggS6789" };
    assert_eq!(sent.body(bytes).send().await.unwrap().status(), 200);
    place
}

async fn set(service: &Service, account: &Account, brand: &Value) -> Answer {
    service.send("PUT", "/brand", &account.key, &[], Some(brand)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_kit_is_kept_for_its_account_and_checked_field_by_field() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 5).await, service.account(Plan::None, 5).await);
    let empty = service.get(&ada, "/brand").await.data().clone();
    let nothing = json!({"logo": null, "logoUrl": null, "colors": [], "fonts": {"heading": null, "body": null}, "updatedAt": null});
    assert_eq!(empty, nothing);

    let logo = upload(&service, &ada, "logo.gif", "image/gif").await;
    let brand = json!({
        "logo": logo["id"],
        "colors": [{"name": " Accent ", "value": "#7C3AED"}, {"name": "Paper", "value": "#fff"}],
        "fonts": {"heading": "Outfit", "body": "Inter"},
    });
    set(&service, &ada, &brand).await.data();
    let kept = service.get(&ada, "/brand").await.data().clone();
    assert_eq!((&kept["logo"], &kept["logoUrl"]), (&logo["id"], &logo["fileUrl"]));
    let colors = json!([{"name": "Accent", "value": "#7c3aed"}, {"name": "Paper", "value": "#ffffff"}]);
    assert_eq!((&kept["colors"], &kept["fonts"]), (&colors, &json!({"heading": "Outfit", "body": "Inter"})));
    assert!(kept["updatedAt"].is_string());
    assert_eq!(service.get(&eve, "/brand").await.data(), &nothing);

    let sound = upload(&service, &ada, "song.ogg", "audio/ogg").await;
    let color = |name: &str, value: &str| json!({"name": name, "value": value});
    let many: Vec<Value> = (0..13).map(|number| color(&number.to_string(), "#000")).collect();
    for (account, wrong, reason, path) in [
        (&eve, json!({"logo": logo["id"]}), "UNKNOWN_UPLOAD", "logo"),
        (&ada, json!({"logo": sound["id"]}), "UNKNOWN_UPLOAD", "logo"),
        (
            &ada,
            json!({"colors": [color("a", "#000"), color("A ", "#fff")]}),
            "DUPLICATE_NAME",
            "colors[1].name",
        ),
        (&ada, json!({"colors": [color("a", "#12")]}), "VALUE_OUT_OF_RANGE", "colors[0].value"),
        (&ada, json!({"colors": many}), "VALUE_OUT_OF_RANGE", "colors"),
        (&ada, json!({"fonts": {"body": "No Such Family"}}), "UNKNOWN_FONT", "fonts.body"),
    ] {
        let details = set(&service, account, &wrong).await.refused(422, reason).clone();
        assert_eq!(details["issues"][0]["path"], path, "{details}");
    }
    assert_eq!(service.get(&ada, "/brand").await.data(), &kept, "a refused kit changes nothing");

    // The logo goes with its upload.
    service
        .send("DELETE", &format!("/uploads/{}", logo["id"].as_str().unwrap()), &ada.key, &[], None)
        .await
        .data();
    assert_eq!(service.get(&ada, "/brand").await.data()["logoUrl"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_and_narrations_are_listed_searched_and_deleted_together() {
    if is_cluster() {
        println!("skipped: it looks at files of the folder.");
        return;
    }
    let service = Service::start(&[("role", "api")]).await;
    let (ada, eve) = (service.account(Plan::None, 5).await, service.account(Plan::None, 5).await);
    let picture = upload(&service, &ada, "Beach.gif", "image/gif").await;
    let voice = |text: &str| NewVoiceover {
        file: "voi_shared.wav".to_owned(),
        language: "en".to_owned(),
        text: text.to_owned(),
        duration_ms: 1200,
        size: 100,
        words: json!([]),
    };
    let sound = service.folder.path().join("voiceovers");
    std::fs::create_dir_all(&sound).unwrap();
    let sound = sound.join("voi_shared.wav");
    std::fs::write(&sound, [0; 100]).unwrap();
    let (mine, others) = (
        service.store.keep_voiceover(&ada.id, &voice("Welcome to the beach")).await.unwrap(),
        service.store.keep_voiceover(&eve.id, &voice("Welcome to the beach")).await.unwrap(),
    );
    let list = async |query: &str| service.get(&ada, &format!("/uploads{query}")).await.data().clone();
    let ids = |list: &Value| -> Vec<String> {
        list["uploads"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let upload_id = picture["id"].as_str().unwrap().to_owned();
    assert_eq!(
        ids(&list("").await),
        std::slice::from_ref(&upload_id),
        "narrations are listed where they are asked for"
    );
    let all = list("?kind=all&search=BEACH").await;
    assert_eq!(ids(&all), [mine.id.clone(), upload_id.clone()]);
    let narration = &all["uploads"][0];
    assert_eq!(
        (&narration["kind"], &narration["name"]),
        (&json!("narration"), &json!("Welcome to the beach"))
    );
    assert_eq!((&narration["durationMs"], &narration["contentType"]), (&json!(1200), &json!("audio/wav")));
    assert!(narration["fileUrl"].as_str().unwrap().ends_with("/files/voi_shared.wav"), "{narration}");
    let first = list("?kind=all&limit=1").await;
    let next = first["nextCursor"].as_str().unwrap();
    assert_eq!(
        ids(&list(&format!("?kind=all&limit=1&cursor={next}")).await),
        std::slice::from_ref(&upload_id)
    );
    service.get(&ada, "/uploads?kind=none").await.refused(400, "INVALID_REQUEST");

    // A queued render names the upload.
    let shown = json!({"type": "image", "src": picture["fileUrl"], "durationInFrames": 5});
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([overlay(1, &shown)]))})).await;
    let uses = service.store.media_uses(&ada.id, &format!("{upload_id}.gif")).await.unwrap();
    assert_eq!((uses.renders[0].id.as_str(), uses.projects.len()), (job.as_str(), 0));
    assert!(service.store.media_uses(&eve.id, &format!("{upload_id}.gif")).await.unwrap().renders.is_empty());

    // The sound of a narration stays while another account has it, and the bytes are free at once.
    let used = async || service.get(&ada, "/account").await.data()["storage"]["usedBytes"].clone();
    assert_eq!(used().await, 110);
    let remove = async |account: &Account, id: &str| {
        service.send("DELETE", &format!("/uploads/{id}"), &account.key, &[], None).await
    };
    remove(&ada, &others.id).await.refused(404, "NOT_FOUND");
    remove(&ada, &mine.id).await.data();
    assert!(sound.is_file() && used().await == 10);
    remove(&eve, &others.id).await.data();
    assert!(!sound.is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_whose_upload_was_deleted_fails_and_says_which() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 5).await;
    let picture = upload(&service, &ada, "Beach.gif", "image/gif").await;
    let shown = json!({"type": "image", "src": picture["fileUrl"], "durationInFrames": 5});
    let id = picture["id"].as_str().unwrap();
    service.send("DELETE", &format!("/uploads/{id}"), &ada.key, &[], None).await.data();
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([overlay(1, &shown)]))})).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "FAILED");
    assert!(job["errorMessage"].as_str().unwrap().contains(id), "{job}");
    assert_eq!(service.credits(&ada).await, 5);
}
