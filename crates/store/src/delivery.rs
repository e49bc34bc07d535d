//! Webhook deliveries with their recorded attempts. How they are sent is in `outbox`.

use std::collections::HashMap;

use sqlx::any::AnyRow;

use crate::event::EventName;
use crate::row::{Columns, known, storable, text_enum};
use crate::{Result, Store, Time};

text_enum!(DeliveryState, "a delivery state", {
    Due = "due",
    Sending = "sending",
    Delivered = "delivered",
    Failed = "failed",
});

/// The result of an attempt: a response status, or an error.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub at: Time,
    pub status: Option<u16>,
    pub error: Option<String>,
    pub ms: u64,
    /// The start of the response body.
    pub response: Option<String>,
}

#[derive(Clone, Debug)]
pub struct RecordedAttempt {
    pub number: u32,
    pub attempt: Attempt,
}

#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    /// None for one-off callbacks.
    pub webhook_id: Option<String>,
    pub event: EventName,
    pub render_id: Option<String>,
    pub url: String,
    /// The request body.
    pub body: String,
    pub state: DeliveryState,
    pub created_at: Time,
    pub finished_at: Option<Time>,
    pub attempts: Vec<RecordedAttempt>,
}

impl Store {
    /// The latest deliveries of a webhook with their attempts, newest first.
    pub async fn deliveries(&self, webhook_id: &str, limit: u32) -> Result<Vec<Delivery>> {
        let rows = sqlx::query("SELECT * FROM delivery WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2")
            .bind(storable(webhook_id))
            .bind(i64::from(limit))
            .fetch_all(self.reads())
            .await?;
        let mut deliveries = known(rows.iter().map(read_delivery))?;
        let Some(oldest) = deliveries.last() else { return Ok(deliveries) };
        let attempts = sqlx::query(
            "SELECT delivery_attempt.* FROM delivery JOIN delivery_attempt ON delivery_attempt.delivery_id = delivery.id \
             WHERE delivery.webhook_id = $1 AND delivery.id >= $2 ORDER BY delivery.id, delivery_attempt.number",
        )
        .bind(storable(webhook_id))
        .bind(oldest.id.clone())
        .fetch_all(self.reads())
        .await?;
        let mut by_delivery: HashMap<String, Vec<RecordedAttempt>> = HashMap::new();
        for row in &attempts {
            by_delivery.entry(row.text("delivery_id")?).or_default().push(read_attempt(row)?);
        }
        for delivery in &mut deliveries {
            delivery.attempts = by_delivery.remove(&delivery.id).unwrap_or_default();
        }
        Ok(deliveries)
    }

    /// The deliveries of the events of a render with their attempts, newest first.
    pub async fn deliveries_of_render(&self, render_id: &str) -> Result<Vec<Delivery>> {
        let rows = sqlx::query("SELECT id FROM delivery WHERE render_id = $1 ORDER BY id DESC LIMIT 20")
            .bind(storable(render_id))
            .fetch_all(self.reads())
            .await?;
        let mut deliveries = Vec::with_capacity(rows.len());
        for row in &rows {
            deliveries.push(self.delivery(&row.text("id")?).await);
        }
        Ok(known(deliveries)?.into_iter().flatten().collect())
    }

    /// A delivery of any account, with its attempts.
    pub async fn delivery(&self, delivery_id: &str) -> Result<Option<Delivery>> {
        let row = sqlx::query("SELECT * FROM delivery WHERE id = $1")
            .bind(storable(delivery_id))
            .fetch_optional(self.reads())
            .await?;
        let Some(row) = row else { return Ok(None) };
        let attempts = sqlx::query("SELECT * FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number")
            .bind(storable(delivery_id))
            .fetch_all(self.reads())
            .await?;
        let attempts = attempts.iter().map(read_attempt).collect::<Result<_>>()?;
        Ok(Some(Delivery { attempts, ..read_delivery(&row)? }))
    }
}

/// A delivery without its attempts.
fn read_delivery(row: &AnyRow) -> Result<Delivery> {
    Ok(Delivery {
        id: row.text("id")?,
        webhook_id: row.text_or_none("webhook_id")?,
        event: EventName::stored(row.text("event")?)?,
        render_id: row.text_or_none("render_id")?,
        url: row.text("url")?,
        body: row.text("body")?,
        state: DeliveryState::stored(row.text("state")?)?,
        created_at: row.time("created_at")?,
        finished_at: row.time_or_none("finished_at")?,
        attempts: Vec::new(),
    })
}

fn read_attempt(row: &AnyRow) -> Result<RecordedAttempt> {
    Ok(RecordedAttempt {
        number: row.count("number")?,
        attempt: Attempt {
            at: row.time("at")?,
            status: row.int_or_none("status")?.and_then(|status| u16::try_from(status).ok()),
            error: row.text_or_none("error")?,
            ms: row.int("ms")?.unsigned_abs(),
            response: row.text_or_none("response")?,
        },
    })
}
