//! The dashboard as a browser gets it: one page under a strict policy, and files that never change.

use std::path::Path;

use reqwest::Response;
use serde_json::Value;

use crate::harness::{Service, client};

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let client = client(false);
    let request =
        headers.iter().fold(client.get(url), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The page, where `scripts/web` has built it; otherwise it must say how to build it.
async fn page(service: &Service, path: &str) -> Option<String> {
    let response = get(&service.url(path), &[("Accept", "text/html")]).await;
    let status = response.status().as_u16();
    let policy = header(&response, "content-security-policy").to_owned();
    let framing = header(&response, "x-frame-options").to_owned();
    let html = response.text().await.unwrap();
    if status == 503 {
        assert!(html.contains("Run scripts/web"), "{html}");
        return None;
    }
    assert_eq!(status, 200, "{path}");
    assert_eq!(framing, "DENY");
    assert!(
        policy.contains("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self';")
            && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(!policy.contains("'unsafe"), "{policy}");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(html.contains(&format!("content=\"{nonce}\"")), "{html}");
    Some(html.replace(nonce, ""))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_the_dashboard_shows_the_same_page_under_a_strict_policy() {
    let service = Service::start(&[("role", "api")]).await;
    let first = page(&service, "/sign-in").await;
    for path in ["/sign-up", "/forgot", "/reset?token=x", "/dashboard", "/dashboard/renders/job_x"] {
        assert_eq!(page(&service, path).await, first, "{path}");
    }
    let start = get(&service.url("/"), &[]).await;
    assert_eq!((start.status().as_u16(), header(&start, "location")), (307, "/dashboard"));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_dashboard_may_be_kept_forever_and_come_packed_to_those_who_can_unpack() {
    let service = Service::start(&[("role", "api")]).await;
    let missing = get(&service.url("/assets/none.js"), &[]).await;
    assert_eq!(missing.status().as_u16(), 404);
    let Some(html) = page(&service, "/dashboard").await else { return };
    let script = html.split("src=\"/assets/").nth(1).unwrap().split('"').next().unwrap();
    let address = service.url(&format!("/assets/{script}"));
    let plain = get(&address, &[]).await;
    assert_eq!(header(&plain, "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header(&plain, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(header(&plain, "content-encoding"), "");
    let packed = get(&address, &[("Accept-Encoding", "gzip, deflate")]).await;
    assert_eq!(header(&packed, "content-encoding"), "gzip");
    assert!(packed.bytes().await.unwrap().len() * 2 < plain.bytes().await.unwrap().len());
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_addresses_answer_people_with_a_page_and_programs_with_json() {
    let service = Service::start(&[("role", "api")]).await;
    for path in ["/nothing", "/docs/nothing", "/files/job_none.mp4", "/preview/prv_none"] {
        let page = get(&service.url(path), &[("Accept", "text/html,*/*")]).await;
        assert_eq!(
            (page.status().as_u16(), header(&page, "content-type")),
            (404, "text/html; charset=utf-8")
        );
        assert!(page.text().await.unwrap().contains("href=\"/dashboard\""), "{path}");
    }
    for (path, accept) in
        [("/nothing", "*/*"), ("/api/v1/nothing", "text/html"), ("/files/job_none.mp4", "*/*")]
    {
        let answer = get(&service.url(path), &[("Accept", accept)]).await;
        assert_eq!(header(&answer, "content-type"), "application/json", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_names_this_installation_and_comes_packed_under_a_strict_policy() {
    let service = Service::start(&[("role", "api")]).await;
    let old = client(false).get(service.url("/docs/reference")).send().await.unwrap();
    assert_eq!((old.status().as_u16(), header(&old, "location")), (308, "/docs/api"));
    let first = get(&service.url("/docs"), &[]).await;
    if first.status().as_u16() == 503 {
        assert!(first.text().await.unwrap().contains("Run scripts/web"));
        return;
    }
    let guide = get(&service.url("/docs/quick-start"), &[("Accept-Encoding", "gzip")]).await;
    let field = |name| header(&guide, name);
    assert_eq!((field("content-type"), field("content-encoding")), ("text/html; charset=utf-8", "gzip"));
    assert_eq!((field("cache-control"), field("x-frame-options")), ("public, no-cache", "SAMEORIGIN"));
    let policy = field("content-security-policy");
    assert!(
        policy.contains("script-src 'self' 'wasm-unsafe-eval';") && !policy.contains("'unsafe"),
        "{policy}"
    );
    let known = [("Accept-Encoding", "gzip"), ("If-None-Match", field("etag"))];
    assert_eq!(get(&service.url("/docs/quick-start"), &known).await.status().as_u16(), 304);
    for (path, content_type) in [
        ("/docs/quick-start", "text/html; charset=utf-8"),
        ("/docs/quick-start/", "text/html; charset=utf-8"),
        ("/docs/quick-start.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/llms-full.txt", "text/plain; charset=utf-8"),
    ] {
        let answer = get(&service.url(path), &[]).await;
        assert_eq!(
            (answer.status().as_u16(), header(&answer, "content-type")),
            (200, content_type),
            "{path}"
        );
        let text = answer.text().await.unwrap();
        assert!(text.contains(&service.url("")) && !text.contains("http://127.0.0.1:8080"), "{path}");
    }
    let picture = get(&service.url("/docs/pictures/shapes/heart.webp"), &[]).await;
    assert_eq!((picture.status().as_u16(), header(&picture, "content-type")), (200, "image/webp"));
}

/// The dashboard's types are made from these copies. `RONDO_WRITE_DOCUMENTS=1` writes them anew.
#[tokio::test(flavor = "multi_thread")]
async fn the_documents_the_dashboard_is_typed_by_are_those_of_the_service() {
    let service = Service::start(&[("role", "api")]).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi");
    for (base, name) in [("/api/v1", "api.json"), ("/api/dashboard", "dashboard.json")] {
        let told = get(&service.url(&format!("{base}/openapi.json")), &[]).await.text().await.unwrap();
        let told: Value = serde_json::from_str(&told.replace(&service.url(""), "")).unwrap();
        let file = folder.join(name);
        if std::env::var_os("RONDO_WRITE_DOCUMENTS").is_some() {
            std::fs::write(&file, format!("{told:#}\n")).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            serde_json::from_str::<Value>(&kept).is_ok_and(|kept| kept == told),
            "{name} is not what the service describes: run RONDO_WRITE_DOCUMENTS=1 cargo test -p rondo-server --test endpoints documents"
        );
    }
}
