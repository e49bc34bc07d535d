//! Work on renders: who may take the next one, under a lease, and what happens when a worker disappears.
//!
//! A claim raises the task's fence, and everything a worker writes names its fence: one that lost its lease changes
//! nothing any more. Crashes are counted apart from failures the worker reports.

use std::time::Duration;

use serde_json::Value;
use sqlx::AnyConnection;

use crate::account::{LockedAccount, Plan};
use crate::database::locking;
use crate::finish::Ending;
use crate::id::{self, Kind};
use crate::ledger::{self, Movement};
use crate::render::{Revision, fetch_render};
use crate::row::Columns;
use crate::{Render, Result, Store, StoreError, Time, usage};

/// A render is given up after this many crashes without a newly finished chunk.
pub const MAX_CRASHES: u32 = 5;
/// How many failures that may pass are tried again.
pub const MAX_FAILURES: u32 = 3;

/// The right to work on one render, until it runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub render_id: String,
    pub account_id: String,
    pub fence: i64,
}

#[derive(Clone, Debug)]
pub struct Claimed {
    pub render: Render,
    pub lease: Lease,
    /// 1 for the first worker that takes it.
    pub attempt: u32,
}

/// What became of a failure that may pass.
#[derive(Clone, Debug)]
pub enum Retry {
    Again { failures: u32 },
    GivenUp(Box<Render>),
}

impl Store {
    /// Takes the next render for `lease`: of the account with the fewest running, the oldest. Renders whose worker
    /// disappeared are made ready again first.
    pub async fn claim(&self, lease: Duration) -> Result<Option<Claimed>> {
        self.reap().await?;
        if let Some(claimed) = self.claim_ready(lease).await? {
            return Ok(Some(claimed));
        }
        if self.admit_everywhere().await? { self.claim_ready(lease).await } else { Ok(None) }
    }

