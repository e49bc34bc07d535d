//! The queue of renders: claiming them under a lease, retries, crashed workers and the concurrency limits of plans.
//!
//! A claim increments the task's fence, and each write of a worker carries its fence: a worker that lost its lease can
//! change nothing. Three things are counted apart: failures that workers report, crashes of the process that renders one
//! film, and deaths of the service's process, which may have been caused by any of the films in it.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::Value;
use sqlx::AnyConnection;

use crate::account::LockedAccount;
use crate::connection::Write;
use crate::database::locking;
use crate::finish::Ending;
use crate::id::{self, Kind};
use crate::lease::{LEAVE_TO_NEWER, Lease, require_lease};
use crate::ledger::{self, Movement};
use crate::render::{Revision, fetch_render};
use crate::row::Columns;
use crate::{Credits, Plan, Render, Result, Store, StoreError, Time, release, turn, usage};

/// A render fails when its worker has disappeared this many times without a newly finished chunk.
pub const MAX_CRASHES: u32 = 5;
/// From this many disappeared workers on, a render is claimed only by a process that renders nothing else: the crashes
/// that make a render fail are its own.
pub const SUSPECT_CRASHES: u32 = 2;
/// How long such a render waits before busy processes stop claiming others.
pub const SUSPECT_PATIENCE: Duration = Duration::from_secs(60);
/// A render fails when its own process has crashed this many times without a newly finished chunk.
pub const MAX_CHILD_CRASHES: u32 = 2;
/// A render fails when its own process has crashed this many times, whatever was finished: without a chunk cache every
/// attempt finishes the same chunks.
pub const MAX_CHILD_CRASHES_IN_ALL: u32 = 5;
/// Time between two looks for workers that have disappeared, while there is work.
const REAP_EVERY: Duration = Duration::from_secs(1);
/// The same for accounts that nobody has marked, see [`turn`]. One process looks for all of them.
const MARK_EVERY: Duration = Duration::from_secs(10);
/// Accounts that a claim looks at.
const MOST_TURNS: usize = 100;
/// Retries after transient failures.
pub const MAX_FAILURES: u32 = 3;

#[derive(Clone, Debug)]
pub struct Claimed {
    pub render: Render,
    pub lease: Lease,
    /// 1 for the first claim.
    pub attempt: u32,
    /// Made by a newer version, so that this one may not understand all of it.
    pub is_newer: bool,
}

/// What follows a transient failure or a crash.
#[derive(Clone, Debug)]
pub enum Retry {
    /// The render is ready again after this many failures or crashes.
    Again { failures: u32 },
    /// The render has failed.
    GivenUp(Box<Render>),
}

/// The renders that are not final, by the state of their task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Over the limit of their account.
    pub waiting: u64,
    /// For the next free worker.
    pub ready: u64,
    pub running: u64,
    /// Since the oldest render that does not run was created. Those of suspended accounts do not count.
    pub oldest: Option<Duration>,
}

impl Store {
    /// Claims the next render for the duration `lease`: the oldest of the account that was served longest ago. First
    /// makes renders of disappeared workers ready again. Fails if the database was migrated to a schema that this version
    /// cannot work with.
    pub async fn claim(&self, lease: Duration) -> Result<Option<Claimed>> {
        // A claim that finds nothing looks in any case.
        if self.is_reaping_due(REAP_EVERY) {
            self.require_schema().await?;
            self.reap().await?;
        }
        // Idle workers only read.
        if self.is_marking_due(MARK_EVERY)
            && self.has_ready_tasks(self.now()).await?
            && self.begins_for_all("marking", MARK_EVERY).await?
        {
            self.mark_forgotten().await?;
        }
        if let Some(claimed) = self.claim_ready(lease).await? {
            return Ok(Some(claimed));
        }
        self.require_schema().await?;
        self.reap().await?;
        self.admit_everywhere().await?;
        self.mark_forgotten().await?;
        self.claim_ready(lease).await
    }

