//! Uploads and files.

use reqwest::{Response, StatusCode};
use rondo_store::{Plan, Time, Upload};
use serde_json::{Value, json};

use crate::harness::{Account, Service, client};
use crate::receiver::hmac_hex;

async fn promise(service: &Service, account: &Account, content_type: &str) -> Value {
    service.post(account, "/uploads", &json!({"contentType": content_type})).await.data().clone()
}

async fn put(url: &str, content_type: &str, bytes: &[u8]) -> (u16, Value) {
    let request = client(true).put(url).header("content-type", content_type).body(bytes.to_vec());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let request =
        headers.iter().fold(client(true).get(url), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_uploaded_can_be_read_in_whole_and_in_parts() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "Image/PNG; charset=binary").await;
    let (to, at) = (upload["uploadUrl"].as_str().unwrap(), upload["fileUrl"].as_str().unwrap());
    assert_eq!(get(at, &[]).await.status(), StatusCode::NOT_FOUND);

    let (status, body) = put(to, "image/png", b"0123456789").await;
    assert_eq!((status, &body["data"]["size"]), (200, &json!(10)));

    let whole = get(at, &[]).await;
    assert_eq!(header(&whole, "content-type"), "image/png");
    assert_eq!(header(&whole, "content-length"), "10");
    assert_eq!(header(&whole, "accept-ranges"), "bytes");
    assert_eq!(header(&whole, "x-content-type-options"), "nosniff");
    assert_eq!(header(&whole, "access-control-allow-origin"), "*");
    let (tag, date) = (header(&whole, "etag").to_owned(), header(&whole, "last-modified").to_owned());
    assert_eq!(whole.text().await.unwrap(), "0123456789");

    for (range, part, told) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-1", "9", "bytes 9-9/10"),
        ("bytes=8-100", "89", "bytes 8-9/10"),
    ] {
        let response = get(at, &[("range", range), ("if-range", &tag)]).await;
        assert_eq!((response.status().as_u16(), header(&response, "content-range")), (206, told));
        assert_eq!(response.text().await.unwrap(), part);
    }
    let beyond = get(at, &[("range", "bytes=10-")]).await;
    assert_eq!((beyond.status().as_u16(), header(&beyond, "content-range")), (416, "bytes */10"));
    let changed = get(at, &[("range", "bytes=2-4"), ("if-range", "\"other\"")]).await;
    assert_eq!((changed.status().as_u16(), changed.text().await.unwrap().as_str()), (200, "0123456789"));
    for known in
        [("if-none-match", tag.as_str()), ("if-none-match", "*"), ("if-modified-since", date.as_str())]
    {
        assert_eq!(get(at, &[known]).await.status(), StatusCode::NOT_MODIFIED, "{known:?}");
    }
    let head = client(true).head(at).send().await.unwrap();
    assert_eq!((head.status().as_u16(), header(&head, "content-length")), (200, "10"));

    // Sent again, it is replaced.
    assert_eq!(put(to, "image/png", b"new").await.0, 200);
    assert_eq!(get(at, &[("if-none-match", &tag)]).await.text().await.unwrap(), "new");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_must_be_what_was_signed() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "video/mp4").await;
    let to = upload["uploadUrl"].as_str().unwrap();
    let other = promise(&service, &account, "video/mp4").await;
    let reason = |body: &Value| body["details"]["reason"].as_str().unwrap().to_owned();

    let forged = [
        to.replace("signature=", "signature=0"),
        to.replace("expires=1", "expires=2"),
        to.split("&signature").next().unwrap().to_owned(),
        to.split('?').next().unwrap().to_owned(),
        to.replace(upload["id"].as_str().unwrap(), other["id"].as_str().unwrap()),
    ];
    for url in forged {
        let (status, body) = put(&url, "video/mp4", b"film").await;
        assert_eq!((status, reason(&body).as_str()), (403, "INVALID_SIGNATURE"), "{url}");
    }
    let (status, body) = put(to, "text/html", b"<script>").await;
    assert_eq!((status, &body["details"]["expected"]), (415, &json!("video/mp4")));
    let (status, body) = put(to, "video/mp4", b"").await;
    assert_eq!((status, reason(&body).as_str()), (400, "INVALID_REQUEST"));
    let (status, _) = put(&to.replace("upl_", "upl_x"), "video/mp4", b"film").await;
    assert_eq!(status, 404);
    assert_eq!(get(upload["fileUrl"].as_str().unwrap(), &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_ends_when_it_says() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "image/gif").await;
    let left = Time::parse(upload["expiresAt"].as_str().unwrap()).unwrap().millis() - Time::now().millis();
    assert!((3_590_000..=3_600_000).contains(&left), "{left}");

    let past = Time(Time::now().millis() - 1000);
    let Upload { id, .. } = service.store.create_upload(&account.id, "image/gif", past).await.unwrap();
    let expires = past.seconds();
    let key = service.store.secret("signing").await.unwrap();
    let signature = hmac_hex(&key, format!("PUT\n{id}\nimage/gif\n{expires}").as_bytes());
    let url = service.url(&format!("/uploads/{id}?expires={expires}&signature={signature}"));
    let (status, body) = put(&url, "image/gif", b"GIF89a").await;
    assert_eq!((status, &body["details"]["reason"]), (403, &json!("UPLOAD_EXPIRED")));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_media_and_fonts_can_be_uploaded() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    for content_type in ["text/html", "application/pdf", "image/tiff", "png"] {
        let answer = service.post(&account, "/uploads", &json!({"contentType": content_type})).await;
        let details = answer.refused(422, "UNSUPPORTED_CONTENT_TYPE");
        assert!(details["supported"].as_array().unwrap().contains(&json!("image/png")));
    }
    for body in
        [json!({}), json!({"contentType": null}), json!({"contentType": 5}), json!({"contentType": " "})]
    {
        service.post(&account, "/uploads", &body).await.refused(400, "INVALID_REQUEST");
    }
    let large = json!({"contentType": "video/mp4", "size": 5_000_000_001_u64});
    service.post(&account, "/uploads", &large).await.refused(422, "VALUE_OUT_OF_RANGE");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawing_opened_by_itself_cannot_run_scripts() {
    let service = Service::start(&[]).await;
    let account = service.account(Plan::Business, 0).await;
    let upload = promise(&service, &account, "image/svg+xml").await;
    put(upload["uploadUrl"].as_str().unwrap(), "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
        .await;
    let response = get(upload["fileUrl"].as_str().unwrap(), &[]).await;
    assert!(header(&response, "content-security-policy").contains("sandbox"));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_there_and_names_that_are_none_are_404() {
    let service = Service::start(&[]).await;
    for path in
        ["/files/job_1.mp4", "/files/..%2Frondo.db", "/files/%2e%2e%2frondo.db", "/files/upl_%00", "/files/"]
    {
        let response = get(&service.url(path), &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!(body["details"]["reason"], "NOT_FOUND", "{path}");
    }
}
