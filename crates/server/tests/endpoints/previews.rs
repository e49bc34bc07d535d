//! Preview pages, their pictures and their film.

use std::time::{Duration, Instant};

use reqwest::Response;
use rondo_store::{Credits, NewPreview, Plan, Time};
use serde_json::{Value, json};

use crate::harness::{Service, client, film, media_server, overlay};

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
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
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
        for path in [format!("/preview/{id}"), format!("/preview/{id}.png"), format!("/preview/{id}/status")]
        {
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
