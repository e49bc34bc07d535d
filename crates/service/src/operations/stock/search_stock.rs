//! Searches a stock provider.

use rondo_fields::{integer, one_of, record, text};
use serde::Serialize;
use utoipa::ToSchema;

use super::{AWAY, NO_KEY};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::stock::{LONGEST_SEARCH, MOST_PAGES, Provider, StockItem, StockKind};

record! {
    /// What to search for.
    pub struct StockQuery {
        /// Whom to ask.
        provider: required Provider => "provider", one_of();
        /// Photos or videos.
        kind: default StockKind => "kind", one_of(), StockKind::Photo;
        /// What it should show.
        words: required String => "q", text().not_blank().at_most(LONGEST_SEARCH);
        /// The page, from 1. Default: 1.
        page: optional u32 => "page", integer(1, i64::from(MOST_PAGES));
    }
}

/// A page of photos or videos.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockList {
    items: Vec<StockItem>,
    page: u32,
    /// Items on all pages, as the provider counts them.
    total: u64,
    has_more: bool,
}

pub struct SearchStock;

impl Operation for SearchStock {
    const ID: &'static str = "searchStock";
    const ABOUT: &'static str = "Searches a stock provider for photos or videos. Show the `credit` of an item, with \
                                 links to the author and the provider, where people choose one.";
    const RETURNS: &'static str = "A page of photos or videos";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NO_KEY, AWAY];

    type Request = StockQuery;
    type Response = StockList;

    async fn run(call: Call<'_>, query: StockQuery) -> ServiceResult<StockList> {
        let page = query.page.unwrap_or(1);
        let found = call.service.stock.search(query.provider, query.kind, &query.words, page).await?;
        Ok(StockList { items: found.items.clone(), page, total: found.total, has_more: found.has_more })
    }
}
