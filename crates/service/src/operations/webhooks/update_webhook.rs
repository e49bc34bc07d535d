//! Changes a webhook.

use rondo_fields::{flag, record, text};
use rondo_store::{EventName, StoreError, WebhookChange};

use super::{WebhookInfo, check_url, too_many_webhooks};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::events;

record! {
    /// What to change. What is not given stays.
    pub struct WebhookChanges {
        /// The id of the webhook.
        webhook_id: required String => "webhookId", text();
        /// A public http or https URL.
        url: optional String => "url", text().not_blank();
        /// The events to send.
        events: optional Vec<EventName> => "events", events();
        /// `false`: no events are sent until it is `true` again.
        is_active: optional bool => "isActive", flag();
    }
}

pub struct UpdateWebhook;

impl Operation for UpdateWebhook {
    const ID: &'static str = "updateWebhook";
    const ABOUT: &'static str = "Changes a webhook. Its id and secret stay, and so does what is not given. Deliveries that are \
                                 already under way go to the old URL.";
    const RETURNS: &'static str = "The webhook";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::NotFound, "There is no such webhook"),
        (
            ErrorKind::Unprocessable,
            "The URL is not public, an event is unknown, or five other webhooks are active",
        ),
    ];

    type Request = WebhookChanges;
    type Response = WebhookInfo;

    async fn run(call: Call<'_>, request: WebhookChanges) -> ServiceResult<WebhookInfo> {
        let WebhookChanges { webhook_id, url, events, is_active } = request;
        let webhook = call.own_webhook(&webhook_id).await?;
        let url = url.map(|url| url.trim().to_owned());
        if let Some(url) = &url {
            check_url(call, url).await?;
        }
        let change = WebhookChange { url, events, is_active };
        match call.service.store.update_webhook(call.account_id(), &webhook.id, &change).await {
            Ok(webhook) => Ok(WebhookInfo::of(webhook)),
            Err(StoreError::NotFound { .. }) => Err(ServiceError::not_found("webhook")),
            Err(StoreError::WebhookLimit { limit, active }) => Err(too_many_webhooks(limit, active)),
            Err(error) => Err(error.into()),
        }
    }
}
