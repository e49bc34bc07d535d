//! The chunks of running films as tasks: any worker takes them, first done wins.
//!
//! A chunk is named by its content, so it makes no difference who renders it, or how often. A task is taken under a lease; one
//! that is overdue is given to another worker as well.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::locking;
use crate::lease::{Lease, require_lease};
use crate::row::Columns;
use crate::task::SUSPECT_CRASHES;
use crate::{Render, Result, Store, StoreError, release};

/// A chunk that takes this many times as long as chunks of its film usually do is overdue.
const OVERDUE_TIMES: i64 = 3;
/// Beyond that, a chunk that takes at most this long is not, in milliseconds.
const NEVER_OVERDUE: i64 = 5000;
/// When no more chunks are left than each worker takes so often, the costliest come first.
const ROUNDS_BY_COST: i64 = 2;
/// While none is finished, a chunk is overdue after this time.
const FIRST_OVERDUE: i64 = 60_000;

/// A chunk of a file of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkTask {
    /// The number of the file, and the place of the chunk in it.
    pub file: u32,
    pub number: u32,
    /// Frames that differ from the one before, which are those that take time. The column is named `frames`.
    pub changes: u32,
    /// The name under which it is kept.
    pub name: String,
}

/// What a worker gets that asks for a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    Task(ChunkTask),
    /// All that are not done are rendered by others.
    Later,
    /// All are done, or the film is no longer rendered.
    Nothing,
}

/// Who asks for a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// The worker that joins the film.
    Lead,
    /// Another one. It takes no chunk that a helper has failed to render: the lead finds out why.
    Helper,
}

