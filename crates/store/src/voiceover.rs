//! Narrations: their owner, audio file and word timings.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Result, Store};

#[derive(Clone, Debug)]
pub struct Voiceover {
    pub id: String,
    pub account_id: String,
    /// The file name in the voiceovers folder.
    pub file: String,
    /// A language code such as `en`.
    pub language: String,
    pub duration_ms: u64,
    /// Of the file, in bytes.
    pub size: u64,
    /// Words with their timings.
    pub words: Value,
}

/// A narration to store.
#[derive(Clone, Debug)]
pub struct NewVoiceover {
    pub file: String,
    /// A language code such as `en`.
    pub language: String,
    /// What is said.
    pub text: String,
    pub duration_ms: u64,
    /// Of the file, in bytes.
    pub size: u64,
    pub words: Value,
}

fn read_voiceover(row: &AnyRow) -> Result<Voiceover> {
    Ok(Voiceover {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        file: row.text("file")?,
        language: row.text("language")?,
        duration_ms: row.int("duration_ms")?.unsigned_abs(),
        size: row.int("size")?.unsigned_abs(),
        words: row.json("words")?,
    })
}

impl Store {
    /// Stores a narration for an account. If the account already has one with this file, it is updated.
    pub async fn keep_voiceover(&self, account_id: &str, new: &NewVoiceover) -> Result<Voiceover> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "INSERT INTO voiceover (id, account_id, file, language, duration_ms, words, used_at, size, text, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $7) \
             ON CONFLICT (account_id, file) DO UPDATE SET duration_ms = excluded.duration_ms, words = excluded.words, \
             used_at = excluded.used_at, size = excluded.size, text = excluded.text RETURNING *",
        )
        .bind(id::new(Kind::Voiceover))
        .bind(storable(account_id))
        .bind(storable(&new.file))
        .bind(storable(&new.language))
        .bind(new.duration_ms.cast_signed())
        .bind(new.words.to_string())
        .bind(self.now().0)
        .bind(new.size.cast_signed())
        .bind(storable(&new.text))
        .fetch_one(&mut *tx)
        .await?;
        let voiceover = read_voiceover(&row)?;
        tx.commit().await?;
        Ok(voiceover)
    }

    /// A narration of any account.
    pub async fn voiceover(&self, voiceover_id: &str) -> Result<Option<Voiceover>> {
        let found = sqlx::query("SELECT * FROM voiceover WHERE id = $1").bind(storable(voiceover_id));
        found.fetch_optional(self.reads()).await?.as_ref().map(read_voiceover).transpose()
    }

    /// The narrations that share a file, one per account.
    pub async fn voiceovers_in(&self, file: &str) -> Result<Vec<Voiceover>> {
        let found = sqlx::query("SELECT * FROM voiceover WHERE file = $1 ORDER BY id").bind(storable(file));
        found.fetch_all(self.reads()).await?.iter().map(read_voiceover).collect()
    }
}
