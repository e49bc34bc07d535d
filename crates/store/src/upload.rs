//! Uploads: created, then completed. Their bytes are in `files`.

use std::future::Future;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable, without_nul};
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
    /// Of a font file. Stored when the upload is completed.
    pub faces: Vec<UploadFace>,
    /// In bytes, once a part of its file was announced.
    pub reserved: Option<u64>,
}

/// A face of an uploaded font file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadFace {
    pub family: String,
    /// Lightest and heaviest weight: equal but for variable faces.
    pub weights: (u16, u16),
    pub italic: bool,
    /// Narrowest and widest width in percent of the normal one.
    pub widths: (u16, u16),
}

/// Font files of an account that are read at most, newest first.
const MOST_FONTS: i64 = 300;

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
        faces: match row.json_or_none("faces")? {
            Some(faces) => serde_json::from_value(faces)?,
            None => Vec::new(),
        },
        reserved: row.int_or_none("reserved")?.map(i64::unsigned_abs),
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

    /// Reserves room for a file that arrives in parts, and keeps its upload open until `expires_at`. Fails if the account
    /// has no room for it beside what it keeps and what else is reserved.
    pub async fn reserve_upload(&self, upload: &Upload, size: u64, expires_at: Time) -> Result<()> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &upload.account_id).await?;
        if upload.reserved != Some(size) {
            let others = sqlx::query(
                "SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) AS reserved FROM upload \
                 WHERE account_id = $1 AND id <> $2 AND completed_at IS NULL AND expires_at > $3",
            )
            .bind(account.id.clone())
            .bind(upload.id.clone())
            .bind(self.now().0)
            .fetch_one(&mut *tx)
            .await?;
            let others = others.int("reserved")?.unsigned_abs();
            self.require_storage(&mut tx, &account, size.saturating_add(others)).await?;
        }
        sqlx::query(
            "UPDATE upload SET reserved = $2, expires_at = $3 WHERE id = $1 AND completed_at IS NULL",
        )
        .bind(upload.id.clone())
        .bind(size.cast_signed())
        .bind(expires_at.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn upload(&self, upload_id: &str) -> Result<Option<Upload>> {
        let row = sqlx::query("SELECT * FROM upload WHERE id = $1")
            .bind(storable(upload_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_upload).transpose()
    }

    /// Takes the right to give an upload its file, until some time. False if another process has it, or the upload its file.
    pub async fn claim_upload(&self, upload_id: &str, until: Time) -> Result<bool> {
        let mut tx = self.write().await?;
        let claimed = sqlx::query(
            "UPDATE upload SET claimed_until = $2 WHERE id = $1 AND completed_at IS NULL \
             AND (claimed_until IS NULL OR claimed_until < $3)",
        )
        .bind(storable(upload_id))
        .bind(until.0)
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(claimed.rows_affected() > 0)
    }

    /// Keeps that right for longer; `None` gives it up.
    pub async fn renew_upload_claim(&self, upload_id: &str, until: Option<Time>) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query("UPDATE upload SET claimed_until = $2 WHERE id = $1 AND claimed_until IS NOT NULL")
            .bind(storable(upload_id))
            .bind(until.map(|until| until.0))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Uploads of a known size that have no file yet, newest first.
    pub async fn open_uploads(&self, account_id: &str, limit: u32) -> Result<Vec<Upload>> {
        let rows = sqlx::query(
            "SELECT * FROM upload WHERE account_id = $1 AND completed_at IS NULL AND declared_size IS NOT NULL \
             ORDER BY id DESC LIMIT $2",
        )
        .bind(storable(account_id))
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(read_upload).collect()
    }

    /// The font files of an account, newest first.
    pub async fn uploaded_fonts(&self, account_id: &str) -> Result<Vec<Upload>> {
        let rows = sqlx::query(
            "SELECT * FROM upload WHERE account_id = $1 AND faces IS NOT NULL ORDER BY id DESC LIMIT $2",
        )
        .bind(storable(account_id))
        .bind(MOST_FONTS)
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(read_upload).collect()
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
        let faces = match upload.faces.is_empty() {
            true => None,
            false => Some(without_nul(&serde_json::to_string(&upload.faces)?)),
        };
        let row = sqlx::query(
            "UPDATE upload SET size = $2, completed_at = $3, faces = $4 WHERE id = $1 RETURNING *",
        )
        .bind(upload.id.clone())
        .bind(size.cast_signed())
        .bind(self.now().0)
        .bind(faces)
        .fetch_one(&mut *tx)
        .await?;
        let upload = read_upload(&row)?;
        place.await?;
        tx.commit().await?;
        Ok(upload)
    }
}
