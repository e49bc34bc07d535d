//! Changes the password of a person.

use rondo_fields::{flag, record};
use rondo_store::{AuditAction, Revoke};

use crate::blocking::hashing;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;
use crate::operations::codecs::password;
use crate::operations::people::{Attempt, Kind, hash_password, revoked};
use crate::password;

record! {
    /// The current and the new password.
    pub struct PasswordBody {
        /// The current password.
        current: required String => "current", password();
        /// The new password, at least 8 characters.
        password: required String => "password", password();
        /// Also revoke every API key of the account.
        revoke_keys: default bool => "revokeKeys", flag(), false;
        /// Also revoke the access of every connected app.
        revoke_apps: default bool => "revokeApps", flag(), false;
    }
}

pub struct ChangePassword;

impl Operation for ChangePassword {
    const ID: &'static str = "changePassword";
    const ABOUT: &'static str =
        "Changes the password and ends every other session. Can also revoke API keys and connected apps.";
    const RETURNS: &'static str = "The password is changed";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The current password is wrong (WRONG_PASSWORD)"),
        (ErrorKind::Unprocessable, "The password is too weak (WEAK_PASSWORD)"),
    ];

    type Request = PasswordBody;
    type Response = Done;

    async fn run(call: Call<'_>, request: PasswordBody) -> ServiceResult<Done> {
        let PasswordBody { current, password, revoke_keys, revoke_apps } = request;
        let account = &call.caller.account;
        let session = call.caller.session()?;
        let (address, email) = (call.caller.address, Some(account.email.as_str()));
        let attempt =
            Attempt::begin(call.service, address, Kind::ChangePassword, email, Some(&account.id)).await?;
        let stored = account.password_hash.clone();
        if !hashing(move || password::verify(stored.as_deref(), &current)).await? {
            let message = "The current password is wrong.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "WRONG_PASSWORD", message));
        }
        attempt.succeed().await?;
        password::check("password", &password, &account.email)?;
        let hash = hash_password(password).await?;
        let revoke = Revoke { keys: revoke_keys, apps: revoke_apps };
        call.service.store.set_password_hash(&account.id, Some(&hash), Some(&session.id), revoke).await?;
        call.record(&account.id, AuditAction::PasswordChanged, revoked(revoke)).await?;
        Ok(Done {})
    }
}
