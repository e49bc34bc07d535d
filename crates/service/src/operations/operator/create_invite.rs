//! Creates an invitation to sign up.

use rondo_fields::{integer, record, text};
use rondo_store::{AuditAction, Credits, Plan, Start, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::update_account::MOST_CREDITS;
use crate::email::{LONGEST_EMAIL, is_email};
use crate::error::{ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::plan;

record! {
    /// Whom to invite.
    pub struct InviteBody {
        /// Limits the invitation to this email address, and mails it where mail is configured.
        email: optional String => "email", text();
        /// The plan of the new account. Default: none.
        plan: optional Plan => "plan", plan();
        /// Whole credits that the new account starts with. Default: as for everyone who signs up.
        credits: optional i64 => "credits", integer(0, MOST_CREDITS);
    }
}

/// A new invitation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedInvite {
    id: String,
    /// Where to sign up with it. It is not shown again.
    url: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

pub struct CreateInvite;

impl Operation for CreateInvite {
    const ID: &'static str = "createInvite";
    const ABOUT: &'static str = "Creates an invitation, valid for a week.";
    const RETURNS: &'static str = "The invitation";
    const OPERATORS_ONLY: bool = true;

    type Request = InviteBody;
    type Response = CreatedInvite;

    async fn run(call: Call<'_>, request: InviteBody) -> ServiceResult<CreatedInvite> {
        let service = call.service;
        let email = request.email.map(|email| email.trim().to_owned()).filter(|email| !email.is_empty());
        if let Some(email) = &email
            && !(is_email(email) && email.len() <= LONGEST_EMAIL)
        {
            return Err(ServiceError::invalid_field("email", "`email` must be an email address."));
        }
        let start = Start { plan: request.plan, credits: request.credits.map(Credits::from_whole) };
        let created = service.store.create_invite(call.account_id(), email.as_deref(), start).await?;
        let invited = email.as_deref().unwrap_or("anyone");
        call.record(call.account_id(), AuditAction::InviteCreated, invited).await?;
        let url = service.links.url(&format!("/sign-up?invite={}", created.secret));
        if let (Some(mail), Some(email)) = (service.mail.clone(), email) {
            let text = format!(
                "Hello,\n\n{} invites you to make videos at {}. Sign up within a week here:\n\n{url}\n",
                call.caller.account.name,
                service.links.public_url()
            );
            tokio::spawn(async move { mail.send(&email, "You are invited", text).await });
        }
        Ok(CreatedInvite { id: created.invite.id, url, expires_at: created.invite.expires_at })
    }
}
