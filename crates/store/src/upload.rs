//! Uploads: created, then completed. Their bytes are in `files`.

use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Result, Store, StoreError, Time};

#[derive(Clone, Debug)]
pub struct Upload {
    pub id: String,
    pub account_id: String,
    pub content_type: String,
    /// In bytes, once complete.
    pub size: Option<u64>,
    pub created_at: Time,
    /// When its upload URL expires.
    pub expires_at: Time,
    pub completed_at: Option<Time>,
}

fn read_upload(row: &AnyRow) -> Result<Upload> {
    Ok(Upload {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        content_type: row.text("content_type")?,
        size: row.int_or_none("size")?.map(i64::unsigned_abs),
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        completed_at: row.time_or_none("completed_at")?,
    })
}

impl Store {
    pub async fn create_upload(
        &self,
        account_id: &str,
        content_type: &str,
        expires_at: Time,
    ) -> Result<Upload> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "INSERT INTO upload (id, account_id, content_type, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
             RETURNING *",
        )
        .bind(id::new(Kind::Upload))
        .bind(storable(account_id))
        .bind(storable(content_type))
        .bind(self.now().0)
        .bind(expires_at.0)
        .fetch_one(&mut *tx)
        .await?;
        let upload = read_upload(&row)?;
        tx.commit().await?;
        Ok(upload)
    }

    pub async fn upload(&self, upload_id: &str) -> Result<Option<Upload>> {
        let row = sqlx::query("SELECT * FROM upload WHERE id = $1")
            .bind(storable(upload_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_upload).transpose()
    }

    /// Records that the file was written. Repeated if it is uploaded again.
    pub async fn complete_upload(&self, upload_id: &str, size: u64) -> Result<Upload> {
        let mut tx = self.write().await?;
        let row = sqlx::query("UPDATE upload SET size = $2, completed_at = $3 WHERE id = $1 RETURNING *")
            .bind(storable(upload_id))
            .bind(size.cast_signed())
            .bind(self.now().0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| StoreError::not_found("upload", upload_id))?;
        let upload = read_upload(&row)?;
        tx.commit().await?;
        Ok(upload)
    }
}
