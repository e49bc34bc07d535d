//! The outbox of copies: a film with a destination is copied there after its render has completed. The row is written in the
//! transaction that completes the render, and worked on under a lease.
//!
//! A copy whose process disappeared becomes due again. Files that were copied are not copied again.

use std::time::Duration;

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::locking;
use crate::destination::{CREDENTIALS, Destination, read_destination};
use crate::render::read_outputs;
use crate::row::{Columns, storable, text_enum};
use crate::{Render, Result, Store, StoreError, Time};

text_enum!(CopyState, "a state of a copy", {
    Due = "due",
    Copying = "copying",
    Copied = "copied",
    Failed = "failed",
});

/// Copies of one account under way at a time: a slow bucket must not hold up those of others.
const AT_ONCE_PER_ACCOUNT: i64 = 2;

/// How long copies are tried, from the end of the render.
pub const COPY_PATIENCE: Duration = Duration::from_secs(24 * 3600);
/// Longest attempt.
const ATTEMPT: Duration = Duration::from_secs(2 * 3600);

const GIVEN_UP: &str = "The film was not copied: no attempt came to an end.";
const UNREADABLE: &str = "The film was not copied: the destination cannot be read.";
const DELETED: &str = "The destination was deleted.";
pub(crate) const FILES_DELETED: &str = "The files of the render were deleted before they were copied.";

/// The copy of a render, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderCopy {
    pub state: CopyState,
    /// The copies that were made, in the order of the files of the render.
    pub urls: Vec<String>,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

/// A claimed copy.
#[derive(Clone)]
pub struct DueCopy {
    pub render_id: String,
    pub destination: Destination,
    /// As they were given to [`Store::create_destination`].
    pub credentials: Value,
    /// The names of the files of the render.
    pub files: Vec<String>,
    /// The copies of the first of them, which earlier attempts made.
    pub urls: Vec<String>,
    /// Segments of the next one, if it is a playlist, that earlier attempts copied: the first so many.
    pub segments: u32,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// When the render completed.
    pub created_at: Time,
    fence: i64,
}

/// What happens to a copy after an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyOutcome {
    Copied,
    RetryAt(Time, String),
    Failed(String),
}

pub(crate) fn read_copy(row: &AnyRow) -> Result<Option<RenderCopy>> {
    let Some(state) = row.text_or_none("copy_state")? else { return Ok(None) };
    let urls = row.text_or_none("copy_urls")?.unwrap_or_default();
    Ok(Some(RenderCopy {
        state: CopyState::stored(state)?,
        urls: serde_json::from_str(&urls)?,
        error: row.text_or_none("copy_error")?,
    }))
}

/// Fails the copies to a destination that are not made yet.
pub(crate) async fn fail_copies_to(tx: &mut AnyConnection, destination_id: &str, now: Time) -> Result<()> {
    sqlx::query(
        "UPDATE render_copy SET state = 'failed', error = $2, finished_at = $3, owner = NULL, lease_until = NULL \
         WHERE destination_id = $1 AND state IN ('due', 'copying')",
    )
    .bind(destination_id.to_owned())
    .bind(DELETED)
    .bind(now.0)
    .execute(tx)
    .await?;
    Ok(())
}

/// Fails the copy of a render whose files are deleted, if it is not made yet.
pub(crate) async fn fail_copy_of(
    tx: &mut AnyConnection,
    render_id: &str,
    reason: &str,
    now: Time,
) -> Result<()> {
    sqlx::query(
        "UPDATE render_copy SET state = 'failed', error = $2, finished_at = $3, owner = NULL, lease_until = NULL \
         WHERE render_id = $1 AND state IN ('due', 'copying')",
    )
    .bind(render_id.to_owned())
    .bind(reason.to_owned())
    .bind(now.0)
    .execute(tx)
    .await?;
    Ok(())
}

