//! GET /account, /account/usage and /account/transactions.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use rondo_composition::limits::{MOST_OVERLAYS, MOST_PIXELS};
use rondo_store::{ACTIVE_WEBHOOKS, Plan, Time, Transaction};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::query::Params;
use crate::app::App;
use crate::auth::{Caller, Credential, rate_limit};
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::request::MOST_BODY;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/account", get(account))
        .route("/account/usage", get(usage))
        .route("/account/transactions", get(transactions))
}

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
    api_key_prefix: Option<String>,
    #[schema(format = DateTime)]
    api_key_created_at: Option<String>,
    #[schema(format = DateTime)]
    api_key_last_used: Option<String>,
}

impl AccountInfo {
    pub fn of(caller: &Caller) -> Self {
        let Caller { account, credential } = caller;
        let (prefix, created_at, last_used_at) = match credential {
            Credential::Key(key) => (Some(&key.prefix), Some(key.created_at), key.last_used_at),
            Credential::Token(token) => (Some(&token.prefix), Some(token.created_at), token.last_used_at),
            Credential::Session => (None, None, None),
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

/// The account with its plan and limits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountDetails {
    #[serde(flatten)]
    info: AccountInfo,
    plan: PlanInfo,
    limits: AccountLimits,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanInfo {
    /// `none`, `Creator` or `Business`.
    name: &'static str,
    rate_limit_per_minute: u32,
    concurrent_renders: u32,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountLimits {
    max_minutes: u32,
    max_pixels: u64,
    max_overlays: usize,
    max_body_bytes: usize,
    max_upload_bytes: u64,
    max_active_webhooks: u32,
}

/// One movement of credits onto the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionInfo {
    id: String,
    /// CREDIT_PURCHASE, SUBSCRIPTION or ADDITIONAL_CREDITS.
    #[serde(rename = "type")]
    kind: &'static str,
    /// PENDING, COMPLETED, FAILED or REFUNDED.
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

/// The account, its plan and its limits.
#[utoipa::path(
    get, path = "/account", tag = "Account", operation_id = "getAccount",
    responses(
        (status = 200, description = "The account", body = inline(Answer<AccountDetails>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn account(State(app): State<Arc<App>>, caller: Caller) -> Data<AccountDetails> {
    let plan = caller.account.plan;
    Data(AccountDetails {
        info: AccountInfo::of(&caller),
        plan: PlanInfo {
            name: match plan {
                Plan::None => "none",
                Plan::Creator => "Creator",
                Plan::Business => "Business",
            },
            rate_limit_per_minute: rate_limit(plan),
            concurrent_renders: app.settings.concurrency.of(plan),
        },
        limits: AccountLimits {
            max_minutes: app.settings.max_minutes,
            max_pixels: MOST_PIXELS,
            max_overlays: MOST_OVERLAYS,
            max_body_bytes: MOST_BODY,
            max_upload_bytes: MOST_UPLOAD,
            max_active_webhooks: ACTIVE_WEBHOOKS,
        },
        created_at: caller.account.created_at.rfc3339(),
    })
}

/// What was credited to the account, newest first.
#[utoipa::path(
    get, path = "/account/transactions", tag = "Account", operation_id = "listTransactions",
    responses(
        (status = 200, description = "The transactions", body = inline(Answer<TransactionList>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn transactions(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Data<TransactionList>> {
    let transactions: Vec<_> =
        app.store.transactions(&caller.account.id).await?.into_iter().map(describe).collect();
    Ok(Data(TransactionList { total: transactions.len(), transactions }))
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

/// What the account used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    #[schema(format = DateTime)]
    from: String,
    #[schema(format = DateTime)]
    to: String,
    #[serde(flatten)]
    all: UsageNumbers,
    by_day: Vec<DayReport>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DayReport {
    /// In UTC, as in 2026-11-14.
    #[schema(format = Date)]
    date: String,
    #[serde(flatten)]
    numbers: UsageNumbers,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageNumbers {
    renders: u64,
    credits_used: f64,
    rendered_seconds: f64,
    ai: AiNumbers,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiNumbers {
    tts_characters: u64,
    transcribed_seconds: u64,
}

/// Largest file an upload may be.
pub const MOST_UPLOAD: u64 = 5_000_000_000;
/// Days a report covers when `from` is not given.
const REPORT_DAYS: u64 = 30;

/// What the account used, in all and day by day.
#[utoipa::path(
    get, path = "/account/usage", tag = "Account", operation_id = "getUsage",
    params(
        ("from" = Option<String>, Query, description = "First moment, a date or date-time; 30 days before `to` if omitted"),
        ("to" = Option<String>, Query, description = "First moment after, a date or date-time; now if omitted"),
        ("groupBy" = Option<String>, Query, description = "`day`, the only grouping there is"),
    ),
    responses(
        (status = 200, description = "The use", body = inline(Answer<UsageReport>)),
        (status = 400, description = "A parameter cannot be read", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn usage(
    State(app): State<Arc<App>>,
    caller: Caller,
    params: Params,
) -> ApiResult<Data<UsageReport>> {
    let to = moment(&params, "to")?.unwrap_or_else(|| app.store.now().plus(Duration::from_millis(1)));
    let from =
        moment(&params, "from")?.unwrap_or_else(|| to.minus(Duration::from_secs(REPORT_DAYS * 86_400)));
    if params.text("groupBy").is_some_and(|grouping| grouping != "day") {
        return Err(ApiError::invalid_field("groupBy", "`groupBy` can only be day."));
    }
    let usage = app.store.usage(&caller.account.id, from, to).await?;
    let by_day = usage.by_day.into_iter().map(|day| DayReport {
        date: day.date,
        numbers: UsageNumbers {
            renders: day.renders,
            credits_used: day.credits_used.thousandths() as f64 / 1000.0,
            rendered_seconds: day.rendered_seconds,
            ai: AiNumbers {
                tts_characters: day.tts_characters,
                transcribed_seconds: day.transcribed_seconds,
            },
        },
    });
    Ok(Data(UsageReport {
        from: from.rfc3339(),
        to: to.rfc3339(),
        all: UsageNumbers {
            renders: usage.renders,
            credits_used: usage.credits_used.thousandths() as f64 / 1000.0,
            rendered_seconds: usage.rendered_seconds,
            ai: AiNumbers {
                tts_characters: usage.tts_characters,
                transcribed_seconds: usage.transcribed_seconds,
            },
        },
        by_day: by_day.collect(),
    }))
}

/// A date, or a date with a time, of the query.
pub fn moment(params: &Params, name: &str) -> ApiResult<Option<Time>> {
    params.read(name, "a date or a date-time, as in 2026-11-14 or 2026-11-14T09:30:00Z", |text| {
        Time::parse(text).or_else(|| Time::parse(&format!("{text}T00:00:00Z")))
    })
}
