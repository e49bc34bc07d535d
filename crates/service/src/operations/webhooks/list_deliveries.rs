//! Lists the deliveries of a webhook.

use rondo_fields::{record, text};
use rondo_store::{Delivery, DeliveryState, EventName, RecordedAttempt, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::EventChoice;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::limit;

/// Deliveries listed unless the request says otherwise.
const LISTED: u32 = 20;

record! {
    /// Which deliveries to list.
    pub struct DeliveryQuery {
        /// The id of the webhook.
        webhook_id: required String => "webhookId", text();
        /// Deliveries to list. Default: 20.
        limit: optional u32 => "limit", limit();
    }
}

/// An event on its way to a webhook, or at its end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryInfo {
    delivery_id: String,
    #[schema(value_type = EventChoice)]
    event: EventName,
    #[schema(required = true)]
    job_id: Option<String>,
    status: DeliveryStatus,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    finished_at: Option<Time>,
    attempts: Vec<AttemptInfo>,
}

/// State of a delivery.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum DeliveryStatus {
    Pending,
    Delivered,
    Failed,
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
    #[schema(required = true)]
    status_code: Option<u16>,
    /// Why there was no answer.
    #[schema(required = true)]
    error: Option<String>,
    /// Milliseconds.
    duration: u64,
    /// The beginning of the answer.
    #[schema(required = true)]
    response: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryList {
    /// Newest first.
    deliveries: Vec<DeliveryInfo>,
    total: usize,
}

pub struct ListDeliveries;

impl Operation for ListDeliveries {
    const ID: &'static str = "listDeliveries";
    const ABOUT: &'static str = "Lists the latest deliveries to a webhook, with every attempt.";
    const RETURNS: &'static str = "The deliveries";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such webhook")];

    type Request = DeliveryQuery;
    type Response = DeliveryList;

    async fn run(call: Call<'_>, query: DeliveryQuery) -> ServiceResult<DeliveryList> {
        let webhook = call.own_webhook(&query.webhook_id).await?;
        let found = call.service.store.deliveries(&webhook.id, query.limit.unwrap_or(LISTED)).await?;
        let deliveries: Vec<DeliveryInfo> = found.into_iter().map(DeliveryInfo::from).collect();
        Ok(DeliveryList { total: deliveries.len(), deliveries })
    }
}

impl From<Delivery> for DeliveryInfo {
    fn from(delivery: Delivery) -> Self {
        Self {
            delivery_id: delivery.id,
            event: delivery.event,
            job_id: delivery.render_id,
            status: match delivery.state {
                DeliveryState::Due | DeliveryState::Sending => DeliveryStatus::Pending,
                DeliveryState::Delivered => DeliveryStatus::Delivered,
                DeliveryState::Failed => DeliveryStatus::Failed,
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
