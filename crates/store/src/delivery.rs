//! The outbox of webhook events: written with the change they tell of, sent under a lease, every attempt recorded.
//!
//! A delivery whose sender disappeared is due again under the same id.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::locking;
use crate::event::{self, EventData, EventName};
use crate::id::{self, Kind};
use crate::row::{Columns, named, plain};
use crate::time::DAY_MS;
use crate::webhook::{Webhook, read_webhook};
use crate::{Render, Result, Store, StoreError, Time};

/// A webhook is switched off after this many failed deliveries in a row …
const FAILURES_BEFORE_DEACTIVATION: i64 = 20;
/// … when the first of them is this long ago.
const FAILING_BEFORE_DEACTIVATION: i64 = 5 * DAY_MS;

named!(DeliveryState, "a delivery state", {
    Due = "due",
    Sending = "sending",
    Delivered = "delivered",
    Failed = "failed",
});

/// A delivery to be sent now.
#[derive(Clone, Debug)]
pub struct DueDelivery {
    pub id: String,
    /// None for one-off callbacks, which have no secret either.
    pub webhook_id: Option<String>,
    pub secret: Option<String>,
    pub event: EventName,
    pub url: String,
    /// Exactly what is sent and signed.
    pub body: String,
    /// 1 for the first attempt.
    pub attempt: u32,
    fence: i64,
}

/// How an attempt went: a status, or what kept it from having one.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub at: Time,
    pub status: Option<u16>,
    pub error: Option<String>,
    pub ms: u64,
    /// The beginning of the answer.
    pub response: Option<String>,
}

/// What follows from an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    RetryAt(Time),
    Failed,
}

#[derive(Clone, Debug)]
pub struct RecordedAttempt {
    pub number: u32,
    pub attempt: Attempt,
}

#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    pub event: EventName,
    pub render_id: Option<String>,
    pub url: String,
    /// What is sent.
    pub body: String,
    pub state: DeliveryState,
    pub created_at: Time,
    pub finished_at: Option<Time>,
    pub attempts: Vec<RecordedAttempt>,
}

impl Store {
    /// Puts the event into the outbox for every active webhook of the account that wants it, and for the render's
    /// one-off callback.
    pub(crate) async fn announce(
        &self,
        tx: &mut AnyConnection,
        account_id: &str,
        render: &Render,
        event: EventName,
        data: &EventData,
    ) -> Result<()> {
        let rows = sqlx::query("SELECT * FROM webhook WHERE account_id = $1 AND is_active = 1 ORDER BY id")
            .bind(account_id.to_owned())
            .fetch_all(&mut *tx)
            .await?;
        for row in &rows {
            let webhook = read_webhook(row)?;
            if webhook.events.contains(&event) {
                self.enqueue(tx, account_id, Target::Webhook(&webhook), event, data).await?;
            }
        }
        if let Some(url) = &render.webhook_url {
            self.enqueue(tx, account_id, Target::Callback(url), event, data).await?;
        }
        Ok(())
    }

