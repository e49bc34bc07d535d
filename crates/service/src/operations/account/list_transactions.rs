//! Lists credits added to the account.

use rondo_store::Transaction;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};
use crate::words::{TransactionKind, TransactionState};

pub struct ListTransactions;

/// One movement of credits onto the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionInfo {
    id: String,
    #[serde(rename = "type")]
    #[schema(value_type = TransactionKind)]
    kind: &'static str,
    #[schema(value_type = TransactionState)]
    status: &'static str,
    credits: i64,
    amount_in_cents: i64,
    currency: String,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransactionList {
    transactions: Vec<TransactionInfo>,
    total: usize,
}

impl Operation for ListTransactions {
    const ID: &'static str = "listTransactions";
    const ABOUT: &'static str = "Lists the credits added to the account, newest first.";
    const RETURNS: &'static str = "The transactions";

    type Request = NoInput;
    type Response = TransactionList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<TransactionList> {
        let found = call.service.store.transactions(call.account_id()).await?;
        let transactions: Vec<_> = found.into_iter().map(describe).collect();
        Ok(TransactionList { total: transactions.len(), transactions })
    }
}

fn describe(transaction: Transaction) -> TransactionInfo {
    TransactionInfo {
        id: transaction.id,
        kind: transaction.kind.as_str(),
        status: transaction.status.as_str(),
        credits: transaction.credits.whole(),
        amount_in_cents: transaction.amount_in_cents,
        currency: transaction.currency,
        created_at: transaction.created_at.rfc3339(),
    }
}
