//! POST /uploads.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use rondo_store::Time;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::files;
use crate::request::JsonObject;

/// How long an upload's address may be written to.
pub const LIFETIME: Duration = Duration::from_secs(3600);

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/uploads", post(create))
}

/// What is to be uploaded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadBody {
    /// The MIME type of the file: an image, video, sound or font.
    #[schema(example = "image/png")]
    content_type: String,
    /// Bytes, where known: a file that is too large is refused before it is sent.
    #[schema(minimum = 1, maximum = 5000000000u64)]
    size: Option<u64>,
}

/// A place for a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadInfo {
    id: String,
    /// PUT the bytes here, with the same Content-Type and no credentials; again to replace them.
    #[schema(format = "uri")]
    upload_url: String,
    /// Where the file can be read afterwards, and what compositions name as a source.
    #[schema(format = "uri")]
    file_url: String,
    /// When the uploadUrl ends.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

/// Gives a pre-signed address to upload a file to.
#[utoipa::path(
    post, path = "/uploads", tag = "Uploads", operation_id = "createUpload",
    request_body = UploadBody,
    responses(
        (status = 200, description = "Where to send the file", body = inline(Answer<UploadInfo>)),
        (status = 400, description = "The body is not valid", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 415, description = "The body is not JSON", body = Failure),
        (status = 422, description = "Files of this type or size are not taken", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: JsonObject,
) -> ApiResult<Data<UploadInfo>> {
    let asked = body.text("contentType")?;
    check_size(body.0.get("size"))?;
    let essence = supported(asked)?;
    let expires_at = app.store.now().plus(LIFETIME);
    let upload = app.store.create_upload(&caller.account.id, &essence, expires_at).await?;
    Ok(Data(UploadInfo {
        upload_url: files::upload_url(&app, &upload),
        file_url: files::upload_file_url(&app, &upload),
        expires_at: upload.expires_at,
        id: upload.id,
    }))
}

fn check_size(size: Option<&Value>) -> ApiResult<()> {
    let Some(size) = size.filter(|size| !size.is_null()) else { return Ok(()) };
    match size.as_f64() {
        None => Err(ApiError::invalid_field("size", "`size` must be a whole number of bytes.")),
        Some(bytes) if (1.0..=files::MOST_BYTES as f64).contains(&bytes) => Ok(()),
        Some(_) => Err(ApiError::unprocessable_field(
            "VALUE_OUT_OF_RANGE",
            "size",
            format!("`size` is {size}, but files of 1 to {} bytes are taken.", files::MOST_BYTES),
        )),
    }
}

/// The type an upload may have, without its parameters.
pub fn supported(asked: &str) -> ApiResult<String> {
    let essence = files::essence(asked);
    match files::UPLOAD_TYPES.iter().any(|(content_type, _)| *content_type == essence) {
        true => Ok(essence),
        false => Err(unsupported(asked)),
    }
}

fn unsupported(asked: &str) -> ApiError {
    let types: Vec<&str> = files::UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type).collect();
    let shown: String = asked.chars().take(100).collect();
    let message =
        format!("Files of the type \"{shown}\" are not taken. Upload one of: {}.", types.join(", "));
    ApiError::unprocessable_field("UNSUPPORTED_CONTENT_TYPE", "contentType", message).with("supported", types)
}
