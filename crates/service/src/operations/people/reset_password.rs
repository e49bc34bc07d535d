//! Sets a new password with a mailed link.

use rondo_fields::{flag, record, text};
use rondo_store::{AuditAction, Revoke, StoreError};

use super::{Attempt, Kind, StartedSession, hash_password};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{PublicOperation, Visit};
use crate::operations::codecs::password;
use crate::password;

record! {
    /// The password to set.
    pub struct ResetBody {
        /// From the link in the mail.
        token: required String => "token", text();
        /// The new password, at least 8 characters.
        password: required String => "password", password();
        /// Also revoke every API key of the account.
        revoke_keys: default bool => "revokeKeys", flag(), false;
        /// Also revoke the access of every connected app.
        revoke_apps: default bool => "revokeApps", flag(), false;
    }
}

pub struct ResetPassword;

impl PublicOperation for ResetPassword {
    const ID: &'static str = "resetPassword";
    const ABOUT: &'static str = "Sets a new password with the token of a mailed link. Ends every session of the account and starts one.";
    const RETURNS: &'static str = "Signed in";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The link is unknown, was used or has expired (RESET_INVALID)"),
        (ErrorKind::Unprocessable, "The password is too weak (WEAK_PASSWORD)"),
    ];

    type Request = ResetBody;
    type Response = StartedSession;

    async fn run(visit: Visit<'_>, request: ResetBody) -> ServiceResult<StartedSession> {
        let ResetBody { token, password, revoke_keys, revoke_apps } = request;
        let attempt = Attempt::begin(visit.service, visit.address, Kind::ResetPassword, None, None).await?;
        password::check("password", &password, "")?;
        let hash = hash_password(password).await?;
        let revoke = Revoke { keys: revoke_keys, apps: revoke_apps };
        let reset = visit.service.store.reset_password(token.trim(), &hash, revoke).await;
        let account = reset.map_err(|error| match error {
            StoreError::NotFound { .. } => ServiceError::new(
                ErrorKind::Forbidden,
                "RESET_INVALID",
                "The link is unknown, was used or has expired. Request a new one.",
            ),
            other => other.into(),
        })?;
        attempt.succeed().await?;
        visit.start_session(&account, AuditAction::PasswordReset).await
    }
}
