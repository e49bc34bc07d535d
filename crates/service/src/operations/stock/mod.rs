//! Photos and videos of stock providers.

mod add_stock_item;
mod list_stock_providers;
mod search_stock;

pub use add_stock_item::AddStockItem;
pub use list_stock_providers::ListStockProviders;
pub use search_stock::SearchStock;

use crate::error::ErrorKind;

/// How stock operations fail.
const NO_KEY: (ErrorKind, &str) = (ErrorKind::NotFound, "The service has no key for the provider");
const AWAY: (ErrorKind, &str) =
    (ErrorKind::Unavailable, "The provider does not answer, or takes no more requests (STOCK_UNAVAILABLE)");
