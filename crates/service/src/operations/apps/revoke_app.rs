//! Revokes the access of an app.

use rondo_fields::{record, text};
use rondo_store::AuditAction;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names an app.
    pub struct AppId {
        /// The id of the app.
        client_id: required String => "clientId", text();
    }
}

pub struct RevokeApp;

impl Operation for RevokeApp {
    const ID: &'static str = "revokeApp";
    const ABOUT: &'static str = "Revokes everything an app was authorized to do.";
    const RETURNS: &'static str = "The tokens of the app are revoked";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[(ErrorKind::NotFound, "There is no such app")];

    type Request = AppId;
    type Response = Done;

    async fn run(call: Call<'_>, request: AppId) -> ServiceResult<Done> {
        match call.service.store.revoke_app(call.account_id(), &request.client_id).await? {
            true => {
                call.record(call.account_id(), AuditAction::AppRevoked, &request.client_id).await?;
                Ok(Done {})
            }
            false => Err(ServiceError::not_found("app")),
        }
    }
}
