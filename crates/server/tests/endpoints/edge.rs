//! The edge of the service: what any client can send to it.

use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Service, client, film, overlay};

async fn get(url: &str, headers: &[(&str, &str)]) -> (u16, reqwest::header::HeaderMap, String) {
    let mut request = client(false).get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.headers().clone(), response.text().await.unwrap())
}

/// A port that is free now.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_and_paths_that_clients_make_up_do_not_become_metrics() {
    let metrics = format!("127.0.0.1:{}", free_port());
    let service = Service::start(&[("role", "api"), ("metrics-listen", &metrics)]).await;
    let account = service.account(Plan::Business, 0).await;
    for n in 0..20 {
        let made_up: reqwest::Method = format!("MADEUP{n}").parse().unwrap();
        for path in [format!("/nothing/{n}"), format!("/api/v1/nothing/{n}"), format!("/docs/nothing-{n}")] {
            let request = client(false).request(made_up.clone(), service.url(&path));
            request.bearer_auth(&account.key).send().await.unwrap();
            let request = client(false).get(service.url(&path));
            request.bearer_auth(&account.key).send().await.unwrap();
        }
        service.get(&account, &format!("/renders/job_{n}")).await.refused(404, "NOT_FOUND");
    }
    let (_, _, report) = get(&format!("http://{metrics}/metrics"), &[]).await;
    let lines: Vec<&str> = report.lines().filter(|line| line.contains("route=")).collect();
    assert!(lines.iter().any(|line| line.contains("/renders/{jobId}") && line.ends_with(" 20")), "{report}");
    assert!(lines.iter().any(|line| line.contains("method=\"other\"")), "{report}");
    assert!(!report.contains("MADEUP") && !report.contains("nothing"), "{report}");
    assert!(lines.len() <= 10, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_cannot_be_framed_by_other_sites() {
    let service = Service::start(&[("role", "api")]).await;
    let account = service.account(Plan::None, 0).await;
    let body =
        json!({"inputProps": film(10, &json!([overlay(1, &json!({"type": "shape", "content": "circle"}))]))});
    let preview = service.post(&account, "/previews", &body).await.data()["previewUrl"].clone();
    for (url, ancestors) in [
        (preview.as_str().unwrap().to_owned(), "frame-ancestors 'self'"),
        (service.url("/docs"), "frame-ancestors 'self'"),
        (service.url("/docs/api"), "frame-ancestors 'self'"),
        (service.url("/preview/unknown"), "frame-ancestors 'self'"),
    ] {
        let (_, headers, _) = get(&url, &[("accept", "text/html")]).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains(ancestors), "{url}: {policy}");
        assert!(!headers.contains_key("strict-transport-security"), "{url}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_keep_to_https_where_the_service_is_reached_by_it() {
    let listen = format!("127.0.0.1:{}", free_port());
    let flags = [("role", "api"), ("public-url", "https://video.example.com"), ("listen", &listen)];
    let _service = Service::start(&flags).await;
    for path in ["/healthz", "/docs", "/api/v1/account", "/nothing"] {
        let (_, headers, _) = get(&format!("http://{listen}{path}"), &[]).await;
        assert_eq!(headers["strict-transport-security"], "max-age=31536000", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_never_end_use_up_the_memory_of_their_sender_only() {
    let service = Service::start(&[("role", "api")]).await;
    let account = service.account(Plan::Business, 0).await;
    let address = service.url("");
    let address = address.strip_prefix("http://").unwrap();
    let head = format!(
        "POST /api/v1/previews HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: 4900000\r\n\r\n",
        account.key
    );
    let mut held = Vec::new();
    for _ in 0..11 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; 4_899_999]).await.unwrap();
        held.push(stream);
    }
    // Ten fit, and the eleventh is answered: whichever it is.
    let mut answer = Vec::new();
    let started = Instant::now();
    while answer.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(60), "all bodies are held");
        tokio::time::sleep(Duration::from_millis(20)).await;
        for stream in &held {
            let mut part = vec![0; 4096];
            if let Ok(count) = stream.try_read(&mut part) {
                answer.extend_from_slice(&part[..count]);
            }
        }
    }
    let answer = String::from_utf8_lossy(&answer).to_lowercase();
    assert!(answer.starts_with("http/1.1 503") && answer.contains("retry-after: 5"), "{answer}");
    assert!(answer.contains("server_busy"), "{answer}");
    drop(held);
    let body = json!({"inputProps": film(10, &json!([]))});
    let started = Instant::now();
    while service.post(&account, "/previews", &body).await.status != 200 {
        assert!(started.elapsed() < Duration::from_secs(30), "the memory is not given back");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_too_large_too_deep_or_too_many_values_are_refused() {
    let service = Service::start(&[("role", "api")]).await;
    let account = service.account(Plan::Business, 0).await;
    let send = async |path: &str, body: String| {
        let request = client(false).post(service.url(path)).header("content-type", "application/json");
        let request = request.header("origin", service.url("")).bearer_auth(&account.key);
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str::<Value>(&response.text().await.unwrap()).unwrap_or_default())
    };
    let deep = format!("{{\"inputProps\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for path in ["/api/v1/renders", "/api/v1/previews", "/api/v1/uploads"] {
        assert_eq!(send(path, deep.clone()).await.0, 400, "{path}");
    }
    let many = format!("{{\"inputProps\": [{}0]}}", "0,".repeat(2_000_000));
    for path in ["/api/v1/renders", "/api/v1/previews", "/api/mcp"] {
        let (status, body) = send(path, many.clone()).await;
        assert_eq!((status, &body["details"]["limitValues"]), (413, &json!(200_000)), "{path} {body}");
    }
    // What anyone may send is small.
    let large = json!({"email": "a@example.com", "password": "x".repeat(70_000)}).to_string();
    let (status, body) = send("/api/dashboard/session/sign-in", large.clone()).await;
    assert_eq!((status, &body["details"]["limitBytes"]), (413, &json!(64_000)), "{body}");
    for path in ["/oauth/register", "/oauth/token"] {
        let status = send(path, large.clone()).await.0;
        assert_eq!(status, 413, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn long_paths_are_not_repeated_whole() {
    let service = Service::start(&[("role", "api")]).await;
    let (status, _, body) = get(&service.url(&format!("/{}", "x".repeat(20_000))), &[]).await;
    assert!(status == 404 && body.len() < 500, "{status} {}", body.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_uses_at_most_200_different_media_addresses() {
    let service = Service::start(&[("role", "api")]).await;
    let account = service.account(Plan::Business, 0).await;
    let address = |n: u32| format!("http://127.0.0.1:9/{n}.png");
    let body = |cells: u32, column: &str| {
        let mut overlays: Vec<Value> =
            (0..100).map(|n| overlay(n + 1, &json!({"type": "image", "src": address(n)}))).collect();
        let cells: Vec<String> = (0..cells).map(|n| address(n + 50)).collect();
        overlays.push(overlay(
            101,
            &json!({"type": "effect", "content": "grid-stagger", "styles": {"cellImages": cells}}),
        ));
        let columns = json!([{"images": [address(0), column]}]);
        overlays.push(overlay(
            102,
            &json!({"type": "effect", "content": "scrolling-columns", "styles": {"columns": columns}}),
        ));
        json!({"inputProps": film(10, &json!(overlays))})
    };
    // 100 pictures and 100 cells: the account cannot pay, so the addresses were accepted.
    let accepted = service.post(&account, "/renders", &body(150, &address(1))).await;
    accepted.refused(402, "INSUFFICIENT_CREDITS");
    let refused = service.post(&account, "/renders", &body(150, &address(999))).await;
    let details = refused.refused(422, "MEDIA_LIMIT_EXCEEDED");
    assert_eq!(details["issues"][0]["path"], "inputProps.overlays[101].styles.columns[0].images[1]");
    let refused = service.post(&account, "/previews", &body(152, &address(1))).await;
    let details = refused.refused(422, "MEDIA_LIMIT_EXCEEDED");
    assert_eq!(details["issues"][0]["path"], "inputProps.overlays[100].styles.cellImages[150]");

    let mut template = body(150, &address(1))["inputProps"].clone();
    template["overlays"][0]["isDynamic"] = json!(true);
    template["overlays"][0]["name"] = json!("photo");
    service.template("tpl_photos", 1, true, &template).await;
    let replaced = json!({"templateId": "tpl_photos", "replacements": {"photo": address(999)}});
    let refused = service.post(&account, "/renders", &replaced).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(refused.body["details"]["reason"], "MEDIA_LIMIT_EXCEEDED");
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_services_are_refused_also_where_private_addresses_are_allowed() {
    let service = Service::start(&[("role", "api"), ("allow-private-network", "true")]).await;
    let account = service.account(Plan::Business, 10).await;
    for host in ["169.254.169.254", "168.63.129.16", "100.100.100.200", "[fd00:ec2::254]"] {
        let url = format!("http://{host}/latest/meta-data");
        let image = overlay(1, &json!({"type": "image", "src": url}));
        let body = json!({"inputProps": film(10, &json!([image]))});
        let refused = service.post(&account, "/renders", &body).await;
        let details = refused.refused(422, "MEDIA_URL_NOT_ALLOWED");
        assert_eq!(details["issues"][0]["path"], "inputProps.overlays[0].src", "{host}");
        let refused = service.post(&account, "/webhooks", &json!({"url": url})).await;
        refused.refused(422, "WEBHOOK_URL_NOT_ALLOWED");
    }
    assert_eq!(service.credits(&account).await, 10);
}
