//! What was sent to webhooks, with payloads, and sending it again.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{get, post};
use rondo_store::{Delivery, EventName, StoreError, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Person;
use crate::api::webhooks::{EventChoice, WebhookInfo, too_many_webhooks};
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};

/// Deliveries listed.
const LISTED: u32 = 50;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/webhooks/{id}/deliveries", get(deliveries))
        .route("/webhooks/{id}/reactivate", post(reactivate))
        .route("/deliveries/{id}/replay", post(replay))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDetails {
    id: String,
    #[schema(value_type = EventChoice)]
    event: EventName,
    /// `due`, `sending`, `delivered` or `failed`.
    state: &'static str,
    url: String,
    attempts: Vec<AttemptDetails>,
    /// What is sent.
    #[schema(value_type = Object)]
    body: Value,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Time>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptDetails {
    number: u32,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// Null where there was no answer.
    status: Option<u16>,
    error: Option<String>,
    ms: u64,
    /// The beginning of the answer.
    response: Option<String>,
}

impl From<Delivery> for DeliveryDetails {
    fn from(delivery: Delivery) -> Self {
        let attempts = delivery.attempts.into_iter().map(|recorded| AttemptDetails {
            number: recorded.number,
            at: recorded.attempt.at,
            status: recorded.attempt.status,
            error: recorded.attempt.error,
            ms: recorded.attempt.ms,
            response: recorded.attempt.response,
        });
        Self {
            id: delivery.id,
            event: delivery.event,
            state: delivery.state.as_str(),
            url: delivery.url,
            attempts: attempts.collect(),
            body: serde_json::from_str(&delivery.body).unwrap_or(Value::String(delivery.body)),
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
        }
    }
}

/// Lists what was sent to a webhook lately, newest first.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries", tag = "Webhooks", operation_id = "listDeliveryDetails",
    params(("id" = String, Path, description = "The id of the webhook")),
    responses((status = 200, description = "The deliveries", body = inline(Answer<Vec<DeliveryDetails>>)))
)]
pub async fn deliveries(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<Vec<DeliveryDetails>>> {
    let webhook = app.store.webhook(&person.account.id, &id).await?;
    let webhook = webhook.ok_or_else(|| ApiError::not_found("webhook"))?;
    let deliveries = app.store.deliveries(&webhook.id, LISTED).await?;
    Ok(Data(deliveries.into_iter().map(DeliveryDetails::from).collect()))
}

/// Sends a delivery once more, as a new one.
#[utoipa::path(
    post, path = "/deliveries/{id}/replay", tag = "Webhooks", operation_id = "replayDelivery",
    params(("id" = String, Path, description = "The id of the delivery")),
    responses((status = 200, description = "The new delivery", body = inline(Answer<DeliveryDetails>)))
)]
pub async fn replay(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<DeliveryDetails>> {
    let replay = app.store.replay_delivery(&person.account.id, &id).await.map_err(|error| match error {
        StoreError::NotFound { .. } => ApiError::not_found("delivery"),
        other => other.into(),
    })?;
    app.post.notify_one();
    let delivery = app.store.delivery(&replay).await?.ok_or_else(|| ApiError::not_found("delivery"))?;
    Ok(Data(delivery.into()))
}

/// Switches a webhook on again that was switched off after failing for days.
#[utoipa::path(
    post, path = "/webhooks/{id}/reactivate", tag = "Webhooks", operation_id = "reactivateWebhook",
    params(("id" = String, Path, description = "The id of the webhook")),
    responses((status = 200, description = "The webhook", body = inline(Answer<WebhookInfo>)))
)]
pub async fn reactivate(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<WebhookInfo>> {
    let webhook = app.store.webhook(&person.account.id, &id).await?;
    let webhook = webhook.ok_or_else(|| ApiError::not_found("webhook"))?;
    match app.store.reactivate_webhook(&webhook.id).await {
        Ok(webhook) => Ok(Data(WebhookInfo::of(webhook))),
        Err(StoreError::WebhookLimit { limit, active }) => Err(too_many_webhooks(limit, active)),
        Err(error) => Err(error.into()),
    }
}
