//! Media of the caller: uploads and narrations.

mod create_upload;
mod delete_upload;
mod get_upload_uses;
mod list_fonts;
mod list_uploads;
mod upload_from_url;

use std::time::Duration;

use rondo_fields::{Codec, Definitions, Reader, text};
use serde_json::{Value, json};

pub use create_upload::{CreateUpload, UploadInfo};
pub use delete_upload::DeleteUpload;
pub use get_upload_uses::GetUploadUses;
pub use list_fonts::ListFonts;
pub use list_uploads::{ListUploads, UploadList};
pub(super) use upload_from_url::Wanted;
pub use upload_from_url::{FetchedUpload, UploadFromUrl};

use crate::file_type::UPLOAD_TYPES;

/// How uploads and renders fail where there is no room.
pub const STORAGE_FULL: &str =
    "The account's storage is full (STORAGE_QUOTA_EXCEEDED): details hold usedBytes and allowedBytes";
pub const DISK_FULL: &str =
    "The server's disk is nearly full (DISK_FULL): try again after Retry-After seconds";
pub const FETCH_BUSY: &str = "The server's disk is nearly full (DISK_FULL), or two files are being fetched for the account (SERVER_BUSY): try \
     again after Retry-After seconds";

/// Characters of the name of an upload at most.
const LONGEST_NAME: usize = 200;
/// How long an uploadUrl is valid.
const LIFETIME: Duration = Duration::from_secs(3600);

/// The MIME type of an upload. Whether it is supported is checked by the operation, whose error lists the types.
#[derive(Debug, Clone, Copy)]
struct ContentType;

impl Codec for ContentType {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        text().not_blank().read(value, reader)
    }

    fn write(&self, out: &String) -> Value {
        out.as_str().into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let types: Vec<&str> = UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type).collect();
        json!({"type": "string", "minLength": 1, "pattern": r"\S", "examples": types})
    }

    fn expected(&self) -> String {
        "a MIME type, such as image/png".to_owned()
    }
}
