//! Webhooks: where events are sent.

mod delete_webhook;
mod delivery_details;
mod list_deliveries;
mod list_delivery_details;
mod list_webhooks;
mod reactivate_webhook;
mod redeliver;
mod register_webhook;
mod replay_delivery;
mod rotate_webhook_secret;
mod test_webhook;
mod update_webhook;

use rondo_fields::{record, text};
use rondo_store::{EventName, Time, Webhook};
use serde::Serialize;
use utoipa::ToSchema;

pub use delete_webhook::DeleteWebhook;
pub use delivery_details::DeliveryDetails;
pub use list_deliveries::{DeliveryInfo, DeliveryList, ListDeliveries};
pub use list_delivery_details::{DeliveryDetailsList, ListDeliveryDetails};
pub use list_webhooks::ListWebhooks;
pub use reactivate_webhook::ReactivateWebhook;
pub use redeliver::Redeliver;
pub use register_webhook::RegisterWebhook;
pub use replay_delivery::ReplayDelivery;
pub use rotate_webhook_secret::RotateWebhookSecret;
pub use test_webhook::TestWebhook;
pub use update_webhook::UpdateWebhook;

use register_webhook::{check_url, too_many_webhooks};

use crate::error::{ServiceError, ServiceResult};
use crate::operation::Call;

record! {
    /// Names a webhook.
    pub struct WebhookId {
        /// The id of the webhook.
        webhook_id: required String => "webhookId", text();
    }
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
pub enum EventChoice {
    #[serde(rename = "render.completed")]
    RenderCompleted,
    #[serde(rename = "render.failed")]
    RenderFailed,
    #[serde(rename = "batch.completed")]
    BatchCompleted,
}

/// A registered webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookInfo {
    id: String,
    url: String,
    /// Signs deliveries. Shown when it is made, and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// Until when the secret before this one also signs; only after a rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    old_secret_expires_at: Option<Time>,
    #[schema(value_type = Vec<EventChoice>)]
    events: Vec<EventName>,
    /// False while it is disabled: by its owner, or because its deliveries failed for days.
    is_active: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

impl WebhookInfo {
    fn of(webhook: Webhook) -> Self {
        let Webhook { id, url, events, is_active, created_at, old_secret, .. } = webhook;
        let old_secret_expires_at = old_secret.map(|(_, until)| until).filter(|until| *until > Time::now());
        Self { id, url, secret: None, old_secret_expires_at, events, is_active, created_at }
    }

    fn with_secret(webhook: Webhook) -> Self {
        let secret = Some(webhook.secret.clone());
        Self { secret, ..Self::of(webhook) }
    }
}

impl Call<'_> {
    /// A webhook of the caller's account.
    async fn own_webhook(&self, id: &str) -> ServiceResult<Webhook> {
        let webhook = self.service.store.webhook(self.account_id(), id).await?;
        webhook.ok_or_else(|| ServiceError::not_found("webhook"))
    }
}