impl Store {
    /// Adds the copy of a completed render that names a destination. The caller holds the account's lock.
    pub(crate) async fn enqueue_copy(
        &self,
        tx: &mut AnyConnection,
        render: &Render,
        now: Time,
    ) -> Result<Option<RenderCopy>> {
        let Some(name) = render.destination() else { return Ok(None) };
        let row = sqlx::query("SELECT id FROM destination WHERE account_id = $1 AND name = $2")
            .bind(render.account_id.clone())
            .bind(storable(name))
            .fetch_optional(&mut *tx)
            .await?;
        let destination_id = row.map(|row| row.text("id")).transpose()?;
        let copy = match destination_id {
            Some(_) => RenderCopy { state: CopyState::Due, urls: Vec::new(), error: None },
            None => {
                RenderCopy { state: CopyState::Failed, urls: Vec::new(), error: Some(DELETED.to_owned()) }
            }
        };
        sqlx::query(
            "INSERT INTO render_copy (render_id, account_id, destination_id, state, fence, due_at, attempts, urls, \
             error, created_at, finished_at) VALUES ($1, $2, $3, $4, 0, $5, 0, '[]', $6, $5, $7)",
        )
        .bind(render.id.clone())
        .bind(render.account_id.clone())
        .bind(destination_id)
        .bind(copy.state.as_str())
        .bind(now.0)
        .bind(copy.error.clone())
        .bind((copy.state == CopyState::Failed).then_some(now.0))
        .execute(tx)
        .await?;
        Ok(Some(copy))
    }

    /// Claims the copy that is due longest for the duration `lease`.
    pub async fn claim_copy(&self, lease: Duration) -> Result<Option<DueCopy>> {
        let now = self.now();
        self.return_abandoned_copies(now).await?;
        let due =
            sqlx::query("SELECT 1 AS due FROM render_copy WHERE state = 'due' AND due_at <= $1 LIMIT 1")
                .bind(now.0)
                .fetch_optional(self.reads())
                .await?;
        if due.is_none() {
            return Ok(None);
        }
        let mut tx = self.write().await?;
        let claimed = sqlx::query(locking!(
            self,
            "WITH chosen AS MATERIALIZED (SELECT render_id FROM render_copy WHERE state = 'due' AND due_at <= $1 \
             AND (SELECT COUNT(*) FROM render_copy AS other WHERE other.account_id = render_copy.account_id \
             AND other.state = 'copying') < $2 ORDER BY attempts, due_at, render_id LIMIT 1",
            "FOR UPDATE SKIP LOCKED",
            ") UPDATE render_copy SET state = 'copying', fence = fence + 1, attempts = attempts + 1, owner = $3, \
             lease_until = $4 WHERE render_id IN (SELECT render_id FROM chosen) \
             RETURNING render_id, destination_id, urls, segments, attempts, fence, created_at"
        ))
        .bind(now.0)
        .bind(AT_ONCE_PER_ACCOUNT)
        .bind(self.process().token().to_owned())
        .bind(now.plus(lease).0)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(claimed) = claimed else { return Ok(None) };
        let render_id = claimed.text("render_id")?;
        // One that never came to an end, because it ended its process, would be tried for ever.
        let is_over = claimed.time("created_at")?.plus(COPY_PATIENCE + ATTEMPT) < now;
        let copy = match self.read_due_copy(&mut tx, &claimed).await {
            _ if is_over => Err(GIVEN_UP),
            Ok(Some(copy)) => Ok(copy),
            Ok(None) => Err(FILES_DELETED),
            Err(error @ (StoreError::Undecryptable { .. } | StoreError::Json(_))) => {
                tracing::error!(render = render_id, %error, "failed to read a copy");
                Err(UNREADABLE)
            }
            Err(error) => return Err(error),
        };
        if let Err(reason) = copy {
            fail_copy_of(&mut tx, &render_id, reason, now).await?;
        }
        tx.commit().await?;
        match copy {
            Ok(copy) => Ok(Some(copy)),
            Err(_) => Box::pin(self.claim_copy(lease)).await,
        }
    }

    /// `None` if its destination or its render is gone.
    async fn read_due_copy(&self, tx: &mut AnyConnection, row: &AnyRow) -> Result<Option<DueCopy>> {
        let render_id = row.text("render_id")?;
        let destination = sqlx::query("SELECT * FROM destination WHERE id = $1")
            .bind(row.text_or_none("destination_id")?)
            .fetch_optional(&mut *tx)
            .await?;
        let render = sqlx::query("SELECT outputs FROM render WHERE id = $1")
            .bind(render_id.clone())
            .fetch_optional(tx)
            .await?;
        let (Some(destination_row), Some(render)) = (destination, render) else { return Ok(None) };
        let destination = read_destination(&destination_row)?;
        let credentials = self.unseal(CREDENTIALS, &destination.id, &destination_row.text("credentials")?)?;
        Ok(Some(DueCopy {
            credentials: serde_json::from_str(&credentials)?,
            destination,
            files: read_outputs(&render)?.into_iter().map(|output| output.file).collect(),
            urls: serde_json::from_str(&row.text("urls")?)?,
            segments: row.count("segments")?,
            attempt: row.count("attempts")?,
            created_at: row.time("created_at")?,
            fence: row.int("fence")?,
            render_id,
        }))
    }

