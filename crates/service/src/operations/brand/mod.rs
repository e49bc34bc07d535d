//! The brand kit of the caller's account: logo, colours and fonts.

mod get_brand;
mod set_brand;

use rondo_store::{Brand, Time, Upload};
use serde::Serialize;
use utoipa::ToSchema;

pub use get_brand::GetBrand;
pub use set_brand::SetBrand;

use crate::error::ServiceResult;
use crate::operation::Call;

/// The brand kit of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrandKit {
    /// The id of the upload that is the logo.
    #[schema(required = true)]
    logo: Option<String>,
    /// Where the logo can be read.
    #[schema(format = "uri", required = true)]
    logo_url: Option<String>,
    colors: Vec<NamedColor>,
    fonts: KitFonts,
    /// Null while nothing was set.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    updated_at: Option<Time>,
}

/// A colour of a brand.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedColor {
    name: String,
    /// `#rrggbb`.
    value: String,
}

/// The font families of a brand.
#[derive(Debug, Serialize, ToSchema)]
pub struct KitFonts {
    #[schema(required = true)]
    heading: Option<String>,
    #[schema(required = true)]
    body: Option<String>,
}

impl Call<'_> {
    /// The picture that can be the logo of the caller: a finished upload.
    async fn own_picture(&self, id: &str) -> ServiceResult<Option<Upload>> {
        let store = &self.service.store;
        let own = store.upload(id).await?.filter(|upload| upload.account_id == self.account_id());
        let Some(own) = own.filter(|upload| upload.content_type.starts_with("image/")) else {
            return Ok(None);
        };
        if own.completed_at.is_none() {
            self.service.uploads.settle(own.clone()).await?;
        }
        Ok(store.upload(id).await?.filter(|upload| upload.completed_at.is_some()))
    }

    /// A brand kit as it is shown. A logo that was deleted is left out.
    async fn describe_brand(&self, brand: Brand, updated_at: Option<Time>) -> ServiceResult<BrandKit> {
        let logo = match &brand.logo {
            Some(id) => self.own_picture(id).await?,
            None => None,
        };
        let colors = brand.colors.into_iter();
        Ok(BrandKit {
            logo_url: logo.as_ref().map(|upload| self.service.uploads.file_url(upload)),
            logo: logo.map(|upload| upload.id),
            colors: colors.map(|color| NamedColor { name: color.name, value: color.value }).collect(),
            fonts: KitFonts { heading: brand.heading_font, body: brand.body_font },
            updated_at,
        })
    }
}
