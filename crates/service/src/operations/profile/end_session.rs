//! Ends a session of a person.

use rondo_fields::{record, text};
use rondo_store::AuditAction;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names a session.
    pub struct SessionId {
        /// The id of the session.
        id: required String => "id", text();
    }
}

pub struct EndSession;

impl Operation for EndSession {
    const ID: &'static str = "endSession";
    const ABOUT: &'static str = "Ends a session.";
    const RETURNS: &'static str = "The session has ended";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such session")];

    type Request = SessionId;
    type Response = Done;

    async fn run(call: Call<'_>, request: SessionId) -> ServiceResult<Done> {
        match call.service.store.end_session(call.account_id(), &request.id).await? {
            true => {
                call.record(call.account_id(), AuditAction::SessionEnded, "").await?;
                Ok(Done {})
            }
            false => Err(ServiceError::not_found("session")),
        }
    }
}
