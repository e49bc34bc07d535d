//! Deletes an invitation.

use rondo_fields::{record, text};
use rondo_store::AuditAction;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names an invitation.
    pub struct InviteId {
        /// The id of the invitation.
        id: required String => "id", text();
    }
}

pub struct DeleteInvite;

impl Operation for DeleteInvite {
    const ID: &'static str = "deleteInvite";
    const ABOUT: &'static str = "Deletes an invitation. Its link no longer works.";
    const RETURNS: &'static str = "The invitation is deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such invitation")];
    const OPERATORS_ONLY: bool = true;

    type Request = InviteId;
    type Response = Done;

    async fn run(call: Call<'_>, request: InviteId) -> ServiceResult<Done> {
        match call.service.store.delete_invite(&request.id).await? {
            true => {
                call.record(call.account_id(), AuditAction::InviteDeleted, &request.id).await?;
                Ok(Done {})
            }
            false => Err(ServiceError::not_found("invitation")),
        }
    }
}
