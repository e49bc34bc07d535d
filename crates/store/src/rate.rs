//! Counted requests, attempts that must wait, and the networks an account has signed in from.
//!
//! Senders are stored as SHA-256 hashes: rows have one size, and the table holds no addresses.

use std::time::Duration;

use sqlx::AnyConnection;

use crate::database::locking;
use crate::id::sha256_hex;
use crate::row::Columns;
use crate::time::DAY_MS;
use crate::{Result, Store, Time};

/// A network that was not used for this long is forgotten.
const KNOWN: i64 = 180 * DAY_MS;

/// How a sender stands in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateWindow {
    pub requests: u32,
    /// Time until the window ends.
    pub left: Duration,
}

/// How attempts of a sender are slowed down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttemptRule {
    pub sender: String,
    /// Attempts without a wait.
    pub free: u32,
    /// The longest wait. It begins with a second and doubles with each attempt.
    pub longest: Duration,
    /// Attempts are forgotten this long after the last one.
    pub memory: Duration,
}

impl AttemptRule {
    /// The wait after a number of attempts.
    fn wait(&self, attempts: i64) -> Duration {
        match u32::try_from(attempts).unwrap_or(u32::MAX).checked_sub(self.free) {
            None => Duration::ZERO,
            Some(more) => Duration::from_secs(1u64.checked_shl(more).unwrap_or(u64::MAX)).min(self.longest),
        }
    }

    /// The time until the next attempt, given the attempts and when they are forgotten.
    fn left(&self, attempts: i64, ends_at: Time, now: Time) -> Duration {
        let last = ends_at.minus(self.memory);
        let left = last.plus(self.wait(attempts)).0.saturating_sub(now.0);
        // A clock that jumped back lengthens no wait.
        Duration::from_millis(left.max(0).unsigned_abs()).min(self.longest)
    }
}

impl Store {
    /// Counts a request of a sender in a window that begins with its first request. Refused requests count too.
    pub async fn count_request(&self, sender: &str, window: Duration) -> Result<RateWindow> {
        let now = self.now();
        // A window that ends later than the clock allows was begun before the clock jumped back.
        let row = sqlx::query(
            "INSERT INTO rate_window (sender, requests, ends_at) VALUES ($1, 1, $2) \
             ON CONFLICT (sender) DO UPDATE SET \
             requests = CASE WHEN rate_window.ends_at <= $3 OR rate_window.ends_at > $4 THEN 1 \
                             ELSE rate_window.requests + 1 END, \
             ends_at = CASE WHEN rate_window.ends_at <= $3 OR rate_window.ends_at > $4 THEN excluded.ends_at \
                            ELSE rate_window.ends_at END \
             RETURNING requests, ends_at",
        )
        .bind(sha256_hex(sender.as_bytes()))
        .bind(now.plus(window).0)
        .bind(now.0)
        .bind(now.plus(window * 2).0)
        .fetch_one(self.writes())
        .await?;
        Ok(RateWindow { requests: row.count("requests")?, left: left(row.time("ends_at")?, now) })
    }

