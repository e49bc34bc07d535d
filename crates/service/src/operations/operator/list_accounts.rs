//! Lists all accounts.

use rondo_fields::{integer, record, text};
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::people::AccountView;

/// Accounts on a page.
const PAGE: u32 = 25;

record! {
    /// Which accounts to list.
    pub struct AccountQuery {
        /// Part of the email or the name.
        search: optional String => "search", text();
        /// From 1.
        page: default u32 => "page", integer(1, 1_000_000_000), 1;
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AccountPage {
    items: Vec<AccountItem>,
    pagination: Pagination,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// From 1.
    page: u32,
    page_size: u32,
    pages: u64,
    total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountItem {
    #[serde(flatten)]
    account: AccountView,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When an operator suspended it.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    suspended_at: Option<Time>,
    /// All renders of the account.
    renders: u64,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    last_seen_at: Option<Time>,
}

pub struct ListAccounts;

impl Operation for ListAccounts {
    const ID: &'static str = "listAccounts";
    const ABOUT: &'static str = "Lists accounts, oldest first.";
    const RETURNS: &'static str = "The accounts";
    const OPERATORS_ONLY: bool = true;

    type Request = AccountQuery;
    type Response = AccountPage;

    async fn run(call: Call<'_>, query: AccountQuery) -> ServiceResult<AccountPage> {
        let AccountQuery { search, page } = query;
        let skip = u64::from(page - 1) * u64::from(PAGE);
        let search = search.unwrap_or_default();
        let (found, total) = call.service.store.find_accounts(&search, PAGE, skip).await?;
        let items = found.into_iter().map(|found| AccountItem {
            account: (&found.account).into(),
            created_at: found.account.created_at,
            suspended_at: found.account.suspended_at,
            renders: found.renders,
            last_seen_at: found.last_seen_at,
        });
        let pages = total.div_ceil(u64::from(PAGE)).max(1);
        Ok(AccountPage {
            items: items.collect(),
            pagination: Pagination { page, page_size: PAGE, pages, total },
        })
    }
}
