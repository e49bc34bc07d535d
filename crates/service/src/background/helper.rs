//! A worker without a render of its own renders chunks of films that other processes lead.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rondo_composition::{Composition, Limits};
use rondo_jobs::AccountChunks;
use rondo_render::ChunkCache;
use rondo_store::{ChunkTask, Render};
use tokio::time::{sleep, timeout};

use super::result::persist;
use super::worker::order;
use crate::chunk_board::{Board, CHUNK_LEASE, Unfinished, Work};
use crate::film::{Control, FilmError, help};
use crate::service::Service;

/// How long a film that this process could not help is left to others.
const SKIP: Duration = Duration::from_secs(60);
/// Time between two renewals of the leases on chunks. A film that was cancelled is noticed then.
const RENEW: Duration = Duration::from_secs(2);
/// How long finished chunks may take to reach the bucket after the last one.
const SEND_WITHIN: Duration = Duration::from_secs(60);

/// What a worker remembers of films.
#[derive(Debug, Default)]
pub struct Helper {
    /// Films that it could not help, and since when.
    skipped: HashMap<String, Instant>,
}

impl Helper {
    /// Renders chunks of a film that another worker leads, if there are any. False if there was nothing to do.
    pub async fn help(&mut self, service: &Service, cache: Option<&ChunkCache>) -> bool {
        let Some(cache) = cache.filter(|_| service.store.is_server()) else { return false };
        self.skipped.retain(|_, since| since.elapsed() < SKIP);
        let skipped: HashSet<String> = self.skipped.keys().cloned().collect();
        match service.store.help(&skipped, CHUNK_LEASE).await {
            Ok(Some((render, task))) => {
                let render_id = render.id.clone();
                service.metrics.workers_helping.fetch_add(1, Ordering::Relaxed);
                let assisted = assist(service, cache.clone(), render, task).await;
                service.metrics.workers_helping.fetch_sub(1, Ordering::Relaxed);
                if let Err(error) = assisted {
                    tracing::info!(render = render_id, %error, "failed to help with a film");
                    self.skipped.insert(render_id, Instant::now());
                }
                true
            }
            Ok(None) => false,
            Err(error) => {
                tracing::warn!(%error, "failed to look for films to help with");
                false
            }
        }
    }
}

/// Renders a chunk, and more of the same film while no other render waits.
async fn assist(
    service: &Service,
    cache: ChunkCache,
    render: Render,
    task: ChunkTask,
) -> Result<(), FilmError> {
    let (render_id, file) = (render.id.clone(), task.file);
    let work =
        Work::Help { render_id: render_id.clone(), account_id: render.account_id.clone(), first: Some(task) };
    let board = Board::new(service, cache.clone(), work);
    let (taken, sending) = (board.unfinished(), board.sending());
    let control = Control::default();
    let helping = async {
        let composition = render.input_props.as_ref().map(|props| Composition::read(props, Limits::WIDEST));
        let Some(Ok(read)) = composition else {
            return Err(FilmError::Wrong("The stored composition can no longer be read.".to_owned()));
        };
        let chunks =
            AccountChunks { cache, account: render.account_id.clone(), board: Some(Box::new(board)) };
        let order = order(service, &render, read.composition, Some(chunks))?;
        help(&service.media, order, file, &control).await
    };
    let helped = tokio::select! {
        helped = helping => helped,
        () = watch(service, &render_id, &taken) => Err(FilmError::Stopped),
    };
    // The lead finds out what is wrong with a chunk that ends its process.
    let failed = matches!(helped, Err(FilmError::Crashed(_)));
    give_back(service, &render_id, &taken, failed).await;
    sending.close();
    // Others render what does not arrive in time.
    tokio::select! {
        _ = timeout(SEND_WITHIN, sending.wait()) => {}
        () = watch(service, &render_id, &taken) => {}
    }
    match helped {
        Ok(chunks) => {
            tracing::info!(render = render_id, chunks, "helped with a film");
            Ok(())
        }
        Err(FilmError::Stopped) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Renews the leases on chunks until the film ends, or the service.
async fn watch(service: &Service, render_id: &str, taken: &Unfinished) {
    loop {
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = sleep(RENEW) => {}
        }
        match service.store.renew_chunks(render_id, &taken.names(), CHUNK_LEASE).await {
            Ok(true) => {}
            Ok(false) => return,
            // The leases of a database that is away for longer expire.
            Err(error) => tracing::warn!(%error, "failed to renew the leases on chunks"),
        }
    }
}

/// Makes chunks that were taken and not finished tasks of others.
pub async fn give_back(service: &Service, render_id: &str, taken: &Unfinished, failed: bool) {
    let names = taken.drain();
    if names.is_empty() {
        return;
    }
    if let Err(error) = persist(|| service.store.return_chunks(render_id, &names, failed)).await {
        tracing::warn!(%error, "failed to give chunks back");
    }
}
