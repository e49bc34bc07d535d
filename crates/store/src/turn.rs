//! Whose turn it is: accounts that may have renders which are ready, in the order in which they were served.
//!
//! An account is marked when a render becomes ready, and unmarked by a claim that finds none. Processes of an earlier version do
//! not mark accounts, so those with renders that are ready are looked for now and then as well.

use sqlx::{Any, Executor};

use crate::database::locking;
use crate::row::Columns;
use crate::{Result, Store};

/// An account whose turn it is.
pub(crate) struct Turn {
    pub account_id: String,
    marks: i64,
}

impl Store {
    /// The account that was served longest ago, which is the last one from now on.
    pub(crate) async fn next_turn(&self) -> Result<Option<Turn>> {
        // A counter, because times of the same millisecond and a clock that is set back would give no order.
        let next = sqlx::query(locking!(
            self,
            "UPDATE turn SET number = (SELECT MAX(number) + 1 FROM turn) WHERE account_id = (SELECT account_id FROM turn \
             WHERE is_waiting = 1 ORDER BY number, account_id LIMIT 1",
            "FOR UPDATE SKIP LOCKED",
            ") RETURNING account_id, marks"
        ))
        .fetch_optional(self.single_writes())
        .await?;
        let next = match next {
            Some(next) => Some(next),
            // All may be locked by claims of this moment.
            None => sqlx::query(
                "SELECT account_id, marks FROM turn WHERE is_waiting = 1 ORDER BY number, account_id LIMIT 1",
            )
            .fetch_optional(self.reads())
            .await?,
        };
        next.map(|row| Ok(Turn { account_id: row.text("account_id")?, marks: row.int("marks")? })).transpose()
    }

    /// Unmarks an account without renders that are ready, or that is suspended, unless it was marked meanwhile.
    pub(crate) async fn end_turn(&self, turn: &Turn) -> Result<()> {
        let ready = sqlx::query(
            "SELECT 1 AS ready FROM task WHERE state = 'ready' AND account_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = $1 AND account.suspended_at IS NOT NULL) LIMIT 1",
        )
        .bind(turn.account_id.clone())
        .fetch_optional(self.reads())
        .await?;
        if ready.is_some() {
            return Ok(());
        }
        sqlx::query("UPDATE turn SET is_waiting = 0 WHERE account_id = $1 AND marks = $2")
            .bind(turn.account_id.clone())
            .bind(turn.marks)
            .execute(self.single_writes())
            .await?;
        Ok(())
    }

    /// Marks accounts with renders that are ready and that nobody has marked. Whether there were any.
    pub(crate) async fn mark_forgotten(&self) -> Result<bool> {
        // One step of the recursion for each account, however many renders are ready.
        let forgotten = sqlx::query(
            "WITH RECURSIVE ready (account_id) AS (SELECT MIN(account_id) FROM task WHERE state = 'ready' UNION ALL \
             SELECT (SELECT MIN(task.account_id) FROM task WHERE task.state = 'ready' AND task.account_id > ready.account_id) \
             FROM ready WHERE ready.account_id IS NOT NULL) \
             SELECT ready.account_id FROM ready JOIN account ON account.id = ready.account_id \
             LEFT JOIN turn ON turn.account_id = ready.account_id \
             WHERE account.suspended_at IS NULL AND COALESCE(turn.is_waiting, 0) = 0 ORDER BY ready.account_id",
        )
        .fetch_all(self.reads())
        .await?;
        if forgotten.is_empty() {
            return Ok(false);
        }
        let mut tx = self.write().await?;
        for row in &forgotten {
            mark(&mut *tx, &row.text("account_id")?).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}

/// Notes that an account has a render that is ready. An account that was never served is the next one.
pub(crate) async fn mark(on: impl Executor<'_, Database = Any>, account_id: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO turn (account_id, number, is_waiting, marks) \
         SELECT $1, COALESCE(MIN(number), 0) - 1, 1, 1 FROM turn WHERE 1 = 1 \
         ON CONFLICT (account_id) DO UPDATE SET is_waiting = 1, marks = turn.marks + 1",
    )
    .bind(account_id.to_owned())
    .execute(on)
    .await?;
    Ok(())
}
