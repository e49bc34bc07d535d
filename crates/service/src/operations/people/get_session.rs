//! Returns who is signed in and how to sign up.

use serde::Serialize;
use utoipa::ToSchema;

use super::AccountView;
use crate::error::ServiceResult;
use crate::operation::{NoInput, PublicOperation, Visit};
use crate::settings::SignUp;

/// Who is signed in, and how to sign up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Null for a visitor who is not signed in.
    #[schema(required = true)]
    account: Option<AccountView>,
    sign_up: SignUpSetting,
    /// No account exists yet: the first to sign up becomes the operator.
    first_account: bool,
    /// Whether the service can send mail, to reset passwords.
    mail: bool,
    /// Whom to ask for credits: an email address or a URL. Null for visitors, and where none is set.
    #[schema(required = true)]
    contact: Option<String>,
    /// Version of the service.
    version: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SignUpSetting {
    Open,
    Invite,
    Closed,
}

pub struct GetSession;

impl PublicOperation for GetSession {
    const ID: &'static str = "getSession";
    const ABOUT: &'static str =
        "Returns who is signed in, and how people sign up for this service. Needs no session.";
    const RETURNS: &'static str = "The session";

    type Request = NoInput;
    type Response = SessionView;

    async fn run(visit: Visit<'_>, _: NoInput) -> ServiceResult<SessionView> {
        let service = visit.service;
        Ok(SessionView {
            account: visit.caller.map(|caller| AccountView::from(&caller.account)),
            sign_up: match service.settings.sign_up {
                SignUp::Open => SignUpSetting::Open,
                SignUp::Invite => SignUpSetting::Invite,
                SignUp::Closed => SignUpSetting::Closed,
            },
            first_account: !service.store.has_accounts().await?,
            mail: service.mail.is_some(),
            contact: visit.caller.and(service.settings.contact.clone()),
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}
