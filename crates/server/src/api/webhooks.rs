//! POST, GET and DELETE /webhooks, and what helps to run a receiver: deliveries, a test, a new secret.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{get, post};
use rondo_store::{
    Delivery, DeliveryState, EventData, EventName, RecordedAttempt, RenderStatus, StoreError, Time, Webhook,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::query::Params;
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::fetch::FetchError;
use crate::request::JsonObject;

/// Longest address.
const MOST_CHARACTERS: usize = 2048;
/// Deliveries listed unless another number is asked for.
const LISTED: u32 = 20;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/webhooks", get(list).post(create).delete(remove))
        .route("/webhooks/{webhookId}/deliveries", get(deliveries))
        .route("/webhooks/{webhookId}/test", post(test))
        .route("/webhooks/{webhookId}/rotate", post(rotate))
}

/// Where events are to go.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookBody {
    /// A public http or https address.
    #[schema(format = "uri", example = "https://example.com/hooks/rondo")]
    url: String,
    /// Both if not given.
    #[schema(min_items = 1, value_type = Option<Vec<EventChoice>>)]
    events: Option<Vec<String>>,
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub enum EventChoice {
    #[serde(rename = "render.completed")]
    RenderCompleted,
    #[serde(rename = "render.failed")]
    RenderFailed,
}

/// A registered webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookInfo {
    id: String,
    url: String,
    /// Signs deliveries. Shown when it is made, and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    #[schema(value_type = Vec<EventChoice>)]
    events: Vec<EventName>,
    /// False once its deliveries have failed for days.
    is_active: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookList {
    webhooks: Vec<WebhookInfo>,
    total: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Removed {
    id: String,
    /// Always true.
    deleted: bool,
}

/// An event on its way to a webhook, or at its end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryInfo {
    delivery_id: String,
    #[schema(value_type = EventChoice)]
    event: EventName,
    job_id: Option<String>,
    /// PENDING, DELIVERED or FAILED.
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Time>,
    attempts: Vec<AttemptInfo>,
}