    /// How a sender stands, without counting.
    pub async fn requests_of(&self, sender: &str) -> Result<Option<RateWindow>> {
        let now = self.now();
        let row = sqlx::query("SELECT requests, ends_at FROM rate_window WHERE sender = $1 AND ends_at > $2")
            .bind(sha256_hex(sender.as_bytes()))
            .bind(now.0)
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| {
            Ok(RateWindow { requests: row.count("requests")?, left: left(row.time("ends_at")?, now) })
        })
        .transpose()
    }

    /// Counts an attempt under every rule, unless one of them makes it wait: then nothing is counted, and the wait is
    /// returned.
    pub async fn begin_attempt(&self, rules: &[AttemptRule]) -> Result<Option<Duration>> {
        let now = self.now();
        // Those who must wait do not hold up writes.
        let mut wait = Duration::ZERO;
        for rule in rules {
            let row = sqlx::query("SELECT requests, ends_at FROM rate_window WHERE sender = $1")
                .bind(sha256_hex(rule.sender.as_bytes()))
                .fetch_optional(self.reads())
                .await?;
            if let Some(row) = row {
                wait = wait.max(rule.left(row.int("requests")?, row.time("ends_at")?, now));
            }
        }
        if wait > Duration::ZERO {
            return Ok(Some(wait));
        }
        let mut rules = rules.to_vec();
        // Rows are locked in one order.
        rules.sort();
        let mut tx = self.write().await?;
        for rule in &rules {
            wait = wait.max(self.count_attempt(&mut tx, rule, now).await?);
        }
        if wait > Duration::ZERO {
            // Dropping the transaction rolls it back.
            return Ok(Some(wait));
        }
        tx.commit().await?;
        Ok(None)
    }

    /// Counts an attempt under one rule, and returns how long it had to wait.
    async fn count_attempt(&self, tx: &mut AnyConnection, rule: &AttemptRule, now: Time) -> Result<Duration> {
        let sender = sha256_hex(rule.sender.as_bytes());
        sqlx::query(
            "INSERT INTO rate_window (sender, requests, ends_at) VALUES ($1, 0, $2) ON CONFLICT (sender) DO NOTHING",
        )
        .bind(sender.clone())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        let row = sqlx::query(locking!(
            self,
            "SELECT requests, ends_at FROM rate_window WHERE sender = $1",
            "FOR UPDATE"
        ))
        .bind(sender.clone())
        .fetch_one(&mut *tx)
        .await?;
        let (attempts, ends_at) = (row.int("requests")?, row.time("ends_at")?);
        let attempts = if ends_at > now { attempts } else { 0 };
        sqlx::query("UPDATE rate_window SET requests = $2, ends_at = $3 WHERE sender = $1")
            .bind(sender)
            .bind(attempts + 1)
            .bind(now.plus(rule.memory).0)
            .execute(&mut *tx)
            .await?;
        Ok(rule.left(attempts, ends_at, now))
    }

    /// Takes back an attempt that succeeded. The attempts before it stay: otherwise an account of one's own would buy
    /// guesses at others.
    pub async fn forgive_attempt(&self, rules: &[AttemptRule]) -> Result<()> {
        let mut rules = rules.to_vec();
        rules.sort();
        let mut tx = self.write().await?;
        for rule in rules {
            sqlx::query("UPDATE rate_window SET requests = requests - 1 WHERE sender = $1 AND requests > 0")
                .bind(sha256_hex(rule.sender.as_bytes()))
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Notes that an account signed in from a network.
    pub async fn know_network(&self, account_id: &str, network: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO known_network (account_id, network, used_at) VALUES ($1, $2, $3) \
             ON CONFLICT (account_id, network) DO UPDATE SET used_at = excluded.used_at",
        )
        .bind(account_id.to_owned())
        .bind(sha256_hex(network.as_bytes()))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Whether an account has signed in from a network.
    pub async fn knows_network(&self, account_id: &str, network: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT used_at FROM known_network WHERE account_id = $1 AND network = $2 AND used_at > $3",
        )
        .bind(account_id.to_owned())
        .bind(sha256_hex(network.as_bytes()))
        .bind(self.now().0 - KNOWN)
        .fetch_optional(self.reads())
        .await?;
        Ok(row.is_some())
    }

    /// Deletes windows that have ended and networks that are no longer used. Returns how many.
    pub async fn purge_rates(&self) -> Result<u64> {
        let now = self.now().0;
        let mut tx = self.write().await?;
        let windows =
            sqlx::query("DELETE FROM rate_window WHERE ends_at <= $1").bind(now).execute(&mut *tx).await?;
        let networks = sqlx::query("DELETE FROM known_network WHERE used_at <= $1")
            .bind(now - KNOWN)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(windows.rows_affected() + networks.rows_affected())
    }
}

fn left(ends_at: Time, now: Time) -> Duration {
    Duration::from_millis(ends_at.0.saturating_sub(now.0).max(0).unsigned_abs())
}