    /// Extends the lease to `duration` from now.
    pub async fn renew_copy(&self, copy: &DueCopy, duration: Duration) -> Result<()> {
        let mut tx = self.write().await?;
        let renewed = sqlx::query(
            "UPDATE render_copy SET lease_until = $3 WHERE render_id = $1 AND fence = $2 AND state = 'copying'",
        )
        .bind(copy.render_id.clone())
        .bind(copy.fence)
        .bind(self.now().plus(duration).0)
        .execute(&mut *tx)
        .await?;
        if renewed.rows_affected() == 0 {
            return Err(StoreError::lost(&copy.render_id));
        }
        tx.commit().await?;
        Ok(())
    }

    /// Records the copies that were made so far.
    pub async fn note_copied(&self, copy: &DueCopy) -> Result<()> {
        let mut tx = self.write().await?;
        let noted = sqlx::query(
            "UPDATE render_copy SET urls = $3, segments = $4 WHERE render_id = $1 AND fence = $2 AND state = 'copying'",
        )
        .bind(copy.render_id.clone())
        .bind(copy.fence)
        .bind(serde_json::to_string(&copy.urls)?)
        .bind(i64::from(copy.segments))
        .execute(&mut *tx)
        .await?;
        if noted.rows_affected() == 0 {
            return Err(StoreError::lost(&copy.render_id));
        }
        tx.commit().await?;
        Ok(())
    }

    /// Ends an attempt.
    pub async fn finish_copy(&self, copy: &DueCopy, outcome: &CopyOutcome) -> Result<()> {
        let now = self.now();
        let (state, due_at, error) = match outcome {
            CopyOutcome::Copied => (CopyState::Copied, now, None),
            CopyOutcome::RetryAt(at, error) => (CopyState::Due, *at, Some(error)),
            CopyOutcome::Failed(error) => (CopyState::Failed, now, Some(error)),
        };
        let mut tx = self.write().await?;
        let finished = sqlx::query(
            "UPDATE render_copy SET state = $3, due_at = $4, error = $5, finished_at = $6, owner = NULL, \
             lease_until = NULL WHERE render_id = $1 AND fence = $2 AND state = 'copying'",
        )
        .bind(copy.render_id.clone())
        .bind(copy.fence)
        .bind(state.as_str())
        .bind(due_at.0)
        .bind(error.map(|error| storable(error)))
        .bind((state != CopyState::Due).then_some(now.0))
        .execute(&mut *tx)
        .await?;
        if finished.rows_affected() == 0 {
            return Err(StoreError::lost(&copy.render_id));
        }
        tx.commit().await?;
        Ok(())
    }

    /// Makes copies due again if their lease expired or their process has ended.
    async fn return_abandoned_copies(&self, now: Time) -> Result<()> {
        let copying = sqlx::query(
            "SELECT render_id, fence, owner, lease_until FROM render_copy WHERE state = 'copying' ORDER BY render_id",
        )
        .fetch_all(self.reads())
        .await?;
        let mut abandoned = Vec::new();
        for row in copying {
            let gone = row.text_or_none("owner")?.is_some_and(|owner| self.process().is_gone(&owner));
            if gone || row.time("lease_until")? < now {
                abandoned.push((row.text("render_id")?, row.int("fence")?));
            }
        }
        if abandoned.is_empty() {
            return Ok(());
        }
        for (render_id, fence) in abandoned {
            let mut tx = self.write().await?;
            sqlx::query(
                "UPDATE render_copy SET state = 'due', owner = NULL, lease_until = NULL \
                 WHERE render_id = $1 AND fence = $2 AND state = 'copying'",
            )
            .bind(render_id)
            .bind(fence)
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
