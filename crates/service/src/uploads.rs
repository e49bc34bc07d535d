//! Uploads: accepted types, signed addresses, and finished files.

use std::sync::Arc;

use rondo_store::{Draft, Files, Store, StoreError, Time, Upload};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::links::Links;
use crate::signature;

/// Largest upload in bytes.
pub const MOST_BYTES: u64 = 5_000_000_000;

/// MIME types that may be uploaded, each with the extension of its files.
pub const UPLOAD_TYPES: [(&str, &str); 21] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
    ("image/avif", "avif"),
    ("image/svg+xml", "svg"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
    ("video/x-matroska", "mkv"),
    ("audio/mpeg", "mp3"),
    ("audio/mp4", "m4a"),
    ("audio/wav", "wav"),
    ("audio/ogg", "ogg"),
    ("audio/webm", "weba"),
    ("audio/flac", "flac"),
    ("audio/aac", "aac"),
    ("font/ttf", "ttf"),
    ("font/otf", "otf"),
    ("font/woff", "woff"),
    ("font/woff2", "woff2"),
];

/// A MIME type without its parameters, in lower case.
pub fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The accepted type that a content type names.
pub fn supported(asked: &str) -> ServiceResult<String> {
    let essence = essence(asked);
    match UPLOAD_TYPES.iter().any(|(content_type, _)| *content_type == essence) {
        true => Ok(essence),
        false => Err(unsupported(asked)),
    }
}

fn unsupported(asked: &str) -> ServiceError {
    let types: Vec<&str> = UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type).collect();
    let shown: String = asked.chars().take(100).collect();
    let message =
        format!("Files of the type \"{shown}\" are not supported. Upload one of: {}.", types.join(", "));
    ServiceError::unprocessable_field("UNSUPPORTED_CONTENT_TYPE", "contentType", message)
        .with("supported", types)
}

/// The name of an upload's file. The type is checked when the upload is created.
pub fn upload_name(upload: &Upload) -> String {
    let known = UPLOAD_TYPES.iter().find(|(content_type, _)| *content_type == upload.content_type);
    format!("{}.{}", upload.id, known.map_or("bin", |(_, extension)| extension))
}

/// Signs upload addresses and keeps finished uploads.
#[derive(Clone)]
pub struct Uploads {
    pub store: Store,
    pub files: Files,
    pub links: Links,
    pub signing_key: Arc<str>,
}

/// A finished upload.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredUpload {
    pub id: String,
    /// Where the file can be read, and what compositions name as a source.
    #[schema(format = "uri")]
    pub file_url: String,
    pub content_type: String,
    /// Bytes.
    pub size: u64,
}

impl Uploads {
    /// The address that receives an upload. The signature covers method, id, type and expiry.
    pub fn upload_url(&self, upload: &Upload) -> String {
        let expires = upload.expires_at.seconds().to_string();
        let signature = signature::sign_hex(self.signing_key.as_bytes(), &signed(upload, &expires));
        self.links.url(&format!("/uploads/{}?expires={expires}&signature={signature}", upload.id))
    }

    /// Where the file of an upload can be read.
    pub fn file_url(&self, upload: &Upload) -> String {
        self.links.file(&upload_name(upload))
    }

    /// The upload of an address, if its signature is valid and it has not expired.
    pub async fn at_address(&self, id: &str, expires: &str, signature: &str) -> ServiceResult<Upload> {
        let upload = self.store.upload(id).await?.ok_or_else(|| ServiceError::not_found("upload"))?;
        if !signature::matches_hex(self.signing_key.as_bytes(), &signed(&upload, expires), signature) {
            let message = "The signature does not match this upload. Use the uploadUrl unchanged.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "INVALID_SIGNATURE", message));
        }
        if self.store.now() >= Time(expires.parse::<i64>().unwrap_or_default().saturating_mul(1000)) {
            let message = "The uploadUrl has expired. Create a new upload.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "UPLOAD_EXPIRED", message));
        }
        Ok(upload)
    }

    /// Makes a finished draft the file of an upload.
    pub async fn keep(&self, upload: Upload, draft: Draft, size: u64) -> ServiceResult<StoredUpload> {
        let path = self.files.upload(&upload_name(&upload))?;
        let target = path.clone();
        tokio::task::spawn_blocking(move || draft.keep(&target)).await.map_err(ServiceError::internal)??;
        match self.store.complete_upload(&upload.id, size).await {
            Ok(_) => {}
            Err(StoreError::NotFound { .. }) => {
                self.files.remove(&path)?;
                return Err(ServiceError::not_found("upload"));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(StoredUpload {
            file_url: self.file_url(&upload),
            content_type: upload.content_type,
            id: upload.id,
            size,
        })
    }
}

fn signed<'a>(upload: &'a Upload, expires: &'a str) -> [&'a [u8]; 7] {
    let parts = ["PUT", "\n", &upload.id, "\n", &upload.content_type, "\n", expires];
    parts.map(str::as_bytes)
}
