//! What is known of finished chunks in the bucket: which there are, and when they were last used.

use std::collections::HashSet;

use crate::row::Columns;
use crate::{Result, Store};

/// Rows in one answer.
const PAGE: i64 = 500;

impl Store {
    /// Those of the names that are kept. They count as used now.
    pub async fn kept_chunks(&self, names: &[String]) -> Result<HashSet<String>> {
        let mut kept = HashSet::new();
        // In one order: another film may need the same.
        let mut names = names.to_vec();
        names.sort();
        let mut tx = self.write().await?;
        for name in &names {
            let used = sqlx::query("UPDATE kept_chunk SET used_at = $2 WHERE name = $1")
                .bind(name.clone())
                .bind(self.now().0)
                .execute(&mut *tx)
                .await?;
            if used.rows_affected() > 0 {
                kept.insert(name.clone());
            }
        }
        tx.commit().await?;
        Ok(kept)
    }

    pub async fn keep_chunk(&self, name: &str, bytes: u64) -> Result<()> {
        sqlx::query(
            "INSERT INTO kept_chunk (name, bytes, used_at) VALUES ($1, $2, $3) \
             ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, used_at = excluded.used_at",
        )
        .bind(name.to_owned())
        .bind(i64::try_from(bytes).unwrap_or(i64::MAX))
        .bind(self.now().0)
        .execute(self.single_writes())
        .await?;
        Ok(())
    }

    /// Names of the chunks unused longest, if all together have more than `limit` bytes. Those that a running film has finished
    /// are left out.
    pub async fn superfluous_chunks(&self, limit: u64) -> Result<Vec<String>> {
        let row = sqlx::query("SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM kept_chunk")
            .fetch_one(self.reads())
            .await?;
        let mut over = row.int("bytes")? - i64::try_from(limit).unwrap_or(i64::MAX);
        let mut names = Vec::new();
        if over <= 0 {
            return Ok(names);
        }
        let oldest = sqlx::query(
            "SELECT name, bytes FROM kept_chunk WHERE NOT EXISTS (SELECT 1 FROM chunk_task \
             WHERE chunk_task.name = kept_chunk.name) ORDER BY used_at, name LIMIT $1",
        )
        .bind(PAGE)
        .fetch_all(self.reads())
        .await?;
        for row in oldest {
            if over <= 0 {
                break;
            }
            over -= row.int("bytes")?;
            names.push(row.text("name")?);
        }
        Ok(names)
    }

    /// Forgets a chunk. The file is removed after that.
    pub async fn forget_chunk(&self, name: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM kept_chunk WHERE name = $1").bind(name.to_owned()).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}
