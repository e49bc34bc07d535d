//! Changes an account.

use rondo_fields::{flag, integer, record, text};
use rondo_store::{AuditAction, Credits, Plan, Revoke, StoreError, TransactionType};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::{password, plan};
use crate::operations::people::{AccountView, hash_password};
use crate::password;

/// Most credits added or taken at a time.
pub(super) const MOST_CREDITS: i64 = 1_000_000_000;

record! {
    /// What to change; absent fields stay as they are.
    pub struct AccountChange {
        /// The id of the account.
        id: required String => "id", text();
        /// The plan of the account.
        plan: optional Plan => "plan", plan();
        /// Whole credits to add, or to take when negative.
        credits: optional i64 => "credits", integer(-MOST_CREDITS, MOST_CREDITS);
        /// Whether the account is an operator's.
        is_operator: optional bool => "isOperator", flag();
        /// Whether the account is suspended: it cannot be used, and its queued renders do not start.
        suspended: optional bool => "suspended", flag();
        /// A new password; every session of the account ends.
        password: optional String => "password", password();
    }
}

pub struct UpdateAccount;

impl Operation for UpdateAccount {
    const ID: &'static str = "updateAccount";
    const ABOUT: &'static str = "Changes an account.";
    const RETURNS: &'static str = "The account";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::NotFound, "There is no such account"),
        (ErrorKind::Conflict, "It is the last operator (LAST_OPERATOR)"),
        (ErrorKind::Unprocessable, "The account has fewer credits, or the password is too weak"),
    ];
    const OPERATORS_ONLY: bool = true;

    type Request = AccountChange;
    type Response = AccountView;

    async fn run(call: Call<'_>, change: AccountChange) -> ServiceResult<AccountView> {
        let store = &call.service.store;
        let id = &change.id;
        let account = store.account(id).await?.ok_or_else(|| ServiceError::not_found("account"))?;
        if let Some(password) = &change.password {
            password::check("password", password, &account.email)?;
        }
        if let Some(credits) = change.credits.filter(|credits| *credits != 0) {
            let kind = TransactionType::AdditionalCredits;
            store.add_credits(id, Credits::from_whole(credits), kind).await.map_err(refusal)?;
            call.record(id, AuditAction::CreditsChanged, &format!("{credits:+}")).await?;
        }
        if let Some(is_operator) = change.is_operator {
            store.set_operator(id, is_operator).await.map_err(refusal)?;
            call.record(id, AuditAction::OperatorChanged, if is_operator { "granted" } else { "revoked" })
                .await?;
        }
        if let Some(plan) = change.plan {
            store.set_plan(id, plan).await?;
            call.record(id, AuditAction::PlanChanged, plan.as_str()).await?;
            call.service.queue.wake_workers();
        }
        if let Some(suspended) = change.suspended {
            store.set_suspended(id, suspended).await.map_err(refusal)?;
            let action = if suspended { AuditAction::Suspended } else { AuditAction::Resumed };
            call.record(id, action, "").await?;
            call.service.queue.wake_workers();
        }
        if let Some(password) = change.password {
            let hash = hash_password(password).await?;
            store.set_password_hash(id, Some(&hash), None, Revoke::default()).await?;
            call.record(id, AuditAction::PasswordChanged, "").await?;
        }
        let account = store.account(id).await?.ok_or_else(|| ServiceError::not_found("account"))?;
        Ok((&account).into())
    }
}

fn refusal(error: StoreError) -> ServiceError {
    match error {
        StoreError::LastOperator => {
            ServiceError::new(ErrorKind::Conflict, "LAST_OPERATOR", error.to_string())
        }
        StoreError::InsufficientCredits { available, .. } => ServiceError::unprocessable_field(
            "VALUE_OUT_OF_RANGE",
            "credits",
            format!("Only {} credits can be taken.", available.whole()),
        ),
        other => other.into(),
    }
}
