//! Previews: a resolved composition at a public URL that expires after a day.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::credentials::{self, Taken};
use crate::row::{Columns, storable};
use crate::{AiHold, AiUsed, Credits, Kept, Result, Store, StoreError, Time, ai_hold};

#[derive(Clone, Debug)]
pub struct Preview {
    pub id: String,
    pub account_id: String,
    /// With `***` in place of user names and passwords of URLs.
    pub composition: Value,
    /// What was there.
    credentials: Option<Taken>,
    /// The file name of the preview film, once rendered.
    pub film: Option<String>,
    pub created_at: Time,
    pub expires_at: Time,
}

pub struct NewPreview<'a> {
    pub id: &'a str,
    pub account_id: &'a str,
    pub composition: &'a Value,
    pub expires_at: Time,
    /// The hold for generated AI values.
    pub hold: Option<&'a AiHold>,
    /// Credits to charge for them.
    pub charge: Credits,
    pub used: &'a [AiUsed],
    /// The response of an idempotent request.
    pub kept: Option<Kept<'a>>,
}

impl Preview {
    /// The composition to draw, with the user names and passwords of its URLs.
    pub fn composition_to_draw(&self) -> Value {
        let mut composition = self.composition.clone();
        if let Some(credentials) = &self.credentials {
            credentials.put_back("composition", &mut composition);
        }
        composition
    }
}

fn read_preview(store: &Store, row: &AnyRow) -> Result<Preview> {
    let id = row.text("id")?;
    let sealed = row.text_or_none("credentials")?;
    let open = |sealed: String| Taken::open(store.master_key(), "preview.credentials", &id, &sealed);
    let credentials = sealed.map(open).transpose()?;
    Ok(Preview {
        id,
        account_id: row.text("account_id")?,
        composition: row.json("composition")?,
        credentials,
        film: row.text_or_none("film")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}

impl Store {
    /// Creates a preview and charges for it in one transaction.
    pub async fn create_preview(&self, new: NewPreview<'_>) -> Result<Preview> {
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, new.account_id).await?;
        let id = storable(new.id);
        let mut composition = new.composition.clone();
        let credentials = credentials::take_from([("composition", &mut composition)]);
        let credentials =
            credentials.map(|taken| taken.seal(self.master_key(), "preview.credentials", &id)).transpose()?;
        let row = sqlx::query(
            "INSERT INTO preview (id, account_id, composition, credentials, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING *",
        )
        .bind(id)
        .bind(account.id.clone())
        .bind(composition.to_string())
        .bind(credentials)
        .bind(now.0)
        .bind(new.expires_at.0)
        .fetch_one(&mut *tx)
        .await?;
        let preview = read_preview(self, &row)?;
        if let Some(hold) = new.hold {
            ai_hold::charge(&mut tx, hold, new.charge, new.used, now).await?;
        }
        if let Some(kept) = new.kept {
            kept.finish(self, &mut tx, &account.id).await?;
        }
        tx.commit().await?;
        Ok(preview)
    }

    /// The preview, even if expired, until it is deleted.
    pub async fn preview(&self, preview_id: &str) -> Result<Option<Preview>> {
        let row = sqlx::query("SELECT * FROM preview WHERE id = $1")
            .bind(storable(preview_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| read_preview(self, &row)).transpose()
    }

    pub async fn set_preview_film(&self, preview_id: &str, film: &str) -> Result<()> {
        let mut tx = self.write().await?;
        let updated = sqlx::query("UPDATE preview SET film = $2 WHERE id = $1")
            .bind(storable(preview_id))
            .bind(storable(film))
            .execute(&mut *tx)
            .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found("preview", preview_id));
        }
        tx.commit().await?;
        Ok(())
    }
}
