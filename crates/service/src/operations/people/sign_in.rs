//! Signs in with email and password.

use rondo_fields::{record, text};
use rondo_store::AuditAction;

use super::{Attempt, Kind, StartedSession};
use crate::blocking::hashing;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{PublicOperation, Visit};
use crate::operations::codecs::password;
use crate::password;

record! {
    /// Who signs in.
    pub struct SignInBody {
        /// Email address of the account.
        email: required String => "email", text();
        /// Password of the account.
        password: required String => "password", password();
    }
}

pub struct SignIn;

impl PublicOperation for SignIn {
    const ID: &'static str = "signIn";
    const ABOUT: &'static str = "Signs in with a new session. The session that the browser had ends.";
    const RETURNS: &'static str = "Signed in";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Unauthenticated, "The email or the password is wrong (SIGN_IN_FAILED)"),
        (ErrorKind::Forbidden, "The account is suspended (ACCOUNT_SUSPENDED)"),
    ];

    type Request = SignInBody;
    type Response = StartedSession;

    async fn run(visit: Visit<'_>, request: SignInBody) -> ServiceResult<StartedSession> {
        let SignInBody { email, password } = request;
        let account = visit.service.store.account_by_email(&email).await?;
        let account_id = account.as_ref().map(|account| account.id.as_str());
        let attempt =
            Attempt::begin(visit.service, visit.address, Kind::SignIn, Some(&email), account_id).await?;
        let stored = account.as_ref().and_then(|account| account.password_hash.clone());
        let matches = hashing(move || password::verify(stored.as_deref(), &password)).await?;
        let Some(account) = account.as_ref().filter(|_| matches) else {
            if let Some(account) = &account {
                visit.record(account, AuditAction::SignInFailed).await?;
            }
            let message = "The email or the password is wrong.";
            return Err(ServiceError::new(ErrorKind::Unauthenticated, "SIGN_IN_FAILED", message));
        };
        attempt.succeed().await?;
        visit.start_session(account, AuditAction::SignedIn).await
    }
}
