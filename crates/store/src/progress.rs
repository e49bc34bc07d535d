//! Status and progress of renders, for polling. The queries never read compositions, however large they are.

use sqlx::any::AnyRow;

use crate::render::RenderStatus;
use crate::row::{Columns, known, storable};
use crate::{Result, Store, Time};

/// Status and progress of a render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderProgress {
    pub id: String,
    pub status: RenderStatus,
    /// 0 to 99, and 100 when completed.
    pub progress: u32,
}

/// Status and progress of a render, and when it last changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderChange {
    pub render: RenderProgress,
    pub updated_at: Time,
}

/// Renders per statement. Shorter lists repeat their last id, so that one prepared statement serves all lengths.
const BATCH: usize = 16;

fn read_progress(row: &AnyRow) -> Result<RenderProgress> {
    Ok(RenderProgress {
        id: row.text("id")?,
        status: RenderStatus::stored(row.text("status")?)?,
        progress: row.count("progress")?,
    })
}

impl Store {
    /// Status and progress of a render of any account.
    pub async fn render_progress(&self, render_id: &str) -> Result<Option<RenderProgress>> {
        let row = sqlx::query("SELECT id, status, progress FROM render WHERE id = $1")
            .bind(storable(render_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_progress).transpose()
    }

    /// Status and progress of many renders, in no particular order. Unknown ids are skipped.
    pub async fn render_progress_of(&self, render_ids: &[String]) -> Result<Vec<RenderProgress>> {
        let mut found = Vec::with_capacity(render_ids.len());
        for batch in render_ids.chunks(BATCH) {
            let mut query = sqlx::query(
                "SELECT id, status, progress FROM render WHERE id IN \
                 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
            );
            for index in 0..BATCH {
                query = query.bind(storable(&batch[index.min(batch.len() - 1)]));
            }
            found.extend(known(query.fetch_all(self.reads()).await?.iter().map(read_progress))?);
        }
        Ok(found)
    }

    /// Status and progress of the account's renders that changed at `since` or later, oldest change first.
    pub async fn render_changes(
        &self,
        account_id: &str,
        since: Time,
        limit: u32,
    ) -> Result<Vec<RenderChange>> {
        let rows = sqlx::query(
            "SELECT id, status, progress, updated_at FROM render WHERE account_id = $1 AND updated_at >= $2 \
             ORDER BY updated_at, id LIMIT $3",
        )
        .bind(storable(account_id))
        .bind(since.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        let change = |row: &AnyRow| {
            Ok(RenderChange { render: read_progress(row)?, updated_at: row.time("updated_at")? })
        };
        known(rows.iter().map(change))
    }
}
