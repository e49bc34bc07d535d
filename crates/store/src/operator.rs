//! The operator's view: accounts, the queue and the processes of the service.

use std::time::Duration;

use crate::account::{Account, read_account, select_account};
use crate::process::Process;
use crate::row::{Columns, known, storable};
use crate::{Result, Store, Time};

/// A process without a report for this long is no longer listed.
const SILENT: Duration = Duration::from_secs(90);

/// An account in the operator's list.
#[derive(Clone, Debug)]
pub struct ListedAccount {
    pub account: Account,
    /// Renders ever created.
    pub renders: u64,
    pub last_seen_at: Option<Time>,
}

/// Running and waiting renders, and those ended in the last hour.
#[derive(Clone, Debug)]
pub struct Queue {
    pub waiting: u64,
    pub running: Vec<RunningRender>,
    pub finished_last_hour: u64,
    pub failed_last_hour: u64,
}

#[derive(Clone, Debug)]
pub struct RunningRender {
    pub render_id: String,
    pub account_email: String,
    pub progress: u32,
    /// The process that renders it, and the name of its machine.
    pub owner: Option<String>,
    pub host: Option<String>,
    pub started_at: Option<Time>,
    pub attempts: u32,
}

/// A process of the service.
#[derive(Clone, Debug)]
pub struct Worker {
    pub owner: String,
    /// The name of its machine, if it has one.
    pub host: Option<String>,
    pub role: String,
    pub started_at: Time,
    pub last_seen_at: Time,
    /// Renders it is running.
    pub running: u64,
}

impl Store {
    /// Accounts whose email or name contains `search`, oldest first, and the number of all matches.
    pub async fn find_accounts(
        &self,
        search: &str,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<ListedAccount>, u64)> {
        let pattern: String = storable(search.trim()).to_lowercase().replace(['%', '_'], " ");
        let pattern = format!("%{pattern}%");
        let rows = sqlx::query(select_account!(
            "(SELECT COUNT(*) FROM render WHERE render.account_id = account.id) AS renders, account.last_seen_at, ",
            "FROM account WHERE account.email_key LIKE $1 OR LOWER(account.name) LIKE $1 \
             ORDER BY account.id LIMIT $2 OFFSET $3"
        ))
        .bind(pattern.clone())
        .bind(i64::from(limit))
        .bind(offset.cast_signed())
        .fetch_all(self.reads())
        .await?;
        let total = sqlx::query(
            "SELECT COUNT(*) AS total FROM account WHERE email_key LIKE $1 OR LOWER(name) LIKE $1",
        )
        .bind(pattern)
        .fetch_one(self.reads())
        .await?
        .int("total")?;
        let accounts = rows.iter().map(|row| {
            Ok(ListedAccount {
                account: read_account(row)?,
                renders: row.int("renders")?.unsigned_abs(),
                last_seen_at: row.time_or_none("last_seen_at")?,
            })
        });
        Ok((known(accounts)?, total.unsigned_abs()))
    }

    /// Whether any account exists.
    pub async fn has_accounts(&self) -> Result<bool> {
        Ok(sqlx::query("SELECT id FROM account LIMIT 1").fetch_optional(self.reads()).await?.is_some())
    }

    pub async fn queue(&self) -> Result<Queue> {
        let rows = sqlx::query(
            "SELECT task.render_id, account.email, render.progress, task.owner, process.host, render.started_at, \
             task.attempts FROM task JOIN render ON render.id = task.render_id \
             JOIN account ON account.id = task.account_id LEFT JOIN process ON process.owner = task.owner \
             WHERE task.state = 'running' ORDER BY render.started_at, task.render_id",
        )
        .fetch_all(self.reads())
        .await?;
        let running = rows.iter().map(|row| {
            Ok(RunningRender {
                render_id: row.text("render_id")?,
                account_email: row.text("email")?,
                progress: row.count("progress")?,
                owner: row.text_or_none("owner")?,
                host: row.text_or_none("host")?,
                started_at: row.time_or_none("started_at")?,
                attempts: row.count("attempts")?,
            })
        });
        let ended = sqlx::query(
            "SELECT COUNT(CASE WHEN status = 'COMPLETED' THEN 1 END) AS finished, \
             COUNT(CASE WHEN status = 'FAILED' THEN 1 END) AS failed FROM render WHERE completed_at > $1",
        )
        .bind(self.now().minus(Duration::from_secs(3600)).0)
        .fetch_one(self.reads())
        .await?;
        Ok(Queue {
            waiting: self.renders_waiting().await?.unsigned_abs(),
            running: running.collect::<Result<_>>()?,
            finished_last_hour: ended.int("finished")?.unsigned_abs(),
            failed_last_hour: ended.int("failed")?.unsigned_abs(),
        })
    }

    /// Reports that this process is alive, and deletes processes that stopped reporting.
    pub async fn report_process(&self, role: &str, started_at: Time) -> Result<()> {
        let now = self.now();
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO process (owner, role, started_at, last_seen_at, host) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (owner) DO UPDATE SET last_seen_at = excluded.last_seen_at",
        )
        .bind(self.process().token().to_owned())
        .bind(role.to_owned())
        .bind(started_at.0)
        .bind(now.0)
        .bind(Process::host())
        .execute(&mut *tx)
        .await?;
        sqlx::query("DELETE FROM process WHERE last_seen_at < $1")
            .bind(now.minus(SILENT).0)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Removes this process from the list.
    pub async fn retire_process(&self) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM process WHERE owner = $1")
            .bind(self.process().token().to_owned())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Processes that report and are not known to have ended, longest running first.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        let rows = sqlx::query(
            "SELECT process.owner, process.host, process.role, process.started_at, process.last_seen_at, \
             (SELECT COUNT(*) FROM task WHERE task.owner = process.owner AND task.state = 'running') AS running \
             FROM process WHERE process.last_seen_at >= $1 ORDER BY process.started_at, process.owner",
        )
        .bind(self.now().minus(SILENT).0)
        .fetch_all(self.reads())
        .await?;
        let mut workers = Vec::with_capacity(rows.len());
        for row in rows {
            let owner = row.text("owner")?;
            if !self.process().is_gone(&owner) {
                workers.push(Worker {
                    host: row.text_or_none("host")?,
                    role: row.text("role")?,
                    started_at: row.time("started_at")?,
                    last_seen_at: row.time("last_seen_at")?,
                    running: row.int("running")?.unsigned_abs(),
                    owner,
                });
            }
        }
        Ok(workers)
    }
}
