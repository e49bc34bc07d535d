//! Keeps the segments of a film while it is rendered, so that it can be watched.

use rondo_jobs::SegmentError;
use rondo_render::segment_name;
use rondo_store::{Lease, Outage, RenderStatus, StoreError, StreamSegment};
use tokio::sync::mpsc::UnboundedReceiver;

use super::worker::{keep_draft, persist};
use crate::film::{FilmError, not_written, too_large};
use crate::service::Service;
use crate::stream::{Arrived, Lacking, NewSegment, playlist_name};

/// Keeps segments until no more come. Returns the bytes of all.
pub async fn keep_segments(
    service: &Service,
    lease: &Lease,
    arriving: UnboundedReceiver<Arrived>,
) -> Result<u64, FilmError> {
    let mut init = None;
    let kept = keep(service, lease, arriving, &mut init).await;
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
    init: &mut Option<StreamSegment>,
) -> Result<u64, FilmError> {
    let playlist = playlist_name(&lease.render_id);
    let mut bytes = 0;
    while let Some(arrived) = arriving.recv().await {
        let NewSegment { number, frames, size, draft } =
            arrived.map_err(|lacking| explained(service, lacking))?;
        let name = segment_name(&lease.render_id, number);
        keep_draft(service, &draft, &name).await.map_err(not_kept)?;
        bytes += size;
        let segment = StreamSegment { number, frames, size };
        if number == 0 {
            // Alone it shows nothing: it is noted with the first one that does.
            *init = Some(segment);
            continue;
        }
        let new: Vec<StreamSegment> = init.take().into_iter().chain([segment]).collect();
        if let Err(error) = persist(|| service.store.add_segments(lease, &playlist, &new)).await {
            if let StoreError::LostLease { .. } = error {
                remove_orphans(service, lease, &new).await;
            }
            return Err(not_kept(error));
        }
    }
    Ok(bytes)
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
        _ => not_written(&error),
    }
}
