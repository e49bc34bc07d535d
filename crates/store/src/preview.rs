//! Previews: a resolved composition at a public URL that expires after a day.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::credentials::{self, Taken};
use crate::row::{Columns, storable};
use crate::{AiHold, AiUsed, Credits, Kept, Result, Store, StoreError, Time, ai_hold};

/// Previews that an account can have at a time, and the bytes of their compositions. Older ones end early.
const MOST_PREVIEWS: u64 = 1000;
const MOST_BYTES: u64 = 100_000_000;

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

/// Ends the account's oldest previews until another one of `size` bytes is within the limits.
async fn end_oldest(tx: &mut AnyConnection, account_id: &str, size: u64, now: Time) -> Result<()> {
    let kept = sqlx::query(
        "SELECT COUNT(*) AS previews, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM preview \
         WHERE account_id = $1 AND expires_at > $2",
    )
    .bind(account_id.to_owned())
    .bind(now.0)
    .fetch_one(&mut *tx)
    .await?;
    let mut previews = kept.int("previews")?.unsigned_abs() + 1;
    let mut bytes = kept.int("bytes")?.unsigned_abs() + size;
    while previews > 1 && (previews > MOST_PREVIEWS || bytes > MOST_BYTES) {
        let oldest = sqlx::query(
            "SELECT id, size FROM preview WHERE account_id = $1 AND expires_at > $2 ORDER BY expires_at LIMIT 1",
        )
        .bind(account_id.to_owned())
        .bind(now.0)
        .fetch_one(&mut *tx)
        .await?;
        sqlx::query("UPDATE preview SET composition = 'null', credentials = NULL, size = 0, expires_at = $2 WHERE id = $1")
            .bind(oldest.text("id")?)
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
        previews -= 1;
        bytes -= oldest.int("size")?.unsigned_abs();
    }
    Ok(())
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
        let composition = composition.to_string();
        let size = i64::try_from(composition.len()).unwrap_or(i64::MAX);
        end_oldest(&mut tx, &account.id, size.unsigned_abs(), now).await?;
        let row = sqlx::query(
            "INSERT INTO preview (id, account_id, composition, credentials, size, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *",
        )
        .bind(id)
        .bind(account.id.clone())
        .bind(composition)
        .bind(credentials)
        .bind(size)
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

    /// Removes the compositions of expired previews. Their rows stay, to tell that they have expired. Returns how many.
    pub async fn empty_expired_previews(&self) -> Result<u64> {
        let mut tx = self.write().await?;
        let emptied = sqlx::query(
            "UPDATE preview SET composition = 'null', credentials = NULL, size = 0 WHERE expires_at <= $1 AND size > 0",
        )
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(emptied.rows_affected())
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
