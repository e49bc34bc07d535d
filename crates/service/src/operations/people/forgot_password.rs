//! Mails a link to set a new password.

use rondo_fields::{record, text};
use rondo_store::StoreError;

use super::{Attempt, Kind};
use crate::error::ServiceResult;
use crate::operation::{PublicOperation, Visit};
use crate::operations::Done;
use crate::service::Service;

record! {
    /// Who forgot the password.
    pub struct ForgotBody {
        /// Email address of the account.
        email: required String => "email", text();
    }
}

pub struct ForgotPassword;

impl PublicOperation for ForgotPassword {
    const ID: &'static str = "forgotPassword";
    const ABOUT: &'static str = "Mails a link to set a new password. The response is the same whether the account exists \
                                 and mail can be sent or not.";
    const RETURNS: &'static str = "The request was accepted";

    type Request = ForgotBody;
    type Response = Done;

    async fn run(visit: Visit<'_>, request: ForgotBody) -> ServiceResult<Done> {
        Attempt::begin(visit.service, visit.address, Kind::ForgotPassword, Some(&request.email), None)
            .await?;
        // In the background: the response time must not show whether the account exists.
        let service = visit.service.clone();
        tokio::spawn(async move {
            if let Err(error) = send_link(&service, &request.email).await {
                tracing::error!(%error, "failed to create a password reset");
            }
        });
        Ok(Done {})
    }
}

async fn send_link(service: &Service, email: &str) -> Result<(), StoreError> {
    let Some(mail) = &service.mail else { return Ok(()) };
    let Some(account) = service.store.account_by_email(email).await? else { return Ok(()) };
    let secret = service.store.create_password_reset(&account.id).await?;
    let link = service.links.url(&format!("/reset?token={secret}"));
    let text = format!(
        "Hello {},\n\nSomeone, probably you, asked for a new password for your account at {}.\n\
         Set it within an hour here:\n\n{link}\n\nIf it was not you, ignore this mail: nothing has changed.\n",
        account.name,
        service.links.public_url()
    );
    mail.send(&account.email, "Choose a new password for Rondo", text).await;
    Ok(())
}
