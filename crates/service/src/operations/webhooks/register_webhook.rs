//! Registers a webhook.

use rondo_fields::{record, text};
use rondo_store::{EventName, StoreError};

use super::WebhookInfo;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::FetchError;
use crate::operation::{Call, Operation};
use crate::operations::codecs::events;

/// Longest URL in characters.
const MOST_CHARACTERS: usize = 2048;

record! {
    /// Where to send events.
    pub struct WebhookBody {
        /// A public http or https URL.
        url: required String => "url", text().not_blank();
        /// The events to send. Default: render.completed and render.failed.
        events: optional Vec<EventName> => "events", events();
    }
}

pub struct RegisterWebhook;

impl Operation for RegisterWebhook {
    const ID: &'static str = "createWebhook";
    const ABOUT: &'static str = "Registers a webhook. Only this response holds its secret.";
    const RETURNS: &'static str = "The webhook with its secret";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[(
        ErrorKind::Unprocessable,
        "The URL is not public, an event is unknown, or five webhooks are active",
    )];

    type Request = WebhookBody;
    type Response = WebhookInfo;

    async fn run(call: Call<'_>, request: WebhookBody) -> ServiceResult<WebhookInfo> {
        let url = request.url.trim();
        let events = request.events.unwrap_or_else(|| EventName::DEFAULT.to_vec());
        check_url(call, url).await?;
        match call.service.store.create_webhook(call.account_id(), url, &events).await {
            Ok(webhook) => Ok(WebhookInfo::with_secret(webhook)),
            Err(StoreError::WebhookLimit { limit, active }) => Err(too_many_webhooks(limit, active)),
            Err(error) => Err(error.into()),
        }
    }
}

pub fn too_many_webhooks(limit: u32, active: u32) -> ServiceError {
    let message = format!("{active} of at most {limit} active webhooks are registered. Delete one first.");
    ServiceError::unprocessable("WEBHOOK_LIMIT_REACHED", message).with("limit", limit).with("active", active)
}

/// Fails for a URL that events cannot be sent to.
pub async fn check_url(call: Call<'_>, url: &str) -> ServiceResult<()> {
    if url.chars().count() > MOST_CHARACTERS {
        let message = format!("`url` is longer than {MOST_CHARACTERS} characters.");
        return Err(ServiceError::unprocessable_field("VALUE_OUT_OF_RANGE", "url", message));
    }
    match call.service.media.fetch.check_url(url).await {
        Ok(_) => Ok(()),
        Err(error @ FetchError::Malformed(_)) => {
            Err(ServiceError::invalid_field("url", format!("`url`: {error}.")))
        }
        Err(error) => Err(ServiceError::unprocessable_field(
            "WEBHOOK_URL_NOT_ALLOWED",
            "url",
            format!("`url` cannot be called: {error}."),
        )),
    }
}
