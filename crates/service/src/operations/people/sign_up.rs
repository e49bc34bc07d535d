//! Creates an account and signs in.

use rondo_fields::{record, text};
use rondo_store::{AuditAction, Credits, NewAccount, Plan, SignUp as Admission, StoreError};

use super::{Attempt, Kind, LONGEST_NAME, StartedSession, hash_password};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{PublicOperation, Visit};
use crate::operations::codecs::{email, password};
use crate::password;
use crate::settings::SignUp as Setting;

record! {
    /// The account to create.
    pub struct SignUpBody {
        /// Email address to sign in with.
        email: required String => "email", email();
        /// Name of the person.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// At least 8 characters.
        password: required String => "password", password();
        /// The secret of an invitation, where one is required.
        invite: optional String => "invite", text();
    }
}

pub struct SignUp;

impl PublicOperation for SignUp {
    const ID: &'static str = "signUp";
    const ABOUT: &'static str = "Creates an account and signs in. The first account of a service becomes its operator, \
                                 whatever the setting for sign-up.";
    const RETURNS: &'static str = "Signed in";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Forbidden,
            "Sign-up is closed or needs an invitation (SIGN_UP_CLOSED, INVITE_NEEDED, INVITE_INVALID)",
        ),
        (ErrorKind::Conflict, "There is an account with this email (EMAIL_TAKEN)"),
        (ErrorKind::Unprocessable, "The password is too weak (WEAK_PASSWORD)"),
    ];

    type Request = SignUpBody;
    type Response = StartedSession;

    async fn run(visit: Visit<'_>, request: SignUpBody) -> ServiceResult<StartedSession> {
        let SignUpBody { email, name, password, invite } = request;
        let service = visit.service;
        let setting = service.settings.sign_up;
        let attempt = Attempt::begin(service, visit.address, Kind::SignUp, None, None).await?;
        password::check("password", &password, &email)?;
        let admission = match (setting, invite.as_deref()) {
            (Setting::Open, secret) => Admission::Open(secret.map(str::trim)),
            (Setting::Invite, Some(secret)) => Admission::Invited(secret.trim()),
            (Setting::Invite, None) | (Setting::Closed, _) => Admission::Closed,
        };
        let hash = hash_password(password).await?;
        let new = NewAccount {
            email: &email,
            name: &name,
            plan: Plan::None,
            credits: Credits::from_whole(service.settings.sign_up_credits.into()),
            password_hash: Some(&hash),
            is_operator: false,
        };
        let signed_up = service.store.sign_up(new, admission).await;
        let account = signed_up.map_err(|error| refusal(error, setting, admission))?;
        attempt.succeed().await?;
        visit.start_session(&account, AuditAction::AccountCreated).await
    }
}

fn refusal(error: StoreError, setting: Setting, admission: Admission<'_>) -> ServiceError {
    let forbidden = |reason, message: &str| ServiceError::new(ErrorKind::Forbidden, reason, message);
    match error {
        StoreError::EmailTaken { .. } => {
            ServiceError::new(ErrorKind::Conflict, "EMAIL_TAKEN", error.to_string())
        }
        StoreError::NotInvited if admission != Admission::Closed => {
            forbidden("INVITE_INVALID", &error.to_string())
        }
        StoreError::NotInvited if setting == Setting::Closed => {
            forbidden("SIGN_UP_CLOSED", "Sign-up is closed. Ask an operator for an account.")
        }
        StoreError::NotInvited => {
            forbidden("INVITE_NEEDED", "An invitation is needed to sign up here. Ask an operator for one.")
        }
        other => other.into(),
    }
}