impl Store {
    /// Makes tasks of chunks, apart from those in `kept`. Tasks that exist, because another worker led the film before, stay.
    pub async fn offer_chunks(
        &self,
        lease: &Lease,
        chunks: &[ChunkTask],
        kept: &HashSet<String>,
    ) -> Result<()> {
        let mut tx = self.write().await?;
        self.hold_task(&mut tx, &lease.render_id).await?;
        require_lease(&mut tx, lease).await?;
        // In one order, like everything that locks several rows.
        let mut chunks: Vec<&ChunkTask> = chunks.iter().collect();
        chunks.sort_by(|a, b| a.name.cmp(&b.name));
        for chunk in chunks {
            sqlx::query(
                "INSERT INTO chunk_task (render_id, name, file, number, frames, state, engine) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) \
                 ON CONFLICT (render_id, name) DO UPDATE SET file = excluded.file, number = excluded.number, \
                 state = CASE WHEN excluded.state = 'done' THEN 'done' ELSE chunk_task.state END",
            )
            .bind(lease.render_id.clone())
            .bind(chunk.name.clone())
            .bind(i64::from(chunk.file))
            .bind(i64::from(chunk.number))
            .bind(i64::from(chunk.changes))
            .bind(if kept.contains(&chunk.name) { "done" } else { "ready" })
            .bind(self.engine().to_owned())
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Takes the next chunk of a file of a running film: the first that is ready, otherwise one whose worker is gone or slow. Towards
    /// the end, the costliest are taken first, so that all workers end at about the same time.
    pub async fn take_chunk(&self, render_id: &str, file: u32, hand: Hand, lease: Duration) -> Result<Taken> {
        let most_failures = match hand {
            Hand::Lead => i64::MAX,
            Hand::Helper => 0,
        };
        let now = self.now();
        let mut tx = self.write().await?;
        let rounds = rounds_by_cost(&mut tx, render_id, file).await?;
        let ready = sqlx::query(locking!(
            self,
            "SELECT name, number, frames FROM chunk_task WHERE state = 'ready' AND render_id = $1 AND file = $2 \
             AND failures <= $3 AND engine = $4 ORDER BY CASE WHEN (SELECT COUNT(*) FROM chunk_task other \
             WHERE other.state = 'ready' AND other.render_id = $1 AND other.file = $2) <= $5 THEN -frames ELSE 0 END, number LIMIT 1",
            "FOR UPDATE SKIP LOCKED"
        ))
        .bind(render_id.to_owned())
        .bind(i64::from(file))
        .bind(most_failures)
        .bind(self.engine().to_owned())
        .bind(rounds)
        .fetch_optional(&mut *tx)
        .await?;
        let next = match ready {
            Some(ready) => Some(ready),
            None => {
                let (at_least, for_each) = patience(&mut tx, render_id, file).await?;
                // One whose worker is gone may have killed it: only the lead takes it.
                let expired = if hand == Hand::Lead { now.0 } else { i64::MIN };
                sqlx::query(locking!(
                    self,
                    "SELECT name, number, frames FROM chunk_task WHERE state = 'running' AND render_id = $1 AND file = $2 \
                     AND failures <= $3 AND engine = $9 AND (lease_until < $8 OR (lease_until >= $4 AND owner <> $5 \
                     AND started_at + $6 + frames * $7 < $4)) ORDER BY started_at LIMIT 1",
                    "FOR UPDATE SKIP LOCKED"
                ))
                .bind(render_id.to_owned())
                .bind(i64::from(file))
                .bind(most_failures)
                .bind(now.0)
                .bind(self.process().token().to_owned())
                .bind(at_least)
                .bind(for_each)
                .bind(expired)
                .bind(self.engine().to_owned())
                .fetch_optional(&mut *tx)
                .await?
            }
        };
        let Some(next) = next else {
            drop(tx);
            let open = sqlx::query(
                "SELECT 1 AS open FROM chunk_task WHERE render_id = $1 AND file = $2 AND state <> 'done' LIMIT 1",
            )
            .bind(render_id.to_owned())
            .bind(i64::from(file))
            .fetch_optional(self.reads())
            .await?;
            return Ok(if open.is_some() { Taken::Later } else { Taken::Nothing });
        };
        let name = next.text("name")?;
        sqlx::query(
            "UPDATE chunk_task SET state = 'running', owner = $3, lease_until = $4, started_at = $5 \
             WHERE render_id = $1 AND name = $2",
        )
        .bind(render_id.to_owned())
        .bind(name.clone())
        .bind(self.process().token().to_owned())
        .bind(now.plus(lease).0)
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Taken::Task(ChunkTask {
            file,
            number: next.count("number")?,
            changes: next.count("frames")?,
            name,
        }))
    }

    /// Records that a chunk is kept where every worker finds it. `elapsed` is the time it took to render, if it was.
    pub async fn finish_chunk(&self, render_id: &str, name: &str, elapsed: Option<Duration>) -> Result<()> {
        sqlx::query(
            "UPDATE chunk_task SET state = 'done', owner = NULL, lease_until = NULL, elapsed = $3 \
             WHERE render_id = $1 AND name = $2 AND state <> 'done'",
        )
        .bind(render_id.to_owned())
        .bind(name.to_owned())
        .bind(elapsed.map(|elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)))
        .execute(self.single_writes())
        .await?;
        Ok(())
    }

    /// The finished chunks of a file of a film from a place on, in film order, at most so many.
    pub async fn finished_chunks(
        &self,
        render_id: &str,
        (file, from): (u32, u32),
        most: u32,
    ) -> Result<Vec<ChunkTask>> {
        let rows = sqlx::query(
            "SELECT name, number, frames FROM chunk_task \
             WHERE render_id = $1 AND file = $2 AND number >= $3 AND state = 'done' ORDER BY number LIMIT $4",
        )
        .bind(render_id.to_owned())
        .bind(i64::from(file))
        .bind(i64::from(from))
        .bind(i64::from(most))
        .fetch_all(self.reads())
        .await?;
        let task = |row: &AnyRow| {
            let (number, changes) = (row.count("number")?, row.count("frames")?);
            Ok(ChunkTask { file, number, changes, name: row.text("name")? })
        };
        rows.iter().map(task).collect()
    }

