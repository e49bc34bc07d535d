//! Previews: a resolved composition at a public URL that expires after a day.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::credentials::{self, Taken};
use crate::files::off;
use crate::row::{Columns, storable};
use crate::{AiHold, AiUsed, Credits, Kept, Result, Store, StoreError, Time, ai_hold};

/// Previews that an account can have at a time, and the bytes of their compositions. Older ones end early.
const MOST_PREVIEWS: u64 = 1000;
const MOST_BYTES: u64 = 100_000_000;

/// Larger compositions are parsed where they hold up no one.
const LARGE: i64 = 100_000;

/// Places of sealed values.
const CREDENTIALS: &str = "preview.credentials";
const EDITED_CREDENTIALS: &str = "preview.edited_credentials";

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
    /// The copy in the editor, once it was changed: masked as well. The preview itself stays as it is.
    pub edited: Option<Value>,
    edited_credentials: Option<Taken>,
    /// Counts the changes of the copy.
    pub revision: i64,
    pub edited_at: Option<Time>,
    pub created_at: Time,
    pub expires_at: Time,
    /// Bytes of its compositions.
    pub size: u64,
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

    /// The composition of the copy in the editor, masked.
    pub fn copy(&self) -> &Value {
        self.edited.as_ref().unwrap_or(&self.composition)
    }

    /// The composition of the copy in the editor, with the user names and passwords of its URLs.
    pub fn copy_to_render(&self) -> Value {
        let Some(edited) = &self.edited else { return self.composition_to_draw() };
        let mut edited = edited.clone();
        if let Some(credentials) = &self.edited_credentials {
            credentials.put_back("composition", &mut edited);
        }
        edited
    }
}

fn read_preview(store: &Store, row: &AnyRow) -> Result<Preview> {
    let id = row.text("id")?;
    let open = |column: &str, place: &str| -> Result<Option<Taken>> {
        let sealed = row.text_or_none(column)?;
        sealed.map(|sealed| Taken::open(store.master_key(), place, &id, &sealed)).transpose()
    };
    let credentials = open("credentials", CREDENTIALS)?;
    let edited_credentials = open("edited_credentials", EDITED_CREDENTIALS)?;
    Ok(Preview {
        id,
        account_id: row.text("account_id")?,
        composition: row.json("composition")?,
        credentials,
        film: row.text_or_none("film")?,
        edited: row.json_or_none("edited")?,
        edited_credentials,
        revision: row.int("revision")?,
        edited_at: row.time_or_none("edited_at")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        size: row.int("size")?.unsigned_abs(),
    })
}

/// Ends the account's oldest previews until the one named, of `size` bytes, is within the limits.
async fn end_oldest(tx: &mut AnyConnection, account_id: &str, id: &str, size: u64, now: Time) -> Result<()> {
    let kept = sqlx::query(
        "SELECT COUNT(*) AS previews, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM preview \
         WHERE account_id = $1 AND expires_at > $2 AND id <> $3",
    )
    .bind(account_id.to_owned())
    .bind(now.0)
    .bind(id.to_owned())
    .fetch_one(&mut *tx)
    .await?;
    let mut previews = kept.int("previews")?.unsigned_abs() + 1;
    let mut bytes = kept.int("bytes")?.unsigned_abs() + size;
    while previews > 1 && (previews > MOST_PREVIEWS || bytes > MOST_BYTES) {
        let oldest = sqlx::query(
            "SELECT id, size FROM preview WHERE account_id = $1 AND expires_at > $2 AND id <> $3 \
             ORDER BY expires_at LIMIT 1",
        )
        .bind(account_id.to_owned())
        .bind(now.0)
        .bind(id.to_owned())
        .fetch_one(&mut *tx)
        .await?;
        sqlx::query(
            "UPDATE preview SET composition = 'null', credentials = NULL, edited = NULL, edited_credentials = NULL, \
             size = 0, expires_at = $2 WHERE id = $1",
        )
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
            credentials.map(|taken| taken.seal(self.master_key(), CREDENTIALS, &id)).transpose()?;
        let composition = composition.to_string();
        let size = i64::try_from(composition.len()).unwrap_or(i64::MAX);
        end_oldest(&mut tx, &account.id, &id, size.unsigned_abs(), now).await?;
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

    /// Changes the copy of a preview that is in the editor. With `expected`, only if that is still its revision;
    /// otherwise nothing changes.
    pub async fn edit_preview(
        &self,
        preview_id: &str,
        expected: Option<i64>,
        composition: &Value,
    ) -> Result<Preview> {
        let now = self.now();
        let missing = || StoreError::not_found("preview", preview_id);
        let old = self.preview(preview_id).await?.ok_or_else(missing)?;
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &old.account_id).await?;
        let query = sqlx::query("SELECT * FROM preview WHERE id = $1 AND expires_at > $2");
        let row =
            query.bind(old.id.clone()).bind(now.0).fetch_optional(&mut *tx).await?.ok_or_else(missing)?;
        let old = read_preview(self, &row)?;
        if expected.is_some_and(|expected| expected != old.revision) {
            return Err(StoreError::Stale { revision: old.revision });
        }
        let mut composition = composition.clone();
        let kept = if old.edited.is_some() { &old.edited_credentials } else { &old.credentials };
        if let Some(credentials) = kept {
            credentials.put_back_masked("composition", &mut composition);
        }
        let taken = credentials::take_from([("composition", &mut composition)]);
        let sealed =
            taken.map(|taken| taken.seal(self.master_key(), EDITED_CREDENTIALS, &old.id)).transpose()?;
        let edited = composition.to_string();
        let size = edited.len() + row.text("composition")?.len();
        let row = sqlx::query(
            "UPDATE preview SET edited = $2, edited_credentials = $3, edited_at = $4, size = $5, \
             revision = revision + 1 WHERE id = $1 RETURNING *",
        )
        .bind(old.id.clone())
        .bind(edited)
        .bind(sealed)
        .bind(now.0)
        .bind(i64::try_from(size).unwrap_or(i64::MAX))
        .fetch_one(&mut *tx)
        .await?;
        let edited = read_preview(self, &row)?;
        end_oldest(&mut tx, &account.id, &edited.id, size as u64, now).await?;
        tx.commit().await?;
        Ok(edited)
    }

    /// Removes the compositions of expired previews. Their rows stay, to tell that they have expired. Returns how many.
    pub async fn empty_expired_previews(&self) -> Result<u64> {
        let mut tx = self.write().await?;
        let emptied = sqlx::query(
            "UPDATE preview SET composition = 'null', credentials = NULL, edited = NULL, edited_credentials = NULL, \
             size = 0 WHERE expires_at <= $1 AND size > 0",
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
        let Some(row) = row else { return Ok(None) };
        if row.int("size")? < LARGE {
            return read_preview(self, &row).map(Some);
        }
        let store = self.clone();
        off(move || read_preview(&store, &row)).await.map(Some)
    }

    /// When a preview ends or ended, if there is one.
    pub async fn preview_end(&self, preview_id: &str) -> Result<Option<Time>> {
        let row = sqlx::query("SELECT expires_at FROM preview WHERE id = $1")
            .bind(storable(preview_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| row.time("expires_at")).transpose()
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
