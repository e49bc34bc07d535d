//! Fonts that accounts upload, which films use by the names of their families.

use std::path::{Path, PathBuf};

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, FontSettings, Locate, load_fonts, write_png};
use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Service, client, film, media_server, overlay};

const FAMILY: &str = "Brand Grotesk";

fn font(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts").join(name)).unwrap()
}

/// Space Grotesk under a name that no built-in family has: of the same length, so that nothing moves in the file.
fn brand_font() -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (old, new) = (wide("Space Grotesk"), wide(FAMILY));
    let mut bytes = font("SpaceGrotesk-700.ttf");
    let mut at = 0;
    while at + old.len() <= bytes.len() {
        if bytes[at..].starts_with(&old) {
            bytes[at..at + new.len()].copy_from_slice(&new);
        }
        at += 1;
    }
    bytes
}

/// Uploads a font; its id and address.
async fn upload(
    service: &Service,
    account: &Account,
    content_type: &str,
    bytes: Vec<u8>,
) -> (String, String) {
    let new =
        service.post(account, "/uploads", &json!({"contentType": content_type, "name": "brand.ttf"})).await;
    let to = new.data()["uploadUrl"].as_str().unwrap().to_owned();
    let sent = client(true).put(&to).header("content-type", content_type).body(bytes).send().await.unwrap();
    assert_eq!(sent.status().as_u16(), 200, "{}", sent.text().await.unwrap());
    let text = |name: &str| new.data()[name].as_str().unwrap().to_owned();
    (text("id"), text("fileUrl"))
}

fn lettered(families: &str, weight: u32) -> Value {
    let styles = json!({"fontFamily": families, "fontWeight": weight.to_string(), "fontSize": "28px", "color": "#fff"});
    film(10, &json!([overlay(1, &json!({"type": "text", "content": "Raga", "styles": styles}))]))
}

async fn preview(service: &Service, account: &Account, film: &Value) -> Value {
    service.post(account, "/previews", &json!({"inputProps": film})).await.data().clone()
}

fn codes(preview: &Value) -> Vec<&str> {
    preview["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

fn pixels(png: &Path) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(png).unwrap()));
    reader.set_transformations(png::Transformations::STRIP_16);
    let mut reader = reader.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(info.buffer_size());
    let channels = info.color_type.samples();
    bytes.chunks(channels).flat_map(|pixel| pixel[..3].to_vec()).collect()
}

async fn frame_of(service: &Service, preview: &Value) -> Vec<u8> {
    let id = preview["previewId"].as_str().unwrap();
    pixels(&service.download(&service.url(&format!("/preview/{id}.png?frame=2")), id).await)
}

struct NoMedia;

impl Locate for NoMedia {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Err(format!("{src} is not here"))
    }
}