    /// Makes a chunk that is not found, or is damaged, a task again.
    pub async fn lose_chunk(&self, render_id: &str, name: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "UPDATE chunk_task SET state = 'ready', owner = NULL, lease_until = NULL \
             WHERE render_id = $1 AND name = $2 AND state = 'done'",
        )
        .bind(render_id.to_owned())
        .bind(name.to_owned())
        .execute(&mut *tx)
        .await?;
        sqlx::query("DELETE FROM kept_chunk WHERE name = $1").bind(name.to_owned()).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Makes chunks that this process has taken and not finished tasks again. Those that failed are left to the lead.
    pub async fn return_chunks(&self, render_id: &str, names: &[String], failed: bool) -> Result<()> {
        let mut names = names.to_vec();
        names.sort();
        let mut tx = self.write().await?;
        // Whoever claims the render next deletes its tasks.
        if !self.hold_task(&mut tx, render_id).await? {
            return Ok(());
        }
        for name in &names {
            sqlx::query(
                "UPDATE chunk_task SET state = 'ready', owner = NULL, lease_until = NULL, failures = failures + $4 \
                 WHERE render_id = $1 AND name = $2 AND state = 'running' AND owner = $3",
            )
            .bind(render_id.to_owned())
            .bind(name.clone())
            .bind(self.process().token().to_owned())
            .bind(i64::from(failed))
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Extends the leases of chunks that this process has taken. False if the film is no longer rendered.
    pub async fn renew_chunks(&self, render_id: &str, names: &[String], duration: Duration) -> Result<bool> {
        let mut names = names.to_vec();
        names.sort();
        let mut tx = self.write().await?;
        if !self.hold_task(&mut tx, render_id).await? {
            return Ok(false);
        }
        for name in names {
            sqlx::query(
                "UPDATE chunk_task SET lease_until = $4 \
                 WHERE render_id = $1 AND name = $2 AND state = 'running' AND owner = $3",
            )
            .bind(render_id.to_owned())
            .bind(name)
            .bind(self.process().token().to_owned())
            .bind(self.now().plus(duration).0)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Keeps the task of a render, with its chunks, from being deleted meanwhile. False if it does not run.
    async fn hold_task(&self, tx: &mut AnyConnection, render_id: &str) -> Result<bool> {
        let task = sqlx::query(locking!(
            self,
            "SELECT 1 AS running FROM task WHERE render_id = $1 AND state = 'running'",
            "FOR KEY SHARE"
        ))
        .bind(render_id.to_owned())
        .fetch_optional(tx)
        .await?;
        Ok(task.is_some())
    }

    /// Whether a chunk of a film is finished.
    pub async fn is_chunk_finished(&self, render_id: &str, name: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT 1 AS done FROM chunk_task WHERE render_id = $1 AND name = $2 AND state = 'done'",
        )
        .bind(render_id.to_owned())
        .bind(name.to_owned())
        .fetch_optional(self.reads())
        .await?;
        Ok(row.is_some())
    }

    /// Whether films of other accounts have chunks that nobody renders.
    pub async fn others_need_help(&self, account_id: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT 1 AS ready FROM chunk_task JOIN task ON task.render_id = chunk_task.render_id \
             WHERE chunk_task.state = 'ready' AND chunk_task.failures = 0 AND chunk_task.engine = $2 \
             AND task.account_id <> $1 LIMIT 1",
        )
        .bind(account_id.to_owned())
        .bind(self.engine().to_owned())
        .fetch_optional(self.reads())
        .await?;
        Ok(row.is_some())
    }

    /// Takes a chunk of a film that another process with the same engine leads: of the account with the fewest chunks in work,
    /// and of its films the one with the most left to do for each worker. Films in `skipped` are left out.
    pub async fn help(
        &self,
        skipped: &HashSet<String>,
        lease: Duration,
    ) -> Result<Option<(Render, ChunkTask)>> {
        let films = sqlx::query(
            "SELECT film.render_id, film.file, film.account_id, film.frames, film.workers, \
             CAST((SELECT COUNT(*) FROM chunk_task other JOIN task ON task.render_id = other.render_id \
             WHERE task.account_id = film.account_id AND other.state = 'running') AS BIGINT) AS busy FROM \
             (SELECT chunk_task.render_id, chunk_task.file, task.account_id, \
             CAST(SUM(chunk_task.frames) AS BIGINT) AS frames, \
             CAST(SUM(CASE WHEN chunk_task.state = 'running' THEN 1 ELSE 0 END) AS BIGINT) AS workers \
             FROM chunk_task JOIN task ON task.render_id = chunk_task.render_id \
             WHERE chunk_task.state IN ('ready', 'running') AND chunk_task.failures = 0 AND chunk_task.engine = $1 \
             AND task.state = 'running' AND task.crashes = 0 \
             GROUP BY chunk_task.render_id, chunk_task.file, task.account_id) film",
        )
        .bind(self.engine().to_owned())
        .fetch_all(self.reads())
        .await?;
        let mut candidates = Vec::new();
        for row in &films {
            let (render_id, workers) = (row.text("render_id")?, row.int("workers")?);
            if !skipped.contains(&render_id) {
                let left_for_each = row.int("frames")? / (workers + 1);
                candidates.push((
                    row.int("busy")?,
                    std::cmp::Reverse(left_for_each),
                    render_id,
                    row.count("file")?,
                ));
            }
        }
        candidates.sort();
        for (_, _, render_id, file) in candidates {
            let render = match self.render(&render_id).await {
                // A newer version made it.
                Err(StoreError::UnknownValue { .. }) => continue,
                render => render?,
            };
            let Some(mut render) = render else { continue };
            let Taken::Task(task) = self.take_chunk(&render_id, file, Hand::Helper, lease).await? else {
                continue;
            };
            let mut tx = self.write().await?;
            self.put_credentials_back(&mut tx, &mut render).await?;
            return Ok(Some((render, task)));
        }
        Ok(None)
    }

    /// Whether a render waits for a worker, other than one that a busy process, or one of this version, does not claim.
    pub async fn has_ready_renders(&self) -> Result<bool> {
        let ready = sqlx::query(
            "SELECT 1 AS ready FROM task WHERE state = 'ready' AND ready_at <= $1 AND crashes < $2 AND needs <= $3 \
             AND NOT EXISTS (SELECT 1 FROM account \
             WHERE account.id = task.account_id AND account.suspended_at IS NOT NULL) LIMIT 1",
        )
        .bind(self.now().0)
        .bind(i64::from(SUSPECT_CRASHES))
        .bind(release::number())
        .fetch_optional(self.reads())
        .await?;
        Ok(ready.is_some())
    }
}

/// The costliest chunks of a file come first when at most so many are ready. None do before one is done: until then chunks are still
/// being offered, and the first seconds of a film are to be watched soon.
async fn rounds_by_cost(tx: &mut AnyConnection, render_id: &str, file: u32) -> Result<i64> {
    let row = sqlx::query(
        "SELECT COUNT(CASE WHEN state = 'running' THEN 1 END) AS running, \
         COUNT(CASE WHEN state = 'done' THEN 1 END) AS done FROM chunk_task WHERE render_id = $1 AND file = $2",
    );
    let row = row.bind(render_id.to_owned()).bind(i64::from(file)).fetch_one(tx).await?;
    Ok(if row.int("done")? == 0 { 0 } else { ROUNDS_BY_COST * row.int("running")?.max(1) })
}

/// Milliseconds after which a chunk of the file is overdue, and those for each of its frames.
async fn patience(tx: &mut AnyConnection, render_id: &str, file: u32) -> Result<(i64, i64)> {
    let done = sqlx::query(
        "SELECT CAST(COALESCE(SUM(elapsed), 0) AS BIGINT) AS elapsed, \
         CAST(COALESCE(SUM(frames), 0) AS BIGINT) AS frames FROM chunk_task \
         WHERE state = 'done' AND render_id = $1 AND file = $2 AND elapsed IS NOT NULL",
    )
    .bind(render_id.to_owned())
    .bind(i64::from(file))
    .fetch_one(tx)
    .await?;
    match (done.int("elapsed")?, done.int("frames")?) {
        (_, 0) => Ok((FIRST_OVERDUE, 0)),
        (elapsed, frames) => Ok((NEVER_OVERDUE, OVERDUE_TIMES * elapsed / frames)),
    }
}
