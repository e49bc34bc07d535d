//! Lists invitations.

use rondo_store::{Credits, Plan, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteInfo {
    id: String,
    /// The only email that can use it; null for any.
    #[schema(required = true)]
    email: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// The plan of the account; null for none.
    #[schema(required = true)]
    plan: Option<&'static str>,
    /// Whole credits that the account starts with; null for as many as everyone.
    #[schema(required = true)]
    credits: Option<i64>,
    /// The email of the account that used it.
    #[schema(required = true)]
    used_by: Option<String>,
}

/// Invitations, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct InviteList(Vec<InviteInfo>);

pub struct ListInvites;

impl Operation for ListInvites {
    const ID: &'static str = "listInvites";
    const ABOUT: &'static str = "Lists invitations, newest first, including used and expired ones.";
    const RETURNS: &'static str = "The invitations";
    const OPERATORS_ONLY: bool = true;

    type Request = NoInput;
    type Response = InviteList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<InviteList> {
        let invites = call.service.store.invites().await?.into_iter().map(|invite| InviteInfo {
            id: invite.id,
            email: invite.email,
            created_at: invite.created_at,
            expires_at: invite.expires_at,
            plan: invite.start.plan.map(Plan::as_str),
            credits: invite.start.credits.map(Credits::whole),
            used_by: invite.used_by,
        });
        Ok(InviteList(invites.collect()))
    }
}