    /// Puts an event into the outbox of one webhook, to try it out. Returns the delivery's id.
    pub async fn enqueue_test(
        &self,
        webhook: &Webhook,
        event: EventName,
        data: &EventData,
    ) -> Result<String> {
        let mut tx = self.write().await?;
        let id = self.enqueue(&mut tx, &webhook.account_id, Target::Webhook(webhook), event, data).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Sends what a delivery of the account's webhook sent once more, as a delivery of its own, to where the webhook is
    /// now. Returns the new delivery's id.
    pub async fn replay_delivery(&self, account_id: &str, delivery_id: &str) -> Result<String> {
        let now = self.now();
        let unknown = || StoreError::not_found("delivery", delivery_id);
        let replay_id = id::new(Kind::Delivery);
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let row = sqlx::query(
            "SELECT delivery.webhook_id, delivery.render_id, delivery.event, delivery.body, webhook.url FROM delivery \
             JOIN webhook ON webhook.id = delivery.webhook_id WHERE delivery.id = $1 AND delivery.account_id = $2",
        )
        .bind(plain(delivery_id))
        .bind(account.id.clone())
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(unknown)?;
        let mut body = row.json("body")?;
        if let Some(fields) = body.as_object_mut() {
            fields.insert("deliveryId".into(), replay_id.clone().into());
            fields.insert("timestamp".into(), now.rfc3339().into());
        }
        sqlx::query(
            "INSERT INTO delivery (id, account_id, webhook_id, render_id, event, url, body, state, fence, due_at, \
             attempts, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'due', 0, $8, 0, $8)",
        )
        .bind(replay_id.clone())
        .bind(account.id)
        .bind(row.text("webhook_id")?)
        .bind(row.text_or_none("render_id")?)
        .bind(row.text("event")?)
        .bind(row.text("url")?)
        .bind(body.to_string())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(replay_id)
    }

    async fn enqueue(
        &self,
        tx: &mut AnyConnection,
        account_id: &str,
        target: Target<'_>,
        event: EventName,
        data: &EventData,
    ) -> Result<String> {
        let now = self.now();
        let delivery_id = id::new(Kind::Delivery);
        let (webhook_id, url, named_id) = match target {
            Target::Webhook(webhook) => {
                (Some(webhook.id.clone()), webhook.url.clone(), Some(delivery_id.as_str()))
            }
            Target::Callback(url) => (None, url.to_owned(), None),
        };
        sqlx::query(
            "INSERT INTO delivery (id, account_id, webhook_id, render_id, event, url, body, state, fence, due_at, \
             attempts, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'due', 0, $8, 0, $8)",
        )
        .bind(delivery_id.clone())
        .bind(account_id.to_owned())
        .bind(webhook_id)
        .bind(data.job_id.clone())
        .bind(event.as_str())
        .bind(url)
        .bind(event::body(event, named_id, now, data)?)
        .bind(now.0)
        .execute(tx)
        .await?;
        Ok(delivery_id)
    }

    /// Takes up to `limit` deliveries that are due, for `lease`.
    pub async fn claim_deliveries(&self, limit: u32, lease: Duration) -> Result<Vec<DueDelivery>> {
        let now = self.now();
        self.return_abandoned_deliveries(now).await?;
        let due = sqlx::query("SELECT 1 AS due FROM delivery WHERE state = 'due' AND due_at <= $1 LIMIT 1")
            .bind(now.0)
            .fetch_optional(self.reads())
            .await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let mut tx = self.write().await?;
        let chosen = sqlx::query(locking!(
            self,
            "SELECT id FROM delivery WHERE state = 'due' AND due_at <= $1 ORDER BY due_at, id LIMIT $2",
            "FOR UPDATE SKIP LOCKED"
        ))
        .bind(now.0)
        .bind(i64::from(limit))
        .fetch_all(&mut *tx)
        .await?;
        let mut deliveries = Vec::with_capacity(chosen.len());
        for row in chosen {
            let delivery_id = row.text("id")?;
            sqlx::query(
                "UPDATE delivery SET state = 'sending', fence = fence + 1, owner = $2, lease_until = $3 WHERE id = $1",
            )
            .bind(delivery_id.clone())
            .bind(self.process().token().to_owned())
            .bind(now.plus(lease).0)
            .execute(&mut *tx)
            .await?;
            let row = sqlx::query(
                "SELECT delivery.id, delivery.webhook_id, delivery.event, delivery.url, delivery.body, \
                 delivery.attempts, delivery.fence, webhook.secret FROM delivery \
                 LEFT JOIN webhook ON webhook.id = delivery.webhook_id WHERE delivery.id = $1",
            )
            .bind(delivery_id)
            .fetch_one(&mut *tx)
            .await?;
            deliveries.push(read_due(&row)?);
        }
        tx.commit().await?;
        Ok(deliveries)
    }

    /// Records an attempt and what follows from it. A webhook that has failed for long enough is deactivated.
    pub async fn record_attempt(
        &self,
        delivery: &DueDelivery,
        attempt: &Attempt,
        outcome: Outcome,
    ) -> Result<()> {
        let now = self.now();
        let (state, due_at) = match outcome {
            Outcome::Delivered => (DeliveryState::Delivered, now),
            Outcome::Failed => (DeliveryState::Failed, now),
            Outcome::RetryAt(at) => (DeliveryState::Due, at),
        };
        let finished = (state != DeliveryState::Due).then_some(now.0);
        let mut tx = self.write().await?;
        // The webhook before its delivery, as deleting a webhook does.
        match (&delivery.webhook_id, outcome) {
            (Some(webhook_id), Outcome::Delivered) => {
                sqlx::query(
                    "UPDATE webhook SET failures = 0, failing_since = NULL WHERE id = $1 AND failures > 0",
                )
                .bind(webhook_id.clone())
                .execute(&mut *tx)
                .await?;
            }
            (Some(webhook_id), Outcome::Failed) => {
                sqlx::query(
                    "UPDATE webhook SET failures = failures + 1, failing_since = COALESCE(failing_since, $2), \
                     is_active = CASE WHEN failures + 1 >= $3 AND COALESCE(failing_since, $2) <= $4 THEN 0 \
                     ELSE is_active END WHERE id = $1",
                )
                .bind(webhook_id.clone())
                .bind(now.0)
                .bind(FAILURES_BEFORE_DEACTIVATION)
                .bind(now.0 - FAILING_BEFORE_DEACTIVATION)
                .execute(&mut *tx)
                .await?;
            }
            _ => {}
        }
        let row = sqlx::query(
            "UPDATE delivery SET state = $3, due_at = $4, attempts = attempts + 1, finished_at = $5, owner = NULL, \
             lease_until = NULL WHERE id = $1 AND fence = $2 AND state = 'sending' RETURNING attempts",
        )
        .bind(delivery.id.clone())
        .bind(delivery.fence)
        .bind(state.as_str())
        .bind(due_at.0)
        .bind(finished)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::lost(&delivery.id))?;
        sqlx::query(
            "INSERT INTO delivery_attempt (delivery_id, number, at, status, error, ms, response) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(delivery.id.clone())
        .bind(row.int("attempts")?)
        .bind(attempt.at.0)
        .bind(attempt.status.map(i64::from))
        .bind(attempt.error.as_deref().map(plain))
        .bind(attempt.ms.cast_signed())
        .bind(attempt.response.as_deref().map(plain))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The latest deliveries of a webhook with their attempts, newest first.
    pub async fn deliveries(&self, webhook_id: &str, limit: u32) -> Result<Vec<Delivery>> {
        let rows = sqlx::query("SELECT * FROM delivery WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2")
            .bind(plain(webhook_id))
            .bind(i64::from(limit))
            .fetch_all(self.reads())
            .await?;
        let mut deliveries = Vec::with_capacity(rows.len());
        for row in &rows {
            deliveries.push(self.read_delivery(row).await?);
        }
        Ok(deliveries)
    }

    /// A delivery with its attempts, whoever's webhook it goes to.
    pub async fn delivery(&self, delivery_id: &str) -> Result<Option<Delivery>> {
        let row = sqlx::query("SELECT * FROM delivery WHERE id = $1")
            .bind(plain(delivery_id))
            .fetch_optional(self.reads())
            .await?;
        match row {
            Some(row) => self.read_delivery(&row).await.map(Some),
            None => Ok(None),
        }
    }

    async fn read_delivery(&self, row: &AnyRow) -> Result<Delivery> {
        let id = row.text("id")?;
        let attempts = sqlx::query("SELECT * FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number")
            .bind(id.clone())
            .fetch_all(self.reads())
            .await?;
        Ok(Delivery {
            id,
            event: EventName::stored(row.text("event")?)?,
            render_id: row.text_or_none("render_id")?,
            url: row.text("url")?,
            body: row.text("body")?,
            state: DeliveryState::stored(row.text("state")?)?,
            created_at: row.time("created_at")?,
            finished_at: row.time_or_none("finished_at")?,
            attempts: attempts.iter().map(read_attempt).collect::<Result<_>>()?,
        })
    }

    /// Makes deliveries due again whose sender's lease ran out or whose process has ended.
    async fn return_abandoned_deliveries(&self, now: Time) -> Result<()> {
        let sending =
            sqlx::query("SELECT id, fence, owner, lease_until FROM delivery WHERE state = 'sending'")
                .fetch_all(self.reads())
                .await?;
        for row in sending {
            let gone = row.text_or_none("owner")?.is_some_and(|owner| self.process().is_gone(&owner));
            if row.time("lease_until")? >= now && !gone {
                continue;
            }
            let mut tx = self.write().await?;
            sqlx::query(
                "UPDATE delivery SET state = 'due', owner = NULL, lease_until = NULL \
                 WHERE id = $1 AND fence = $2 AND state = 'sending'",
            )
            .bind(row.text("id")?)
            .bind(row.int("fence")?)
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
        }
        Ok(())
    }
}

enum Target<'a> {
    Webhook(&'a Webhook),
    Callback(&'a str),
}

fn read_due(row: &AnyRow) -> Result<DueDelivery> {
    Ok(DueDelivery {
        id: row.text("id")?,
        webhook_id: row.text_or_none("webhook_id")?,
        secret: row.text_or_none("secret")?,
        event: EventName::stored(row.text("event")?)?,
        url: row.text("url")?,
        body: row.text("body")?,
        attempt: row.count("attempts")? + 1,
        fence: row.int("fence")?,
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
