//! Deletes a webhook.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names the webhook to delete.
    pub struct DeletedWebhook {
        /// The id of the webhook.
        id: required String => "id", text();
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Removed {
    id: String,
    /// Always true.
    deleted: bool,
}

pub struct DeleteWebhook;

impl Operation for DeleteWebhook {
    const ID: &'static str = "deleteWebhook";
    const ABOUT: &'static str = "Deletes a webhook and its secret.";
    const RETURNS: &'static str = "The webhook is deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Invalid, "The id is missing"), (ErrorKind::NotFound, "There is no such webhook")];

    type Request = DeletedWebhook;
    type Response = Removed;

    async fn run(call: Call<'_>, request: DeletedWebhook) -> ServiceResult<Removed> {
        match call.service.store.delete_webhook(call.account_id(), &request.id).await? {
            true => Ok(Removed { id: request.id, deleted: true }),
            false => Err(ServiceError::not_found("webhook")),
        }
    }
}
