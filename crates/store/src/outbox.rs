//! The outbox: webhook events are written in the transaction of the change they report, and sent under a lease. Each
//! attempt is recorded.
//!
//! A delivery whose sender disappeared becomes due again under the same id.

use std::time::Duration;

use serde::Serialize;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::locking;
use crate::delivery::{Attempt, DeliveryState};
use crate::event::{self, EventName};
use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::time::DAY_MS;
use crate::webhook::Webhook;
use crate::{Result, Store, StoreError, Time};

/// A webhook is deactivated after this many failed deliveries in a row …
const FAILURES_BEFORE_DEACTIVATION: i64 = 20;
/// … if the first of them is at least this long ago, in milliseconds.
const FAILING_BEFORE_DEACTIVATION: i64 = 5 * DAY_MS;

/// A claimed delivery.
#[derive(Clone, Debug)]
pub struct DueDelivery {
    pub id: String,
    /// None for one-off callbacks, which also have no secret.
    pub webhook_id: Option<String>,
    pub secret: Option<String>,
    /// The replaced secret of a webhook while it still signs.
    pub old_secret: Option<String>,
    pub url: String,
    /// The exact bytes to send and sign.
    pub body: String,
    /// 1 for the first attempt.
    pub attempt: u32,
    due_at: Time,
    fence: i64,
}

/// What happens to a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    RetryAt(Time),
    Failed,
}

impl Store {
    /// Adds a delivery for each active webhook of the account that subscribes to the event, and for the one-off
    /// callback of the render or batch.
    pub(crate) async fn announce(
        &self,
        tx: &mut AnyConnection,
        account_id: &str,
        callback: Option<&str>,
        event: EventName,
        render_id: Option<&str>,
        data: &impl Serialize,
    ) -> Result<()> {
        let rows = sqlx::query("SELECT * FROM webhook WHERE account_id = $1 AND is_active = 1 ORDER BY id")
            .bind(account_id.to_owned())
            .fetch_all(&mut *tx)
            .await?;
        for row in &rows {
            let webhook = self.read_webhook(row)?;
            if webhook.events.contains(&event) {
                self.enqueue(tx, account_id, Target::Webhook(&webhook), event, render_id, data).await?;
            }
        }
        if let Some(url) = callback {
            self.enqueue(tx, account_id, Target::Callback(url), event, render_id, data).await?;
        }
        Ok(())
    }

    /// Adds a test delivery for one webhook. Returns its id.
    pub async fn enqueue_test(
        &self,
        webhook: &Webhook,
        event: EventName,
        render_id: Option<&str>,
        data: &impl Serialize,
    ) -> Result<String> {
        let mut tx = self.write().await?;
        let target = Target::Webhook(webhook);
        let id = self.enqueue(&mut tx, &webhook.account_id, target, event, render_id, data).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Sends the event of an earlier delivery again, as a new delivery to the webhook's current URL. Returns the new
    /// id.
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
        .bind(storable(delivery_id))
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
        render_id: Option<&str>,
        data: &impl Serialize,
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
        .bind(render_id.map(str::to_owned))
        .bind(event.as_str())
        .bind(url)
        .bind(event::body(event, named_id, now, data)?)
        .bind(now.0)
        .execute(tx)
        .await?;
        Ok(delivery_id)
    }

    /// Claims up to `limit` due deliveries for the duration `lease`, oldest first.
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
        let claimed = sqlx::query(locking!(
            self,
            "WITH chosen AS MATERIALIZED (SELECT id FROM delivery WHERE state = 'due' AND due_at <= $1 \
             ORDER BY due_at, id LIMIT $2",
            "FOR UPDATE SKIP LOCKED",
            ") UPDATE delivery SET state = 'sending', fence = fence + 1, owner = $3, lease_until = $4 \
             WHERE id IN (SELECT id FROM chosen) \
             RETURNING id, webhook_id, url, body, attempts, fence, due_at, \
             (SELECT secret FROM webhook WHERE webhook.id = delivery.webhook_id) AS secret, \
             (SELECT old_secret FROM webhook WHERE webhook.id = delivery.webhook_id AND old_secret_until > $1) \
             AS old_secret"
        ))
        .bind(now.0)
        .bind(i64::from(limit))
        .bind(self.process().token().to_owned())
        .bind(now.plus(lease).0)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        let mut deliveries: Vec<DueDelivery> =
            claimed.iter().map(|row| self.read_due(row)).collect::<Result<_>>()?;
        deliveries.sort_by(|one, other| (one.due_at, &one.id).cmp(&(other.due_at, &other.id)));
        Ok(deliveries)
    }

    /// Records an attempt and its outcome. Deactivates a webhook that has failed for too long.
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
        // Lock order: the webhook before its delivery, as when a webhook is deleted.
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
        .bind(attempt.error.as_deref().map(storable))
        .bind(attempt.ms.cast_signed())
        .bind(attempt.response.as_deref().map(storable))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    fn read_due(&self, row: &AnyRow) -> Result<DueDelivery> {
        let webhook_id = row.text_or_none("webhook_id")?;
        let id = webhook_id.as_deref().unwrap_or_default();
        let secret = self.unseal_webhook(id, row.text_or_none("secret")?)?;
        let old_secret = self.unseal_webhook(id, row.text_or_none("old_secret")?)?;
        Ok(DueDelivery {
            id: row.text("id")?,
            webhook_id,
            secret,
            old_secret,
            url: row.text("url")?,
            body: row.text("body")?,
            attempt: row.count("attempts")? + 1,
            due_at: row.time("due_at")?,
            fence: row.int("fence")?,
        })
    }

    /// Makes deliveries due again if their lease expired or their sender's process has ended.
    async fn return_abandoned_deliveries(&self, now: Time) -> Result<()> {
        let sending =
            sqlx::query("SELECT id, fence, owner, lease_until FROM delivery WHERE state = 'sending'")
                .fetch_all(self.reads())
                .await?;
        let mut abandoned = Vec::new();
        for row in sending {
            let gone = row.text_or_none("owner")?.is_some_and(|owner| self.process().is_gone(&owner));
            if gone || row.time("lease_until")? < now {
                abandoned.push((row.text("id")?, row.int("fence")?));
            }
        }
        if abandoned.is_empty() {
            return Ok(());
        }
        // Sorted by id, so that two processes doing this cannot deadlock.
        abandoned.sort();
        let mut tx = self.write().await?;
        for (id, fence) in abandoned {
            sqlx::query(
                "UPDATE delivery SET state = 'due', owner = NULL, lease_until = NULL \
                 WHERE id = $1 AND fence = $2 AND state = 'sending'",
            )
            .bind(id)
            .bind(fence)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

enum Target<'a> {
    Webhook(&'a Webhook),
    Callback(&'a str),
}
