//! Reactivates a webhook.

use rondo_fields::{record, text};
use rondo_store::StoreError;

use super::{WebhookInfo, too_many_webhooks};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names the webhook to reactivate.
    pub struct InactiveWebhook {
        /// The id of the webhook.
        id: required String => "id", text();
    }
}

pub struct ReactivateWebhook;

impl Operation for ReactivateWebhook {
    const ID: &'static str = "reactivateWebhook";
    const ABOUT: &'static str =
        "Reactivates a webhook that was deactivated after its deliveries failed for days.";
    const RETURNS: &'static str = "The webhook";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::NotFound, "There is no such webhook"),
        (ErrorKind::Unprocessable, "Too many webhooks are active (WEBHOOK_LIMIT_REACHED)"),
    ];

    type Request = InactiveWebhook;
    type Response = WebhookInfo;

    async fn run(call: Call<'_>, request: InactiveWebhook) -> ServiceResult<WebhookInfo> {
        let webhook = call.own_webhook(&request.id).await?;
        match call.service.store.reactivate_webhook(&webhook.id).await {
            Ok(webhook) => Ok(WebhookInfo::of(webhook)),
            Err(StoreError::WebhookLimit { limit, active }) => Err(too_many_webhooks(limit, active)),
            Err(error) => Err(error.into()),
        }
    }
}
