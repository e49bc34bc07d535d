//! Tools that bring media to the service.

use std::path::Path;
use std::time::Duration;

use axum::extract::State;
use rondo_media::image::{ImageKind, sniff_image};
use serde::Serialize;
use serde_json::json;
use url::Url;
use utoipa::ToSchema;

use super::schema;
use super::tool::{Answer, Call, Effect, Tool};
use crate::api::uploads::{self, UploadInfo};
use crate::error::{ApiError, ApiResult};
use crate::fetch::{DownloadLimits, Downloaded, FetchError};
use crate::files::{self, Stored, UPLOAD_TYPES};
use crate::request::JsonObject;
use crate::warnings::facts::{Fact, Role, measure};

/// Largest file fetched for an agent.
const MOST_BYTES: u64 = 500_000_000;
/// Longest time for it.
const MOST_TIME: Duration = Duration::from_secs(120);

pub fn tools() -> Vec<Tool> {
    let types: Vec<&str> = UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type).collect();
    vec![
        Tool {
            name: "upload_from_url",
            title: "Upload a file from an address",
            description: "Fetches an image, video, sound or font from a public http(s) address into an upload of your account, \
                          and tells its size in pixels and its length. Use the fileUrl as the src of overlays: it stays \
                          where the original may move. Up to 500 MB.",
            effect: Effect::Fetches,
            input: schema::arguments(
                &json!({
                    "url": {"type": "string", "format": "uri", "description": "Where the file is"},
                    "contentType": {"type": "string", "enum": types,
                        "description": "What the file is, where its server does not say so"}
                }),
                &["url"],
            ),
            output: schema::of::<Fetched>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(upload_from_url(call)),
        },
        Tool {
            name: "create_upload",
            title: "Get an address to upload to",
            description: "For a file you hold yourself: PUT its bytes to uploadUrl with the same Content-Type and no \
                          credentials, within an hour, then use fileUrl as the src of overlays.",
            effect: Effect::Adds,
            input: schema::arguments(
                &json!({
                    "contentType": {"type": "string", "enum": types, "description": "What the file is"},
                    "size": {"type": "integer", "minimum": 1, "maximum": files::MOST_BYTES, "description": "Bytes, where known"}
                }),
                &["contentType"],
            ),
            output: schema::of::<UploadInfo>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(create_upload(call)),
        },
    ]
}

