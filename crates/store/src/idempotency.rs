//! Idempotency keys: one response per account and key for a day, also across a crash.

use sqlx::AnyConnection;

use crate::database::locking;
use crate::row::{Columns, storable};
use crate::time::DAY_MS;
use crate::{Result, Store, StoreError};

/// A request of another process counts as lost after this time.
const ABANDONED_AFTER_MS: i64 = 120_000;

/// How to proceed with a request that has an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The request is the first with this key, or the previous one was lost or rejected. Process it, then finish or
    /// abandon the key.
    Fresh,
    /// The first request is still being processed.
    Running,
    /// The stored response of the first request.
    Replay(Answer),
    /// The key was used for a different request.
    Reused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// A claimed key and the response to store in the same transaction.
pub struct Kept<'a> {
    pub key: &'a str,
    pub answer: &'a Answer,
}

impl Store {
    pub async fn begin_idempotent(&self, account_id: &str, key: &str, fingerprint: &str) -> Result<Begin> {
        let now = self.now();
        let (account_id, key) = (storable(account_id), storable(key));
        let mut tx = self.write().await?;
        let inserted = sqlx::query(
            "INSERT INTO idempotency (account_id, key, fingerprint, owner, started_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (account_id, key) DO NOTHING",
        )
        .bind(account_id.clone())
        .bind(key.clone())
        .bind(fingerprint.to_owned())
        .bind(self.process().token().to_owned())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        if inserted.rows_affected() == 1 {
            tx.commit().await?;
            return Ok(Begin::Fresh);
        }
        let row = sqlx::query(locking!(
            self,
            "SELECT fingerprint, owner, started_at, status, body FROM idempotency WHERE account_id = $1 AND key = $2",
            "FOR UPDATE"
        ))
        .bind(account_id.clone())
        .bind(key.clone())
        .fetch_optional(&mut *tx)
        .await?;
        // Abandoned since the insert. The client retries and then claims the key.
        let Some(row) = row else { return Ok(Begin::Running) };
        let age = now.0 - row.int("started_at")?;
        let answer = match (row.int_or_none("status")?, row.text_or_none("body")?) {
            (Some(status), Some(sealed)) => Some(Answer {
                status: u16::try_from(status).unwrap_or(200),
                body: self.unseal("idempotency.body", &row_id(&account_id, &key), &sealed)?,
            }),
            _ => None,
        };
        let owner = row.text("owner")?;
        let is_own = owner == self.process().token();
        let abandoned = age >= ABANDONED_AFTER_MS && !is_own;
        let lost = answer.is_none() && (abandoned || self.process().is_gone(&owner));
        if age < DAY_MS && !lost {
            tx.commit().await?;
            if row.text("fingerprint")? != fingerprint {
                return Ok(Begin::Reused);
            }
            return Ok(answer.map_or(Begin::Running, Begin::Replay));
        }
        sqlx::query(
            "UPDATE idempotency SET fingerprint = $3, owner = $4, started_at = $5, status = NULL, body = NULL \
             WHERE account_id = $1 AND key = $2",
        )
        .bind(account_id)
        .bind(key)
        .bind(fingerprint.to_owned())
        .bind(self.process().token().to_owned())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Begin::Fresh)
    }

    /// Stores the response of a request. Operations that move credits store theirs in their own transaction.
    pub async fn finish_idempotent(&self, account_id: &str, key: &str, answer: &Answer) -> Result<()> {
        let mut tx = self.write().await?;
        finish(self, &mut tx, account_id, key, answer).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Releases the key of a rejected request, so that it can be used again.
    pub async fn abandon_idempotent(&self, account_id: &str, key: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "DELETE FROM idempotency WHERE account_id = $1 AND key = $2 AND owner = $3 AND status IS NULL",
        )
        .bind(storable(account_id))
        .bind(storable(key))
        .bind(self.process().token().to_owned())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Kept<'_> {
    /// Stores the response. Fails if the key was lost, and with it the transaction.
    pub(crate) async fn finish(self, store: &Store, tx: &mut AnyConnection, account_id: &str) -> Result<()> {
        finish(store, tx, account_id, self.key, self.answer).await
    }
}

/// How a row is named when its response is encrypted: responses can contain secrets, such as those of webhooks.
fn row_id(account_id: &str, key: &str) -> String {
    format!("{account_id}/{key}")
}

pub(crate) async fn finish(
    store: &Store,
    tx: &mut AnyConnection,
    account_id: &str,
    key: &str,
    answer: &Answer,
) -> Result<()> {
    let (account_id, key) = (storable(account_id), storable(key));
    let sealed = store.seal("idempotency.body", &row_id(&account_id, &key), &answer.body)?;
    let updated = sqlx::query(
        "UPDATE idempotency SET status = $4, body = $5 \
         WHERE account_id = $1 AND key = $2 AND owner = $3 AND status IS NULL",
    )
    .bind(account_id)
    .bind(key)
    .bind(store.process().token().to_owned())
    .bind(i64::from(answer.status))
    .bind(sealed)
    .execute(tx)
    .await?;
    if updated.rows_affected() == 0 {
        return Err(StoreError::LostIdempotencyKey);
    }
    Ok(())
}
