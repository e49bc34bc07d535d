//! Agents at the MCP server: who is let in, what tools answer, what frames look like and what films cost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderMap;
use rondo_media::image::{Still, SvgFonts, load_image};
use rondo_render::Bitmap;
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Service, busy, film, media_server, overlay};

const OLD: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

struct Reply {
    status: u16,
    headers: HeaderMap,
    /// Every message of the answer; the last one is the answer itself.
    messages: Vec<Value>,
}

impl Reply {
    fn last(&self) -> &Value {
        self.messages.last().unwrap_or(&Value::Null)
    }
}

/// Sends a message with these headers; an empty value leaves the header out.
async fn send(service: &Service, headers: &[(&str, &str)], body: String) -> Reply {
    let mut all = vec![
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", OLD),
    ];
    all.retain(|(name, _)| !headers.iter().any(|(other, _)| other == name));
    all.extend(headers);
    let mut request = crate::harness::client(true).post(service.url("/api/mcp")).body(body);
    for (name, value) in all.into_iter().filter(|(_, value)| !value.is_empty()) {
        request = request.header(name, value);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    let messages = match serde_json::from_str(&text) {
        Ok(message) => vec![message],
        Err(_) => {
            let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
            data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
        }
    };
    Reply { status, headers, messages }
}

fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

async fn ask(service: &Service, account: &Account, method: &str, params: &Value) -> Value {
    let bearer = format!("Bearer {}", account.key);
    let reply = send(service, &[("authorization", &bearer)], request(method, params)).await;
    assert_eq!(reply.status, 200, "{:?}", reply.messages);
    reply.last().clone()
}

/// Calls a tool and gives its whole result.
async fn call(service: &Service, account: &Account, tool: &str, arguments: &Value) -> Value {
    let answer = ask(service, account, "tools/call", &json!({"name": tool, "arguments": arguments})).await;
    assert!(answer.get("result").is_some(), "{answer}");
    answer["result"].clone()
}

/// The structured content of a call that succeeds.
async fn done(service: &Service, account: &Account, tool: &str, arguments: &Value) -> Value {
    let result = call(service, account, tool, arguments).await;
    assert_eq!(result["isError"], false, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
    result["structuredContent"].clone()
}

/// The text of a call that is refused.
async fn refused(service: &Service, account: &Account, tool: &str, arguments: &Value) -> String {
    let result = call(service, account, tool, arguments).await;
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// The pictures of a result.
fn pictures(result: &Value) -> Vec<Bitmap> {
    let contents = result["content"].as_array().unwrap();
    let images = contents.iter().filter(|content| content["type"] == "image");
    let decode = |image: &Value| {
        let bytes = STANDARD.decode(image["data"].as_str().unwrap()).unwrap();
        let kind: &[u8] = if image["mimeType"] == "image/png" { b"\x89PNG" } else { b"\xff\xd8\xff" };
        assert!(bytes.starts_with(kind), "{}", image["mimeType"]);
        match load_image(&bytes, "picture", &SvgFonts::default()).unwrap() {
            Still::Bitmap(picture) => picture.as_bitmap().to_bitmap(),
            Still::Svg(_) => panic!("a drawing"),
        }
    };
    images.map(decode).collect()
}

/// Red, then green from frame 5 on, 96 × 64 pixels, 10 frames.
fn two_colours() -> Value {
    let square = |id: u32, from: u32, fill: &str| {
        overlay(
            id,
            &json!({"type": "shape", "content": "rectangle", "from": from, "durationInFrames": 5,
            "styles": {"fill": fill}}),
        )
    };
    film(10, &json!([square(1, 0, "#ff0000"), square(2, 5, "#00ff00")]))
}

#[tokio::test(flavor = "multi_thread")]
async fn only_callers_with_a_key_come_in_and_only_at_the_service_s_own_name() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let list = request("tools/list", &json!({}));
    for bearer in ["", "Bearer rnd_unknown", "Basic YTpi"] {
        let reply = send(&service, &[("authorization", bearer)], list.clone()).await;
        assert_eq!(reply.status, 401, "{bearer}");
        let place = service.url("/.well-known/oauth-protected-resource/api/mcp");
        let challenge = reply.headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains(&format!("resource_metadata=\"{place}\"")), "{challenge}");
        assert!(reply.headers.contains_key("ratelimit-remaining"));
    }
    let key = format!("Bearer {}", ada.key);
    let status = async |header: (&str, &str)| {
        send(&service, &[("authorization", &key), header], list.clone()).await.status
    };
    assert_eq!(status(("origin", "https://evil.example")).await, 403);
    assert_eq!(status(("origin", "null")).await, 403);
    assert_eq!(status(("origin", &service.url(""))).await, 200);
    assert_eq!(status(("host", "evil.example")).await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_revisions_offer_the_same_tools() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": client});
    let hello = ask(&service, &ada, "initialize", &hello).await["result"].clone();
    assert_eq!(hello["protocolVersion"], OLD);
    assert_eq!(hello["serverInfo"]["name"], "rondo");
    for capability in ["tools", "resources", "prompts"] {
        assert!(hello["capabilities"][capability].is_object(), "{capability}");
    }
    let old = ask(&service, &ada, "tools/list", &json!({})).await["result"]["tools"].clone();
    let meta = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": NEW,
        "io.modelcontextprotocol/clientInfo": client,
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let modern = async |method: &str| {
        let bearer = format!("Bearer {}", ada.key);
        let headers =
            [("authorization", bearer.as_str()), ("mcp-protocol-version", NEW), ("mcp-method", method)];
        let reply = send(&service, &headers, request(method, &meta)).await;
        assert_eq!(reply.status, 200, "{:?}", reply.messages);
        reply.last()["result"].clone()
    };
    let supported = modern("server/discover").await["supportedVersions"].clone();
    assert!([OLD, NEW].iter().all(|version| supported.as_array().unwrap().contains(&json!(version))));
    assert_eq!(modern("tools/list").await["tools"], old);
    assert_eq!(old.as_array().unwrap().len(), 27);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_tells_every_problem_with_its_path_and_every_warning() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let broken = json!({"durationInFrames": 0, "overlays": [{"id": 1, "type": "text", "styles": {"opacity": "much"}}]});
    let checked = done(&service, &ada, "check_composition", &json!({"inputProps": broken})).await;
    assert_eq!(checked["valid"], false);
    let paths: Vec<&str> =
        checked["problems"].as_array().unwrap().iter().map(|p| p["path"].as_str().unwrap()).collect();
    for path in
        ["inputProps.durationInFrames", "inputProps.overlays[0].from", "inputProps.overlays[0].content"]
    {
        assert!(paths.contains(&path), "{path} is not in {paths:?}");
    }
    let clipped = film(
        10,
        &json!([overlay(
            1,
            &json!({"type": "text", "durationInFrames": 10,
        "content": "Far too much text for such a small box", "styles": {"fontSize": "30px", "fontSizeFixed": true}})
        )]),
    );
    let checked = done(&service, &ada, "check_composition", &json!({"inputProps": clipped})).await;
    assert_eq!((&checked["valid"], &checked["quote"]["credits"]), (&json!(true), &json!(1)));
    assert_eq!(checked["warnings"][0]["code"], "TEXT_MAY_CLIP");
    assert_eq!(checked["warnings"][0]["detail"]["path"], "overlays[0].content");
    assert_eq!(service.credits(&ada).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_come_as_pictures_of_the_film_at_the_size_that_was_asked_for() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let look = async |more: Value| {
        let mut arguments = json!({"inputProps": two_colours()});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(&service, &ada, "preview_frames", &arguments).await
    };
    let middle = |picture: &Bitmap| {
        let at = ((picture.height / 2 * picture.width + picture.width / 2) * 4) as usize;
        [picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]]
    };
    let result = look(json!({"frames": [4, 5], "format": "png"})).await;
    let shown = pictures(&result);
    assert_eq!(shown.iter().map(|p| (p.width, p.height)).collect::<Vec<_>>(), [(96, 64); 2]);
    assert_eq!([middle(&shown[0]), middle(&shown[1])], [[255, 0, 0], [0, 255, 0]]);
    assert_eq!(result["structuredContent"]["pictures"][1]["frames"], json!([{"frame": 5, "seconds": 0.5}]));

    let result = look(json!({"times": [0.7, 1.0]})).await;
    let frames = |result: &Value, picture: usize| {
        let frames = result["structuredContent"]["pictures"][picture]["frames"].as_array().unwrap().clone();
        frames.iter().map(|frame| frame["frame"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([frames(&result, 0), frames(&result, 1)], [[7], [9]]);
    assert!(middle(&pictures(&result)[0])[1] > 240, "a JPEG is green too");

    let sheet = look(json!({})).await;
    assert_eq!(frames(&sheet, 0), (0..10).collect::<Vec<_>>());
    let shown = pictures(&sheet);
    let reply = &sheet["structuredContent"]["pictures"][0];
    assert_eq!(
        (reply["width"].as_u64(), reply["height"].as_u64()),
        (Some(shown[0].width.into()), Some(shown[0].height.into()))
    );
    assert!(shown[0].width > 4 * 96 && shown[0].height > 3 * 64, "every frame at its own size");

    let small = look(json!({"maxPixels": 10_000})).await;
    let small = &pictures(&small)[0];
    assert!(small.width * small.height <= 10_000, "{} × {}", small.width, small.height);

    for (wrong, words) in [
        (json!({"frames": [10]}), "0 to 9"),
        (json!({"times": [1.5]}), "ends at 1.00 s"),
        (json!({"frames": [1], "times": [0.1]}), "not both"),
        (json!({"frames": []}), "`frames` must be an array of 1 to 12, got an array of 0"),
        (json!({"maxPixels": 1e12}), "`maxPixels`"),
    ] {
        let result = look(wrong.clone()).await;
        assert_eq!(result["isError"], true, "{wrong}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overlays_whose_media_cannot_be_had_are_left_out_and_told() {
    let media = media_server().await;
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let image = |id: u32, name: &str| {
        overlay(id, &json!({"type": "image", "src": format!("{media}/{name}"), "durationInFrames": 10}))
    };
    let props = film(10, &json!([image(1, "gone.png"), image(2, "cut.png"), image(3, "red.png")]));
    let arguments = json!({"inputProps": props, "frames": [0], "format": "png"});
    let result = call(&service, &ada, "preview_frames", &arguments).await;
    assert_eq!(pictures(&result)[0].pixels[..3], [255, 0, 0], "the other picture is there");
    let shown = &result["structuredContent"];
    assert_eq!(shown["leftOut"][0]["path"], "overlays[0].src");
    assert!(shown["leftOut"][0]["reason"].as_str().unwrap().contains("404"), "{shown}");
    assert_eq!(
        shown["leftOut"][1]["path"], "overlays[1].src",
        "as it was sent, independent of earlier responses"
    );
    assert!(shown["leftOut"][1]["reason"].as_str().unwrap().contains("ends too early"), "{shown}");
    assert_eq!(shown["leftOut"].as_array().unwrap().len(), 2);
    assert_eq!(shown["warnings"][0]["code"], "MEDIA_UNREACHABLE");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_costs_an_agent_what_it_costs_a_program_and_is_made_once_for_one_key() {
    let service = Service::start(&[("role", "api")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let mut props = two_colours();
    // A minute of twice the usual size.
    (props["width"], props["height"], props["durationInFrames"]) = (json!(2560), json!(1440), json!(600));
    let body = json!({"inputProps": props, "metadata": {"order": "7"}});
    let by_program = service.post(&bob, "/renders", &body).await.data().clone();
    let mut arguments = body.clone();
    arguments["idempotencyKey"] = json!("order-7");
    let by_agent = done(&service, &ada, "render", &arguments).await;
    for field in ["creditsUsed", "status", "mode", "estimatedDurationMinutes", "projectId"] {
        assert_eq!(by_agent[field], by_program[field], "{field}");
    }
    assert_eq!([service.credits(&ada).await, service.credits(&bob).await], [8, 8]);
    assert_eq!(done(&service, &ada, "render", &arguments).await, by_agent);
    assert_eq!(service.credits(&ada).await, 8, "the same call again costs nothing");
    arguments["draft"] = json!(true);
    let text = refused(&service, &ada, "render", &arguments).await;
    assert!(text.contains("IDEMPOTENCY_KEY_REUSED"), "{text}");

    let job = json!({"jobId": by_agent["jobId"]});
    let render = done(&service, &ada, "get_render", &job).await;
    assert_eq!(render["metadata"], json!({"order": "7"}));
    assert!(render.get("inputProps").is_none());
    let text = refused(&service, &bob, "get_render", &job).await;
    assert!(text.contains("FORBIDDEN"), "{text}");
    assert_eq!(done(&service, &ada, "list_renders", &json!({})).await["total"], 1);
    let ended = done(&service, &ada, "cancel_render", &job).await;
    assert_eq!((&ended["status"], &ended["errorMessage"]), (&json!("FAILED"), &json!("Cancelled")));
    assert_eq!(service.credits(&ada).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_credits_is_told_what_is_missing_and_nothing_is_charged() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let text = refused(&service, &ada, "render", &json!({"inputProps": two_colours()})).await;
    assert!(text.contains("INSUFFICIENT_CREDITS") && text.contains("\"creditsShort\":1"), "{text}");
    assert_eq!(done(&service, &ada, "list_renders", &json!({})).await["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_a_render_reports_its_progress_and_ends_with_the_film() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let created = done(&service, &ada, "render", &json!({"inputProps": busy(60)})).await;
    let params = json!({"name": "get_render", "_meta": {"progressToken": "tell me"},
        "arguments": {"jobId": created["jobId"], "waitSeconds": 100}});
    let bearer = format!("Bearer {}", ada.key);
    let reply = send(&service, &[("authorization", &bearer)], request("tools/call", &params)).await;
    let (answer, progress) = reply.messages.split_last().unwrap();
    let render = &answer["result"]["structuredContent"];
    assert_eq!(render["status"], "COMPLETED", "{answer}");
    assert!(!progress.is_empty(), "no progress was reported");
    assert!(progress.iter().all(|message| message["method"] == "notifications/progress"
        && message["params"]["progressToken"] == "tell me"));
    let percents: Vec<f64> = progress.iter().map(|m| m["params"]["progress"].as_f64().unwrap()).collect();
    assert!(percents.is_sorted(), "{percents:?}");
    let path = service.download(render["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(crate::harness::probe(&path), (1280, 720, 60));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_fetched_into_uploads_that_films_can_use() {
    let media = media_server().await;
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let fetched = done(&service, &ada, "upload_from_url", &json!({"url": format!("{media}/red.png")})).await;
    assert_eq!(
        [&fetched["contentType"], &fetched["width"], &fetched["height"]],
        [&json!("image/png"), &json!(96), &json!(64)]
    );
    let file = fetched["fileUrl"].as_str().unwrap();
    assert!(file.starts_with(&service.url("/files/")), "{file}");
    let props = film(1, &json!([overlay(1, &json!({"type": "image", "src": file, "durationInFrames": 1}))]));
    let result =
        call(&service, &ada, "preview_frames", &json!({"inputProps": props, "frames": [0], "format": "png"}))
            .await;
    assert_eq!(pictures(&result)[0].pixels[..3], [255, 0, 0]);
    let sound = done(&service, &ada, "upload_from_url", &json!({"url": format!("{media}/tone.wav")})).await;
    assert_eq!((&sound["contentType"], &sound["seconds"]), (&json!("audio/wav"), &json!(1.0)));
    for (url, words) in [
        (format!("{media}/gone.png"), "404"),
        (format!("{media}/broken.png"), "not a picture"),
        (service.url("/docs"), "text/html"),
        ("file:///etc/passwd".to_owned(), "MEDIA_URL_NOT_ALLOWED"),
        ("nonsense".to_owned(), "MEDIA_URL_NOT_ALLOWED"),
    ] {
        let text = refused(&service, &ada, "upload_from_url", &json!({"url": url})).await;
        assert!(text.contains(words), "{text}");
    }
    let wrong = json!({"url": format!("{media}/red.png"), "contentType": "font/ttf"});
    let text = refused(&service, &ada, "upload_from_url", &wrong).await;
    assert!(text.contains("its content is image/png, not font/ttf"), "{text}");
    let place = done(&service, &ada, "create_upload", &json!({"contentType": "image/png"})).await;
    assert!(place["uploadUrl"].as_str().unwrap().contains("signature="));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_fetched_from_the_private_network() {
    let media = media_server().await;
    let service = Service::start(&[("role", "api"), ("allow-private-network", "false")]).await;
    let ada = service.account(Plan::None, 10).await;
    let url = format!("{media}/red.png");
    let text = refused(&service, &ada, "upload_from_url", &json!({"url": url})).await;
    assert!(text.contains("private address"), "{text}");
    let props = film(1, &json!([overlay(1, &json!({"type": "image", "src": url}))]));
    let text = refused(&service, &ada, "preview_frames", &json!({"inputProps": props})).await;
    assert!(text.contains("inputProps.overlays[0].src") && text.contains("MEDIA_URL_NOT_ALLOWED"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_messages_are_answered_and_the_service_lives_on() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let bearer = format!("Bearer {}", ada.key);
    let status = async |body: String| send(&service, &[("authorization", &bearer)], body).await.status;
    for (body, code) in [
        ("{".to_owned(), -32700),
        (String::new(), -32700),
        ("[".repeat(100_000), -32700),
        ("[]".to_owned(), -32600),
        (json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}).to_string(), -32600),
    ] {
        let answer = send(&service, &[("authorization", &bearer)], body).await;
        assert_eq!((answer.status, &answer.last()["error"]["code"]), (400, &json!(code)));
        assert_eq!((&answer.last()["jsonrpc"], &answer.last()["id"]), (&json!("2.0"), &Value::Null));
    }
    let huge =
        request("tools/call", &json!({"name": "render", "arguments": {"inputProps": "x".repeat(5_000_000)}}));
    assert_eq!(status(huge).await, 413);
    let list = request("tools/list", &json!({}));
    assert_eq!(status(format!("\u{feff}{list}")).await, 200, "a byte order mark is no fault");
    let compressed = [("authorization", bearer.as_str()), ("content-encoding", "gzip")];
    assert_eq!(send(&service, &compressed, list).await.status, 415);
    let answer = ask(&service, &ada, "tools/call", &json!({"name": "delete_everything"})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    for (tool, arguments, words) in [
        ("get_render", json!({}), "`jobId` is missing"),
        ("get_render", json!({"jobId": 7}), "`jobId` must be a string, got 7"),
        ("get_render", json!({"jobId": "job_none", "waitSeconds": 1e9}), "`waitSeconds` is 1000000000.0"),
        ("get_render", json!({"jobId": "job_none"}), "NOT_FOUND"),
        ("get_template", json!({"templateId": "../../etc"}), "NOT_FOUND"),
        ("get_variables", json!({}), "exactly one"),
        ("list_registry", json!({"area": "colours"}), "\"areas\":[\"animations\""),
        ("list_templates", json!({"cursor": "'; DROP TABLE render"}), "`cursor`"),
        ("usage", json!({"from": "yesterday"}), "`from`"),
        ("render", json!({"headline": "x"}), "`headline` is not an argument"),
        ("render", json!({"inputProps": {}, "templateId": "tpl_x"}), "INVALID_REQUEST"),
        (
            "preview_frames",
            json!({"inputProps": {"durationInFrames": 4_000_000_000u64, "overlays": []}}),
            "durationInFrames",
        ),
    ] {
        let text = refused(&service, &ada, tool, &arguments).await;
        assert!(text.contains(words), "{tool} {arguments}: {text}");
    }
    assert_eq!(done(&service, &ada, "account", &json!({})).await["credits"], 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_and_requests_share_one_rate_limit() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    for _ in 0..59 {
        service.get(&ada, "/account").await;
    }
    ask(&service, &ada, "tools/list", &json!({})).await;
    let bearer = format!("Bearer {}", ada.key);
    let reply = send(&service, &[("authorization", &bearer)], request("tools/list", &json!({}))).await;
    assert_eq!(reply.status, 429);
    assert!(reply.headers.contains_key("retry-after"));
}

#[tokio::test(flavor = "multi_thread")]
async fn templates_projects_and_names_are_told_as_the_api_tells_them() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let listed = done(&service, &ada, "list_templates", &json!({"limit": 2})).await;
    let reply = service.get(&ada, "/templates?limit=2").await.data().clone();
    assert_eq!((&listed["total"], &listed["nextCursor"]), (&reply["total"], &reply["nextCursor"]));
    let id = listed["templates"][0]["templateId"].as_str().unwrap();
    let template = done(&service, &ada, "get_template", &json!({"templateId": id})).await;
    assert_eq!(template["template"], reply["templates"][0]);
    assert_eq!(listed["templates"][0]["variables"][0], template["variables"][0]["name"]);
    assert!(template["composition"]["overlays"].as_array().is_some_and(|overlays| !overlays.is_empty()));
    let variables = done(&service, &ada, "get_variables", &json!({"templateId": id})).await;
    assert_eq!(variables["variables"], template["variables"]);
    // Fields that are null are left out, as the schema of a composition has it.
    let mut nulls =
        film(5, &json!([overlay(1, &json!({"type": "text", "content": "Hello", "styles": null}))]));
    nulls["posterFrame"] = Value::Null;
    service.template("tpl_nulls", 1, true, &nulls).await;
    let template = done(&service, &ada, "get_template", &json!({"templateId": "tpl_nulls"})).await;
    let expected = film(5, &json!([overlay(1, &json!({"type": "text", "content": "Hello"}))]));
    assert_eq!(template["composition"], expected);
    assert_eq!(done(&service, &ada, "list_projects", &json!({"dynamic": true})).await["total"], 0);
    let fonts = done(&service, &ada, "list_registry", &json!({"area": "fonts", "search": "jakarta"})).await;
    assert_eq!(fonts["entries"][0]["name"], "Plus Jakarta Sans");
    assert_eq!(fonts["total"], 1);
    let preview = done(&service, &ada, "preview", &json!({"templateId": id})).await;
    assert!(preview["previewUrl"].as_str().unwrap().starts_with(&service.url("/preview/")));
    assert_eq!(done(&service, &ada, "usage", &json!({})).await["renders"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_the_schema_the_gallery_and_the_prompts_can_be_read() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    let listed = ask(&service, &ada, "resources/list", &json!({})).await["result"]["resources"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 12);
    let read = async |uri: &str| ask(&service, &ada, "resources/read", &json!({"uri": uri})).await;
    let guide = read("rondo://guide").await["result"]["contents"][0].clone();
    assert!(guide["text"].as_str().unwrap().contains(&service.url("/api/mcp")));
    let schema = read("rondo://schema").await["result"]["contents"][0]["text"].as_str().unwrap().to_owned();
    assert!(serde_json::from_str::<Value>(&schema).unwrap()["$defs"].is_object());
    let names = read("rondo://registry/shapes").await["result"]["contents"][0]["text"].clone();
    assert!(names.as_str().unwrap().contains("\"heart\""));
    let sheet = read("rondo://gallery/shapes").await["result"]["contents"][0].clone();
    assert!(STANDARD.decode(sheet["blob"].as_str().unwrap()).unwrap().starts_with(b"\xff\xd8\xff"));
    for unknown in ["rondo://gallery/../README", "rondo://registry/colours", "file:///etc/passwd"] {
        assert_eq!(read(unknown).await["error"]["code"], -32002, "{unknown}");
    }
    let prompt = json!({"name": "make_video_from_list", "arguments": {"items": "bread\nbutter"}});
    let prompt = ask(&service, &ada, "prompts/get", &prompt).await["result"].clone();
    assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains("bread\nbutter"));
    let overlay = call(&service, &ada, "get_guide", &json!({"overlay": "shape"})).await;
    assert!(overlay["content"][1]["text"].as_str().unwrap().contains("gradientTransition"));
    let text = service.text("/llms.txt", "").await;
    assert!(text.contains(&service.url("/docs/agents")) && text.contains("## Recipes"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recipe_of_the_guide_is_drawn_without_a_warning() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::Business, 10).await;
    let guide =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agents.md")).unwrap();
    let recipes: Vec<&str> =
        guide.split("```json composition\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(recipes.len() >= 6, "{} recipes", recipes.len());
    for recipe in recipes {
        let recipe = recipe.replace("http://127.0.0.1:8080", &service.url(""));
        let film: Value = serde_json::from_str(&recipe).unwrap();
        let arguments = json!({"inputProps": film, "maxPixels": 200_000});
        let result = call(&service, &ada, "preview_frames", &arguments).await;
        let shown = &result["structuredContent"];
        assert_eq!((&shown["warnings"], &shown["leftOut"]), (&json!([]), &json!([])), "{recipe}");
        assert_eq!(pictures(&result).len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_makes_a_project_opens_it_and_changes_it() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 0).await;
    let title = json!({"type": "text", "content": "Hello", "name": "title", "isDynamic": true});
    let film = film(5, &json!([overlay(1, &title)]));
    let made = done(&service, &ada, "create_project", &json!({"name": "Film", "composition": film})).await;
    let id = made["id"].as_str().unwrap();
    let opened = done(&service, &ada, "open_project", &json!({"projectId": id})).await;
    assert_eq!((&opened["composition"], &opened["etag"]), (&film, &made["etag"]));
    assert_eq!(opened["editUrl"], json!(service.url(&format!("/edit/{id}"))));
    let edits = json!([{"op": "set", "id": 1, "path": "content", "value": "Bye"}]);
    let arguments = json!({"projectId": id, "ifMatch": opened["etag"], "name": "Say bye", "edits": edits});
    let changed = done(&service, &ada, "apply_edits", &arguments).await;
    assert_eq!(changed["composition"]["overlays"][0]["content"], "Bye");
    assert_eq!(service.get(&ada, &format!("/projects/{id}")).await.data()["etag"], changed["etag"]);
}