    /// Stores the composition with its generated AI values, its new length and the new amount to hold. The render
    /// becomes PROCESSING.
    pub async fn revise(&self, lease: &Lease, revision: &Revision) -> Result<()> {
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        require_lease(&mut tx, lease).await?;
        let render = fetch_render(&mut tx, &lease.render_id)
            .await?
            .ok_or_else(|| StoreError::not_found("render job", &lease.render_id))?;
        rehold(&mut tx, &render, revision.credits, now).await?;
        usage::note(&mut tx, &account.id, &revision.used, now).await?;
        let mut input_props = revision.input_props.clone();
        let credentials = self.take_credentials(&render.id, [&mut input_props, &mut Value::Null])?;
        sqlx::query(
            "UPDATE render SET input_props = $2, duration_in_frames = $3, credits = $4, speech = NULL, \
             status = 'PROCESSING', updated_at = $5, credentials = $6 WHERE id = $1",
        )
        .bind(render.id)
        .bind(input_props.to_string())
        .bind(i64::from(revision.duration_in_frames))
        .bind(revision.credits.thousandths())
        .bind(now.0)
        .bind(credentials)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Holds at least `credits` for the render.
    pub async fn raise_hold(&self, lease: &Lease, credits: Credits) -> Result<()> {
        let now = self.now();
        let mut tx = self.write().await?;
        self.lock_account(&mut tx, &lease.account_id).await?;
        require_lease(&mut tx, lease).await?;
        let render = fetch_render(&mut tx, &lease.render_id)
            .await?
            .ok_or_else(|| StoreError::not_found("render job", &lease.render_id))?;
        if credits > render.credits {
            rehold(&mut tx, &render, credits, now).await?;
            sqlx::query("UPDATE render SET credits = $2, updated_at = $3 WHERE id = $1")
                .bind(render.id)
                .bind(credits.thousandths())
                .bind(now.0)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Reports a transient failure: the render is retried after `delay`, up to [`MAX_FAILURES`] times, then it fails
    /// with the message.
    pub async fn retry(&self, lease: &Lease, message: &str, delay: Duration) -> Result<Retry> {
        self.try_again(
            lease,
            message,
            delay,
            "UPDATE task SET failures = failures + 1, state = 'ready', owner = NULL, lease_until = NULL, \
             ready_at = $3 WHERE render_id = $1 AND fence = $2 AND state = 'running' \
             RETURNING failures AS count, CASE WHEN failures > $4 THEN 1 ELSE 0 END AS is_last",
            &[MAX_FAILURES],
        )
        .await
    }

    /// Reports that the process of this one render crashed: the render is retried after `delay`, and fails with the
    /// message at the second crash without a newly finished chunk.
    pub async fn crashed(&self, lease: &Lease, message: &str, delay: Duration) -> Result<Retry> {
        self.try_again(
            lease,
            message,
            delay,
            "UPDATE task SET child_crashes = child_crashes + 1, child_crashes_in_all = child_crashes_in_all + 1, \
             state = 'ready', owner = NULL, lease_until = NULL, ready_at = $3 \
             WHERE render_id = $1 AND fence = $2 AND state = 'running' RETURNING child_crashes_in_all AS count, \
             CASE WHEN child_crashes >= $4 OR child_crashes_in_all >= $5 THEN 1 ELSE 0 END AS is_last",
            &[MAX_CHILD_CRASHES, MAX_CHILD_CRASHES_IN_ALL],
        )
        .await
    }

    /// Returns the render to the queue with an update that takes render id, fence, time and `limits`, and returns a
    /// count and whether this was the last attempt.
    async fn try_again(
        &self,
        lease: &Lease,
        message: &str,
        delay: Duration,
        update: &'static str,
        limits: &[u32],
    ) -> Result<Retry> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        let mut query = sqlx::query(update)
            .bind(lease.render_id.clone())
            .bind(lease.fence)
            .bind(self.now().plus(delay).0);
        for limit in limits {
            query = query.bind(i64::from(*limit));
        }
        let row = query.fetch_optional(&mut *tx).await?.ok_or_else(|| StoreError::lost(&lease.render_id))?;
        let outcome = if row.flag("is_last")? {
            let render = self.end(&mut tx, &account, &lease.render_id, Ending::Failed(message)).await?;
            Retry::GivenUp(Box::new(render))
        } else {
            turn::mark(&mut *tx, &account.id).await?;
            Retry::Again { failures: row.count("count")? }
        };
        tx.commit().await?;
        Ok(outcome)
    }

    async fn claim_ready(&self, lease: Duration) -> Result<Option<Claimed>> {
        let now = self.now();
        // Idle workers only read.
        if !self.has_ready_tasks(now).await? {
            return Ok(None);
        }
        // Workers of this process claim one at a time, so that a suspect stays alone.
        let _claiming = self.claiming().lock().await;
        let Some(most_crashes) = self.claimable(now).await? else { return Ok(None) };
        let suspect = match most_crashes {
            i64::MAX => self.next_suspect(now).await?,
            _ => None,
        };
        let next = match suspect {
            Some(suspect) => Some(suspect),
            None => self.next_ready(now, most_crashes).await?,
        };
        let Some((mut tx, account_id, render_id)) = next else { return Ok(None) };
        let task = sqlx::query(
            "UPDATE task SET state = 'running', fence = fence + 1, attempts = attempts + 1, owner = $2, \
             lease_until = $3 WHERE render_id = $1 RETURNING fence, attempts, made_by",
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
        // This worker may cut the film differently than the one that offered these: its version or its media may differ.
        sqlx::query("DELETE FROM chunk_task WHERE render_id = $1 AND state <> 'done'")
            .bind(render_id.clone())
            .execute(&mut *tx)
            .await?;
        let is_newer = task.int("made_by")? > release::number();
        let lease = Lease { render_id, account_id, fence: task.int("fence")? };
        let fetched = match fetch_render(&mut tx, &lease.render_id).await {
            Err(StoreError::UnknownValue { .. }) if is_newer => {
                sqlx::query(LEAVE_TO_NEWER).bind(lease.render_id).bind(lease.fence).execute(&mut *tx).await?;
                tx.commit().await?;
                // Whoever locks both a task and a turn locks the account first.
                turn::mark(self.single_writes(), &lease.account_id).await?;
                return Ok(None);
            }
            fetched => fetched?,
        };
        let mut render = fetched.ok_or_else(|| StoreError::not_found("render job", &lease.render_id))?;
        self.put_credentials_back(&mut tx, &mut render).await?;
        tx.commit().await?;
        Ok(Some(Claimed { render, lease, attempt: task.count("attempts")?, is_newer }))
    }

    async fn has_ready_tasks(&self, now: Time) -> Result<bool> {
        let ready =
            sqlx::query("SELECT 1 AS ready FROM task WHERE state = 'ready' AND ready_at <= $1 LIMIT 1")
                .bind(now.0)
                .fetch_optional(self.reads())
                .await?;
        Ok(ready.is_some())
    }

    /// The oldest render that is ready, of the account that was served longest ago, and locks it.
    async fn next_ready(&self, now: Time, most_crashes: i64) -> Result<Option<(Write, String, String)>> {
        let mut tried = HashSet::new();
        while tried.len() < MOST_TURNS
            && let Some(turn) = self.next_turn().await?
            && tried.insert(turn.account_id.clone())
        {
            let mut tx = self.write().await?;
            let next = sqlx::query(locking!(
                self,
                "SELECT render_id FROM task WHERE state = 'ready' AND account_id = $1 AND ready_at <= $2 \
                 AND crashes <= $3 AND needs <= $4 AND NOT EXISTS (SELECT 1 FROM account \
                 WHERE account.id = $1 AND account.suspended_at IS NOT NULL) ORDER BY render_id LIMIT 1",
                "FOR UPDATE SKIP LOCKED"
            ))
            .bind(turn.account_id.clone())
            .bind(now.0)
            .bind(most_crashes)
            .bind(release::number())
            .fetch_optional(&mut *tx)
            .await?;
            if let Some(next) = next {
                return Ok(Some((tx, turn.account_id, next.text("render_id")?)));
            }
            drop(tx);
            self.end_turn(&turn).await?;
        }
        Ok(None)
    }

    /// A render for which busy processes wait: see [`SUSPECT_PATIENCE`]. Locks it.
    async fn next_suspect(&self, now: Time) -> Result<Option<(Write, String, String)>> {
        let mut tx = self.write().await?;
        let suspect = sqlx::query(locking!(
            self,
            "SELECT account_id, render_id FROM task WHERE state = 'ready' AND ready_at <= $1 AND crashes >= 2 \
             AND needs <= $2 AND NOT EXISTS (SELECT 1 FROM account \
             WHERE account.id = task.account_id AND account.suspended_at IS NOT NULL) ORDER BY render_id LIMIT 1",
            "FOR UPDATE SKIP LOCKED"
        ))
        .bind(now.minus(SUSPECT_PATIENCE).0)
        .bind(release::number())
        .fetch_optional(&mut *tx)
        .await?;
        match suspect {
            Some(row) => Ok(Some((tx, row.text("account_id")?, row.text("render_id")?))),
            None => Ok(None),
        }
    }

    /// The most crashes that a render may have which this process claims now, or `None` if it claims nothing.
    async fn claimable(&self, now: Time) -> Result<Option<i64>> {
        let suspect = i64::from(SUSPECT_CRASHES);
        let own = sqlx::query(
            "SELECT COUNT(*) AS running, COUNT(CASE WHEN crashes >= $2 THEN 1 END) AS suspects FROM task \
             WHERE state = 'running' AND owner = $1",
        )
        .bind(self.process().token().to_owned())
        .bind(suspect)
        .fetch_one(self.reads())
        .await?;
        if own.int("running")? == 0 {
            return Ok(Some(i64::MAX));
        }
        if own.int("suspects")? > 0 {
            return Ok(None);
        }
        let impatient = sqlx::query(
            // [`SUSPECT_CRASHES`] in letters: there is an index for it.
            "SELECT 1 AS impatient FROM task WHERE state = 'ready' AND ready_at <= $1 AND crashes >= 2 \
             AND needs <= $2 AND NOT EXISTS (SELECT 1 FROM account \
             WHERE account.id = task.account_id AND account.suspended_at IS NOT NULL) LIMIT 1",
        )
        .bind(now.minus(SUSPECT_PATIENCE).0)
        .bind(release::number())
        .fetch_optional(self.reads())
        .await?;
        Ok(impatient.is_none().then_some(suspect - 1))
    }

    /// Counts a crash for each render whose lease expired or whose worker's process has ended, and makes it ready
    /// again, or fails it at [`MAX_CRASHES`].
    async fn reap(&self) -> Result<()> {
        let now = self.now();
        let running = sqlx::query(
            "SELECT render_id, account_id, fence, owner, lease_until FROM task WHERE state = 'running'",
        )
        .fetch_all(self.reads())
        .await?;
        // Many renders run in few processes.
        let mut gone = HashMap::new();
        for row in running {
            let until = row.time("lease_until")?;
            let is_gone = row.text_or_none("owner")?.is_some_and(|owner| {
                *gone.entry(owner).or_insert_with_key(|owner| self.process().is_gone(owner))
            });
            if until >= now && !is_gone {
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
        // Renewed, ended or counted by another process since the read.
        let Some(row) = row else { return Ok(()) };
        let crashes = row.count("crashes")?;
        tracing::warn!(render = lease.render_id, crashes, "render worker disappeared");
        if crashes >= MAX_CRASHES {
            let message = format!(
                "The render failed: its worker exited unexpectedly {crashes} times in a row without progress. \
                 Simplify the composition or its media and try again."
            );
            self.end(&mut tx, &account, &lease.render_id, Ending::Failed(&message)).await?;
        } else {
            turn::mark(&mut *tx, &account.id).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// The number of renders that no worker has claimed.
    pub async fn renders_waiting(&self) -> Result<i64> {
        let row = sqlx::query("SELECT COUNT(*) AS renders FROM task WHERE state <> 'running'")
            .fetch_one(self.reads())
            .await?;
        row.int("renders")
    }

    /// How full the queue is.
    pub async fn queue_depth(&self) -> Result<QueueDepth> {
        let mut depth = QueueDepth::default();
        // What waits for a newer version does not wait for a worker of this one.
        let rows = sqlx::query(
            "SELECT state, COUNT(*) AS renders FROM task WHERE state <> 'ready' OR needs <= $1 GROUP BY state",
        )
        .bind(release::number());
        for row in rows.fetch_all(self.reads()).await? {
            let renders = row.int("renders")?.unsigned_abs();
            match row.text("state")?.as_str() {
                "waiting" => depth.waiting = renders,
                "ready" => depth.ready = renders,
                _ => depth.running = renders,
            }
        }
        // Ids begin with the time, so the first is the oldest.
        let oldest = sqlx::query(
            "SELECT render.created_at FROM task JOIN render ON render.id = task.render_id \
             JOIN account ON account.id = task.account_id \
             WHERE task.state <> 'running' AND account.suspended_at IS NULL ORDER BY task.render_id LIMIT 1",
        );
        if let Some(row) = oldest.fetch_optional(self.reads()).await? {
            depth.oldest = Some(row.time("created_at")?.until(self.now()));
        }
        Ok(depth)
    }

    /// Makes waiting renders of the account ready, oldest first, up to the limit of its plan.
    pub(crate) async fn admit(&self, tx: &mut AnyConnection, account: &LockedAccount) -> Result<bool> {
        let active = sqlx::query(
            "SELECT COUNT(*) AS active FROM task WHERE account_id = $1 AND state IN ('ready', 'running')",
        )
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
        if !admitted.is_empty() {
            turn::mark(&mut *tx, &account.id).await?;
        }
        Ok(!admitted.is_empty())
    }

    /// Makes waiting renders of every account ready, in case limits were raised.
    async fn admit_everywhere(&self) -> Result<()> {
        // One step for each account with renders that wait.
        let waiting = sqlx::query(
            "WITH RECURSIVE waiting (account_id) AS (SELECT MIN(account_id) FROM task WHERE state = 'waiting' UNION ALL \
             SELECT (SELECT MIN(task.account_id) FROM task WHERE task.state = 'waiting' \
             AND task.account_id > waiting.account_id) FROM waiting WHERE waiting.account_id IS NOT NULL) \
             SELECT account.id, account.plan, (SELECT COUNT(*) FROM task WHERE task.state IN ('ready', 'running') \
             AND task.account_id = account.id) AS active \
             FROM waiting JOIN account ON account.id = waiting.account_id ORDER BY account.id",
        )
        .fetch_all(self.reads())
        .await?;
        for row in waiting {
            // Newer processes admit the renders of a plan that only they know.
            let Some(plan) = Plan::parse(&row.text("plan")?) else { continue };
            if row.int("active")? < i64::from(self.concurrent_renders(plan)) {
                let mut tx = self.write().await?;
                let account = self.lock_account(&mut tx, &row.text("id")?).await?;
                self.admit(&mut tx, &account).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }
}

/// Changes the amount that the ledger holds for a render.
async fn rehold(tx: &mut AnyConnection, render: &Render, credits: Credits, now: Time) -> Result<()> {
    if credits == render.credits {
        return Ok(());
    }
    let movement = Movement {
        account_id: &render.account_id,
        reference: &render.id,
        step: &id::new(Kind::Revision),
        kind: "hold",
        amount: render.credits - credits,
    };
    ledger::move_balance(tx, movement, now).await
}
