//! Returns the account with its plan and limits.

use rondo_composition::limits::{MOST_OVERLAYS, MOST_PIXELS};
use rondo_store::{ACTIVE_WEBHOOKS, Plan};
use serde::Serialize;
use utoipa::ToSchema;

use super::AccountInfo;
use crate::caller::rate_limit;
use crate::error::ServiceResult;
use crate::operation::{Call, MOST_BODY, NoInput, Operation};
use crate::uploads::MOST_BYTES;

pub struct GetAccount;

/// The account with its plan and limits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountDetails {
    #[serde(flatten)]
    info: AccountInfo,
    plan: PlanInfo,
    limits: AccountLimits,
    storage: StorageUse,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanInfo {
    name: PlanName,
    rate_limit_per_minute: u32,
    concurrent_renders: u32,
}

/// A plan as people call it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub enum PlanName {
    #[serde(rename = "none")]
    None,
    Creator,
    Business,
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

/// Uploads, outputs and narrations kept for the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageUse {
    used_bytes: u64,
    /// Null for no limit.
    #[schema(required = true)]
    allowed_bytes: Option<u64>,
}

impl Operation for GetAccount {
    const ID: &'static str = "getAccount";
    const ABOUT: &'static str = "Returns the account, its plan, its limits and its storage.";
    const RETURNS: &'static str = "The account";

    type Request = NoInput;
    type Response = AccountDetails;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<AccountDetails> {
        let plan = call.caller.account.plan;
        Ok(AccountDetails {
            info: AccountInfo::of(call.caller),
            plan: PlanInfo {
                name: match plan {
                    Plan::None => PlanName::None,
                    Plan::Creator => PlanName::Creator,
                    Plan::Business => PlanName::Business,
                },
                rate_limit_per_minute: rate_limit(plan),
                concurrent_renders: call.service.settings.concurrency.of(plan),
            },
            limits: AccountLimits {
                max_minutes: call.service.settings.max_minutes,
                max_pixels: MOST_PIXELS,
                max_overlays: MOST_OVERLAYS,
                max_body_bytes: MOST_BODY,
                max_upload_bytes: MOST_BYTES,
                max_active_webhooks: ACTIVE_WEBHOOKS,
            },
            storage: StorageUse {
                used_bytes: call.service.store.kept_bytes(call.account_id()).await?,
                allowed_bytes: call.service.settings.storage.of(plan),
            },
            created_at: call.caller.account.created_at.rfc3339(),
        })
    }
}
