//! Batches: many renders that are created, paid for and reported together.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::LockedAccount;
use crate::event::{BatchEventData, EventName};
use crate::finish::Ending;
use crate::id::{self, Kind};
use crate::idempotency::Kept;
use crate::render::{PreparedRender, insert_render};
use crate::row::{Columns, storable};
use crate::{Credits, Render, Result, Store, StoreError, Time, ledger, release};

/// Renders that one transaction cancels: others must not wait long.
const CANCELLED_AT_ONCE: i64 = 100;

/// Renders to create together.
#[derive(Debug)]
pub struct NewBatch {
    pub id: String,
    pub account_id: String,
    pub template_id: Option<String>,
    pub project_id: Option<String>,
    pub metadata: Option<Value>,
    /// Called when all renders have ended.
    pub webhook_url: Option<String>,
    pub renders: Vec<PreparedRender>,
}

impl NewBatch {
    pub fn credits(&self) -> Credits {
        self.renders.iter().map(|render| render.new.credits).sum()
    }
}

/// The id of a new batch.
pub fn new_batch_id() -> String {
    id::new(Kind::Batch)
}

#[derive(Clone, Debug)]
pub struct Batch {
    pub id: String,
    pub account_id: String,
    pub template_id: Option<String>,
    pub project_id: Option<String>,
    pub total: u32,
    pub metadata: Option<Value>,
    pub webhook_url: Option<String>,
    pub created_at: Time,
    /// When its last render ended.
    pub completed_at: Option<Time>,
}

/// How many renders of a batch have which status, and what they amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchState {
    pub pending: u32,
    pub processing: u32,
    pub completed: u32,
    pub failed: u32,
    /// The mean of all renders, 0 to 100. One that has ended counts as 100.
    pub progress: u32,
    /// Held and settled.
    pub credits: Credits,
}

fn read_batch(row: &AnyRow) -> Result<Batch> {
    Ok(Batch {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        template_id: row.text_or_none("template_id")?,
        project_id: row.text_or_none("project_id")?,
        total: row.count("total")?,
        metadata: row.json_or_none("metadata")?,
        webhook_url: row.text_or_none("webhook_url")?,
        created_at: row.time("created_at")?,
        completed_at: row.time_or_none("completed_at")?,
    })
}

const STATE: &str = "SELECT COUNT(CASE WHEN status = 'PENDING' THEN 1 END) AS pending, \
     COUNT(CASE WHEN status = 'PROCESSING' THEN 1 END) AS processing, \
     COUNT(CASE WHEN status = 'COMPLETED' THEN 1 END) AS completed, \
     COUNT(CASE WHEN status = 'FAILED' THEN 1 END) AS failed, \
     CAST(COALESCE(SUM(CASE WHEN status IN ('COMPLETED', 'FAILED') THEN 100 ELSE progress END) / COUNT(*), 0) AS BIGINT) \
     AS progress, CAST(COALESCE(SUM(credits), 0) AS BIGINT) AS credits FROM render WHERE batch_id = $1";

fn read_state(row: &AnyRow) -> Result<BatchState> {
    Ok(BatchState {
        pending: row.count("pending")?,
        processing: row.count("processing")?,
        completed: row.count("completed")?,
        failed: row.count("failed")?,
        progress: row.count("progress")?,
        credits: row.credits("credits")?,
    })
}

