//! Returns the brand kit.

use super::BrandKit;
use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

pub struct GetBrand;

impl Operation for GetBrand {
    const ID: &'static str = "getBrand";
    const ABOUT: &'static str = "Returns the brand kit of the account: its logo, colours and fonts.";
    const RETURNS: &'static str = "The brand kit, empty if nothing was set";

    type Request = NoInput;
    type Response = BrandKit;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<BrandKit> {
        let (brand, updated_at) = call.service.store.brand(call.account_id()).await?.unzip();
        call.describe_brand(brand.unwrap_or_default(), updated_at).await
    }
}
