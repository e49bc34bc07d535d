//! Lists what was added to the balance and what was spent.

use std::time::Duration;

use rondo_fields::record;
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::day_or_moment;

const DAY: Duration = Duration::from_secs(86_400);
/// Days listed when `from` is not given.
const DAYS: u32 = 30;
/// Most entries listed.
const MOST: u32 = 1000;

record! {
    /// The days to list.
    pub struct StatementQuery {
        /// First day, a date or date-time. Default: 30 days up to `to`.
        from: optional Time => "from", day_or_moment();
        /// Last day, a date or date-time. Default: today.
        to: optional Time => "to", day_or_moment();
    }
}

/// Changes of the balance, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Statement {
    entries: Vec<StatementEntry>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatementEntry {
    /// The id of the render, transaction or speech.
    id: String,
    /// `credit`, `render` or `speech`.
    cause: &'static str,
    /// Negative for what was spent or is held for a render under way.
    credits: f64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// The name of the project of a render.
    #[schema(required = true)]
    name: Option<String>,
}

pub struct GetStatement;

impl Operation for GetStatement {
    const ID: &'static str = "getStatement";
    const ABOUT: &'static str =
        "Lists what was added to the balance and what renders and speech cost, newest first.";
    const RETURNS: &'static str = "The statement";

    type Request = StatementQuery;
    type Response = Statement;

    async fn run(call: Call<'_>, query: StatementQuery) -> ServiceResult<Statement> {
        let store = &call.service.store;
        let to = query.to.unwrap_or_else(|| store.now()).plus(DAY);
        let from = query.from.unwrap_or_else(|| to.minus(DAY * DAYS));
        let found = store.statement(call.account_id(), from, to, MOST).await?;
        let entries = found.into_iter().map(|entry| StatementEntry {
            id: entry.reference,
            cause: entry.cause.as_str(),
            credits: entry.credits.thousandths() as f64 / 1000.0,
            created_at: entry.at,
            name: entry.name,
        });
        Ok(Statement { entries: entries.collect() })
    }
}
