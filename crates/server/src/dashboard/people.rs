//! What is asked of emails and names, how accounts are shown, and how often someone may try.

use std::net::IpAddr;

use axum::http::{StatusCode, header};
use rondo_store::{Account, Plan};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::limit::Sender;

/// Attempts for one email in a quarter of an hour.
const EMAIL_LIMIT: u32 = 10;
/// Attempts from one address in a quarter of an hour.
const ADDRESS_LIMIT: u32 = 50;
/// Longest name and email.
const LONGEST: usize = 200;

/// The account as its person sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    id: String,
    email: String,
    name: String,
    plan: PlanName,
    /// Whole credits that can be spent.
    credits: i64,
    is_operator: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanName {
    None,
    Creator,
    Business,
}

/// Just the account.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountAnswer {
    pub account: AccountView,
}

impl From<&Account> for AccountView {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            email: account.email.clone(),
            name: account.name.clone(),
            plan: account.plan.into(),
            credits: account.credits.whole(),
            is_operator: account.is_operator,
        }
    }
}

impl From<Plan> for PlanName {
    fn from(plan: Plan) -> Self {
        match plan {
            Plan::None => Self::None,
            Plan::Creator => Self::Creator,
            Plan::Business => Self::Business,
        }
    }
}

impl From<PlanName> for Plan {
    fn from(plan: PlanName) -> Self {
        match plan {
            PlanName::None => Self::None,
            PlanName::Creator => Self::Creator,
            PlanName::Business => Self::Business,
        }
    }
}

/// Whether mail could be sent there, as far as the form tells.
pub fn is_email(text: &str) -> bool {
    let text = text.trim();
    !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && text
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

pub fn check_email(field: &str, email: &str) -> ApiResult<()> {
    if is_email(email) && email.len() <= LONGEST {
        return Ok(());
    }
    let shown: String = email.chars().take(100).collect();
    Err(ApiError::invalid_field(field, format!("\"{shown}\" is no email address.")))
}

pub fn check_name(name: &str) -> ApiResult<()> {
    if name.trim().is_empty() {
        return Err(ApiError::invalid_field("name", "`name` is empty: tell how you want to be called."));
    }
    if name.chars().count() > LONGEST {
        let message = format!("`name` is too long: take at most {LONGEST} characters.");
        return Err(ApiError::invalid_field("name", message));
    }
    Ok(())
}

/// One attempt to get in, counted until it is known to be honest.
pub struct Attempt<'a> {
    app: &'a App,
    senders: Vec<Sender>,
}

impl<'a> Attempt<'a> {
    /// Refuses one more than allowed. `what` tells kinds of attempts for the same email apart.
    pub fn begin(app: &'a App, address: IpAddr, what: &str, email: Option<&str>) -> ApiResult<Self> {
        let mut senders = vec![Sender::Address(address)];
        if let Some(email) = email {
            let email: String = email.trim().to_lowercase().chars().take(LONGEST).collect();
            senders.push(Sender::Email(format!("{what} {email}")));
        }
        let mut wait = None;
        for sender in &senders {
            let limit = if matches!(sender, Sender::Address(_)) { ADDRESS_LIMIT } else { EMAIL_LIMIT };
            let standing = app.attempts.count(sender.clone(), limit);
            if standing.exceeded {
                wait = wait.max(Some(standing.reset));
            }
        }
        match wait {
            None => Ok(Self { app, senders }),
            Some(seconds) => Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "TOO_MANY_ATTEMPTS",
                format!("Too many attempts. Try again in {} min.", seconds.div_ceil(60)),
            )
            .with("retryAfter", seconds)
            .header(header::RETRY_AFTER, &seconds.to_string())),
        }
    }

    /// It was honest: it does not count.
    pub fn forgive(self) {
        for sender in &self.senders {
            self.app.attempts.forgive(sender);
        }
    }
}
