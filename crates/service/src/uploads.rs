//! Uploads: signed addresses and finished files.

use std::sync::Arc;
use std::time::Duration;

use rondo_jobs::FontFact;
use rondo_store::{Draft, Files, Store, StoreError, Time, Upload, UploadFace};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::file_type::{UPLOAD_TYPES, head_of, mismatch};
use crate::isolation::Isolation;
use crate::links::Links;
use crate::signature;
use crate::words::UploadType;

/// Largest upload in bytes.
pub const MOST_BYTES: u64 = 5_000_000_000;
/// How long an address is good after a part of its file, and in all.
const PART_LIFETIME: Duration = Duration::from_secs(3600);
const LONGEST_LIFETIME: Duration = Duration::from_secs(86_400);

/// Faces of a font file that are kept at most: collections hold several.
const MOST_FACES: usize = 64;

/// The name of an upload's file. The type is checked when the upload is created.
pub fn upload_name(upload: &Upload) -> String {
    file_name(&upload.id, &upload.content_type)
}

/// The name of the file of an upload with this id and type.
pub fn file_name(id: &str, content_type: &str) -> String {
    let known = UPLOAD_TYPES.iter().find(|(known, _)| *known == content_type);
    format!("{id}.{}", known.map_or("bin", |(_, extension)| extension))
}

/// Signs upload addresses and keeps finished uploads.
#[derive(Clone)]
pub struct Uploads {
    pub store: Store,
    pub files: Files,
    pub links: Links,
    pub signing_key: Arc<str>,
    /// Where font files are read.
    pub isolation: Isolation,
}

/// A finished upload.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredUpload {
    pub id: String,
    /// Where the file can be read, and what compositions name as a source.
    #[schema(format = "uri")]
    pub file_url: String,
    #[schema(value_type = UploadType)]
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
        let expires = Time(expires.parse::<i64>().unwrap_or_default().saturating_mul(1000));
        // A file that arrives in parts may take longer.
        let expires = if upload.reserved.is_some() { expires.max(upload.expires_at) } else { expires };
        if self.store.now() >= expires {
            let message = "The uploadUrl has expired. Create a new upload.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "UPLOAD_EXPIRED", message));
        }
        Ok(upload)
    }

    /// Whether the upload can still receive its file.
    pub fn require_open(&self, upload: &Upload) -> ServiceResult<()> {
        if upload.completed_at.is_some() { Err(complete()) } else { Ok(()) }
    }

    /// A finished upload, as [`Uploads::keep`] returned it.
    pub fn stored(&self, upload: &Upload) -> Option<StoredUpload> {
        upload.completed_at?;
        Some(StoredUpload {
            file_url: self.file_url(upload),
            content_type: upload.content_type.clone(),
            id: upload.id.clone(),
            size: upload.size.unwrap_or_default(),
        })
    }

    /// Reserves room for a file of `size` bytes that arrives in parts. Its address is good for an hour after each part,
    /// and a day in all.
    pub async fn expect_part(&self, upload: &Upload, size: u64) -> ServiceResult<()> {
        if let Some(expected) = upload.declared_size.or(upload.reserved).filter(|expected| *expected != size)
        {
            return Err(wrong_size(expected, size));
        }
        let until = self.store.now().plus(PART_LIFETIME).min(upload.created_at.plus(LONGEST_LIFETIME));
        Ok(self.store.reserve_upload(upload, size, until.max(upload.expires_at)).await?)
    }

    /// Makes a finished draft the file of an upload, once.
    pub async fn keep(&self, mut upload: Upload, draft: Draft, size: u64) -> ServiceResult<StoredUpload> {
        if let Some(declared) = upload.declared_size.filter(|declared| *declared != size) {
            return Err(wrong_size(declared, size));
        }
        let content_type = upload.content_type.clone();
        let draft = tokio::task::spawn_blocking(move || {
            let head = head_of(draft.path()).map_err(ServiceError::internal)?;
            if let Some(why) = mismatch(&content_type, &head) {
                return Err(unusable(&content_type, &why));
            }
            draft.sync()?;
            Ok(draft)
        });
        let draft = draft.await.map_err(ServiceError::internal)??;
        if upload.content_type.starts_with("font/") {
            let faces = self.isolation.read_font(draft.path().to_owned()).await?;
            let faces = faces.map_err(|why| unusable(&upload.content_type, &why))?;
            let face =
                |FontFact { family, weights, italic, widths }| UploadFace { family, weights, italic, widths };
            upload.faces = faces.into_iter().take(MOST_FACES).map(face).collect();
        }
        let path = self.files.upload(&upload_name(&upload))?;
        let place = async {
            let target = path.clone();
            let placed = tokio::task::spawn_blocking(move || draft.keep(&target)).await;
            let failed = |error| StoreError::File { path, source: std::io::Error::other(error) };
            placed.map_err(failed)?.map(drop)
        };
        match self.store.complete_upload(&upload, size, place).await {
            Ok(_) => {}
            Err(StoreError::NotFound { .. }) => return Err(ServiceError::not_found("upload")),
            Err(StoreError::UploadComplete) => return Err(complete()),
            Err(error) => return Err(error.into()),
        }
        Ok(StoredUpload {
            file_url: self.file_url(&upload),
            content_type: upload.content_type,
            id: upload.id,
            size,
        })
    }

    /// Removes the file and forgets the upload. Its address answers 404 from then on.
    pub async fn delete(&self, upload: &Upload) -> ServiceResult<()> {
        self.files.remove(&self.files.upload(&upload_name(upload))?)?;
        self.files.remove(&self.files.part(&upload.id)?)?;
        Ok(self.store.forget_upload(&upload.id).await?)
    }
}

/// 415: the file is not what it was said to be.
fn unusable(content_type: &str, why: &str) -> ServiceError {
    let message = format!("The file cannot be used: {why}.");
    ServiceError::new(ErrorKind::UnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", message)
        .with("expected", content_type)
}

fn complete() -> ServiceError {
    let message = "The upload already has its file. Create a new upload to send another one.";
    ServiceError::new(ErrorKind::Conflict, "UPLOAD_COMPLETE", message)
}

/// 422: the file is not of the size that was declared.
pub fn wrong_size(declared: u64, sent: u64) -> ServiceError {
    let message = format!("The upload was created for {declared} bytes, but {sent} were sent.");
    ServiceError::unprocessable("SIZE_MISMATCH", message)
        .with("expectedBytes", declared)
        .with("sentBytes", sent)
}

fn signed<'a>(upload: &'a Upload, expires: &'a str) -> [&'a [u8]; 7] {
    let parts = ["PUT", "\n", &upload.id, "\n", &upload.content_type, "\n", expires];
    parts.map(str::as_bytes)
}
