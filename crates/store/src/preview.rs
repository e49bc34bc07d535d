//! Previews: a resolved composition behind a public address, for a day.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::row::{Columns, plain};
use crate::{AiUsed, Credits, Kept, Result, Store, StoreError, Time, ledger};

#[derive(Clone, Debug)]
pub struct Preview {
    pub id: String,
    pub account_id: String,
    pub composition: Value,
    /// The name of the preview film, once it is made.
    pub film: Option<String>,
    pub created_at: Time,
    pub expires_at: Time,
}

pub struct NewPreview<'a> {
    pub id: &'a str,
    pub account_id: &'a str,
    pub composition: &'a Value,
    pub expires_at: Time,
    /// What is taken for AI values that were generated.
    pub charge: Credits,
    pub used: &'a [AiUsed],
    /// The answer of an idempotent request.
    pub kept: Option<Kept<'a>>,
}

fn read_preview(row: &AnyRow) -> Result<Preview> {
    Ok(Preview {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        composition: row.json("composition")?,
        film: row.text_or_none("film")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}

impl Store {
    /// Creates a preview and takes what it costs in one transaction.
    pub async fn create_preview(&self, new: NewPreview<'_>) -> Result<Preview> {
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, new.account_id).await?;
        let row = sqlx::query(
            "INSERT INTO preview (id, account_id, composition, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
             RETURNING *",
        )
        .bind(plain(new.id))
        .bind(account.id.clone())
        .bind(new.composition.to_string())
        .bind(now.0)
        .bind(new.expires_at.0)
        .fetch_one(&mut *tx)
        .await?;
        let preview = read_preview(&row)?;
        ledger::charge(&mut tx, &account.id, &preview.id, new.charge, new.used, now).await?;
        if let Some(kept) = new.kept {
            kept.finish(&mut tx, &account.id, self.process().token()).await?;
        }
        tx.commit().await?;
        Ok(preview)
    }

    /// The preview, also an expired one that has not been deleted yet.
    pub async fn preview(&self, preview_id: &str) -> Result<Option<Preview>> {
        let row = sqlx::query("SELECT * FROM preview WHERE id = $1")
            .bind(plain(preview_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_preview).transpose()
    }

    pub async fn set_preview_film(&self, preview_id: &str, film: &str) -> Result<()> {
        let mut tx = self.write().await?;
        let updated = sqlx::query("UPDATE preview SET film = $2 WHERE id = $1")
            .bind(plain(preview_id))
            .bind(plain(film))
            .execute(&mut *tx)
            .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found("preview", preview_id));
        }
        tx.commit().await?;
        Ok(())
    }
}