/// A file that was fetched.
#[derive(Debug, Serialize, ToSchema)]
struct Fetched {
    #[serde(flatten)]
    file: Stored,
    /// Of images and videos, in pixels; not of SVG drawings, which have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// Of videos and sounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

async fn upload_from_url(call: Call) -> ApiResult<Answer> {
    let url = call.text("url");
    let draft = call.app.files.draft();
    let limits = DownloadLimits { bytes: MOST_BYTES, time: MOST_TIME };
    let downloading = call.app.fetch.download(url, draft.path(), limits);
    let downloaded = tokio::select! {
        downloaded = downloading => downloaded.map_err(|error| not_fetched(&error))?,
        () = call.gone.cancelled() => return Err(ApiError::invalid("The call was given up.")),
    };
    if downloaded.bytes == 0 {
        return Err(not_usable("the file is empty"));
    }
    let content_type = match call.optional_text("contentType") {
        Some(told) => told.to_owned(),
        None => type_of(&downloaded, draft.path()).await?,
    };
    let content_type = uploads::supported(&content_type)?;
    let fact = check(&content_type, draft.path()).await?;
    let expires_at = call.app.store.now().plus(uploads::LIFETIME);
    let upload = call.app.store.create_upload(&call.caller.account.id, &content_type, expires_at).await?;
    let file = files::keep_upload(&call.app, upload, draft, downloaded.bytes).await?;
    let (width, height) = fact.size.unzip();
    Answer::of(Fetched { file, width, height, seconds: fact.seconds })
}

fn not_fetched(error: &FetchError) -> ApiError {
    let reason = match error {
        FetchError::TooLarge { .. } => "PAYLOAD_TOO_LARGE",
        error if error.is_refusal() => "MEDIA_URL_NOT_ALLOWED",
        _ => "MEDIA_UNREACHABLE",
    };
    ApiError::unprocessable_field(reason, "url", format!("The file cannot be fetched: {error}."))
}

fn not_usable(why: &str) -> ApiError {
    ApiError::unprocessable_field(
        "UNSUPPORTED_CONTENT_TYPE",
        "url",
        format!("The file cannot be used: {why}."),
    )
}

/// What a file is: its content where it is a picture, then its server's word, then the ending of its name.
async fn type_of(downloaded: &Downloaded, path: &Path) -> ApiResult<String> {
    let path = path.to_owned();
    let sniffed = tokio::task::spawn_blocking(move || sniff(&path)).await.map_err(ApiError::internal)?;
    let told = downloaded.content_type.clone().map(|told| usual_name(&told).to_owned());
    let told = told.filter(|told| UPLOAD_TYPES.iter().any(|(known, _)| known == told));
    let found =
        sniffed.map(str::to_owned).or(told).or_else(|| ending_type(&downloaded.url).map(str::to_owned));
    found.ok_or_else(|| {
        let shown = downloaded.content_type.as_deref().unwrap_or("no type");
        not_usable(&format!(
            "its server says it is {shown}; give the address of the file itself, or its contentType"
        ))
    })
}

/// The picture a file begins like.
fn sniff(path: &Path) -> Option<&'static str> {
    use std::io::Read;
    let mut start = Vec::new();
    std::fs::File::open(path).ok()?.take(4096).read_to_end(&mut start).ok()?;
    match sniff_image(&start)? {
        ImageKind::Png => Some("image/png"),
        ImageKind::Jpeg => Some("image/jpeg"),
        ImageKind::WebP => Some("image/webp"),
        ImageKind::Gif => Some("image/gif"),
        ImageKind::Avif => Some("image/avif"),
        ImageKind::Svg => Some("image/svg+xml"),
        ImageKind::Bmp => None,
    }
}

/// Names that servers use for types of ours.
fn usual_name(content_type: &str) -> &str {
    match content_type {
        "image/jpg" => "image/jpeg",
        "audio/mp3" => "audio/mpeg",
        "audio/x-wav" | "audio/wave" | "audio/vnd.wave" => "audio/wav",
        "audio/x-m4a" | "audio/m4a" => "audio/mp4",
        "audio/x-flac" => "audio/flac",
        "video/x-m4v" => "video/mp4",
        "application/font-woff" => "font/woff",
        "application/font-woff2" => "font/woff2",
        other => other,
    }
}

fn ending_type(url: &Url) -> Option<&'static str> {
    let ending = url.path().rsplit_once('.')?.1.to_ascii_lowercase();
    let ending = if ending == "jpeg" { "jpg" } else { ending.as_str() };
    UPLOAD_TYPES.iter().find(|(_, known)| *known == ending).map(|(content_type, _)| *content_type)
}

/// Opens the file as what it is said to be.
async fn check(content_type: &str, path: &Path) -> ApiResult<Fact> {
    let role = match content_type.split('/').next() {
        Some("image") => Role::Picture,
        Some("video") => Role::Video,
        Some("audio") => Role::Sound,
        _ => return Ok(Fact::default()),
    };
    let fact = measure(role, path.to_owned()).await;
    match &fact.problem {
        Some(problem) => Err(not_usable(&format!("as {content_type}, {problem}"))),
        None => Ok(fact),
    }
}

async fn create_upload(call: Call) -> ApiResult<Answer> {
    let body = call.body(&["contentType", "size"]);
    Answer::of(uploads::create(State(call.app), call.caller, JsonObject(body)).await?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_and_common_misnomers_tell_the_type() {
        let ending = |url: &str| ending_type(&Url::parse(url).unwrap());
        assert_eq!(ending("https://a.example/b/Photo.JPEG?w=1"), Some("image/jpeg"));
        assert_eq!(ending("https://a.example/film.mp4#t=1"), Some("video/mp4"));
        assert_eq!(ending("https://a.example/page"), None);
        assert_eq!(usual_name("audio/mp3"), "audio/mpeg");
    }
}