impl Store {
    /// Creates all renders of a batch with their holds and tasks in one transaction, and stores the response of an
    /// idempotent request in it. If the balance does not cover all of them, none is created.
    pub async fn create_batch(&self, new: &NewBatch, kept: Option<Kept<'_>>) -> Result<()> {
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &new.account_id).await?;
        self.require_storage(&mut tx, &account, 1).await?;
        let total = i64::try_from(new.renders.len()).unwrap_or(i64::MAX);
        if new.renders.iter().any(|render| render.new.is_test) {
            self.require_test_renders(&mut tx, &account, total).await?;
        }
        sqlx::query(
            "INSERT INTO batch (id, account_id, template_id, project_id, total, unfinished, metadata, webhook_url, created_at) \
             VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)",
        )
        .bind(new.id.clone())
        .bind(account.id.clone())
        .bind(new.template_id.clone())
        .bind(new.project_id.clone())
        .bind(total)
        .bind(new.metadata.as_ref().map(Value::to_string))
        .bind(new.webhook_url.as_deref().map(storable))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        ledger::take(&mut tx, &account.id, new.credits()).await?;
        for (index, render) in (0..).zip(&new.renders) {
            let project_id = render.new.project_id.clone();
            insert_render(&mut tx, render, project_id, Some((&new.id, index)), now).await?;
        }
        ledger::note_holds(&mut tx, &new.id, now).await?;
        sqlx::query(
            "INSERT INTO task (render_id, account_id, state, fence, ready_at, attempts, crashes, failures, made_by) \
             SELECT id, account_id, 'waiting', 0, created_at, 0, 0, 0, CAST($2 AS BIGINT) FROM render WHERE batch_id = $1",
        )
        .bind(new.id.clone())
        .bind(release::number())
        .execute(&mut *tx)
        .await?;
        self.admit(&mut tx, &account).await?;
        if let Some(kept) = kept {
            kept.finish(self, &mut tx, &account.id).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// A batch of any account.
    pub async fn batch(&self, batch_id: &str) -> Result<Option<Batch>> {
        let row = sqlx::query("SELECT * FROM batch WHERE id = $1")
            .bind(storable(batch_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_batch).transpose()
    }

    pub async fn batch_state(&self, batch_id: &str) -> Result<BatchState> {
        read_state(&sqlx::query(STATE).bind(storable(batch_id)).fetch_one(self.reads()).await?)
    }

    /// Ends the renders of a batch that have not ended, as [`Store::cancel`] does. Returns their ids.
    pub async fn cancel_batch(&self, batch: &Batch) -> Result<Vec<String>> {
        let mut cancelled = Vec::new();
        loop {
            let mut tx = self.write().await?;
            let account = self.lock_account(&mut tx, &batch.account_id).await?;
            // The last ones first: those that wait are gone before the places of running ones become free.
            let rows = sqlx::query(
                "SELECT id FROM render WHERE batch_id = $1 AND status IN ('PENDING', 'PROCESSING') \
                 ORDER BY batch_index DESC LIMIT $2",
            )
            .bind(batch.id.clone())
            .bind(CANCELLED_AT_ONCE)
            .fetch_all(&mut *tx)
            .await?;
            if rows.is_empty() {
                return Ok(cancelled);
            }
            for row in &rows {
                let id = row.text("id")?;
                self.end(&mut tx, &account, &id, Ending::Failed("Cancelled")).await?;
                cancelled.push(id);
            }
            tx.commit().await?;
        }
    }

    /// Counts a render of a batch that has ended. The last one ends the batch.
    pub(crate) async fn count_ended(
        &self,
        tx: &mut AnyConnection,
        account: &LockedAccount,
        render: &Render,
        now: Time,
    ) -> Result<()> {
        let Some(batch_id) = &render.batch_id else { return Ok(()) };
        let row = sqlx::query(
            "UPDATE batch SET unfinished = unfinished - 1, completed_at = CASE WHEN unfinished = 1 THEN $2 END \
             WHERE id = $1 RETURNING *",
        )
        .bind(batch_id.clone())
        .bind(now.0)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::not_found("batch", batch_id))?;
        let batch = read_batch(&row)?;
        let Some(completed_at) = batch.completed_at else { return Ok(()) };
        let state = read_state(&sqlx::query(STATE).bind(batch_id.clone()).fetch_one(&mut *tx).await?)?;
        let data = BatchEventData::of(&batch, state, completed_at);
        self.announce(tx, &account.id, batch.webhook_url.as_deref(), EventName::BatchCompleted, None, &data)
            .await
    }
}
