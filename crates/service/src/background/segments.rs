//! Keeps the segments of a film while it is rendered, so that it can be watched.

use std::time::Duration;

use rondo_jobs::{RenderReport, SegmentError};
use rondo_render::segment_name;
use rondo_store::{Lease, Outage, RenderStatus, StoreError, StreamSegment};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::worker::{keep_draft, persist};
use crate::film::{FilmError, NO_SPACE, not_written, too_large};
use crate::service::Service;
use crate::stream::{self, Arrived, Lacking, NewSegment, playlist_name};

/// How long a film that is complete waits for its segments, unless it consists of them.
const PATIENCE: Duration = Duration::from_secs(10);

/// A rendered film, and the bytes of its segments.
pub struct Film {
    pub report: RenderReport,
    pub streamed: u64,
}

/// What is expected of segments.
#[derive(Debug, Clone, Copy)]
pub struct Watched {
    /// Frames of the film.
    pub frames: u32,
    /// The film consists of its segments.
    pub is_stream: bool,
}

/// Keeps the segments of a film while it is made. A film whose segments cannot be kept is a film all the same, unless it consists
/// of them.
pub async fn watched(
    service: &Service,
    lease: &Lease,
    arriving: UnboundedReceiver<Arrived>,
    wanted: Watched,
    making: impl Future<Output = Result<RenderReport, FilmError>>,
) -> Result<Film, FilmError> {
    let (tell, finished) = oneshot::channel();
    let keeping = keep_segments(service, lease, arriving, wanted.frames, finished);
    tokio::pin!(keeping, making);
    let mut kept = None;
    let made = loop {
        tokio::select! {
            made = &mut making => break made,
            early = &mut keeping, if kept.is_none() => match early {
                Err(error) if wanted.is_stream => return Err(error),
                early => kept = Some(early),
            },
        }
    };
    let report = made?;
    // Nobody listens if there are no segments.
    let _ = tell.send(());
    let kept = match kept {
        Some(kept) => kept,
        None if wanted.is_stream => keeping.await,
        None => timeout(PATIENCE, keeping).await.unwrap_or(Err(FilmError::StorageAway)),
    };
    match kept {
        Ok(kept) if wanted.is_stream && kept.frames != wanted.frames => {
            Err(FilmError::Crashed("The renderer made no complete stream. Please report it.".to_owned()))
        }
        Ok(kept) => Ok(Film { report, streamed: kept.bytes }),
        // Another worker may have taken over.
        Err(error) if wanted.is_stream || matches!(error, FilmError::Stopped) => Err(error),
        Err(error) => {
            tracing::warn!(render = lease.render_id, %error, "failed to keep the segments of a film");
            remove(service, lease).await;
            Ok(Film { report, streamed: 0 })
        }
    }
}

/// Hides a stream that is not complete, and removes it as far as that is possible now. Retention removes the rest.
async fn remove(service: &Service, lease: &Lease) {
    let removed = match persist(|| service.store.hide_stream(lease)).await {
        Ok(()) => stream::remove(&service.media.files, &service.store, &lease.render_id).await,
        Err(error) => Err(error),
    };
    if let Err(error) = removed {
        tracing::warn!(render = lease.render_id, %error, "failed to remove the segments of a film");
    }
}

/// Removes the segments of a render that has failed: nobody pays for it.
pub async fn remove_failed(service: &Service, render_id: &str) {
    let render = service.store.render_summary(render_id).await;
    if render.is_ok_and(|render| render.is_some_and(|render| render.status == RenderStatus::Failed))
        && let Err(error) = stream::remove(&service.media.files, &service.store, render_id).await
    {
        tracing::warn!(render = render_id, %error, "failed to remove the segments of a film");
    }
}

/// What was kept.
#[derive(Debug, Default)]
struct Kept {
    bytes: u64,
    frames: u32,
}

/// Keeps segments until no more come. The last one is kept when the film is `finished`.
async fn keep_segments(
    service: &Service,
    lease: &Lease,
    arriving: UnboundedReceiver<Arrived>,
    frames: u32,
    finished: oneshot::Receiver<()>,
) -> Result<Kept, FilmError> {
    let mut init = None;
    let kept = keep(service, lease, arriving, frames, finished, &mut init).await;
    if let Some(init) = init {
        remove_orphans(service, lease, &[init]).await;
    }
    kept
}

/// `init` is the init segment while it is kept but not noted.
async fn keep(
    service: &Service,
    lease: &Lease,
    mut arriving: UnboundedReceiver<Arrived>,
    frames_of_film: u32,
    finished: oneshot::Receiver<()>,
    init: &mut Option<StreamSegment>,
) -> Result<Kept, FilmError> {
    let playlist = playlist_name(&lease.render_id);
    let mut kept = Kept::default();
    let mut finished = Some(finished);
    while let Some(arrived) = arriving.recv().await {
        let NewSegment { number, frames, size, draft } =
            arrived.map_err(|lacking| explained(service, lacking))?;
        kept.frames += frames;
        if kept.frames >= frames_of_film
            && let Some(finished) = finished.take()
            && finished.await.is_err()
        {
            // Nobody pays for a film that failed, so it is not there as a whole.
            return Ok(kept);
        }
        let name = segment_name(&lease.render_id, number);
        keep_draft(service, &draft, &name).await.map_err(not_kept)?;
        kept.bytes += size;
        let segment = StreamSegment { number, frames, size };
        if number == 0 {
            // Alone it shows nothing: it is noted with the first one that does.
            *init = Some(segment);
            continue;
        }
        let new: Vec<StreamSegment> = init.take().into_iter().chain([segment]).collect();
        if let Err(error) = persist(|| service.store.add_segments(lease, &playlist, &new)).await {
            remove_orphans(service, lease, &new).await;
            return Err(not_kept(error));
        }
    }
    Ok(kept)
}

/// Removes segments that belong to no render: a render that goes on elsewhere makes the same under the same names.
async fn remove_orphans(service: &Service, lease: &Lease, segments: &[StreamSegment]) {
    let render = service.store.render_summary(&lease.render_id).await;
    if !render.is_ok_and(|render| render.is_none_or(|render| render.status == RenderStatus::Failed)) {
        return;
    }
    for segment in segments {
        let name = segment_name(&lease.render_id, segment.number);
        if let Err(error) = service.media.files.remove(&name).await {
            tracing::warn!(%error, name, "failed to remove a segment");
        }
    }
}

fn explained(service: &Service, lacking: Lacking) -> FilmError {
    match lacking {
        Lacking::Refused(SegmentError::TooLarge) => too_large(&service.media.isolation),
        Lacking::Refused(error) => FilmError::Transient(format!("The film cannot be streamed: {error}.")),
        Lacking::Unwritten(error) => not_written(&error),
    }
}

fn not_kept(error: StoreError) -> FilmError {
    match error.outage() {
        _ if matches!(error, StoreError::LostLease { .. }) => FilmError::Stopped,
        Some(Outage::FilesAway) => FilmError::StorageAway,
        Some(Outage::DiskFull) => not_written(&NO_SPACE),
        _ => not_written(&error),
    }
}
