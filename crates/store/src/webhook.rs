//! Registered webhooks. Sending events to them is in `outbox`.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::event::EventName;
use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Result, Store, StoreError, Time};

/// The limit of active webhooks per account.
pub const ACTIVE_WEBHOOKS: u32 = 5;

/// How long a replaced secret still signs.
const SECRET_OVERLAP: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, Debug)]
pub struct Webhook {
    pub id: String,
    pub account_id: String,
    pub url: String,
    /// The signing secret, including its prefix `whsec_`.
    pub secret: String,
    /// The secret that was replaced; it also signs until then.
    pub old_secret: Option<(String, Time)>,
    pub events: Vec<EventName>,
    pub is_active: bool,
    pub created_at: Time,
}

/// What to change of a webhook. What is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct WebhookChange {
    pub url: Option<String>,
    pub events: Option<Vec<EventName>>,
    pub is_active: Option<bool>,
}

fn new_secret() -> String {
    format!("whsec_{}", id::secret(32))
}

/// Fails at the limit of active webhooks. The caller holds the account's lock.
async fn require_room(tx: &mut AnyConnection, account_id: &str) -> Result<()> {
    let active =
        sqlx::query("SELECT COUNT(*) AS active FROM webhook WHERE account_id = $1 AND is_active = 1")
            .bind(account_id.to_owned())
            .fetch_one(tx)
            .await?
            .count("active")?;
    if active >= ACTIVE_WEBHOOKS {
        return Err(StoreError::WebhookLimit { limit: ACTIVE_WEBHOOKS, active });
    }
    Ok(())
}

/// The place for which secrets are encrypted. It is the same for old ones, which a rotation moves to their column.
pub(crate) const SECRET: &str = "webhook.secret";

impl Store {
    pub(crate) fn unseal_webhook(&self, webhook_id: &str, sealed: Option<String>) -> Result<Option<String>> {
        sealed.map(|sealed| self.unseal(SECRET, webhook_id, &sealed)).transpose()
    }

    pub(crate) fn read_webhook(&self, row: &AnyRow) -> Result<Webhook> {
        let events: Vec<String> = serde_json::from_str(&row.text("events")?)?;
        let id = row.text("id")?;
        Ok(Webhook {
            account_id: row.text("account_id")?,
            url: row.text("url")?,
            secret: self.unseal(SECRET, &id, &row.text("secret")?)?,
            old_secret: self
                .unseal_webhook(&id, row.text_or_none("old_secret")?)?
                .zip(row.time_or_none("old_secret_until")?),
            // A newer version announces those that this one does not know.
            events: events.iter().filter_map(|event| EventName::parse(event)).collect(),
            is_active: row.flag("is_active")?,
            created_at: row.time("created_at")?,
            id,
        })
    }

    pub async fn create_webhook(&self, account_id: &str, url: &str, events: &[EventName]) -> Result<Webhook> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        require_room(&mut tx, &account.id).await?;
        let webhook = Webhook {
            id: id::new(Kind::Webhook),
            account_id: account.id,
            url: storable(url),
            secret: new_secret(),
            old_secret: None,
            events: events.to_vec(),
            is_active: true,
            created_at: self.now(),
        };
        sqlx::query(
            "INSERT INTO webhook (id, account_id, url, secret, events, is_active, failures, created_at) \
             VALUES ($1, $2, $3, $4, $5, 1, 0, $6)",
        )
        .bind(webhook.id.clone())
        .bind(webhook.account_id.clone())
        .bind(webhook.url.clone())
        .bind(self.seal(SECRET, &webhook.id, &webhook.secret)?)
        .bind(serde_json::to_string(events)?)
        .bind(webhook.created_at.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(webhook)
    }

