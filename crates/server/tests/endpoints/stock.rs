//! Stock photos and videos, against a server that answers as the providers document it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Service, client, red_png};

/// The providers, with what they were asked.
#[derive(Clone)]
struct Providers {
    url: String,
    asked: Arc<Mutex<Vec<(String, String)>>>,
}

impl Providers {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let providers = Self { url, asked: Arc::default() };
        let router = Router::new().fallback(any(answer)).with_state(providers.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        providers
    }

    /// Path and query of each request since the last look, with its Authorization.
    fn asked(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    async fn service(&self, flags: &[(&str, &str)]) -> Service {
        let keys = [("pexels-key", "PEX-1"), ("pixabay-key", "PIX-2"), ("unsplash-key", "UNS-3")];
        let mut all = vec![("role", "api"), ("stock-url", self.url.as_str())];
        all.extend(flags.iter().copied().chain(keys));
        Service::start(&all).await
    }
}

async fn answer(State(providers): State<Providers>, headers: HeaderMap, request: Request) -> Response {
    let at = request.uri().to_string();
    let key = headers.get(header::AUTHORIZATION).map_or("", |value| value.to_str().unwrap()).to_owned();
    providers.asked.lock().unwrap().push((at.clone(), key));
    let url = &providers.url;
    let query = request.uri().query().unwrap_or_default();
    let asks =
        |words: &str| query.contains(&format!("query={words}")) || query.contains(&format!("q={words}"));
    if asks("busy") {
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "77")], "slow down").into_response();
    }
    if asks("key") {
        return (StatusCode::UNAUTHORIZED, "no").into_response();
    }
    if asks("page") {
        return "<!doctype html>".into_response();
    }
    if asks("list") {
        return json!({"photos": {"0": 1}, "hits": "none", "results": 5}).to_string().into_response();
    }
    if asks("huge") {
        return format!("{{\"photos\": [\"{}\"]}}", "x".repeat(3_000_000)).into_response();
    }
    let photo = |id: u64| {
        json!({
            "id": id, "width": 4000, "height": 3000, "url": "https://www.pexels.com/photo/1/",
            "photographer": "Joey", "photographer_url": "https://www.pexels.com/@joey", "alt": "Rocks",
            "src": {"medium": format!("{url}/m.png"), "large2x": format!("{url}/l.png"), "original": format!("{url}/red.png")},
        })
    };
    let clip = json!({
        "id": 5, "width": 1920, "height": 1080, "duration": 12, "url": "https://www.pexels.com/video/5/",
        "image": format!("{url}/m.png"), "user": {"id": 1, "name": "Kim", "url": "https://www.pexels.com/@kim"},
        "video_files": [
            {"id": 1, "quality": "hd", "file_type": "video/mp4", "width": 1920, "height": 1080, "link": format!("{url}/page.mp4")},
            {"id": 2, "quality": "sd", "file_type": "video/mp4", "width": 640, "height": 360, "link": format!("{url}/small.mp4")},
            {"id": 3, "quality": "hls", "file_type": "application/x-mpegURL", "width": 0, "height": 0, "link": format!("{url}/a.m3u8")},
        ],
    });
    let image = json!({
        "id": 195893, "pageURL": "https://pixabay.com/en/blossom-195893/", "tags": "blossom, bloom",
        "imageWidth": 4000, "imageHeight": 2250, "webformatURL": format!("{url}/w.png"),
        "largeImageURL": format!("{url}/red.png"), "user_id": 48777, "user": "Josch13",
    });
    let film = json!({
        "id": 125, "pageURL": "https://pixabay.com/videos/id-125/", "tags": "flowers", "duration": 12, "user_id": 1281706,
        "user": "Coverr",
        "videos": {"medium": {"url": format!("{url}/page.mp4"), "width": 1280, "height": 720, "size": 6, "thumbnail": format!("{url}/m.png")}},
    });
    let splash = json!({
        "id": "LBI7cgq3pbM", "width": 5245, "height": 3497, "alt_description": "a man drinking coffee",
        "urls": {"raw": format!("{url}/red.png?ixid=abc"), "small": format!("{url}/s.png")},
        "links": {
            "html": "https://unsplash.com/photos/LBI7cgq3pbM",
            "download_location": format!("{url}/unsplash/photos/LBI7cgq3pbM/download?ixid=abc"),
        },
        "user": {"name": "Gilbert Kane", "links": {"html": "https://unsplash.com/@poorkane"}},
    });
    let mut evil = splash.clone();
    (evil["id"], evil["links"]["download_location"]) = (json!("evil"), json!("https://evil.example/steal"));
    let private = |address: &str| {
        let mut item = photo(9);
        item["src"] = json!({"medium": address, "original": address});
        item
    };
    let found = match request.uri().path() {
        "/pexels/v1/search" if asks("private") => json!({"total_results": 3, "photos": [
            private("http://169.254.169.254/latest"), private("file:///etc/passwd"), photo(1)]}),
        "/pexels/v1/search" => {
            json!({"total_results": 50, "page": 1, "per_page": 24, "photos": [photo(1), 7, null, photo(2)]})
        }
        "/pexels/videos/search" => json!({"total_results": 1, "videos": [clip]}),
        "/pexels/v1/photos/1" => photo(1),
        "/pexels/videos/videos/5" => clip,
        "/pixabay/api/" => json!({"total": 4692, "totalHits": 500, "hits": [image]}),
        "/pixabay/api/videos/" => json!({"total": 42, "totalHits": 1, "hits": [film]}),
        "/unsplash/search/photos" => json!({"total": 133, "total_pages": 7, "results": [splash]}),
        "/unsplash/photos/LBI7cgq3pbM" => splash,
        "/unsplash/photos/evil" => evil,
        "/unsplash/photos/LBI7cgq3pbM/download" => json!({"url": "https://images.unsplash.com/x"}),
        "/red.png" => return red_png(96, 64).into_response(),
        "/page.mp4" => return "<!doctype html>".into_response(),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    found.to_string().into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_key_there_is_no_stock() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    assert_eq!(service.get(&ada, "/stock/providers").await.data(), &json!({"providers": []}));
    let searched = service.get(&ada, "/stock?provider=pexels&q=rocks").await;
    searched.refused(404, "NOT_FOUND");
    assert_eq!(searched.body["error"], "This service has no key for Pexels.");
    let body = json!({"provider": "unsplash", "id": "x"});
    service.post(&ada, "/stock", &body).await.refused(404, "NOT_FOUND");
    service.get(&ada, "/stock?provider=shutter&q=rocks").await.refused(400, "INVALID_REQUEST");
    service.get(&ada, "/stock?provider=pexels").await.refused(400, "INVALID_REQUEST");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_provider_answers_in_one_shape_and_keeps_its_key() {
    let providers = Providers::start().await;
    let service = providers.service(&[]).await;
    let ada = service.account(Plan::None, 0).await;
    let listed = service.get(&ada, "/stock/providers").await;
    let ids: Vec<&Value> =
        listed.data()["providers"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["pexels", "pixabay", "unsplash"]);

    let answer = service.get(&ada, "/stock?provider=pexels&q=Red%20rocks&page=2").await;
    let asked = "/pexels/v1/search?query=red+rocks&page=2&per_page=24".to_owned();
    assert_eq!(providers.asked(), [(asked, "PEX-1".to_owned())]);
    let page = answer.data();
    assert_eq!((&page["page"], &page["total"], &page["hasMore"]), (&json!(2), &json!(50), &json!(true)));
    assert_eq!(page["items"].as_array().unwrap().len(), 2, "what is no photo is left out");
    let item = &page["items"][0];
    assert_eq!((&item["id"], &item["author"]["name"]), (&json!("1"), &json!("Joey")));
    assert_eq!((&item["width"], &item["durationSeconds"]), (&json!(4000), &Value::Null));
    assert_eq!(item["credit"], "Photo by Joey on Pexels");
    // The same again is not asked for again.
    service.get(&ada, "/stock?provider=pexels&q=red%20rocks&page=2&kind=photo").await.data();
    assert_eq!(providers.asked(), []);

    let clips = service.get(&ada, "/stock?provider=pexels&kind=video&q=sea").await;
    let clip = &clips.data()["items"][0];
    assert_eq!((&clip["durationSeconds"], &clip["credit"]), (&json!(12.0), &json!("Video by Kim on Pexels")));
    let sizes: Vec<&Value> = clip["sizes"].as_array().unwrap().iter().map(|size| &size["width"]).collect();
    assert_eq!(sizes, [640, 1920], "playlists are no files");
    providers.asked();

    let images = service.get(&ada, "/stock?provider=pixabay&q=flowers").await;
    let (asked, login) = providers.asked().remove(0);
    assert!(
        asked.starts_with("/pixabay/api/?q=flowers&page=1&per_page=24") && asked.ends_with("key=PIX-2"),
        "{asked}"
    );
    assert_eq!(login, "");
    let image = &images.data()["items"][0];
    assert_eq!(image["author"]["url"], "https://pixabay.com/users/Josch13-48777/");
    assert_eq!(image["sizes"][0]["height"], 720);
    let films = service.get(&ada, "/stock?provider=pixabay&kind=video&q=flowers").await;
    assert_eq!(films.data()["items"][0]["credit"], "Video by Coverr from Pixabay");
    providers.asked();

    let splashes = service.get(&ada, "/stock?provider=unsplash&q=coffee").await;
    assert_eq!(providers.asked()[0].1, "Client-ID UNS-3");
    let splash = &splashes.data()["items"][0];
    assert_eq!(
        splash["author"]["url"],
        "https://unsplash.com/@poorkane?utm_source=rondo&utm_medium=referral"
    );
    service.get(&ada, "/stock?provider=unsplash&kind=video&q=coffee").await.refused(400, "INVALID_REQUEST");
    for answer in [answer, clips, images, films, splashes, listed] {
        let text = answer.body.to_string();
        assert!(!["PEX-1", "PIX-2", "UNS-3"].iter().any(|key| text.contains(key)), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_becomes_an_upload_or_stays_where_its_provider_wants_it() {
    let providers = Providers::start().await;
    let service = providers.service(&[]).await;
    let ada = service.account(Plan::None, 0).await;
    let add = async |provider: &str, kind: &str, id: &str| {
        service.post(&ada, "/stock", &json!({"provider": provider, "kind": kind, "id": id})).await
    };
    let photo = add("pexels", "photo", "1").await;
    let file = photo.data();
    assert_eq!((&file["width"], &file["contentType"]), (&json!(96), &json!("image/png")));
    let bytes = client(true).get(file["fileUrl"].as_str().unwrap()).send().await.unwrap().bytes().await;
    assert_eq!(bytes.unwrap(), red_png(96, 64));
    let uploads = service.get(&ada, "/uploads").await;
    assert_eq!(uploads.data()["uploads"][0]["id"], file["uploadId"]);
    assert_eq!(uploads.data()["uploads"][0]["name"], "Photo by Joey on Pexels");
    add("pixabay", "photo", "195893").await.data();
    providers.asked();

    let linked = add("unsplash", "photo", "LBI7cgq3pbM").await;
    let file = linked.data();
    let expected = format!("{}/red.png?ixid=abc&w=2560&h=2560&fit=max&fm=jpg&q=85", providers.url);
    assert_eq!((&file["fileUrl"], &file["uploadId"]), (&json!(expected), &Value::Null));
    assert_eq!((&file["width"], &file["height"]), (&json!(2560), &json!(1707)));
    let asked: Vec<String> = providers.asked().into_iter().map(|(at, _)| at).collect();
    assert_eq!(asked, ["/unsplash/photos/LBI7cgq3pbM", "/unsplash/photos/LBI7cgq3pbM/download?ixid=abc"]);
    assert_eq!(service.get(&ada, "/uploads").await.data()["total"], 2);

    // The key goes to nobody else, and only plain ids into addresses.
    add("unsplash", "photo", "evil").await.refused(503, "STOCK_UNAVAILABLE");
    for id in ["2", "../v1/search", "1?x=", "%2e%2e"] {
        add("pexels", "photo", id).await.refused(404, "NOT_FOUND");
    }
    add("pixabay", "photo", "4").await.refused(404, "NOT_FOUND");
    // What is no video is not kept.
    add("pexels", "video", "5").await.refused(422, "UNSUPPORTED_CONTENT_TYPE");
    assert_eq!(service.get(&ada, "/uploads").await.data()["total"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_is_away_or_hostile_gives_a_sentence() {
    let providers = Providers::start().await;
    let service = providers.service(&[]).await;
    let ada = service.account(Plan::None, 0).await;
    for (words, said) in [
        ("busy", "takes no more requests"),
        ("key", "refuses the key"),
        ("page", "is not JSON"),
        ("list", "not what was expected"),
        ("huge", "too large"),
    ] {
        for provider in ["pexels", "pixabay", "unsplash"] {
            let answer = service.get(&ada, &format!("/stock?provider={provider}&q={words}")).await;
            assert_eq!(answer.refused(503, "STOCK_UNAVAILABLE")["provider"], provider);
            assert!(answer.body["error"].as_str().unwrap().contains(said), "{}", answer.body);
            let wait = answer.headers["retry-after"].to_str().unwrap();
            assert_eq!(wait, if words == "busy" { "77" } else { "30" });
        }
    }
    // Nobody listens there.
    let away =
        Service::start(&[("role", "api"), ("stock-url", "http://127.0.0.1:9"), ("pexels-key", "PEX-1")])
            .await;
    let ada = away.account(Plan::None, 0).await;
    let answer = away.get(&ada, "/stock?provider=pexels&q=rocks").await;
    answer.refused(503, "STOCK_UNAVAILABLE");
    assert!(!answer.body.to_string().contains("PEX-1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_must_not_be_called_are_left_out() {
    let providers = Providers::start().await;
    // Media of the local server are private here; the provider itself is what the operator set.
    let service = providers.service(&[("allow-private-network", "false")]).await;
    let ada = service.account(Plan::None, 0).await;
    let answer = service.get(&ada, "/stock?provider=pexels&q=private").await;
    assert_eq!((&answer.data()["items"], &answer.data()["total"]), (&json!([]), &json!(3)));
    let open = providers.service(&[]).await;
    let ada = open.account(Plan::None, 0).await;
    let answer = open.get(&ada, "/stock?provider=pexels&q=private").await;
    let ids: Vec<&Value> = answer.data()["items"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["1"], "metadata services are never called");
}
