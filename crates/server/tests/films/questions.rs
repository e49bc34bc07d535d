//! Reading render jobs: waiting for the end, some fields only, filters, and questions that make no sense.

use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Service, film, overlay};

async fn unfinished() -> (Service, Account, String) {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let job = service.render(&ada, &json!({"inputProps": film(2, &json!([]))})).await;
    (service, ada, job)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_ends_with_the_job_or_when_the_time_is_up() {
    let (service, ada, job) = unfinished().await;
    let started = Instant::now();
    let waited = service.get(&ada, &format!("/renders/{job}?wait=1")).await;
    assert_eq!(waited.data()["status"], "PROCESSING");
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert!(waited.data()["inputProps"].is_object());

    let path = format!("/renders/{job}?wait=60");
    let cancelled = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await
    };
    let started = Instant::now();
    let (waited, _) = tokio::join!(service.get(&ada, &path), cancelled);
    assert_eq!(waited.data()["status"], "FAILED");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    // A job that has ended is returned at once.
    let started = Instant::now();
    assert_eq!(service.get(&ada, &path).await.data()["errorMessage"], "Cancelled");
    assert!(started.elapsed() < Duration::from_secs(5));

    let bob = service.account(Plan::None, 0).await;
    service.get(&bob, &path).await.refused(403, "FORBIDDEN");
    service.get(&ada, "/renders/job_unknown?wait=60").await.refused(404, "NOT_FOUND");
    for wrong in ["0", "61", "soon", "1.5", "-1"] {
        let answer = service.get(&ada, &format!("/renders/{job}?wait={wrong}")).await;
        assert_eq!(answer.refused(400, "INVALID_REQUEST")["issues"][0]["path"], "wait", "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_waits_with_a_limited_number_of_requests_and_hanging_up_frees_a_place() {
    let (service, ada, job) = unfinished().await;
    let url = service.url(&format!("/api/v1/renders/{job}?wait=60"));
    let client = crate::harness::client(true);
    let ask = |key: &str| client.get(&url).bearer_auth(key).send();
    let mut waiting: Vec<_> = (0..50).map(|_| tokio::spawn(ask(&ada.key))).collect();
    let started = Instant::now();
    let path = format!("/renders/{job}?wait=1");
    while service.get(&ada, &path).await.status != 429 {
        assert!(started.elapsed() < Duration::from_secs(30), "the requests do not wait");
        // This question had a place itself, which one of the others may have missed.
        waiting.push(tokio::spawn(ask(&ada.key)));
    }
    let refused = service.get(&ada, &path).await;
    assert_eq!(refused.refused(429, "TOO_MANY_WAITING")["limit"], 50);
    assert!(refused.headers.contains_key("retry-after"));
    // One that does not wait is answered.
    assert_eq!(service.get(&ada, &format!("/renders/{job}")).await.data()["status"], "PROCESSING");
    for request in waiting {
        request.abort();
    }
    drop(client);
    let started = Instant::now();
    while service.get(&ada, &path).await.status == 429 {
        assert!(started.elapsed() < Duration::from_secs(20), "the places are not given back");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_fields_that_are_named_are_returned() {
    let (service, ada, job) = unfinished().await;
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let some = service.get(&ada, &format!("/renders/{job}?fields=status,%20jobId,metadata")).await;
    assert_eq!(keys(some.data()), ["jobId", "status", "metadata"]);
    let list = service.get(&ada, "/renders?fields=outputUrl").await;
    assert_eq!(list.data()["renders"], json!([{"outputUrl": null}]));
    assert_eq!(list.data()["total"], 1);
    for path in [format!("/renders/{job}"), "/renders".to_owned()] {
        let answer = service.get(&ada, &format!("{path}?fields=jobId,outputURI")).await;
        let issue = answer.refused(400, "INVALID_REQUEST")["issues"][0].clone();
        assert_eq!(issue["path"], "fields");
        assert!(issue["message"].as_str().unwrap().contains("Did you mean \"outputUrl\"?"), "{issue}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_and_templates_are_returned_with_the_fields_that_are_named() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 1).await;
    let text = overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"}));
    service.template("greeting", 2, true, &film(2, &json!([text]))).await;
    let body = json!({"name": "Mine", "composition": film(2, &json!([text]))});
    let id = service.post(&ada, "/projects", &body).await.data()["id"].as_str().unwrap().to_owned();
    for query in ["", "&dynamic=true"] {
        let projects = service.get(&ada, &format!("/projects?fields=name,fps{query}")).await;
        assert_eq!(projects.data()["projects"], json!([{"name": "Mine", "fps": 10}]));
        assert_eq!(projects.data()["total"], 1);
    }
    let project = service.get(&ada, &format!("/projects/{id}?fields=name,etag")).await;
    assert_eq!(project.data(), &json!({"name": "Mine", "etag": project.data()["etag"]}));
    assert!(project.headers.contains_key("etag") && project.data()["etag"].is_string());
    let templates = service.get(&ada, "/templates?fields=id,creditsPerMinute").await;
    assert_eq!(templates.data()["templates"][0], json!({"id": "greeting", "creditsPerMinute": 2}));
    for path in ["/projects", "/templates", &format!("/projects/{id}")] {
        let answer = service.get(&ada, &format!("{path}?fields=nmae")).await;
        let issue = answer.refused(400, "INVALID_REQUEST")["issues"][0].clone();
        assert!(issue["message"].as_str().unwrap().contains("Did you mean \"name\"?"), "{issue}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_found_by_their_template_and_metadata() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let text = overlay(1, &json!({"type": "text", "content": "Hi", "isDynamic": true, "name": "headline"}));
    service.template("greeting", 1, true, &film(2, &json!([text]))).await;
    let direct = |metadata: Value| json!({"inputProps": film(2, &json!([])), "metadata": metadata});
    let order = service
        .render(
            &ada,
            &direct(json!({"order": 4711, "paid": true, "odd [key]": "a=b", "none": null, "zero": "\u{0}"})),
        )
        .await;
    let other = service.render(&ada, &direct(json!({"order": "4712", "nested": {"order": "4711"}}))).await;
    let body = json!({"templateId": "greeting", "replacements": {"headline": "Hello"}});
    let template = service.render(&ada, &body).await;
    let found = async |query: &str| -> Vec<String> {
        let answer = service.get(&ada, &format!("/renders?fields=jobId&{query}")).await;
        let renders = answer.data()["renders"].as_array().unwrap().clone();
        assert_eq!(answer.data()["total"], renders.len());
        renders.iter().map(|job| job["jobId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(found("templateId=greeting").await, [template]);
    assert!(found("templateId=unknown").await.is_empty());
    assert_eq!(found("metadata[order]=4711").await, std::slice::from_ref(&order));
    assert_eq!(found("metadata[order]=4712").await, [other]);
    assert_eq!(found("metadata%5Bpaid%5D=true&metadata[order]=4711").await, std::slice::from_ref(&order));
    assert_eq!(found("metadata[odd%20[key]]=a%3Db").await, [order]);
    assert!(found("metadata[paid]=true&metadata[order]=4712").await.is_empty());
    assert!(found("metadata[paid]=1").await.is_empty());
    let many: String = (0..11).map(|n| format!("&metadata[k{n}]=v")).collect();
    for wrong in ["metadata=order", &many] {
        let answer = service.get(&ada, &format!("/renders?{wrong}")).await;
        assert_eq!(answer.refused(400, "INVALID_REQUEST")["issues"][0]["path"], "metadata", "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cursors_of_nowhere_and_paths_that_are_no_text_are_refused_like_everything_else() {
    let (service, ada, job) = unfinished().await;
    let project = format!("3-prj_{}", &job[4..]);
    for cursor in ["abc", "job_1", "12-job_1", &project, &format!("{job}x"), "-", "7-"] {
        let answer = service.get(&ada, &format!("/renders?cursor={cursor}")).await;
        let details = answer.refused(400, "INVALID_REQUEST");
        assert_eq!(details["issues"][0]["path"], "cursor", "{cursor}");
        assert!(answer.body["error"].as_str().unwrap().contains("nextCursor"), "{}", answer.body);
    }
    for cursor in [job.clone(), format!("5-{job}")] {
        assert_eq!(
            service.get(&ada, &format!("/renders?cursor={cursor}")).await.data()["renders"],
            json!([])
        );
    }
    for list in ["/projects", "/uploads"] {
        service.get(&ada, &format!("{list}?cursor={job}")).await.refused(400, "INVALID_REQUEST");
    }
    for path in
        ["/renders/%ff", "/renders/%ff/events", "/projects/%c3%28/variables", "/webhooks/%ff/deliveries"]
    {
        let answer = service.get(&ada, path).await;
        answer.refused(400, "INVALID_REQUEST");
        assert_eq!(answer.headers["content-type"], "application/json", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_has_already_is_not_sent_again_and_long_lists_are_compressed() {
    let (service, ada, job) = unfinished().await;
    for n in 0..10 {
        service.template(&format!("greeting-{n}"), 1, true, &film(2, &json!([]))).await;
    }
    for path in
        ["/templates", "/renders", "/projects", "/uploads", "/registry/fonts", &format!("/renders/{job}")]
    {
        let first = service.get(&ada, path).await;
        first.data();
        assert_eq!(first.headers["cache-control"], "private, no-cache", "{path}");
        assert_eq!(first.headers["content-type"], "application/json", "{path}");
        let tag = first.headers["etag"].to_str().unwrap().to_owned();
        let again = service.send("GET", path, &ada.key, &[("if-none-match", &tag)], None).await;
        assert_eq!((again.status, &again.body), (304, &json!("")), "{path}");
        assert_eq!(again.headers["etag"], tag.as_str());
        let head = service.send("HEAD", path, &ada.key, &[], None).await;
        assert_eq!((head.status, &head.headers["etag"]), (200, &first.headers["etag"]), "{path}");
        let other = service.send("GET", path, &ada.key, &[("if-none-match", "\"other\"")], None).await;
        assert_eq!(other.body, first.body, "{path}");
    }
    let tag = service.get(&ada, "/renders").await.headers["etag"].clone();
    service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await.data();
    let changed =
        service.send("GET", "/renders", &ada.key, &[("if-none-match", tag.to_str().unwrap())], None).await;
    assert_eq!(changed.data()["renders"][0]["status"], "FAILED");

    let plain = service.get(&ada, "/templates").await;
    let url = service.url("/api/v1/templates");
    let request =
        crate::harness::client(true).get(url).bearer_auth(&ada.key).header("accept-encoding", "br;q=0, gzip");
    let packed = request.send().await.unwrap();
    assert_eq!(
        (&packed.headers()["content-encoding"], &packed.headers()["vary"]),
        (&"gzip".parse().unwrap(), &"accept-encoding".parse().unwrap())
    );
    let packed = packed.bytes().await.unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), plain.body);
    assert!(packed.len() * 2 < text.len(), "{} of {}", packed.len(), text.len());
}
