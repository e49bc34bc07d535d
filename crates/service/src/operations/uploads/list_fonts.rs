//! Lists the families that the caller uploaded.

use rondo_store::UploadFace;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};
use crate::own_fonts::{self, OwnFamily};
use crate::words::UploadType;

/// A font file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FontFileItem {
    upload_id: String,
    /// What the upload is called.
    #[schema(required = true)]
    name: Option<String>,
    #[schema(format = "uri")]
    file_url: String,
    #[schema(value_type = UploadType)]
    content_type: String,
    /// As CSS writes it: `400`, or `100 900` of a variable font. Of a collection, that of its first face.
    weight: String,
    /// `normal` or `italic`.
    style: &'static str,
}

/// A family that was uploaded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnFont {
    /// The name to use in `fontFamily`.
    family: String,
    /// Upright weights.
    weights: Vec<u16>,
    /// Italic weights.
    italic_weights: Vec<u16>,
    /// Whether the service has a family of this name, which films use instead.
    is_built_in: bool,
    /// The files of the family. A face that was uploaded again is in the newest file.
    files: Vec<FontFileItem>,
}

/// The families, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnFontList {
    fonts: Vec<OwnFont>,
}

pub struct ListFonts;

impl Operation for ListFonts {
    const ID: &'static str = "listFonts";
    const ABOUT: &'static str =
        "Lists the font families that the caller uploaded. Films of the account use them by name.";
    const RETURNS: &'static str = "The families";

    type Request = NoInput;
    type Response = OwnFontList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<OwnFontList> {
        let service = call.service;
        let families = own_fonts::families(&service.store, &service.media, call.account_id()).await?;
        let describe = |family: OwnFamily| OwnFont {
            weights: family.weights(false),
            italic_weights: family.weights(true),
            is_built_in: family.is_built_in,
            files: family
                .files
                .into_iter()
                .map(|(upload, faces)| FontFileItem {
                    file_url: service.uploads.file_url(&upload),
                    upload_id: upload.id.clone(),
                    name: upload.name.clone(),
                    content_type: upload.content_type.clone(),
                    weight: faces.first().map_or_else(String::new, weight),
                    style: if faces.first().is_some_and(|face| face.italic) { "italic" } else { "normal" },
                })
                .collect(),
            family: family.name,
        };
        Ok(OwnFontList { fonts: families.into_iter().map(describe).collect() })
    }
}

fn weight(UploadFace { weights: (low, high), .. }: &UploadFace) -> String {
    if low == high { low.to_string() } else { format!("{low} {high}") }
}
