//! Keeps the segments of a film while it is rendered, so that it can be watched.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::stream::{FuturesOrdered, StreamExt};
use rondo_jobs::{RenderReport, SegmentError};
use rondo_render::segment_name;
use rondo_store::{FileParts, Files, Lease, Outage, Store, StoreError, StreamSegment};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, channel};
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::timeout;

use super::result::{keep_draft, persist};
use crate::film::{FilmError, NO_SPACE, not_written, too_large};
use crate::service::Service;
use crate::stream::{AT_ONCE, Arrived, Lacking, NewSegment, is_unwanted, playlist_name};

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
    let (give, given) = channel(1);
    // It ends also if nobody waits for it: a file that arrives after its render has ended is not left behind.
    let keeper = Keeper {
        files: service.media.files.clone(),
        store: service.store.clone(),
        lease: lease.clone(),
        begun: 0,
        noted: 0,
    };
    let keeping = tokio::spawn(keeper.keep(given));
    loop {
        let arrived = tokio::select! {
            arrived = arriving.recv() => arrived,
            // It failed.
            () = give.closed() => break,
        };
        let Some(arrived) = arrived else { break };
        let segment = arrived.map_err(|lacking| explained(service, lacking))?;
        kept.frames += segment.frames;
        kept.bytes += segment.size;
        if kept.frames >= frames_of_film
            && let Some(finished) = finished.take()
            && finished.await.is_err()
        {
            // Nobody pays for a film that failed, so it is not there as a whole.
            break;
        }
        if give.send(segment).await.is_err() {
            break;
        }
    }
    drop(give);
    keeping.await.unwrap_or_else(|panic| Err(unkept(panic))).map_err(not_kept)?;
    Ok(kept)
}

/// Keeps the segments of a render and notes them in order.
struct Keeper {
    files: Files,
    store: Store,
    lease: Lease,
    /// Segments that were begun, and of those the first that are kept and noted.
    begun: u32,
    noted: u32,
}

/// The files that are being kept, or that are kept and wait for an earlier one.
type Puts = FuturesOrdered<JoinHandle<Result<StreamSegment, StoreError>>>;

impl Keeper {
    /// Keeps what is given, or removes it if nobody can watch it any more. A render that goes on elsewhere makes the same under
    /// the same names.
    async fn keep(mut self, mut given: Receiver<NewSegment>) -> Result<(), StoreError> {
        let mut puts = Puts::new();
        let kept = self.keep_given(&mut given, &mut puts).await;
        if kept.is_err() {
            // No more are taken, and those that are on their way arrive.
            given.close();
            while puts.next().await.is_some() {}
            self.remove_unwanted().await;
        }
        kept
    }

    async fn keep_given(
        &mut self,
        given: &mut Receiver<NewSegment>,
        puts: &mut Puts,
    ) -> Result<(), StoreError> {
        let mut is_open = true;
        while is_open || !puts.is_empty() {
            tokio::select! {
                new = given.recv(), if is_open && puts.len() < AT_ONCE as usize => match new {
                    Some(new) => puts.push_back(self.begin(new).await?),
                    None => is_open = false,
                },
                Some(kept) = puts.next() => {
                    let mut done = vec![kept];
                    while let Some(Some(kept)) = puts.next().now_or_never() {
                        done.push(kept);
                    }
                    let mut run = Vec::new();
                    let all = done.into_iter().try_for_each(|kept| {
                        run.push(kept.unwrap_or_else(|panic| Err(unkept(panic)))?);
                        Ok::<_, StoreError>(())
                    });
                    self.note(&run).await?;
                    all?;
                }
            }
        }
        Ok(())
    }

    async fn begin(
        &mut self,
        NewSegment { number, frames, size, draft }: NewSegment,
    ) -> Result<JoinHandle<Result<StreamSegment, StoreError>>, StoreError> {
        let segment = StreamSegment { number, frames, size };
        if number == 0 {
            // Whoever deletes the segments knows by it that there are some, whatever becomes of this process.
            note(&self.store, &self.lease, &[segment]).await?;
        }
        self.begun = number + 1;
        let (files, name) = (self.files.clone(), segment_name(&self.lease.render_id, number));
        Ok(tokio::spawn(async move { keep_draft(&files, &draft, &name).await.map(|_| segment) }))
    }

    async fn note(&mut self, kept: &[StreamSegment]) -> Result<(), StoreError> {
        if let Some(last) = kept.last() {
            note(&self.store, &self.lease, kept).await?;
            self.noted = last.number + 1;
        }
        Ok(())
    }

    async fn remove_unwanted(&self) {
        if !is_unwanted(&self.store, &self.lease.render_id).await.unwrap_or(false) {
            return;
        }
        for number in self.noted..self.begun {
            let name = segment_name(&self.lease.render_id, number);
            if let Err(error) = self.files.remove(&name).await {
                tracing::warn!(%error, name, "failed to remove a segment");
            }
        }
    }
}

async fn note(store: &Store, lease: &Lease, segments: &[StreamSegment]) -> Result<(), StoreError> {
    let playlist = playlist_name(&lease.render_id);
    persist(|| store.add_segments(lease, &playlist, segments)).await
}

fn unkept(panic: JoinError) -> StoreError {
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
