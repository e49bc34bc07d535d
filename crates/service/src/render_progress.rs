//! Progress of renders for everyone who watches: one task of this process polls the store for all watched renders at
//! once, and reads status and progress only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rondo_store::{RenderStatus, Store};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Time between two polls.
const POLL: Duration = Duration::from_millis(400);

/// Status and percentage; `None` until the first poll.
type State = Option<(RenderStatus, u32)>;

/// The renders that are watched.
pub struct RenderProgress {
    store: Store,
    /// Cancelled when the service shuts down.
    stopping: CancellationToken,
    watched: Mutex<HashMap<String, watch::Sender<State>>>,
}

impl RenderProgress {
    pub fn new(store: Store, stopping: CancellationToken) -> Self {
        Self { store, stopping, watched: Mutex::default() }
    }

    /// Receives the state of a render after every change, until the service shuts down.
    pub fn watch(self: &Arc<Self>, render_id: &str) -> watch::Receiver<State> {
        let mut watched = self.watched();
        // The task runs while anything is watched.
        if watched.is_empty() {
            tokio::spawn(self.clone().poll());
        }
        let sender = watched.entry(render_id.to_owned()).or_insert_with(|| watch::channel(None).0);
        let mut receiver = sender.subscribe();
        // What another watcher was told already is news for this one.
        receiver.mark_changed();
        receiver
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<State>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn poll(self: Arc<Self>) {
        loop {
            tokio::select! {
                () = self.stopping.cancelled() => {
                    // Dropping the senders ends every watch.
                    self.watched().clear();
                    return;
                }
                () = tokio::time::sleep(POLL) => {}
            }
            let ids: Vec<String> = {
                let mut watched = self.watched();
                watched.retain(|_, sender| sender.receiver_count() > 0);
                if watched.is_empty() {
                    return;
                }
                watched.keys().cloned().collect()
            };
            match self.store.render_progress_of(&ids).await {
                Ok(found) => {
                    let watched = self.watched();
                    for render in found {
                        let state = Some((render.status, render.progress));
                        if let Some(sender) = watched.get(&render.id) {
                            sender.send_if_modified(|known| std::mem::replace(known, state) != state);
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "failed to read the progress of renders"),
            }
        }
    }
}
