//! Lists stock providers.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};
use crate::stock::Provider;
use crate::words::{StockMediaKind, StockProviderName};

/// A provider that can be searched.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockProvider {
    #[schema(value_type = StockProviderName)]
    id: &'static str,
    name: &'static str,
    /// What it has.
    #[schema(value_type = Vec<StockMediaKind>)]
    kinds: Vec<&'static str>,
}

/// The providers; none where the operator has no keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockProviderList {
    providers: Vec<StockProvider>,
}

pub struct ListStockProviders;

impl Operation for ListStockProviders {
    const ID: &'static str = "listStockProviders";
    const ABOUT: &'static str = "Lists the stock providers that the service has keys for.";
    const RETURNS: &'static str = "The providers";

    type Request = NoInput;
    type Response = StockProviderList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<StockProviderList> {
        let describe = |provider: Provider| StockProvider {
            id: provider.name(),
            name: provider.title(),
            kinds: provider.kinds().iter().map(|kind| kind.name()).collect(),
        };
        Ok(StockProviderList { providers: call.service.stock.providers().map(describe).collect() })
    }
}
