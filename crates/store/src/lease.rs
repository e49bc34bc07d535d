//! Leases on renders, and what workers write under them.

use std::time::Duration;

use sqlx::AnyConnection;

use crate::{Result, Store, StoreError, Time, turn};

/// Returns a render to the queue for workers of the release that made it, given its id and fence.
pub(crate) const LEAVE_TO_NEWER: &str = "UPDATE task SET state = 'ready', owner = NULL, lease_until = NULL, needs = made_by \
     WHERE render_id = $1 AND fence = $2 AND state = 'running'";

/// The right to work on a render until the lease expires or is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub render_id: String,
    pub account_id: String,
    pub fence: i64,
}

impl Store {
    /// Extends the lease to `duration` from now.
    pub async fn renew(&self, lease: &Lease, duration: Duration) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET lease_until = $3 WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            Some(self.now().plus(duration)),
            Becomes::Running,
        )
        .await
    }

    /// Returns an unfinished render to the queue, for example at shutdown. Does not count as a crash.
    pub async fn hand_back(&self, lease: &Lease) -> Result<()> {
        self.postpone(lease, Duration::ZERO).await
    }

    /// Returns a render that could not be made for lack of something that comes back, such as room on the disk, to the
    /// queue. It is ready after `delay`. Does not count as a failure.
    pub async fn postpone(&self, lease: &Lease, delay: Duration) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET state = 'ready', owner = NULL, lease_until = NULL, ready_at = $3 \
             WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            Some(self.now().plus(delay)),
            Becomes::Ready,
        )
        .await
    }

    /// Returns a render that this version does not understand to the queue. Only workers of the version that made it, and of
    /// newer ones, claim it. Does not count as a failure.
    pub async fn leave_to_newer(&self, lease: &Lease) -> Result<()> {
        self.under_lease(lease, LEAVE_TO_NEWER, None, Becomes::Ready).await
    }

    /// Records that a chunk was finished: resets the crash counts.
    pub async fn note_chunk_finished(&self, lease: &Lease) -> Result<()> {
        self.under_lease(
            lease,
            "UPDATE task SET crashes = 0, child_crashes = 0 WHERE render_id = $1 AND fence = $2 AND state = 'running'",
            None,
            Becomes::Running,
        )
        .await
    }

    /// Raises the progress, up to 99. It never decreases; completion sets it to 100.
    pub async fn set_progress(&self, lease: &Lease, percent: u32) -> Result<()> {
        let updated = sqlx::query(
            "UPDATE render SET progress = $3, updated_at = $4 \
             WHERE id = $1 AND status = 'PROCESSING' AND progress < $3 AND EXISTS \
             (SELECT 1 FROM task WHERE render_id = $1 AND fence = $2 AND state = 'running')",
        )
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .bind(i64::from(percent.min(99)))
        .bind(self.now().0)
        .execute(self.single_writes())
        .await?;
        if updated.rows_affected() == 0 {
            require_lease(&mut *self.reads().acquire().await?, lease).await?;
        }
        Ok(())
    }

    /// Runs an update of the leased task with the parameters render id, fence and, if given, a time.
    async fn under_lease(
        &self,
        lease: &Lease,
        update: &'static str,
        time: Option<Time>,
        becomes: Becomes,
    ) -> Result<()> {
        let mut query = sqlx::query(update).bind(lease.render_id.clone()).bind(lease.fence);
        if let Some(time) = time {
            query = query.bind(time.0);
        }
        let updated = match becomes {
            Becomes::Running => query.execute(self.single_writes()).await?,
            Becomes::Ready => {
                let mut tx = self.write().await?;
                self.lock_account(&mut tx, &lease.account_id).await?;
                let updated = query.execute(&mut *tx).await?;
                if updated.rows_affected() > 0 {
                    turn::mark(&mut *tx, &lease.account_id).await?;
                    tx.commit().await?;
                }
                updated
            }
        };
        if updated.rows_affected() == 0 {
            return Err(StoreError::lost(&lease.render_id));
        }
        Ok(())
    }
}

/// What an update makes of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Becomes {
    Running,
    Ready,
}

pub(crate) async fn require_lease(tx: &mut AnyConnection, lease: &Lease) -> Result<()> {
    sqlx::query("SELECT 1 AS held FROM task WHERE render_id = $1 AND fence = $2 AND state = 'running'")
        .bind(lease.render_id.clone())
        .bind(lease.fence)
        .fetch_optional(tx)
        .await?
        .map(|_| ())
        .ok_or_else(|| StoreError::lost(&lease.render_id))
}
