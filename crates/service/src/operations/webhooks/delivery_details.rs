//! A delivery with its payload.

use rondo_store::{Delivery, EventName, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::EventChoice;

/// A delivery with its payload and attempts.
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
    /// The payload.
    #[schema(value_type = Object)]
    body: Value,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    finished_at: Option<Time>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptDetails {
    number: u32,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// Null where there was no response.
    #[schema(required = true)]
    status: Option<u16>,
    #[schema(required = true)]
    error: Option<String>,
    ms: u64,
    /// The beginning of the response.
    #[schema(required = true)]
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
