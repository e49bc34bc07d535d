//! Replaces the brand kit.

use rondo_fields::{list, object, record, text};
use rondo_store::{Brand, BrandColor};
use serde_json::{Value, json};

use super::BrandKit;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::hex_color;
use crate::own_fonts;

/// Colours of a brand at most.
const MOST_COLORS: usize = 12;
/// Characters of the name of a colour or a font at most.
const LONGEST_NAME: usize = 60;

record! {
    /// A brand kit. What is left out is empty.
    pub struct BrandBody {
        /// The id of an upload that is an image.
        logo: optional String => "logo", text();
        /// Up to 12 colours, the most important first.
        colors: default Vec<ColorBody> => "colors", list(object()).at_most(MOST_COLORS), Vec::new();
        /// Font families.
        fonts: default FontsBody => "fonts", object(), FontsBody::default();
    }
}

record! {
    /// A colour of a brand.
    pub struct ColorBody {
        /// What it is called, each name once.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// The colour.
        value: required String => "value", hex_color();
    }
}

record! {
    /// The font families of a brand, as `GET /registry/fonts` lists them.
    pub struct FontsBody {
        /// For headlines.
        heading: optional String => "heading", text().not_blank().at_most(LONGEST_NAME);
        /// For everything else.
        body: optional String => "body", text().not_blank().at_most(LONGEST_NAME);
    }
}

pub struct SetBrand;

impl Operation for SetBrand {
    const ID: &'static str = "setBrand";
    const ABOUT: &'static str = "Replaces the brand kit of the account.";
    const RETURNS: &'static str = "The brand kit as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[(
        ErrorKind::Unprocessable,
        "The logo is no image of the account, a name is used twice, or a font is unknown",
    )];

    type Request = BrandBody;
    type Response = BrandKit;

    async fn run(call: Call<'_>, request: BrandBody) -> ServiceResult<BrandKit> {
        let mut issues = Vec::new();
        if let Some(id) = &request.logo
            && call.own_picture(id).await?.is_none()
        {
            issues.push((
                "logo".to_owned(),
                "UNKNOWN_UPLOAD",
                "`logo` must be the id of a finished upload that is an image.".to_owned(),
            ));
        }
        let colors: Vec<BrandColor> = request
            .colors
            .into_iter()
            .map(|color| BrandColor { name: color.name.trim().to_owned(), value: color.value })
            .collect();
        for (index, color) in colors.iter().enumerate() {
            let same = |other: &BrandColor| other.name.to_lowercase() == color.name.to_lowercase();
            if colors[..index].iter().any(same) {
                let path = format!("colors[{index}].name");
                let message =
                    format!("`{path}` must differ from the other names, got {:?} again.", color.name);
                issues.push((path, "DUPLICATE_NAME", message));
            }
        }
        let fonts = call.service.media.fonts.catalog();
        let own = own_fonts::families(&call.service.store, &call.service.media, call.account_id()).await?;
        let is_own = |name: &str| own.iter().any(|family| family.name.to_lowercase() == name.to_lowercase());
        for (path, family) in [("fonts.heading", &request.fonts.heading), ("fonts.body", &request.fonts.body)]
        {
            if let Some(family) = family
                && fonts.resolve(family, 400, false).missing.is_some()
                && !fonts.is_installable(family)
                && !is_own(family)
            {
                let message =
                    format!("`{path}` must be a font that GET /registry/fonts lists, got {family:?}.");
                issues.push((path.to_owned(), "UNKNOWN_FONT", message));
            }
        }
        refuse(issues)?;
        let brand = Brand {
            logo: request.logo,
            colors,
            heading_font: request.fonts.heading,
            body_font: request.fonts.body,
        };
        let updated_at = call.service.store.set_brand(call.account_id(), &brand).await?;
        call.describe_brand(brand, Some(updated_at)).await
    }
}

/// 422 with every issue; the first one is the message.
fn refuse(issues: Vec<(String, &'static str, String)>) -> ServiceResult<()> {
    let Some((_, reason, first)) = issues.first() else { return Ok(()) };
    let error = ServiceError::unprocessable(reason, first.clone());
    let issues: Vec<Value> = issues
        .iter()
        .map(|(path, code, message)| json!({"path": path, "code": code, "message": message}))
        .collect();
    Err(error.with("issues", issues))
}
