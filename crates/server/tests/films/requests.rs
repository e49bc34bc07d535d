//! What a request may say, in which mode, and what is refused in which order.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Service, film, media_server, overlay};

/// A film with a text variable `headline` and an empty picture variable `logo`.
fn greeting() -> Value {
    film(
        20,
        &json!([
            overlay(1, &json!({"type": "text", "content": "Hello", "isDynamic": true, "name": "headline"})),
            overlay(2, &json!({"type": "image", "src": "", "isDynamic": true, "name": "logo"})),
        ]),
    )
}

/// A service that renders nothing, with the template `tpl_greeting` at 3 credits a minute.
async fn service() -> (Service, Account, String) {
    let media = media_server().await;
    let service = Service::start(&[("role", "api")]).await;
    service.template("tpl_greeting", 3, true, &greeting()).await;
    let ada = service.account(Plan::Business, 100).await;
    (service, ada, format!("{media}/red.png"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_takes_replacements_flat_keys_and_overrides_and_leaves_a_project() {
    let (service, ada, logo) = service().await;
    let body = json!({
        "templateId": "tpl_greeting", "replacements": {"headline": "Explicit"}, "headline": "Flat", "logo": logo,
        "fps": 20, "durationInFrames": 1201, "projectName": "Mine",
    });
    let created = service.post(&ada, "/renders", &body).await;
    let created = created.data();
    assert_eq!(
        (&created["mode"], &created["creditsUsed"]),
        (&json!("template"), &json!(4)),
        "60.05 s at 3 a minute"
    );
    let job = service.get(&ada, &format!("/renders/{}", created["jobId"].as_str().unwrap())).await;
    let job = job.data();
    let props = &job["inputProps"];
    assert_eq!((&props["fps"], &props["durationInFrames"]), (&json!(20), &json!(1201)));
    assert_eq!(
        (&props["overlays"][0]["content"], &props["overlays"][1]["src"]),
        (&json!("Explicit"), &json!(logo))
    );
    assert_eq!(
        (&job["project"]["name"], &job["project"]["templateId"]),
        (&json!("Mine"), &json!("tpl_greeting"))
    );

    // The project keeps the template's rate, is not copied, and its variables stay open.
    let project = created["projectId"].as_str().unwrap();
    let body = json!({"projectId": project, "replacements": {"headline": "Again"}});
    let again = service.post(&ada, "/renders", &body).await;
    let again = again.data();
    assert_eq!(
        (&again["mode"], &again["projectId"], &again["creditsUsed"]),
        (&json!("project"), &json!(project), &json!(4))
    );
    let projects = service.get(&ada, "/projects").await;
    assert_eq!(projects.data()["total"], 1);
    assert_eq!(
        projects.data()["projects"][0]["variables"][0],
        json!({"name": "headline", "defaultValue": "Explicit", "type": "string"})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_are_created_by_default_from_templates_only_and_named_after_them() {
    let (service, ada, logo) = service().await;
    let direct = service.post(&ada, "/renders", &json!({"inputProps": film(1, &json!([]))})).await;
    assert_eq!(direct.data()["projectId"], Value::Null);
    let kept = json!({"inputProps": film(1, &json!([])), "createProject": true});
    service.render(&ada, &kept).await;
    service.render(&ada, &json!({"templateId": "tpl_greeting", "logo": logo})).await;
    service.render(&ada, &json!({"templateId": "tpl_greeting", "logo": logo, "createProject": false})).await;
    let projects = service.get(&ada, "/projects").await;
    let names: Vec<&str> =
        projects.data()["projects"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[0], "Greeting");
    assert!(
        names[1].starts_with("Untitled 20") && names[1].len() == "Untitled 2026-11-14 09:30".len(),
        "{}",
        names[1]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_film_is_named_and_replacements_do_nothing_to_a_direct_one() {
    let (service, ada, logo) = service().await;
    let props = film(
        1,
        &json!([overlay(1, &json!({"type": "text", "content": "A", "isDynamic": true, "name": "headline"}))]),
    );
    for body in
        [json!({}), json!({"inputProps": props, "templateId": "tpl_greeting"}), json!({"templateId": null})]
    {
        service.post(&ada, "/renders", &body).await.refused(400, "INVALID_REQUEST");
        service.post(&ada, "/previews", &body).await.refused(400, "INVALID_REQUEST");
    }
    let body = json!({"inputProps": props, "templateId": null, "projectId": null, "replacements": {"headline": "B"}, "logo": logo});
    let job = service.render(&ada, &body).await;
    let job = service.get(&ada, &format!("/renders/{job}")).await;
    assert_eq!(job.data()["inputProps"]["overlays"][0]["content"], "A");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_media_source_is_named_and_costs_nothing() {
    let (service, ada, _) = service().await;
    for path in ["/renders", "/previews"] {
        let answer = service.post(&ada, path, &json!({"templateId": "tpl_greeting"})).await;
        assert_eq!(answer.refused(400, "MISSING_MEDIA_SOURCE")["missing"], json!(["logo"]));
    }
    let unnamed = film(1, &json!([overlay(7, &json!({"type": "sound", "src": " "}))]));
    let answer = service.post(&ada, "/renders", &json!({"inputProps": unnamed})).await;
    assert_eq!(answer.refused(400, "MISSING_MEDIA_SOURCE")["missing"], json!(["overlay-7"]));
    let column = json!([{"images": [""]}]);
    for (effect, styles) in [
        ("grid-stagger", json!({"cellImages": [""]})),
        ("fracture", json!({"cellImages": [""]})),
        ("scrolling-columns", json!({"columns": column})),
    ] {
        let pictures = json!({"type": "effect", "content": effect, "name": "cells", "styles": styles});
        let body = json!({"inputProps": film(1, &json!([overlay(1, &pictures)]))});
        for path in ["/renders", "/previews"] {
            let answer = service.post(&ada, path, &body).await;
            assert_eq!(answer.refused(400, "MISSING_MEDIA_SOURCE")["missing"], json!(["cells"]), "{effect}");
        }
    }
    assert_eq!(service.credits(&ada).await, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_dearer_than_the_balance_is_refused_with_whole_numbers() {
    let (service, _, logo) = service().await;
    let poor = service.account(Plan::None, 2).await;
    let body = json!({"templateId": "tpl_greeting", "logo": logo, "durationInFrames": 1200});
    let answer = service.post(&poor, "/renders", &body).await;
    let details = answer.refused(402, "INSUFFICIENT_CREDITS");
    assert_eq!(
        (&details["creditsNeeded"], &details["creditsAvailable"], &details["creditsShort"]),
        (&json!(6), &json!(2), &json!(4))
    );
    assert_eq!(answer.body["error"], "Insufficient credits: you need 6 credits and have 2.");
    // The preview reports the same price and is free.
    let preview = service.post(&poor, "/previews", &body).await;
    let quote = &preview.data()["quote"];
    assert_eq!((&quote["credits"], &quote["sufficient"]), (&json!(6), &json!(false)));
    assert_eq!(
        (service.credits(&poor).await, service.get(&poor, "/projects").await.data()["total"].as_u64()),
        (2, Some(0))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_others_is_forbidden_or_not_there() {
    let (service, ada, logo) = service().await;
    let bob = service.account(Plan::None, 10).await;
    let created = service.post(&ada, "/renders", &json!({"templateId": "tpl_greeting", "logo": logo})).await;
    let (job, project) =
        (created.data()["jobId"].as_str().unwrap(), created.data()["projectId"].as_str().unwrap());
    service.template("tpl_secret", 1, false, &greeting()).await;

    for path in ["/renders", "/previews"] {
        service.post(&bob, path, &json!({"projectId": project})).await.refused(403, "FORBIDDEN");
        service.post(&bob, path, &json!({"projectId": "prj_none"})).await.refused(404, "NOT_FOUND");
        service.post(&bob, path, &json!({"templateId": "tpl_secret"})).await.refused(404, "NOT_FOUND");
        service.post(&bob, path, &json!({"templateId": "../x"})).await.refused(404, "NOT_FOUND");
    }
    service.get(&bob, &format!("/renders/{job}")).await.refused(403, "FORBIDDEN");
    service.get(&bob, "/renders/job_none").await.refused(404, "NOT_FOUND");
    service.get(&bob, &format!("/projects/{project}/variables")).await.refused(404, "NOT_FOUND");
    service.get(&bob, "/templates/tpl_secret/variables").await.refused(404, "NOT_FOUND");
    service.store.grant_template("tpl_secret", &bob.id).await.unwrap();
    let granted = service.get(&bob, "/templates/tpl_secret/variables").await;
    assert_eq!(granted.data()["variables"][1]["type"], "url");
    service.post(&bob, "/renders", &json!({"templateId": "tpl_secret", "logo": logo})).await.data();
}

#[tokio::test(flavor = "multi_thread")]
async fn shape_comes_before_meaning_and_meaning_before_ownership() {
    let (service, ada, _) = service().await;
    let twice = json!([
        overlay(1, &json!({"type": "text", "content": "a"})),
        overlay(1, &json!({"type": "text", "content": 5}))
    ]);
    service
        .post(&ada, "/renders", &json!({"inputProps": film(1, &twice)}))
        .await
        .refused(400, "INVALID_REQUEST");
    let answer = service.post(&ada, "/renders", &json!({"templateId": "tpl_none", "fps": 0})).await;
    assert_eq!(answer.refused(422, "VALUE_OUT_OF_RANGE")["issues"][0]["path"], "fps");
    let nested = json!({"templateId": "tpl_greeting", "replacements": {"headline": ["no"]}});
    service.post(&ada, "/renders", &nested).await.refused(422, "INVALID_REPLACEMENT_VALUE");
    let avi = json!({"templateId": "tpl_none", "output": {"format": "avi"}});
    service.post(&ada, "/renders", &avi).await.refused(422, "INVALID_ENUM_VALUE");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_public_http_addresses_and_small_pictures_in_the_address_are_taken() {
    let service = Service::start(&[("role", "api"), ("allow-private-network", "false")]).await;
    let ada = service.account(Plan::None, 10).await;
    let direct = |kind: &str, src: &str| json!({"inputProps": film(1, &json!([overlay(1, &json!({"type": kind, "src": src}))]))});
    for src in [
        "ftp://example.com/a.png",
        "file:///etc/passwd",
        "a.png",
        "http://127.0.0.1/a.png",
        "http://0x7f.1/a.png",
        "http://[::ffff:10.0.0.1]/a.png",
        "http://169.254.169.254/latest",
        "http://localhost:1/a.png",
    ] {
        let answer = service.post(&ada, "/renders", &direct("image", src)).await;
        let details = answer.refused(422, "MEDIA_URL_NOT_ALLOWED");
        assert_eq!(details["issues"][0]["path"], "inputProps.overlays[0].src");
        service.post(&ada, "/previews", &direct("image", src)).await.refused(422, "MEDIA_URL_NOT_ALLOWED");
    }
    let own = service.url("/files/upl_00000000000000000000000000.png");
    service.post(&ada, "/renders", &direct("image", &own)).await.data();
    service.post(&ada, "/renders", &direct("image", "data:image/png;base64,AAAA")).await.data();
    service
        .post(&ada, "/renders", &direct("sound", "data:audio/wav;base64,AAAA"))
        .await
        .refused(422, "MEDIA_URL_NOT_ALLOWED");
    let callback = json!({"inputProps": film(1, &json!([])), "webhookUrl": "http://10.1.2.3/hook"});
    service.post(&ada, "/renders", &callback).await.refused(422, "WEBHOOK_URL_NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_may_have_a_byte_order_mark_but_not_be_compressed() {
    let (service, ada, _) = service().await;
    let body = format!("\u{feff}{}", json!({"inputProps": film(1, &json!([]))}));
    let send = async |headers: &[(&str, &str)]| {
        let request =
            crate::harness::client(true).post(service.url("/api/v1/previews")).bearer_auth(&ada.key);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = request.body(body.clone()).send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_slice::<Value>(&response.bytes().await.unwrap()).unwrap())
    };
    let json = ("content-type", "application/json");
    assert_eq!(send(&[json]).await.0, 200);
    assert_eq!(send(&[json, ("content-encoding", "identity")]).await.0, 200);
    let (status, refused) = send(&[json, ("content-encoding", "gzip")]).await;
    assert_eq!((status, &refused["details"]["reason"]), (415, &json!("UNSUPPORTED_MEDIA_TYPE")), "{refused}");
}
