//! Streams: the segments of films that can be watched while they are rendered. Those of a render that has ended are to be deleted
//! if it has no playlist.

use crate::lease::{Lease, require_lease};
use crate::render::RenderStatus;
use crate::row::{Columns, storable};
use crate::{Result, Store, Time};

/// A segment of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamSegment {
    /// 0 for the init segment, which the others need.
    pub number: u32,
    /// Frames that it shows; none in the init segment.
    pub frames: u32,
    pub size: u64,
}

/// A film that can be watched, as far as it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    pub fps: u32,
    /// Whether no more segments come: the render has ended.
    pub is_finished: bool,
    /// In order, beginning with the init segment, without gaps.
    pub segments: Vec<StreamSegment>,
}

impl Store {
    /// Adds segments whose files are kept, under a lease, and the name of the playlist that lists them. The init segment is added
    /// before its file is kept, so that nothing is kept of a film without segments; it has no playlist while it is alone. An
    /// interrupted render makes the same segments again. If one differs after all, those after it are of another film and are
    /// forgotten.
    pub async fn add_segments(
        &self,
        lease: &Lease,
        playlist: &str,
        segments: &[StreamSegment],
    ) -> Result<()> {
        let mut tx = self.write().await?;
        self.lock_account(&mut tx, &lease.account_id).await?;
        require_lease(&mut tx, lease).await?;
        for segment in segments {
            let (number, frames) = (i64::from(segment.number), i64::from(segment.frames));
            sqlx::query(
                "DELETE FROM segment WHERE render_id = $1 AND number > $2 AND NOT EXISTS (SELECT 1 FROM segment AS known \
                 WHERE known.render_id = $1 AND known.number = $2 AND known.frames = $3 AND known.size = $4)",
            )
            .bind(lease.render_id.clone())
            .bind(number)
            .bind(frames)
            .bind(segment.size.cast_signed())
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "INSERT INTO segment (render_id, number, frames, size) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (render_id, number) DO UPDATE SET frames = excluded.frames, size = excluded.size",
            )
            .bind(lease.render_id.clone())
            .bind(number)
            .bind(frames)
            .bind(segment.size.cast_signed())
            .execute(&mut *tx)
            .await?;
        }
        if segments.iter().any(|segment| segment.number > 0) {
            sqlx::query(
                "UPDATE render SET stream_file = $2, updated_at = $3 WHERE id = $1 AND stream_file IS NULL",
            )
            .bind(lease.render_id.clone())
            .bind(playlist.to_owned())
            .bind(self.now().0)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// The stream with this playlist.
    pub async fn stream(&self, render_id: &str) -> Result<Option<Stream>> {
        // The status first: all segments of a render that has ended are there.
        let render = sqlx::query("SELECT fps, status FROM render WHERE id = $1 AND stream_file IS NOT NULL")
            .bind(storable(render_id))
            .fetch_optional(self.reads())
            .await?;
        let Some(render) = render else { return Ok(None) };
        let status = RenderStatus::stored(render.text("status")?)?;
        if status == RenderStatus::Failed {
            return Ok(None);
        }
        let is_finished = status.is_final();
        let mut segments = self.segments(render_id).await?;
        let gap = (0..).zip(&segments).position(|(expected, segment)| expected != segment.number);
        segments.truncate(gap.unwrap_or(segments.len()));
        Ok(Some(Stream { fps: render.count("fps")?, is_finished, segments }))
    }

    /// The segments of a render, in order.
    pub async fn segments(&self, render_id: &str) -> Result<Vec<StreamSegment>> {
        let rows =
            sqlx::query("SELECT number, frames, size FROM segment WHERE render_id = $1 ORDER BY number")
                .bind(storable(render_id))
                .fetch_all(self.reads())
                .await?;
        let segment = |row: &sqlx::any::AnyRow| {
            Ok(StreamSegment {
                number: row.count("number")?,
                frames: row.count("frames")?,
                size: row.int("size")?.unsigned_abs(),
            })
        };
        rows.iter().map(segment).collect()
    }

    /// Renders whose segments are to be deleted: of those that have ended without a playlist, and of those that completed before
    /// `completed` with another output than the stream.
    pub async fn old_streams(&self, completed: Time, limit: u32) -> Result<Vec<String>> {
        let rows = sqlx::query(
            "SELECT id FROM render WHERE EXISTS (SELECT 1 FROM segment WHERE segment.render_id = render.id) \
             AND status IN ('COMPLETED', 'FAILED') AND (stream_file IS NULL OR (completed_at < $1 \
             AND (output_file IS NULL OR output_file <> stream_file))) ORDER BY completed_at, id LIMIT $2",
        )
        .bind(completed.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(|row| row.text("id")).collect()
    }

    /// Forgets the segments of a render, whose files are deleted.
    pub async fn forget_stream(&self, render_id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query("UPDATE render SET stream_file = NULL WHERE id = $1")
            .bind(render_id.to_owned())
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM segment WHERE render_id = $1")
            .bind(render_id.to_owned())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}
