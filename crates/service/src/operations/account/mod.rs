//! The caller's account: its plan, credits and usage.

mod get_account;
mod get_statement;
mod get_usage;
mod get_usage_by_day;
mod list_transactions;
mod verify_key;

use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

pub use get_account::{AccountDetails, GetAccount};
pub use get_statement::GetStatement;
pub use get_usage::{GetUsage, UsageReport};
pub use get_usage_by_day::GetUsageByDay;
pub use list_transactions::{ListTransactions, TransactionList};
pub use verify_key::VerifyKey;

use crate::caller::{Caller, Credential};

/// Whose credential it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountInfo {
    user_id: String,
    email: String,
    name: String,
    /// What can be spent: amounts held for renders under way are already subtracted.
    credits: i64,
    /// The beginning of the key or access token; null for a person who signed in.
    #[schema(required = true)]
    api_key_prefix: Option<String>,
    #[schema(format = DateTime, required = true)]
    api_key_created_at: Option<String>,
    #[schema(format = DateTime, required = true)]
    api_key_last_used: Option<String>,
}

impl AccountInfo {
    pub fn of(caller: &Caller) -> Self {
        let Caller { account, credential, .. } = caller;
        let (prefix, created_at, last_used_at) = match credential {
            Credential::Key(key) => (Some(&key.prefix), Some(key.created_at), key.last_used_at),
            Credential::Token(token) => (Some(&token.prefix), Some(token.created_at), token.last_used_at),
            Credential::Session(_) => (None, None, None),
        };
        Self {
            user_id: account.id.clone(),
            email: account.email.clone(),
            name: account.name.clone(),
            credits: account.credits.whole(),
            api_key_prefix: prefix.cloned(),
            api_key_created_at: created_at.map(Time::rfc3339),
            api_key_last_used: last_used_at.map(Time::rfc3339),
        }
    }
}
