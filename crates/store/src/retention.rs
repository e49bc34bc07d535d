//! Retention: expired files with their rows, and rows that are no longer needed.

use sqlx::any::AnyRow;

use crate::render::read_outputs;
use crate::render_copy::{FILES_DELETED, fail_copy_of};
use crate::row::Columns;
use crate::time::DAY_MS;
use crate::{Result, Store, Time};

/// A row whose files have expired. Delete the files first, then call the matching `forget_…`: after a crash in between
/// the row is listed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldFile {
    pub id: String,
    /// The name of its file, if the row stores one.
    pub file: Option<String>,
}

/// A render whose files have expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldOutput {
    pub id: String,
    /// The names of its files but for the poster.
    pub files: Vec<String>,
}

impl Store {
    /// Finished films of renders that ended before `before`.
    pub async fn old_outputs(&self, before: Time, limit: u32) -> Result<Vec<OldOutput>> {
        let rows = sqlx::query(
            "SELECT id, output_file, outputs FROM render WHERE output_file IS NOT NULL AND completed_at < $1 \
             ORDER BY completed_at LIMIT $2",
        )
        .bind(before.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        let output = |row: &AnyRow| {
            let also = read_outputs(row)?.into_iter().skip(1).map(|output| output.file);
            let files = row.text_or_none("output_file")?.into_iter().chain(also).collect();
            Ok(OldOutput { id: row.text("id")?, files })
        };
        rows.iter().map(output).collect()
    }

    /// Renders that failed at `since` or later, with the times of their ends, in order; those at `since` only
    /// if their id is behind `after`.
    pub async fn failed_renders(&self, since: Time, after: &str, limit: u32) -> Result<Vec<(String, Time)>> {
        let rows = sqlx::query(
            "SELECT id, completed_at FROM render WHERE completed_at >= $1 AND status = 'FAILED' \
             AND (completed_at > $1 OR id > $2) ORDER BY completed_at, id LIMIT $3",
        )
        .bind(since.0)
        .bind(after.to_owned())
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(|row| Ok((row.text("id")?, row.time("completed_at")?))).collect()
    }

    /// Uploads created before `before`, and those that expired before they were completed.
    pub async fn old_uploads(&self, before: Time, limit: u32) -> Result<Vec<OldFile>> {
        let rows = sqlx::query(
            "SELECT id, NULL AS file FROM upload WHERE created_at < $1 OR (completed_at IS NULL AND expires_at < $3) \
             ORDER BY created_at LIMIT $2",
        )
        .bind(before.0)
        .bind(i64::from(limit))
        .bind(self.now().0)
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(|row| Ok(OldFile { id: row.text("id")?, file: None })).collect()
    }

    /// Previews that expired before `before`.
    pub async fn old_previews(&self, before: Time, limit: u32) -> Result<Vec<OldFile>> {
        self.old(
            "SELECT id, film AS file FROM preview WHERE expires_at < $1 ORDER BY expires_at LIMIT $2",
            before,
            limit,
        )
        .await
    }

    /// Narrations not used since `before`. Several accounts may share a file.
    pub async fn old_voiceovers(&self, before: Time, limit: u32) -> Result<Vec<OldFile>> {
        self.old("SELECT id, file FROM voiceover WHERE used_at < $1 ORDER BY used_at LIMIT $2", before, limit)
            .await
    }

    /// Keeps the render and clears its files. They are not copied any more, and its segments are to be deleted.
    pub async fn forget_output(&self, render_id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "UPDATE render SET output_file = NULL, poster_file = NULL, outputs = NULL, stream_file = NULL WHERE id = $1",
        )
        .bind(render_id.to_owned())
        .execute(&mut *tx)
        .await?;
        fail_copy_of(&mut tx, render_id, FILES_DELETED, self.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn forget_upload(&self, upload_id: &str) -> Result<()> {
        self.forget("DELETE FROM upload WHERE id = $1", upload_id).await
    }

    pub async fn forget_preview(&self, preview_id: &str) -> Result<()> {
        self.forget("DELETE FROM preview WHERE id = $1", preview_id).await
    }

    pub async fn forget_voiceover(&self, voiceover_id: &str) -> Result<()> {
        self.forget("DELETE FROM voiceover WHERE id = $1", voiceover_id).await
    }

    /// Deletes deliveries, with their attempts, that were finished before `before`. Returns how many.
    pub async fn purge_deliveries(&self, before: Time) -> Result<u64> {
        self.purge("DELETE FROM delivery WHERE finished_at < $1", before).await
    }

    /// Clears replaced webhook secrets that no longer sign. Returns how many.
    pub async fn purge_old_secrets(&self) -> Result<u64> {
        self.purge(
            "UPDATE webhook SET old_secret = NULL, old_secret_until = NULL WHERE old_secret_until <= $1",
            self.now(),
        )
        .await
    }

    /// Deletes idempotency keys older than a day. Returns how many.
    pub async fn purge_idempotency(&self) -> Result<u64> {
        self.purge("DELETE FROM idempotency WHERE started_at < $1", Time(self.now().0 - DAY_MS)).await
    }

    /// Forgets which projects were deleted before `before`. Returns how many.
    pub async fn purge_deleted_projects(&self, before: Time) -> Result<u64> {
        self.purge("DELETE FROM deleted_project WHERE deleted_at < $1", before).await
    }

    async fn old(&self, sql: &'static str, before: Time, limit: u32) -> Result<Vec<OldFile>> {
        let rows = sqlx::query(sql).bind(before.0).bind(i64::from(limit)).fetch_all(self.reads()).await?;
        rows.iter().map(|row| Ok(OldFile { id: row.text("id")?, file: row.text_or_none("file")? })).collect()
    }

    async fn forget(&self, sql: &'static str, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(sql).bind(id.to_owned()).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn purge(&self, sql: &'static str, before: Time) -> Result<u64> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query(sql).bind(before.0).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(deleted.rows_affected())
    }
}