    /// Oldest first.
    pub async fn webhooks(&self, account_id: &str) -> Result<Vec<Webhook>> {
        let rows = sqlx::query("SELECT * FROM webhook WHERE account_id = $1 ORDER BY id")
            .bind(storable(account_id))
            .fetch_all(self.reads())
            .await?;
        rows.iter().map(|row| self.read_webhook(row)).collect()
    }

    /// The webhook, if it belongs to the account.
    pub async fn webhook(&self, account_id: &str, webhook_id: &str) -> Result<Option<Webhook>> {
        let row = sqlx::query("SELECT * FROM webhook WHERE id = $1 AND account_id = $2")
            .bind(storable(webhook_id))
            .bind(storable(account_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| self.read_webhook(&row)).transpose()
    }

    /// Deletes the account's webhook with its deliveries. Returns false if there is no such webhook.
    pub async fn delete_webhook(&self, account_id: &str, webhook_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        // Under the account's lock, no ending render can add a delivery for this webhook.
        let account = self.lock_account(&mut tx, account_id).await?;
        let deleted = sqlx::query("DELETE FROM webhook WHERE id = $1 AND account_id = $2")
            .bind(storable(webhook_id))
            .bind(account.id)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Gives the account's webhook a new secret. The old one also signs for a day.
    pub async fn rotate_webhook_secret(&self, account_id: &str, webhook_id: &str) -> Result<Webhook> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "UPDATE webhook SET old_secret = secret, old_secret_until = $4, secret = $3 \
             WHERE id = $1 AND account_id = $2 RETURNING *",
        )
        .bind(storable(webhook_id))
        .bind(storable(account_id))
        .bind(self.seal(SECRET, &storable(webhook_id), &new_secret())?)
        .bind(self.now().plus(SECRET_OVERLAP).0)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::not_found("webhook", webhook_id))?;
        let webhook = self.read_webhook(&row)?;
        tx.commit().await?;
        Ok(webhook)
    }

    /// Reactivates a webhook of any account and resets its failure count.
    pub async fn reactivate_webhook(&self, webhook_id: &str) -> Result<Webhook> {
        let row = sqlx::query("SELECT account_id FROM webhook WHERE id = $1")
            .bind(storable(webhook_id))
            .fetch_optional(self.reads())
            .await?
            .ok_or_else(|| StoreError::not_found("webhook", webhook_id))?;
        let change = WebhookChange { is_active: Some(true), ..WebhookChange::default() };
        self.update_webhook(&row.text("account_id")?, webhook_id, &change).await
    }

    /// Changes the account's webhook. One that is made active, or gets another URL, starts without failures.
    pub async fn update_webhook(
        &self,
        account_id: &str,
        webhook_id: &str,
        change: &WebhookChange,
    ) -> Result<Webhook> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let row = sqlx::query("SELECT * FROM webhook WHERE id = $1 AND account_id = $2")
            .bind(storable(webhook_id))
            .bind(account.id.clone())
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| StoreError::not_found("webhook", webhook_id))?;
        let mut webhook = self.read_webhook(&row)?;
        if change.is_active == Some(true) && !webhook.is_active {
            require_room(&mut tx, &account.id).await?;
        }
        let starts_over = change.is_active == Some(true) || change.url.is_some();
        webhook.url = change.url.as_deref().map_or(webhook.url, storable);
        let events = change.events.as_ref().map(serde_json::to_string).transpose()?;
        webhook.events = change.events.clone().unwrap_or(webhook.events);
        webhook.is_active = change.is_active.unwrap_or(webhook.is_active);
        sqlx::query(
            "UPDATE webhook SET url = $2, events = COALESCE($3, events), is_active = $4, failures = CASE WHEN $5 = 1 THEN 0 ELSE failures END, \
             failing_since = CASE WHEN $5 = 1 THEN NULL ELSE failing_since END WHERE id = $1",
        )
        .bind(webhook.id.clone())
        .bind(webhook.url.clone())
        .bind(events)
        .bind(i64::from(webhook.is_active))
        .bind(i64::from(starts_over))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(webhook)
    }
}