/// The frame where the font is one of the machine's.
fn built_in_frame(composition: &Value) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("brand.ttf"), brand_font()).unwrap();
    let settings = FontSettings { user_folder: Some(folder.path().to_owned()), fetched: None };
    let (fonts, warnings) = load_fonts(&settings);
    assert_eq!(warnings, [""; 0]);
    let composition = Composition::read(composition, Limits::WIDEST).unwrap().composition;
    let mut film = Film::open(composition, &NoMedia, fonts);
    let frame = film.still(2).unwrap();
    let path = folder.path().join("frame.png");
    write_png(&path, frame.width, frame.height, frame.pixels).unwrap();
    pixels(&path)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_uploaded_font_paints_what_it_paints_where_it_is_built_in() {
    let service = Service::start(&[]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let brand = lettered("'brand  Grotesk', serif", 700);
    let before = preview(&service, &ada, &brand).await;
    assert_eq!(codes(&before), ["FONT_NOT_RESOLVED"]);
    let other = frame_of(&service, &before).await;

    let (id, url) = upload(&service, &ada, "font/ttf", brand_font()).await;
    let shown = preview(&service, &ada, &brand).await;
    assert_eq!(codes(&shown), [""; 0], "{shown}");
    let wanted = built_in_frame(&brand);
    assert!(wanted != other, "the fonts look the same");
    assert!(frame_of(&service, &shown).await == wanted, "the preview differs");

    let job =
        service.render(&ada, &json!({"inputProps": brand, "output": {"format": "png", "frame": 2}})).await;
    let done = service.ended(&ada, &job).await;
    assert_eq!(done["status"], "COMPLETED", "{done}");
    let path = service.download(done["outputUrl"].as_str().unwrap(), "rendered.png").await;
    assert!(pixels(&path) == wanted, "the render differs");

    // The layout knows the font.
    let light = preview(&service, &ada, &lettered(FAMILY, 300)).await;
    assert_eq!(codes(&light), ["FONT_WEIGHT_UNAVAILABLE"], "{light}");
    assert_eq!(light["warnings"][0]["detail"]["availableWeights"], json!([700]));

    // Players get the file with the film.
    let address = shown["previewUrl"].as_str().unwrap();
    let open = client(true).get(address).header("accept", "application/json").send().await.unwrap();
    let open: Value = serde_json::from_str(&open.text().await.unwrap()).unwrap();
    assert_eq!(open["composition"]["fontFaces"], json!([{"family": FAMILY, "src": url}]));
    let proxy = open["media"][&url]["proxy"].as_str().unwrap();
    let file = client(true).get(proxy).send().await.unwrap();
    assert_eq!(file.headers()["content-type"], "font/otf");
    assert!(file.bytes().await.unwrap() == brand_font());

    // Others do not have it.
    let theirs = preview(&service, &bob, &brand).await;
    assert_eq!(codes(&theirs), ["FONT_NOT_RESOLVED"]);
    assert!(frame_of(&service, &theirs).await == other);
    assert_eq!(service.get(&bob, "/fonts").await.data(), &json!({"fonts": []}));
    let listed = json!({"fonts": [{"family": FAMILY, "weights": [700], "italicWeights": [], "isBuiltIn": false,
        "files": [{"uploadId": id, "name": "brand.ttf", "fileUrl": url, "contentType": "font/ttf",
            "weight": "700", "style": "normal"}]}]});
    assert_eq!(service.get(&ada, "/fonts").await.data(), &listed);
    let named = async |account: &Account| {
        let found = service.get(account, "/registry/fonts?search=brand%20grotesk").await;
        found.data()["entries"].as_array().unwrap().clone()
    };
    assert_eq!(named(&ada).await[0]["source"], "account");
    assert_eq!(named(&bob).await, Vec::<Value>::new());
    let kit = json!({"fonts": {"heading": FAMILY}});
    assert_eq!(service.send("PUT", "/brand", &ada.key, &[], Some(&kit)).await.status, 200);
    service.send("PUT", "/brand", &bob.key, &[], Some(&kit)).await.refused(422, "UNKNOWN_FONT");

    // Deleted, it is missing by its name, and by its address.
    assert_eq!(service.send("DELETE", &format!("/uploads/{id}"), &ada.key, &[], None).await.status, 200);
    assert_eq!(codes(&preview(&service, &ada, &brand).await), ["FONT_NOT_RESOLVED"]);
    let mut explicit = brand.clone();
    explicit["fontFaces"] = json!([{"family": FAMILY, "src": url}]);
    let gone = preview(&service, &ada, &explicit).await;
    assert_eq!(codes(&gone), ["FONT_FACE_UNREADABLE", "FONT_NOT_RESOLVED"], "{gone}");
    let sentence = "The font file of \"Brand Grotesk\" cannot be used: the file does not exist, or its retention \
                    period is over. Another font is used.";
    assert_eq!(gone["warnings"][0]["message"], sentence);
    assert!(frame_of(&service, &gone).await == other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_that_is_published_keeps_the_fonts_of_its_author() {
    let service = Service::start(&[("role", "api"), ("publish", "everyone")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    upload(&service, &ada, "font/ttf", brand_font()).await;
    let brand = lettered(FAMILY, 700);
    let project = service.post(&ada, "/projects", &json!({"name": "Brand", "composition": brand})).await;
    let project = project.data()["id"].as_str().unwrap().to_owned();
    let template = json!({"projectId": project, "name": "Brand", "visibility": "public"});
    let template = service.post(&ada, "/templates", &template).await;
    let template = template.data()["id"].as_str().unwrap().to_owned();
    let shown = service.post(&bob, "/previews", &json!({"templateId": template})).await.data().clone();
    assert_eq!(codes(&shown), [""; 0], "{shown}");
    assert!(frame_of(&service, &shown).await == built_in_frame(&brand));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_built_in_family_wins_over_an_upload_of_its_name() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    upload(&service, &ada, "font/ttf", font("RobotoMono-700.ttf")).await;
    let fonts = service.get(&ada, "/fonts").await;
    assert_eq!(
        (&fonts.data()["fonts"][0]["family"], &fonts.data()["fonts"][0]["isBuiltIn"]),
        (&json!("Roboto Mono"), &json!(true))
    );
    let shown = preview(&service, &ada, &lettered("Roboto Mono", 400)).await;
    assert_eq!(codes(&shown), [""; 0], "the weight 400 is built in: {shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_an_uploaded_font_do_not_count_towards_the_media_of_a_film() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 10).await;
    upload(&service, &ada, "font/ttf", brand_font()).await;
    let media = media_server().await;
    let mut full = lettered(FAMILY, 700);
    let pictures = (0..200).map(|number| {
        overlay(number + 2, &json!({"type": "image", "src": format!("{media}/small.png?{number}")}))
    });
    full["overlays"].as_array_mut().unwrap().extend(pictures);
    preview(&service, &ada, &full).await;
    let mut fuller = full.clone();
    let last = overlay(300, &json!({"type": "image", "src": format!("{media}/small.png?one-more")}));
    fuller["overlays"].as_array_mut().unwrap().push(last);
    let refused = service.post(&ada, "/previews", &json!({"inputProps": fuller})).await;
    refused.refused(422, "MEDIA_LIMIT_EXCEEDED");
}

#[tokio::test(flavor = "multi_thread")]
async fn font_files_of_a_film_are_checked_like_other_media() {
    let service = Service::start(&[("role", "api"), ("allow-private-network", "false")]).await;
    let ada = service.account(Plan::None, 10).await;
    let with = |faces: Value| {
        let mut film = lettered(FAMILY, 700);
        film["fontFaces"] = faces;
        json!({"inputProps": film})
    };
    let local = with(json!([{"family": "A", "src": "http://127.0.0.1/a.ttf"}]));
    let refused = service.post(&ada, "/previews", &local).await;
    let issues = &refused.refused(422, "MEDIA_URL_NOT_ALLOWED")["issues"];
    assert_eq!(issues[0]["path"], "inputProps.fontFaces[0].src");
    for wrong in
        [json!([{"family": "A"}]), json!([{"family": " ", "src": "https://a.example/a.ttf"}]), json!("a")]
    {
        assert!([400, 422].contains(&service.post(&ada, "/previews", &with(wrong)).await.status));
    }
    let many = vec![json!({"family": "A", "src": "https://a.example/a.ttf"}); 33];
    assert!([400, 422].contains(&service.post(&ada, "/previews", &with(json!(many))).await.status));
}
