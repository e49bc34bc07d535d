//! What players load from the service: their own files, and fonts.

use reqwest::Response;

use crate::harness::{Service, client};

async fn get(service: &Service, path: &str, headers: &[(&str, &str)]) -> Response {
    let client = client(false);
    let request = client.get(service.url(path));
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// Every site may load it.
fn assert_open(response: &Response) {
    assert_eq!(header(response, "access-control-allow-origin"), "*");
    assert_eq!(header(response, "cross-origin-resource-policy"), "cross-origin");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_font_index_names_files_by_their_content_and_is_sent_once() {
    let service = Service::start(&[("role", "api")]).await;
    let response = get(&service, "/player/fonts/index", &[]).await;
    assert_eq!(response.status().as_u16(), 200);
    assert_open(&response);
    assert_eq!(header(&response, "content-type"), "text/tab-separated-values; charset=utf-8");
    assert_eq!(header(&response, "cache-control"), "public, no-cache");
    let tag = header(&response, "etag").to_owned();
    let index = response.text().await.unwrap();
    let start = "origin\tbundled\nface\tInter\t400\titalic\t-\t";
    assert!(index.starts_with(start), "{}", &index[..200]);

    let again = get(&service, "/player/fonts/index", &[("if-none-match", &tag)]).await;
    assert_eq!((again.status().as_u16(), header(&again, "etag")), (304, tag.as_str()));
    let packed = get(&service, "/player/fonts/index", &[("accept-encoding", "gzip")]).await;
    assert_eq!((header(&packed, "content-encoding"), header(&packed, "vary")), ("gzip", "Accept-Encoding"));
    assert!(packed.bytes().await.unwrap().len() < index.len() / 2);

    let core = include_bytes!("../../../../assets/fonts/core/inter-latin-400-italic.woff2");
    let name = index[start.len()..].lines().next().unwrap();
    let path = format!("/player/fonts/{name}");
    let response = get(&service, &path, &[]).await;
    assert_open(&response);
    assert_eq!(header(&response, "content-type"), "font/woff2");
    assert_eq!(header(&response, "cache-control"), "public, max-age=31536000, immutable");
    assert!(response.bytes().await.unwrap() == core[..]);
    let head = client(false).head(service.url(&path)).send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), header(&head, "content-length")),
        (200, core.len().to_string().as_str())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_players_cannot_load_is_told_to_every_site() {
    let service = Service::start(&[("role", "api")]).await;
    for path in ["/player/fonts/missing", "/player/fonts/..%2f..%2fCargo.toml", "/player/nothing-0123abcd.js"]
    {
        let response = get(&service, path, &[]).await;
        let status = response.status().as_u16();
        assert_open(&response);
        let body: serde_json::Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        match body["details"]["reason"].as_str().unwrap() {
            "NOT_FOUND" => assert_eq!(status, 404, "{path}"),
            // Without the player's files, none of them is known.
            "NOT_BUILT" => assert_eq!((status, path), (503, "/player/nothing-0123abcd.js")),
            other => panic!("{path}: {other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_module_is_asked_for_again_soon_and_its_parts_never() {
    let service = Service::start(&[("role", "api")]).await;
    let module = get(&service, "/player/rondo-player.js", &[("accept-encoding", "br")]).await;
    assert_open(&module);
    if module.status().as_u16() == 503 {
        // The player was not built: pages go on without it.
        assert!(module.text().await.unwrap().contains("scripts/player"));
        return;
    }
    assert_eq!(module.status().as_u16(), 200);
    assert_eq!(header(&module, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(header(&module, "cache-control"), "public, no-cache");
    assert_eq!(header(&module, "content-encoding"), "br");
    let tag = header(&module, "etag").to_owned();
    let known = [("accept-encoding", "br"), ("if-none-match", tag.as_str())];
    assert_eq!(get(&service, "/player/rondo-player.js", &known).await.status().as_u16(), 304);
    let text = get(&service, "/player/rondo-player.js", &[]).await.text().await.unwrap();
    let part = text.split(['"', '`', '\'']).find(|word| word.ends_with(".wasm")).unwrap();
    let part = get(&service, &format!("/player/{}", part.trim_start_matches("./")), &[]).await;
    assert_eq!(
        (header(&part, "content-type"), header(&part, "cache-control")),
        ("application/wasm", "public, max-age=31536000, immutable")
    );
}
