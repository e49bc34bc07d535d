//! Signing up, in and out, and how accounts are shown to people.

mod attempt;
mod forgot_password;
mod get_session;
mod reset_password;
mod sign_in;
mod sign_out;
mod sign_up;

use rondo_store::{Account, AuditAction, Plan, Revoke};
use serde::Serialize;
use utoipa::ToSchema;

pub use attempt::{Attempt, Kind};
pub use forgot_password::ForgotPassword;
pub use get_session::GetSession;
pub use reset_password::ResetPassword;
pub use sign_in::SignIn;
pub use sign_out::SignOut;
pub use sign_up::SignUp;

use crate::blocking::hashing;
use crate::caller::require_active;
use crate::error::{ServiceError, ServiceResult};
use crate::limit::network;
use crate::operation::Visit;
use crate::password;

/// Longest name of a person, in characters.
pub const LONGEST_NAME: usize = 200;

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

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanName {
    None,
    Creator,
    Business,
}

impl From<&Account> for AccountView {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            email: account.email.clone(),
            name: account.name.clone(),
            plan: match account.plan {
                Plan::None => PlanName::None,
                Plan::Creator => PlanName::Creator,
                Plan::Business => PlanName::Business,
            },
            credits: account.credits.whole(),
            is_operator: account.is_operator,
        }
    }
}

/// A new session.
#[derive(Debug, Serialize, ToSchema)]
pub struct StartedSession {
    /// What the browser must present from now on.
    #[serde(skip)]
    pub secret: String,
    account: AccountView,
}

impl Visit<'_> {
    /// Starts a session for an account, and records why. The session that the browser had ends.
    async fn start_session(&self, account: &Account, action: AuditAction) -> ServiceResult<StartedSession> {
        require_active(account)?;
        self.warn_of_new_place(account).await?;
        self.record(account, action).await?;
        let store = &self.service.store;
        let address = self.address.to_string();
        store.know_network(&account.id, &network(self.address).to_string()).await?;
        let started =
            store.create_session(&account.id, &address, self.user_agent, self.session_secret).await?;
        Ok(StartedSession { secret: started.secret, account: account.into() })
    }
}

/// What ended with a password, for the audit log.
pub fn revoked(revoke: Revoke) -> &'static str {
    match (revoke.keys, revoke.apps) {
        (true, true) => "keys and apps revoked",
        (true, false) => "keys revoked",
        (false, true) => "apps revoked",
        (false, false) => "",
    }
}

/// Hashes a password without holding up other requests.
pub async fn hash_password(password: String) -> ServiceResult<String> {
    hashing(move || password::hash(&password)).await?.map_err(ServiceError::internal)
}
