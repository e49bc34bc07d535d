//! Everyone's accounts.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, patch};
use rondo_store::{Credits, StoreError, Time, TransactionType};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::query::Params;
use crate::app::App;
use crate::blocking::heavy;
use crate::dashboard::Operator;
use crate::dashboard::people::{AccountView, PlanName};
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::password;
use crate::request::JsonBody;

/// Accounts on a page.
const PAGE: u32 = 25;
/// Most credits moved at a time.
const MOST_CREDITS: i64 = 1_000_000_000;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/accounts", get(list)).route("/accounts/{id}", patch(change))
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
    page: u64,
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
    /// Renders it ever asked for.
    renders: u64,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_seen_at: Option<Time>,
}

/// What to change; the rest stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountChange {
    plan: Option<PlanName>,
    /// Whole credits to add, or to take when negative.
    credits: Option<i64>,
    is_operator: Option<bool>,
    /// A new password; every session of the account ends.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Lists accounts, oldest first.
#[utoipa::path(
    get, path = "/operator/accounts", tag = "Operator", operation_id = "listAccounts",
    params(
        ("search" = Option<String>, Query, description = "A part of the email or the name"),
        ("page" = Option<u64>, Query, description = "From 1"),
    ),
    responses((status = 200, description = "The accounts", body = inline(Answer<AccountPage>)))
)]
pub async fn list(State(app): State<Arc<App>>, _: Operator, params: Params) -> ApiResult<Data<AccountPage>> {
    let page = params.read("page", "a whole number from 1", |text| {
        text.parse::<u64>().ok().filter(|page| (1..=1_000_000_000).contains(page))
    })?;
    let page = page.unwrap_or(1);
    let search = params.text("search").unwrap_or_default();
    let (found, total) = app.store.find_accounts(search, PAGE, (page - 1) * u64::from(PAGE)).await?;
    let items = found.into_iter().map(|found| AccountItem {
        account: (&found.account).into(),
        created_at: found.account.created_at,
        renders: found.renders,
        last_seen_at: found.last_seen_at,
    });
    let pages = total.div_ceil(u64::from(PAGE)).max(1);
    Ok(Data(AccountPage {
        items: items.collect(),
        pagination: Pagination { page, page_size: PAGE, pages, total },
    }))
}

/// Changes an account.
#[utoipa::path(
    patch, path = "/operator/accounts/{id}", tag = "Operator", operation_id = "updateAccount",
    params(("id" = String, Path, description = "The id of the account")), request_body = AccountChange,
    responses(
        (status = 200, description = "The account", body = inline(Answer<AccountView>)),
        (status = 409, description = "The last operator stays one (LAST_OPERATOR)"),
        (status = 422, description = "More credits than there are cannot be taken; the password is too weak"),
    )
)]
pub async fn change(
    State(app): State<Arc<App>>,
    _: Operator,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<AccountChange>,
) -> ApiResult<Data<AccountView>> {
    let account = app.store.account(&id).await?.ok_or_else(|| ApiError::not_found("account"))?;
    if let Some(password) = &body.password {
        password::check("password", password, &account.email)?;
    }
    if body.credits.is_some_and(|credits| credits.abs() > MOST_CREDITS) {
        let message = format!("`credits` is too much: move at most {MOST_CREDITS} at a time.");
        return Err(ApiError::invalid_field("credits", message));
    }
    if let Some(credits) = body.credits.filter(|credits| *credits != 0) {
        let kind = TransactionType::AdditionalCredits;
        app.store.add_credits(&id, Credits::from_whole(credits), kind).await.map_err(refused)?;
    }
    if let Some(is_operator) = body.is_operator {
        app.store.set_operator(&id, is_operator).await.map_err(refused)?;
    }
    if let Some(plan) = body.plan {
        app.store.set_plan(&id, plan.into()).await?;
        app.work.notify_one();
    }
    if let Some(password) = body.password {
        let hash = heavy(move || password::hash(&password)).await?.map_err(ApiError::internal)?;
        app.store.set_password_hash(&id, Some(&hash), None).await?;
    }
    let account = app.store.account(&id).await?.ok_or_else(|| ApiError::not_found("account"))?;
    Ok(Data((&account).into()))
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::LastOperator => ApiError::new(StatusCode::CONFLICT, "LAST_OPERATOR", error.to_string()),
        StoreError::InsufficientCredits { available, .. } => ApiError::unprocessable_field(
            "VALUE_OUT_OF_RANGE",
            "credits",
            format!("Only {} credits can be taken.", available.whole()),
        ),
        other => other.into(),
    }
}
