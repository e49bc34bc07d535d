//! Replaces the secret of a webhook.

use rondo_store::StoreError;

use super::{WebhookId, WebhookInfo};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

pub struct RotateWebhookSecret;

impl Operation for RotateWebhookSecret {
    const ID: &'static str = "rotateWebhookSecret";
    const ABOUT: &'static str = "Gives a webhook a new secret. For 24 hours, `webhook-signature` also contains a \
                                 signature with the old one; `X-Rondo-Signature` is made with the new one at once.";
    const RETURNS: &'static str = "The webhook with its new secret";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such webhook")];

    type Request = WebhookId;
    type Response = WebhookInfo;

    async fn run(call: Call<'_>, request: WebhookId) -> ServiceResult<WebhookInfo> {
        match call.service.store.rotate_webhook_secret(call.account_id(), &request.webhook_id).await {
            Ok(webhook) => Ok(WebhookInfo::with_secret(webhook)),
            Err(StoreError::NotFound { .. }) => Err(ServiceError::not_found("webhook")),
            Err(error) => Err(error.into()),
        }
    }
}
