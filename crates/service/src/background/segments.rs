//! Keeps the segments of a film while it is rendered, so that it can be watched.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rondo_jobs::{RenderReport, SegmentError};
use rondo_render::segment_name;
use rondo_store::{Draft, FileParts, Files, Lease, Outage, Store, StoreError, StreamSegment};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::result::{keep_draft, persist};
use crate::film::{FilmError, NO_SPACE, not_written, too_large};
use crate::service::Service;
use crate::stream::{Arrived, Lacking, NewSegment, is_unwanted, playlist_name};

/// How long a film that is complete waits for its segments, unless it consists of them.
const PATIENCE: Duration = Duration::from_secs(10);

/// A rendered film, and the bytes of its segments.
pub struct Film {
    pub report: RenderReport,
    pub streamed: u64,
    /// Whether all of them are kept, if it has any.
    pub has_stream: bool,
    /// The first file, if it was sent in parts.
    pub parts: Option<FileParts>,
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
    let keeping = keep(service, lease, arriving, wanted.frames, finished);
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
        Ok(kept) => Ok(Film { report, streamed: kept.bytes, has_stream: true, parts: None }),
        // Another worker may have taken over.
        Err(error) if wanted.is_stream || matches!(error, FilmError::Stopped) => Err(error),
        Err(error) => {
            tracing::warn!(render = lease.render_id, %error, "failed to keep the segments of a film");
            Ok(Film { report, streamed: 0, has_stream: false, parts: None })
        }
    }
}

/// What was kept.
#[derive(Debug, Default)]
struct Kept {
    bytes: u64,
    frames: u32,
}

/// Keeps segments until no more come. The last one is kept when the film is `finished`.
async fn keep(
    service: &Service,
    lease: &Lease,
    mut arriving: UnboundedReceiver<Arrived>,
    frames_of_film: u32,
    finished: oneshot::Receiver<()>,
) -> Result<Kept, FilmError> {
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
        let segment = StreamSegment { number, frames, size };
        if number == 0 {
            // Whoever deletes the segments knows by it that there are some, whatever becomes of this process.
            note(&service.store, lease, segment).await.map_err(not_kept)?;
        }
        // It ends also if nobody waits for it: a file that arrives after its render has ended is not left behind.
        let (files, store, lease) = (service.media.files.clone(), service.store.clone(), lease.clone());
        let keeping = tokio::spawn(async move { keep_one(&files, &store, &lease, segment, &draft).await });
        keeping.await.unwrap_or_else(|panic| Err(unkept(panic))).map_err(not_kept)?;
        kept.bytes += size;
    }
    Ok(kept)
}

/// Keeps a segment and notes it, or removes it if nobody can watch it any more. A render that goes on elsewhere makes the same under
/// the same name.
async fn keep_one(
    files: &Files,
    store: &Store,
    lease: &Lease,
    segment: StreamSegment,
    draft: &Draft,
) -> Result<(), StoreError> {
    let name = segment_name(&lease.render_id, segment.number);
    let kept = match keep_draft(files, draft, &name).await {
        Ok(_) => note(store, lease, segment).await,
        Err(error) => Err(error),
    };
    if kept.is_err()
        && is_unwanted(store, &lease.render_id).await.unwrap_or(false)
        && let Err(error) = files.remove(&name).await
    {
        tracing::warn!(%error, name, "failed to remove a segment");
    }
    kept
}

async fn note(store: &Store, lease: &Lease, segment: StreamSegment) -> Result<(), StoreError> {
    let (playlist, new) = (playlist_name(&lease.render_id), [segment]);
    persist(|| store.add_segments(lease, &playlist, &new)).await
}

fn unkept(panic: tokio::task::JoinError) -> StoreError {
    StoreError::File { path: PathBuf::new(), source: io::Error::other(panic) }
}

fn explained(service: &Service, lacking: Lacking) -> FilmError {
    match lacking {
        Lacking::Refused(SegmentError::TooLarge) => too_large(&service.media.isolation),
        Lacking::Refused(error) => FilmError::Transient(format!("The film cannot be streamed: {error}.")),
        Lacking::Unwritten(error) => not_written(&error),
    }
}

pub fn not_kept(error: StoreError) -> FilmError {
    match error.outage() {
        _ if matches!(error, StoreError::LostLease { .. }) => FilmError::Stopped,
        Some(Outage::FilesAway) => FilmError::StorageAway,
        Some(Outage::DiskFull) => not_written(&NO_SPACE),
        _ => not_written(&error),
    }
}