/// One attempt to deliver.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptInfo {
    /// 1 for the first.
    number: u32,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// The status the receiver answered with.
    status_code: Option<u16>,
    /// Why there was no answer.
    error: Option<String>,
    /// Milliseconds.
    duration: u64,
    /// The beginning of the answer.
    response: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryList {
    /// Newest first.
    deliveries: Vec<DeliveryInfo>,
    total: usize,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestSent {
    delivery_id: String,
    #[schema(value_type = EventChoice)]
    event: EventName,
}

impl WebhookInfo {
    pub fn of(webhook: Webhook) -> Self {
        let Webhook { id, url, events, is_active, created_at, .. } = webhook;
        Self { id, url, secret: None, events, is_active, created_at }
    }

    fn with_secret(webhook: Webhook) -> Self {
        let secret = Some(webhook.secret.clone());
        Self { secret, ..Self::of(webhook) }
    }
}

/// Registers a webhook. Its secret is in this answer only.
#[utoipa::path(
    post, path = "/webhooks", tag = "Webhooks", operation_id = "createWebhook",
    request_body = WebhookBody,
    responses(
        (status = 200, description = "The webhook with its secret", body = inline(Answer<WebhookInfo>)),
        (status = 400, description = "The body is not valid", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 415, description = "The body is not JSON", body = Failure),
        (status = 422, description = "The address is not public, an event is unknown, or five webhooks are active", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: JsonObject,
) -> ApiResult<Data<WebhookInfo>> {
    let url = body.text("url")?.trim();
    let events = match body.optional_list("events")? {
        Some(events) => read_events(events)?,
        None => EventName::ALL.to_vec(),
    };
    check_url(&app, url).await?;
    match app.store.create_webhook(&caller.account.id, url, &events).await {
        Ok(webhook) => Ok(Data(WebhookInfo::with_secret(webhook))),
        Err(StoreError::WebhookLimit { limit, active }) => Err(too_many_webhooks(limit, active)),
        Err(error) => Err(error.into()),
    }
}

pub fn too_many_webhooks(limit: u32, active: u32) -> ApiError {
    let message = format!("{active} of at most {limit} active webhooks are registered. Delete one first.");
    ApiError::unprocessable("WEBHOOK_LIMIT_REACHED", message).with("limit", limit).with("active", active)
}

async fn check_url(app: &App, url: &str) -> ApiResult<()> {
    if url.chars().count() > MOST_CHARACTERS {
        let message = format!("`url` is longer than {MOST_CHARACTERS} characters.");
        return Err(ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", "url", message));
    }
    match app.fetch.check_url(url).await {
        Ok(_) => Ok(()),
        Err(error @ FetchError::Malformed(_)) => {
            Err(ApiError::invalid_field("url", format!("`url`: {error}.")))
        }
        Err(error) => Err(ApiError::unprocessable_field(
            "WEBHOOK_URL_NOT_ALLOWED",
            "url",
            format!("`url` cannot be called: {error}."),
        )),
    }
}

/// Duplicates count once.
fn read_events(list: &[Value]) -> ApiResult<Vec<EventName>> {
    let mut events = Vec::new();
    for (i, item) in list.iter().enumerate() {
        let path = format!("events[{i}]");
        let Value::String(name) = item else {
            return Err(ApiError::invalid_field(&path, format!("`{path}` must be a text.")));
        };
        let event = read_event(&path, name)?;
        if !events.contains(&event) {
            events.push(event);
        }
    }
    if events.is_empty() {
        return Err(ApiError::invalid_field(
            "events",
            "`events` is empty: name at least one, or leave it out for all.",
        ));
    }
    Ok(events)
}

fn read_event(path: &str, name: &str) -> ApiResult<EventName> {
    EventName::ALL.into_iter().find(|event| event.as_str() == name).ok_or_else(|| {
        let shown: String = name.chars().take(100).collect();
        let known: Vec<&str> = EventName::ALL.iter().map(|event| event.as_str()).collect();
        let message = format!("`{path}` is \"{shown}\", but must be one of: {}.", known.join(", "));
        ApiError::unprocessable_field("INVALID_ENUM_VALUE", path, message)
    })
}

/// Lists the caller's webhooks, without their secrets.
#[utoipa::path(
    get, path = "/webhooks", tag = "Webhooks", operation_id = "listWebhooks",
    responses(
        (status = 200, description = "The webhooks", body = inline(Answer<WebhookList>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Data<WebhookList>> {
    let webhooks: Vec<WebhookInfo> =
        app.store.webhooks(&caller.account.id).await?.into_iter().map(WebhookInfo::of).collect();
    Ok(Data(WebhookList { total: webhooks.len(), webhooks }))
}

/// Removes a webhook, and its secret with it.
#[utoipa::path(
    delete, path = "/webhooks", tag = "Webhooks", operation_id = "deleteWebhook",
    params(("id" = String, Query, description = "The id of the webhook")),
    responses(
        (status = 200, description = "It is removed", body = inline(Answer<Removed>)),
        (status = 400, description = "The id is missing", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such webhook", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn remove(State(app): State<Arc<App>>, caller: Caller, params: Params) -> ApiResult<Data<Removed>> {
    let id = params.text("id").ok_or_else(|| {
        ApiError::invalid_field("id", "The query parameter `id` is missing: name the webhook to remove.")
    })?;
    if !app.store.delete_webhook(&caller.account.id, id).await? {
        return Err(ApiError::not_found("webhook"));
    }
    Ok(Data(Removed { id: id.to_owned(), deleted: true }))
}

/// Lists what was sent to a webhook lately, with every attempt.
#[utoipa::path(
    get, path = "/webhooks/{webhookId}/deliveries", tag = "Webhooks", operation_id = "listDeliveries",
    params(
        ("webhookId" = String, Path, description = "The id of the webhook"),
        ("limit" = Option<u32>, Query, description = "Deliveries listed, 1 to 100; 20 if not given"),
    ),
    responses(
        (status = 200, description = "The deliveries", body = inline(Answer<DeliveryList>)),
        (status = 400, description = "A parameter is not of the right form", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such webhook", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn deliveries(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    params: Params,
) -> ApiResult<Data<DeliveryList>> {
    let limit = params.page()?.limit.unwrap_or(LISTED);
    let webhook = own(&app, &caller, &id).await?;
    let deliveries: Vec<DeliveryInfo> =
        app.store.deliveries(&webhook.id, limit).await?.into_iter().map(DeliveryInfo::from).collect();
    Ok(Data(DeliveryList { total: deliveries.len(), deliveries }))
}

/// Sends a made-up event to a webhook, signed and retried like any other.
#[utoipa::path(
    post, path = "/webhooks/{webhookId}/test", tag = "Webhooks", operation_id = "testWebhook",
    params(
        ("webhookId" = String, Path, description = "The id of the webhook"),
        ("event" = Option<EventChoice>, Query, description = "render.completed if not given"),
    ),
    responses(
        (status = 200, description = "It is on its way", body = inline(Answer<TestSent>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such webhook", body = Failure),
        (status = 422, description = "The event is unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn test(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    params: Params,
) -> ApiResult<Data<TestSent>> {
    let event = match params.text("event") {
        Some(name) => read_event("event", name)?,
        None => EventName::RenderCompleted,
    };
    let webhook = own(&app, &caller, &id).await?;
    let delivery_id = app.store.enqueue_test(&webhook, event, &example(&app, event)).await?;
    app.post.notify_one();
    Ok(Data(TestSent { delivery_id, event }))
}

/// Gives a webhook a new secret. The old one ends at once.
#[utoipa::path(
    post, path = "/webhooks/{webhookId}/rotate", tag = "Webhooks", operation_id = "rotateWebhookSecret",
    params(("webhookId" = String, Path, description = "The id of the webhook")),
    responses(
        (status = 200, description = "The webhook with its new secret", body = inline(Answer<WebhookInfo>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such webhook", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn rotate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Data<WebhookInfo>> {
    match app.store.rotate_webhook_secret(&caller.account.id, &id).await {
        Ok(webhook) => Ok(Data(WebhookInfo::with_secret(webhook))),
        Err(StoreError::NotFound { .. }) => Err(ApiError::not_found("webhook")),
        Err(error) => Err(error.into()),
    }
}

async fn own(app: &App, caller: &Caller, id: &str) -> ApiResult<Webhook> {
    app.store.webhook(&caller.account.id, id).await?.ok_or_else(|| ApiError::not_found("webhook"))
}

/// What a test event tells: a job that does not exist.
fn example(app: &App, event: EventName) -> EventData {
    let completed = event == EventName::RenderCompleted;
    EventData {
        job_id: "job_test".to_owned(),
        project_id: None,
        status: if completed { RenderStatus::Completed } else { RenderStatus::Failed },
        output_url: completed.then(|| app.url("/files/job_test.mp4")),
        output_size: completed.then_some(1_048_576),
        duration_in_frames: 150,
        width: 1920,
        height: 1080,
        fps: 30,
        credits_used: i64::from(completed),
        duration: Some(2400),
        completed_at: Some(app.store.now()),
        error_message: (!completed).then(|| "This is a test of the webhook.".to_owned()),
        metadata: None,
    }
}

impl From<Delivery> for DeliveryInfo {
    fn from(delivery: Delivery) -> Self {
        Self {
            delivery_id: delivery.id,
            event: delivery.event,
            job_id: delivery.render_id,
            status: match delivery.state {
                DeliveryState::Due | DeliveryState::Sending => "PENDING",
                DeliveryState::Delivered => "DELIVERED",
                DeliveryState::Failed => "FAILED",
            },
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
            attempts: delivery.attempts.into_iter().map(AttemptInfo::from).collect(),
        }
    }
}

impl From<RecordedAttempt> for AttemptInfo {
    fn from(RecordedAttempt { number, attempt }: RecordedAttempt) -> Self {
        Self {
            number,
            at: attempt.at,
            status_code: attempt.status,
            error: attempt.error,
            duration: attempt.ms,
            response: attempt.response,
        }
    }
}
