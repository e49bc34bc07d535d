//! Lists: pages, filters and registries.

use rondo_store::Plan;
use serde_json::json;

use crate::harness::{Service, film, overlay};

#[tokio::test(flavor = "multi_thread")]
async fn renders_are_listed_newest_first_in_pages_and_filtered() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(service.render(&ada, &json!({"inputProps": film(2, &json!([]))})).await);
    }
    service.send("DELETE", &format!("/renders/{}", jobs[0]), &ada.key, &[], None).await.data();
    let first = service.get(&ada, "/renders?limit=2&unheard=of").await;
    let first = first.data();
    assert_eq!((&first["total"], &first["hasMore"]), (&json!(3), &json!(true)));
    assert_eq!(
        (&first["renders"][0]["jobId"], &first["renders"][1]["jobId"]),
        (&json!(jobs[2]), &json!(jobs[1]))
    );
    assert!(first["renders"][0].get("inputProps").is_none());
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = service.get(&ada, &format!("/renders?limit=2&cursor={cursor}")).await;
    let second = second.data();
    assert_eq!((&second["renders"][0]["jobId"], &second["nextCursor"]), (&json!(jobs[0]), &json!(null)));
    let failed = service.get(&ada, "/renders?status=FAILED&mode=direct").await;
    assert_eq!(
        (&failed.data()["total"], &failed.data()["renders"][0]["jobId"]),
        (&json!(1), &json!(jobs[0]))
    );
    for wrong in ["limit=0", "limit=101", "status=DONE", "createdAfter=yesterday", "cursor=!!!"] {
        service.get(&ada, &format!("/renders?{wrong}")).await.refused(400, "INVALID_REQUEST");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_can_be_narrowed_to_those_with_variables() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let text = overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"}));
    for overlays in [json!([]), json!([text])] {
        let body = json!({"inputProps": film(2, &overlays), "createProject": true, "projectName": "P"});
        service.render(&ada, &body).await;
    }
    let total =
        async |query: &str| service.get(&ada, &format!("/projects{query}")).await.data()["total"].as_u64();
    assert_eq!(
        (total("").await, total("?dynamic=false").await, total("?dynamic=true").await),
        (Some(2), Some(2), Some(1))
    );
    let dynamic = service.get(&ada, "/projects?dynamic=true").await;
    let project = &dynamic.data()["projects"][0];
    assert_eq!((&project["hasDynamicOverlays"], &project["durationInFrames"]), (&json!(true), &json!(2)));
    let variables =
        service.get(&ada, &format!("/projects/{}/variables", project["id"].as_str().unwrap())).await;
    assert_eq!(variables.data()["variables"][0]["label"], "Headline");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_registry_lists_its_names_and_nothing_else_is_there() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    for (area, name) in [
        ("animations", "fade"),
        ("during", "ken-burns-in"),
        ("layouts", "book"),
        ("effects", "snow"),
        ("shapes", "circle"),
        ("captions", "neon"),
        ("easings", "easeInOutCubic"),
        ("filters", "noir"),
        ("fonts", "Inter"),
    ] {
        let answer = service.get(&ada, &format!("/registry/{area}")).await;
        let entries = answer.data()["entries"].as_array().unwrap().clone();
        assert!(entries.iter().any(|entry| entry["name"] == name), "{area} lacks {name}");
    }
    service.get(&ada, "/registry/colours").await.refused(404, "NOT_FOUND");
    // The prefix alone is guarded like everything below it.
    for path in ["", "/"] {
        service.get(&ada, path).await.refused(404, "NOT_FOUND");
        service.send("GET", path, "rnd_unknown", &[], None).await.refused(401, "UNAUTHORIZED");
    }
}
