//! Narrations: whose they are, where the sound lies, and when each word is spoken.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, plain};
use crate::{Result, Store};

#[derive(Clone, Debug)]
pub struct Voiceover {
    pub id: String,
    pub account_id: String,
    /// The name of the sound among the voiceovers.
    pub file: String,
    /// As `en`.
    pub language: String,
    pub duration_ms: u64,
    /// The words with their times.
    pub words: Value,
}

/// A narration that was made.
#[derive(Clone, Debug)]
pub struct NewVoiceover {
    pub file: String,
    /// As `en`.
    pub language: String,
    pub duration_ms: u64,
    pub words: Value,
}

fn read_voiceover(row: &AnyRow) -> Result<Voiceover> {
    Ok(Voiceover {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        file: row.text("file")?,
        language: row.text("language")?,
        duration_ms: row.int("duration_ms")?.unsigned_abs(),
        words: row.json("words")?,
    })
}

impl Store {
    /// Notes that a narration was made for an account; the one it had of the same sound stays.
    pub async fn keep_voiceover(&self, account_id: &str, new: &NewVoiceover) -> Result<Voiceover> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "INSERT INTO voiceover (id, account_id, file, language, duration_ms, words, used_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (account_id, file) DO UPDATE SET duration_ms = excluded.duration_ms, words = excluded.words, \
             used_at = excluded.used_at RETURNING *",
        )
        .bind(id::new(Kind::Voiceover))
        .bind(plain(account_id))
        .bind(plain(&new.file))
        .bind(plain(&new.language))
        .bind(new.duration_ms.cast_signed())
        .bind(new.words.to_string())
        .bind(self.now().0)
        .fetch_one(&mut *tx)
        .await?;
        let voiceover = read_voiceover(&row)?;
        tx.commit().await?;
        Ok(voiceover)
    }

    /// A narration by its id, whoever owns it.
    pub async fn voiceover(&self, voiceover_id: &str) -> Result<Option<Voiceover>> {
        let found = sqlx::query("SELECT * FROM voiceover WHERE id = $1").bind(plain(voiceover_id));
        found.fetch_optional(self.reads()).await?.as_ref().map(read_voiceover).transpose()
    }

    /// The narrations in a file, one for each account that has it.
    pub async fn voiceovers_in(&self, file: &str) -> Result<Vec<Voiceover>> {
        let found = sqlx::query("SELECT * FROM voiceover WHERE file = $1 ORDER BY id").bind(plain(file));
        found.fetch_all(self.reads()).await?.iter().map(read_voiceover).collect()
    }
}
