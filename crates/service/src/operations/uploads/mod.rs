//! Media of the caller.

mod create_upload;
mod upload_from_url;

use std::time::Duration;

use rondo_fields::{Codec, Definitions, Reader, text};
use serde_json::{Value, json};

pub use create_upload::{CreateUpload, UploadInfo};
pub use upload_from_url::{FetchedUpload, UploadFromUrl};

use crate::uploads::UPLOAD_TYPES;

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
        json!({"type": "string", "examples": types})
    }

    fn expected(&self) -> String {
        "a MIME type, such as image/png".to_owned()
    }
}
