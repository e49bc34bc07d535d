//! Preview pages, their pictures and their film.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get as route;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use reqwest::Response;
use rondo_store::{Credits, NewPreview, Plan, Time};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::harness::{Service, client, film, media_server, overlay, red_png, wav};

const PAGE: (&str, &str) = ("accept", "text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8");

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let client = client(false);
    let request =
        headers.iter().fold(client.get(url), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

async fn json_of(response: Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Red for ten frames, then blue.
fn two_colours() -> Value {
    let shape = |id, from, colour| {
        overlay(
            id,
            &json!({"type": "shape", "content": "rectangle", "from": from, "durationInFrames": 10,
            "styles": {"fill": colour}}),
        )
    };
    film(20, &json!([shape(1, 0, "#ff0000"), shape(2, 10, "#0000ff")]))
}

async fn preview(service: &Service, composition: &Value) -> String {
    let account = service.account(Plan::Business, 0).await;
    let answer = service.post(&account, "/previews", &json!({"inputProps": composition})).await;
    answer.data()["previewUrl"].as_str().unwrap().to_owned()
}

/// Size and middle pixel of a picture.
async fn picture(response: Response) -> (u32, u32, [u8; 3]) {
    assert_eq!(header(&response, "content-type"), "image/png");
    let bytes = response.bytes().await.unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let middle = ((info.height / 2 * info.width + info.width / 2) * 3) as usize;
    (info.width, info.height, [pixels[middle], pixels[middle + 1], pixels[middle + 2]])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_needs_no_credentials_and_runs_only_its_own_files() {
    let service = Service::start(&[]).await;
    let url = preview(&service, &two_colours()).await;
    for query in ["", "?frame=3", "?mode=grid"] {
        let response = get(&format!("{url}{query}"), &[PAGE]).await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "content-type")),
            (200, "text/html; charset=utf-8")
        );
        let policy = header(&response, "content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("'unsafe"), "{policy}");
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self';"), "{policy}");
        let html = response.text().await.unwrap();
        assert!(html.contains("<html lang=\"en\" data-preview-ready=\"false\">"));
        assert!(!html.contains("{{") && !html.contains("style=") && !html.contains("<style"), "{html}");
    }
    for asset in ["preview.css", "preview.js", "icon.svg"] {
        assert_eq!(
            get(&service.url(&format!("/pages/{asset}")), &[]).await.status().as_u16(),
            200,
            "{asset}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_and_sheets_are_pictures_for_those_who_ask() {
    let service = Service::start(&[]).await;
    let url = preview(&service, &two_colours()).await;
    let red = picture(get(&format!("{url}.png?frame=3"), &[PAGE]).await).await;
    assert_eq!(red, (96, 64, [255, 0, 0]));
    let blue = picture(get(&format!("{url}?frame=12"), &[("accept", "image/png")]).await).await;
    assert_eq!(blue, (96, 64, [0, 0, 255]));
    let (width, height, _) = picture(get(&format!("{url}.png?mode=grid"), &[]).await).await;
    assert!(width > 4 * 96 && height > 3 * 64, "{width} × {height}");
    assert_eq!(picture(get(&format!("{url}.png"), &[]).await).await.2, [0, 0, 255]);

    for (query, status) in [("frame=20", 404), ("frame=-1", 400), ("frame=x", 400), ("mode=cinema", 400)] {
        for address in [format!("{url}.png?{query}"), format!("{url}?{query}")] {
            let response = get(&address, &[("accept", "*/*")]).await;
            assert_eq!(response.status().as_u16(), status, "{address}");
            assert_eq!(json_of(response).await["success"], false);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_film_is_made_when_it_is_first_asked_for() {
    let service = Service::start(&[]).await;
    let url = preview(&service, &two_colours()).await;
    let early = get(&format!("{url}/film.mp4"), &[]).await;
    assert_eq!((early.status().as_u16(), header(&early, "retry-after")), (503, "2"));
    let started = Instant::now();
    loop {
        let status = json_of(get(&format!("{url}/status"), &[]).await).await["data"].clone();
        match status["state"].as_str().unwrap() {
            "ready" => break,
            "waiting" | "rendering" => {}
            _ => panic!("{status}"),
        }
        assert!(started.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let part = get(&format!("{url}/film.mp4"), &[("range", "bytes=4-7")]).await;
    assert_eq!((part.status().as_u16(), header(&part, "content-type")), (206, "video/mp4"));
    assert_eq!(part.text().await.unwrap(), "ftyp");
}

#[tokio::test(flavor = "multi_thread")]
async fn previews_are_unknown_expired_or_open_to_everyone() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let composition = film(5, &json!([]));
    let expires_at = Time(Time::now().millis() - 1);
    let new = NewPreview {
        id: &rondo_store::id::new(rondo_store::id::Kind::Preview),
        account_id: &account.id,
        composition: &composition,
        expires_at,
        hold: None,
        charge: Credits::ZERO,
        used: &[],
        kept: None,
    };
    let expired = service.store.create_preview(new).await.unwrap().id;
    for (id, status, reason) in
        [(expired.as_str(), 410, "PREVIEW_EXPIRED"), ("prv_nothing", 404, "NOT_FOUND")]
    {
        let film = get(&service.url(&format!("/preview/{id}")), &[JSON]).await;
        assert_eq!((film.status().as_u16(), header(&film, "access-control-allow-origin")), (status, "*"));
        for path in [
            format!("/preview/{id}"),
            format!("/preview/{id}.png"),
            format!("/preview/{id}/status"),
            format!("/preview/{id}/media/0-00"),
        ] {
            let response = get(&service.url(&path), &[]).await;
            assert_eq!(response.status().as_u16(), status, "{path}");
            assert_eq!(json_of(response).await["details"]["reason"], reason);
        }
        let page = get(&service.url(&format!("/preview/{id}")), &[PAGE]).await;
        assert_eq!(
            (page.status().as_u16(), header(&page, "content-type")),
            (status, "text/html; charset=utf-8")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn media_that_cannot_be_had_are_told_and_the_page_still_opens() {
    let service = Service::start(&[]).await;
    let media = media_server().await;
    let image = overlay(1, &json!({"type": "image", "src": format!("{media}/gone.png")}));
    let url = preview(&service, &film(5, &json!([image]))).await;
    assert_eq!(get(&url, &[PAGE]).await.status().as_u16(), 200);
    let response = get(&format!("{url}.png?frame=0"), &[]).await;
    assert_eq!(response.status().as_u16(), 422);
    let body = json_of(response).await;
    assert_eq!(body["details"]["reason"], "PREVIEW_NOT_DRAWN");
    assert!(body["error"].as_str().unwrap().contains("404"), "{body}");
}

const JSON: (&str, &str) = ("accept", "application/json");

#[tokio::test(flavor = "multi_thread")]
async fn players_get_the_film_and_its_media_without_what_is_secret() {
    let service = Service::start(&[]).await;
    let media = media_server().await;
    let with = |id, src: String| overlay(id, &json!({"type": "image", "src": src}));
    let (plain, secret) = (format!("{media}/red.png"), format!("{media}/small.png?token=abc"));
    let named = media.replace("http://", "http://me:word@") + "/red.png";
    let inside = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
    let sound =
        overlay(6, &json!({"type": "sound", "src": format!("{media}/tone.wav"), "durationInFrames": 5}));
    let images = [&plain, &secret, &named, inside, &plain];
    let mut overlays: Vec<Value> =
        images.iter().zip(1..).map(|(src, id)| with(id, (*src).to_owned())).collect();
    overlays.push(sound);
    let url = preview(&service, &film(5, &json!(overlays))).await;
    let response = get(&url, &[JSON]).await;
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(header(&response, "content-type"), "application/json");
    assert_eq!(header(&response, "access-control-allow-origin"), "*");
    assert_eq!((header(&response, "vary"), header(&response, "cache-control")), ("Accept", "no-store"));
    let text = response.text().await.unwrap();
    assert!(!text.contains("word") && !text.contains("token") && !text.contains("small.png"), "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert!(answer["expiresAt"].as_str().unwrap().ends_with('Z'));
    let composition = &answer["composition"];
    assert_eq!((&composition["width"], &composition["durationInFrames"]), (&json!(96), &json!(5)));
    let src = |number: usize| composition["overlays"][number]["src"].as_str().unwrap();
    assert_eq!((src(0), src(3), src(4)), (plain.as_str(), inside, plain.as_str()));
    let proxy = |src: &str| answer["media"][src]["proxy"].as_str().unwrap().to_owned();
    assert_eq!((proxy(src(1)).as_str(), proxy(src(2)).as_str()), (src(1), src(2)));
    assert_eq!(answer["media"].as_object().unwrap().len(), 4);

    for (src, size) in [(src(0), 96), (src(1), 8), (src(2), 96)] {
        let response = get(&proxy(src), &[]).await;
        assert_eq!(response.status().as_u16(), 200, "{src}");
        assert_eq!(header(&response, "content-type"), "image/png");
        assert_eq!(header(&response, "access-control-allow-origin"), "*");
        assert_eq!(header(&response, "content-disposition"), "attachment");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        assert!(header(&response, "content-security-policy").starts_with("sandbox; default-src 'none';"));
        assert!(response.bytes().await.unwrap() == red_png(size, if size == 96 { 64 } else { 8 }), "{src}");
    }
    let sound = proxy(src(5));
    let part = get(&sound, &[("range", "bytes=8-11"), ("origin", "https://elsewhere.example")]).await;
    assert_eq!((part.status().as_u16(), header(&part, "content-type")), (206, "audio/wav"));
    let range = format!("bytes 8-11/{}", wav(1).len());
    assert_eq!(header(&part, "content-range"), range);
    assert_eq!(part.text().await.unwrap(), "WAVE");
    let head = client(false).head(&sound).send().await.unwrap();
    assert_eq!(header(&head, "content-length"), wav(1).len().to_string());
    let asked = client(false).request(reqwest::Method::OPTIONS, &sound).send().await.unwrap();
    assert!(header(&asked, "access-control-allow-headers").contains("Range"));

    // People and elements of pages get what they got before.
    assert_eq!(header(&get(&url, &[PAGE]).await, "content-type"), "text/html; charset=utf-8");
    let both = [("accept", "application/json, image/png")];
    assert_eq!(header(&get(&url, &both).await, "content-type"), "image/png");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_reads_only_media_that_its_preview_names() {
    let service = Service::start(&[]).await;
    let media = media_server().await;
    let image = |id, name: &str| overlay(id, &json!({"type": "image", "src": format!("{media}/{name}")}));
    let url = preview(
        &service,
        &film(5, &json!([image(1, "red.png"), image(2, "gone.png"), image(3, "page.html")])),
    )
    .await;
    let other = preview(&service, &film(5, &json!([image(1, "red.png")]))).await;
    let answer = json_of(get(&url, &[JSON]).await).await;
    let proxy = |name: &str| answer["media"][format!("{media}/{name}")]["proxy"].as_str().unwrap().to_owned();
    let red = proxy("red.png");
    let (start, name) = red.rsplit_once('/').unwrap();
    let (_, signature) = name.split_once('-').unwrap();
    let other = format!("{other}/media/{name}");
    let unknown = service.url(&format!("/preview/prv_nothing/media/{name}"));
    for (address, status, reason) in [
        (format!("{start}/1-{signature}"), 403, "INVALID_SIGNATURE"),
        (format!("{start}/0-"), 403, "INVALID_SIGNATURE"),
        (format!("{start}/0"), 403, "INVALID_SIGNATURE"),
        (format!("{start}/{}", &name[..name.len() - 1]), 403, "INVALID_SIGNATURE"),
        (other, 403, "INVALID_SIGNATURE"),
        (unknown, 404, "NOT_FOUND"),
        (proxy("gone.png"), 422, "MEDIA_UNREACHABLE"),
        (proxy("page.html"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ] {
        let response = get(&address, &[]).await;
        assert_eq!(response.status().as_u16(), status, "{address}");
        assert_eq!(header(&response, "access-control-allow-origin"), "*");
        assert_eq!(json_of(response).await["details"]["reason"], reason, "{address}");
    }
    assert_eq!(get(&red, &[]).await.status().as_u16(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_who_read_too_many_media_are_asked_to_wait() {
    let service = Service::start(&[]).await;
    let url = preview(&service, &film(5, &json!([]))).await;
    let client = client(false);
    let mut statuses = Vec::new();
    for _ in 0..601 {
        let response = client.get(format!("{url}/media/0-00")).send().await.unwrap();
        statuses.push((response.status().as_u16(), header(&response, "retry-after").is_empty()));
    }
    assert!(statuses[..600].iter().all(|status| *status == (403, true)));
    assert_eq!(statuses[600], (429, false));
    // The rest of the preview is not affected.
    assert_eq!(get(&url, &[PAGE]).await.status().as_u16(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_who_ask_too_often_are_asked_to_wait() {
    let service = Service::start(&[("role", "api")]).await;
    let (client, url) = (client(false), service.url("/preview/prv_nothing"));
    let visit = |_| async { client.get(&url).send().await.unwrap().status().as_u16() };
    let visits = futures_util::stream::iter(0..1200).map(visit).buffer_unordered(16);
    let visits: Vec<u16> = visits.collect().await;
    assert!(visits.iter().all(|status| *status == 404), "{visits:?}");
    for path in ["", ".png", "/status", "/film.mp4"] {
        let response = client.get(format!("{url}{path}")).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 429, "{path}");
        assert!(!header(&response, "retry-after").is_empty(), "{path}");
        assert_eq!(header(&response, "access-control-allow-origin"), "*", "{path}");
    }
    let page = get(&url, &[PAGE]).await;
    assert_eq!((page.status().as_u16(), header(&page, "retry-after").is_empty()), (429, false));
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    assert_eq!(get(&service.url("/healthz"), &[]).await.status().as_u16(), 200);
}

/// A film of four megabytes that shows `src`.
fn large_film(src: &str) -> Value {
    let mut picture = red_png(8, 8);
    picture.resize(740_000, 0);
    let picture = format!("data:image/png;base64,{}", STANDARD.encode(picture));
    let image = |id, src: &str| overlay(id, &json!({"type": "image", "src": src}));
    let mut overlays: Vec<Value> = (2..6).map(|id| image(id, &picture)).collect();
    overlays.push(image(1, src));
    film(20, &json!(overlays))
}

#[tokio::test(flavor = "multi_thread")]
async fn many_visitors_of_a_large_preview_hold_up_nobody_and_fetch_its_media_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let slow = move || async move {
        count.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(500)).await;
        red_png(96, 64)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let src = format!("http://{}/red.png", listener.local_addr().unwrap());
    let router = Router::new().route("/red.png", route(slow));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let service = Service::start(&[("role", "api"), ("max-connections-per-address", "1000")]).await;
    let url = preview(&service, &large_film(&src)).await;
    // Its author has looked at it.
    asked.store(0, Ordering::SeqCst);

    let (pulse, alive) = (client(false), service.url("/healthz"));
    let pulse = tokio::spawn(async move {
        let mut longest = Duration::ZERO;
        loop {
            let started = Instant::now();
            match timeout(Duration::from_secs(20), pulse.get(&alive).send()).await {
                Ok(answer) => assert_eq!(answer.unwrap().status().as_u16(), 200),
                Err(_) => panic!("no answer in 20 s"),
            }
            longest = longest.max(started.elapsed());
            PULSE.store(longest.as_millis() as usize, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let client = client(false);
    let visits: Vec<_> = (0..300)
        .map(|visit| {
            let request = match visit % 10 {
                0 => client.get(&url).header("accept", "application/json"),
                1 => client.get(&url).header(PAGE.0, PAGE.1),
                _ => client.get(format!("{url}.png?frame={}", visit % 3)),
            };
            tokio::spawn(async move { request.send().await.unwrap().status().as_u16() })
        })
        .collect();
    for visit in visits {
        assert_eq!(visit.await.unwrap(), 200);
    }
    assert!(!pulse.is_finished(), "{:?}", pulse.await);
    pulse.abort();
    let longest = PULSE.load(Ordering::SeqCst);
    // A second, and some on a machine where other tests run.
    assert!(longest < 5000, "{longest} ms until /healthz answered");
    assert_eq!(asked.load(Ordering::SeqCst), 1, "times that the media were fetched");
}

/// The longest time until /healthz answered, in milliseconds.
static PULSE: AtomicUsize = AtomicUsize::new(0);
