//! Creates an upload: a signed address that a file is sent to.

use rondo_fields::{flag, integer, record, text};
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContentType, DISK_FULL, LIFETIME, LONGEST_NAME, STORAGE_FULL};
use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceResult};
use crate::file_type::supported;
use crate::operation::{Call, Operation};
use crate::uploads::MOST_BYTES;

record! {
    /// What is to be uploaded.
    pub struct UploadBody {
        /// The MIME type of the file: an image, video, sound or font.
        content_type: required String => "contentType", ContentType;
        /// What the file is called in lists, such as its file name.
        name: optional String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// Size in bytes, where known. Then the file must have exactly this size, and one that the account has no room for
        /// is refused before it is sent.
        size: optional i64 => "size", integer(1, MOST_BYTES as i64);
        /// Whether the file is sent in parts with Content-Range, or without Content-Length. An uploadUrl takes that at the service,
        /// but not at a bucket.
        in_parts: default bool => "inParts", flag(), false;
    }
}

/// A place for a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadInfo {
    id: String,
    /// PUT the bytes here once, with the same Content-Type and no credentials.
    #[schema(format = "uri")]
    upload_url: String,
    /// Where the file can be read afterwards, and what compositions name as a source.
    #[schema(format = "uri")]
    file_url: String,
    /// When the uploadUrl ends.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

pub struct CreateUpload;

impl Operation for CreateUpload {
    const ID: &'static str = "createUpload";
    const ABOUT: &'static str = "Creates a presigned URL to upload a file to.";
    const RETURNS: &'static str = "Where to send the file";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, STORAGE_FULL),
        (ErrorKind::Unprocessable, "Files of this type or size are not supported"),
        (ErrorKind::Unavailable, DISK_FULL),
    ];

    type Request = UploadBody;
    type Response = UploadInfo;

    async fn run(call: Call<'_>, request: UploadBody) -> ServiceResult<UploadInfo> {
        let service = call.service;
        let content_type = supported(&request.content_type)?;
        require_room(&service.media.files)?;
        let expires_at = service.store.now().plus(LIFETIME);
        let size = request.size.map(i64::unsigned_abs);
        let name = request.name.as_deref().map(str::trim);
        let upload =
            service.store.create_upload(call.account_id(), &content_type, name, size, expires_at).await?;
        Ok(UploadInfo {
            upload_url: service.uploads.upload_url(&upload, request.in_parts).await?,
            file_url: service.uploads.file_url(&upload),
            expires_at: upload.expires_at,
            id: upload.id,
        })
    }
}
