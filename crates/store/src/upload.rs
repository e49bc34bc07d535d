//! Uploads: created, then completed. Their bytes are in `files`.

use std::future::Future;

use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Result, Store, StoreError, Time};

#[derive(Clone, Debug)]
pub struct Upload {
    pub id: String,
    pub account_id: String,
    pub content_type: String,
    /// What its owner calls it, such as the name of the file.
    pub name: Option<String>,
    /// In bytes, as announced.
    pub declared_size: Option<u64>,
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
        name: row.text_or_none("name")?,
        declared_size: row.int_or_none("declared_size")?.map(i64::unsigned_abs),
        size: row.int_or_none("size")?.map(i64::unsigned_abs),
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        completed_at: row.time_or_none("completed_at")?,
    })
}

impl Store {
    /// Fails if the account has no room for a file of the declared size.
    pub async fn create_upload(
        &self,
        account_id: &str,
        content_type: &str,
        name: Option<&str>,
        declared_size: Option<u64>,
        expires_at: Time,
    ) -> Result<Upload> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        self.require_storage(&mut tx, &account, declared_size.unwrap_or(1)).await?;
        let row = sqlx::query(
            "INSERT INTO upload (id, account_id, content_type, declared_size, created_at, expires_at, name) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *",
        )
        .bind(id::new(Kind::Upload))
        .bind(account.id)
        .bind(storable(content_type))
        .bind(declared_size.map(u64::cast_signed))
        .bind(self.now().0)
        .bind(expires_at.0)
        .bind(name.map(storable))
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

    /// Gives the upload its file, once: `place` moves the file into position while the account is locked. Fails if the
    /// account has no room for it.
    pub async fn complete_upload(
        &self,
        upload: &Upload,
        size: u64,
        place: impl Future<Output = Result<()>>,
    ) -> Result<Upload> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &upload.account_id).await?;
        let current = sqlx::query("SELECT * FROM upload WHERE id = $1")
            .bind(upload.id.clone())
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| StoreError::not_found("upload", &upload.id))?;
        if read_upload(&current)?.completed_at.is_some() {
            return Err(StoreError::UploadComplete);
        }
        self.require_storage(&mut tx, &account, size).await?;
        let row = sqlx::query("UPDATE upload SET size = $2, completed_at = $3 WHERE id = $1 RETURNING *")
            .bind(upload.id.clone())
            .bind(size.cast_signed())
            .bind(self.now().0)
            .fetch_one(&mut *tx)
            .await?;
        let upload = read_upload(&row)?;
        place.await?;
        tx.commit().await?;
        Ok(upload)
    }
}
