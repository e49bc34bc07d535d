//! Usage of an account, in total and per day (UTC).

use std::collections::BTreeMap;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable, text_enum};
use crate::time::DAY_MS;
use crate::{Credits, Result, Store, Time};

text_enum!(AiUse, "a kind of AI usage", { TtsCharacters = "tts", TranscribedSeconds = "transcribe" });

/// AI usage: characters spoken or seconds transcribed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AiUsed {
    pub kind: AiUse,
    pub amount: u64,
}

/// Records AI usage.
pub(crate) async fn note(tx: &mut AnyConnection, account_id: &str, used: &[AiUsed], now: Time) -> Result<()> {
    for AiUsed { kind, amount } in used {
        sqlx::query(
            "INSERT INTO ai_usage (id, account_id, kind, amount, created_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(id::new(Kind::AiUsage))
        .bind(account_id.to_owned())
        .bind(kind.as_str())
        .bind(amount.cast_signed())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// Renders created.
    pub renders: u64,
    pub credits_used: Credits,
    /// Seconds of completed films.
    pub rendered_seconds: f64,
    pub tts_characters: u64,
    pub transcribed_seconds: u64,
    /// Days with usage, in order.
    pub by_day: Vec<DayUsage>,
}

#[derive(Clone, Debug, Default)]
pub struct DayUsage {
    /// `2026-11-14`.
    pub date: String,
    pub renders: u64,
    pub credits_used: Credits,
    /// The part charged for AI outside of renders.
    pub ai_credits: Credits,
    pub rendered_seconds: f64,
    pub tts_characters: u64,
    pub transcribed_seconds: u64,
}

impl Store {
    /// Usage from `from` (inclusive) to `to` (exclusive). A render counts on the day it was created.
    pub async fn usage(&self, account_id: &str, from: Time, to: Time) -> Result<Usage> {
        let mut days: BTreeMap<i64, DayUsage> = BTreeMap::new();
        let renders = self
            .by_day(
                "SELECT created_at / 86400000 AS day, COUNT(*) AS renders, CAST(SUM(credits) AS BIGINT) AS credits, \
                 CAST(SUM(CASE WHEN status = 'COMPLETED' AND fps > 0 THEN duration_in_frames * 1000 / fps ELSE 0 END) AS BIGINT) \
                 AS ms FROM render WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 \
                 GROUP BY created_at / 86400000",
                account_id,
                from,
                to,
            )
            .await?;
        for row in renders {
            let day = days.entry(row.int("day")?).or_default();
            day.renders = row.int("renders")?.unsigned_abs();
            day.credits_used = row.credits("credits")?;
            day.rendered_seconds = row.int("ms")? as f64 / 1000.0;
        }
        let charges = self
            .by_day(
                "SELECT created_at / 86400000 AS day, CAST(-SUM(amount) AS BIGINT) AS credits FROM ledger \
                 WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND kind = 'charge' \
                 GROUP BY created_at / 86400000",
                account_id,
                from,
                to,
            )
            .await?;
        for row in charges {
            let day = days.entry(row.int("day")?).or_default();
            day.ai_credits = row.credits("credits")?;
            day.credits_used = day.credits_used + day.ai_credits;
        }
        let ai = self
            .by_day(
                "SELECT created_at / 86400000 AS day, kind, CAST(SUM(amount) AS BIGINT) AS amount FROM ai_usage \
                 WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 \
                 GROUP BY created_at / 86400000, kind",
                account_id,
                from,
                to,
            )
            .await?;
        for row in ai {
            let day = days.entry(row.int("day")?).or_default();
            let amount = row.int("amount")?.unsigned_abs();
            match AiUse::parse(&row.text("kind")?) {
                Some(AiUse::TtsCharacters) => day.tts_characters = amount,
                Some(AiUse::TranscribedSeconds) => day.transcribed_seconds = amount,
                // Of a newer version.
                None => {}
            }
        }
        let mut usage = Usage::default();
        for (number, mut day) in days {
            day.date = Time(number * DAY_MS).day();
            usage.renders += day.renders;
            usage.credits_used = usage.credits_used + day.credits_used;
            usage.rendered_seconds += day.rendered_seconds;
            usage.tts_characters += day.tts_characters;
            usage.transcribed_seconds += day.transcribed_seconds;
            usage.by_day.push(day);
        }
        Ok(usage)
    }

    async fn by_day(&self, sql: &'static str, account_id: &str, from: Time, to: Time) -> Result<Vec<AnyRow>> {
        Ok(sqlx::query(sql)
            .bind(storable(account_id))
            .bind(from.0)
            .bind(to.0)
            .fetch_all(self.reads())
            .await?)
    }
}