    /// Extends the lease from now on.
    pub async fn renew(&self, lease: &Lease, duration: Duration) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET lease_until = $3 WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            Some(self.now().plus(duration)),
        )
        .await
    }

    /// Gives the render back unfinished, as a server does that is stopped: not a crash.
    pub async fn hand_back(&self, lease: &Lease) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET state = 'ready', owner = NULL, lease_until = NULL, ready_at = $3 \
             WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            Some(self.now()),
        )
        .await
    }

    /// Notes progress that outlives a crash: the count of crashes starts again.
    pub async fn note_chunk_finished(&self, lease: &Lease) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET crashes = 0 WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            None,
        )
        .await
    }

    /// Raises the progress shown, up to 99: it never goes back, and 100 comes with completion.
    pub async fn set_progress(&self, lease: &Lease, percent: u32) -> Result<()> {
        let mut tx = self.write().await?;
        let updated = sqlx::query(
            "UPDATE render SET progress = $3, updated_at = $4 \
             WHERE id = $1 AND status = 'PROCESSING' AND progress < $3 AND EXISTS \
             (SELECT 1 FROM task WHERE render_id = $1 AND fence = $2 AND state = 'running')",
        )
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .bind(i64::from(percent.min(99)))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        if updated.rows_affected() == 0 {
            require_lease(&mut tx, lease).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Stores the composition with AI values in it, its new length and the new amount to hold. From now on the render
    /// is PROCESSING.
    pub async fn revise(&self, lease: &Lease, revision: &Revision) -> Result<()> {
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        require_lease(&mut tx, lease).await?;
        let render = fetch_render(&mut tx, &lease.render_id)
            .await?
            .ok_or_else(|| StoreError::not_found("render job", &lease.render_id))?;
        if revision.credits != render.credits {
            let movement = Movement {
                account_id: &account.id,
                reference: &render.id,
                step: &id::new(Kind::Revision),
                kind: "hold",
                amount: render.credits - revision.credits,
            };
            ledger::move_balance(&mut tx, movement, now).await?;
        }
        usage::note(&mut tx, &account.id, &revision.used, now).await?;
        sqlx::query(
            "UPDATE render SET input_props = $2, duration_in_frames = $3, credits = $4, speech = NULL, \
             status = 'PROCESSING', updated_at = $5 WHERE id = $1",
        )
        .bind(render.id)
        .bind(Value::to_string(&revision.input_props))
        .bind(i64::from(revision.duration_in_frames))
        .bind(revision.credits.thousandths())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Reports a failure that may pass: the render is tried again after `delay`, up to [`MAX_FAILURES`] times, then
    /// it fails with the message.
    pub async fn retry(&self, lease: &Lease, message: &str, delay: Duration) -> Result<Retry> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        let row = sqlx::query(
            "UPDATE task SET failures = failures + 1, state = 'ready', owner = NULL, lease_until = NULL, \
             ready_at = $3 WHERE render_id = $1 AND fence = $2 AND state = 'running' RETURNING failures",
        )
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .bind(self.now().plus(delay).0)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::lost(&lease.render_id))?;
        let failures = row.count("failures")?;
        let outcome = if failures > MAX_FAILURES {
            let render = self.end(&mut tx, &account, &lease.render_id, Ending::Failed(message)).await?;
            Retry::GivenUp(Box::new(render))
        } else {
            Retry::Again { failures }
        };
        tx.commit().await?;
        Ok(outcome)
    }

    async fn claim_ready(&self, lease: Duration) -> Result<Option<Claimed>> {
        let now = self.now();
        let ready =
            sqlx::query("SELECT 1 AS ready FROM task WHERE state = 'ready' AND ready_at <= $1 LIMIT 1")
                .bind(now.0)
                .fetch_optional(self.reads())
                .await?;
        if ready.is_none() {
            return Ok(None);
        }
        let mut tx = self.write().await?;
        let next = sqlx::query(locking!(
            self,
            "SELECT render_id FROM task WHERE state = 'ready' AND ready_at <= $1 ORDER BY (SELECT COUNT(*) FROM \
             task AS running WHERE running.account_id = task.account_id AND running.state = 'running'), render_id \
             LIMIT 1",
            "FOR UPDATE SKIP LOCKED"
        ))
        .bind(now.0)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(next) = next else { return Ok(None) };
        let render_id = next.text("render_id")?;
        let task = sqlx::query(
            "UPDATE task SET state = 'running', fence = fence + 1, attempts = attempts + 1, owner = $2, \
             lease_until = $3 WHERE render_id = $1 RETURNING account_id, fence, attempts",
        )
        .bind(render_id.clone())
        .bind(self.process().token().to_owned())
        .bind(now.plus(lease).0)
        .fetch_one(&mut *tx)
        .await?;
        sqlx::query("UPDATE render SET started_at = COALESCE(started_at, $2), updated_at = $2 WHERE id = $1")
            .bind(render_id.clone())
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
        let render = fetch_render(&mut tx, &render_id)
            .await?
            .ok_or_else(|| StoreError::not_found("render job", &render_id))?;
        tx.commit().await?;
        let lease = Lease { render_id, account_id: task.text("account_id")?, fence: task.int("fence")? };
        Ok(Some(Claimed { render, lease, attempt: task.count("attempts")? }))
    }

    /// Counts a crash for each render whose lease ran out or whose worker's process has ended, and makes it ready
    /// again, or ends it when that has happened too often.
    async fn reap(&self) -> Result<()> {
        let now = self.now();
        let running = sqlx::query(
            "SELECT render_id, account_id, fence, owner, lease_until FROM task WHERE state = 'running'",
        )
        .fetch_all(self.reads())
        .await?;
        for row in running {
            let until = row.time("lease_until")?;
            let gone = row.text_or_none("owner")?.is_some_and(|owner| self.process().is_gone(&owner));
            if until >= now && !gone {
                continue;
            }
            let lease = Lease {
                render_id: row.text("render_id")?,
                account_id: row.text("account_id")?,
                fence: row.int("fence")?,
            };
            self.count_crash(&lease, until).await?;
        }
        Ok(())
    }

    async fn count_crash(&self, lease: &Lease, until: Time) -> Result<()> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        let row = sqlx::query(
            "UPDATE task SET crashes = crashes + 1, state = 'ready', owner = NULL, lease_until = NULL, ready_at = $4 \
             WHERE render_id = $1 AND fence = $2 AND state = 'running' AND lease_until = $3 RETURNING crashes",
        )
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .bind(until.0)
        .bind(self.now().0)
        .fetch_optional(&mut *tx)
        .await?;
        // Renewed, ended or reaped by another process since it was read.
        let Some(row) = row else { return Ok(()) };
        let crashes = row.count("crashes")?;
        tracing::warn!(render = lease.render_id, crashes, "a render lost its worker");
        if crashes >= MAX_CRASHES {
            let message = format!(
                "The render was given up: its worker stopped unexpectedly {crashes} times in a row without finishing \
                 a further part of the film. Simplify the composition or its media and try again."
            );
            self.end(&mut tx, &account, &lease.render_id, Ending::Failed(&message)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Renders that are not being worked on yet.
    pub async fn renders_waiting(&self) -> Result<i64> {
        let row = sqlx::query("SELECT COUNT(*) AS renders FROM task WHERE state <> 'running'")
            .fetch_one(self.reads())
            .await?;
        row.int("renders")
    }

    /// Starts waiting renders of the account, oldest first, as far as its plan allows.
    pub(crate) async fn admit(&self, tx: &mut AnyConnection, account: &LockedAccount) -> Result<bool> {
        let active =
            sqlx::query("SELECT COUNT(*) AS active FROM task WHERE account_id = $1 AND state <> 'waiting'")
                .bind(account.id.clone())
                .fetch_one(&mut *tx)
                .await?
                .int("active")?;
        let free = i64::from(self.concurrent_renders(account.plan)) - active;
        if free <= 0 {
            return Ok(false);
        }
        let admitted = sqlx::query(
            "UPDATE task SET state = 'ready', ready_at = $2 WHERE render_id IN (SELECT render_id FROM task \
             WHERE account_id = $1 AND state = 'waiting' ORDER BY render_id LIMIT $3) RETURNING render_id",
        )
        .bind(account.id.clone())
        .bind(self.now().0)
        .bind(free)
        .fetch_all(&mut *tx)
        .await?;
        for row in &admitted {
            sqlx::query(
                "UPDATE render SET status = 'PROCESSING', updated_at = $2 WHERE id = $1 AND speech IS NULL",
            )
            .bind(row.text("render_id")?)
            .bind(self.now().0)
            .execute(&mut *tx)
            .await?;
        }
        Ok(!admitted.is_empty())
    }

    /// Starts what may start in every account: after the limits were raised.
    async fn admit_everywhere(&self) -> Result<bool> {
        let waiting = sqlx::query(
            "SELECT account.id, account.plan, CAST(SUM(CASE WHEN task.state = 'waiting' THEN 0 ELSE 1 END) AS BIGINT) \
             AS active FROM task JOIN account ON account.id = task.account_id GROUP BY account.id, account.plan \
             HAVING SUM(CASE WHEN task.state = 'waiting' THEN 1 ELSE 0 END) > 0 ORDER BY account.id",
        )
        .fetch_all(self.reads())
        .await?;
        let mut admitted = false;
        for row in waiting {
            if row.int("active")? < i64::from(self.concurrent_renders(Plan::stored(row.text("plan")?)?)) {
                let mut tx = self.write().await?;
                let account = self.lock_account(&mut tx, &row.text("id")?).await?;
                admitted |= self.admit(&mut tx, &account).await?;
                tx.commit().await?;
            }
        }
        Ok(admitted)
    }

    /// Runs an update of the leased task that takes the render, the fence and perhaps a time.
    async fn under_lease(&self, lease: &Lease, update: &'static str, time: Option<Time>) -> Result<()> {
        let mut tx = self.write().await?;
        let mut query = sqlx::query(update).bind(lease.render_id.clone()).bind(lease.fence);
        if let Some(time) = time {
            query = query.bind(time.0);
        }
        let updated = query.execute(&mut *tx).await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::lost(&lease.render_id));
        }
        tx.commit().await?;
        Ok(())
    }
}

async fn require_lease(tx: &mut AnyConnection, lease: &Lease) -> Result<()> {
    sqlx::query("SELECT 1 AS held FROM task WHERE render_id = $1 AND fence = $2 AND state = 'running'")
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .fetch_optional(tx)
        .await?
        .map(|_| ())
        .ok_or_else(|| StoreError::lost(&lease.render_id))
}
