//! Signals between the operations and the background tasks, of this process and of others on the same database server.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use rondo_store::Signal;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::film::Control;

/// Wakes the background tasks and stops renders. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    signals: Arc<Signals>,
    /// Other processes may share the database.
    is_shared: bool,
    /// Cancelled when the service shuts down.
    pub stopping: CancellationToken,
}

#[derive(Debug, Default)]
struct Signals {
    renders: Notify,
    deliveries: Notify,
    running: Mutex<HashMap<String, Control>>,
    /// What other processes are to be told.
    unsent: Mutex<BTreeSet<Signal>>,
    sending: Notify,
    /// Renders that have ended, whose segments may be unwanted.
    ended: Mutex<Vec<String>>,
    sweeping: Notify,
}

impl Queue {
    pub fn new(is_shared: bool) -> Self {
        Self { is_shared, ..Self::default() }
    }

    /// A render may be ready to start.
    pub fn wake_workers(&self) {
        self.tell(Signal::Renders);
    }

    /// A webhook delivery may be due.
    pub fn wake_deliveries(&self) {
        self.tell(Signal::Deliveries);
    }

    /// A render was cancelled: whichever process runs it stops.
    pub fn stop_render(&self, render_id: &str) {
        self.tell(Signal::Cancelled(render_id.to_owned()));
    }

    /// This process has finished a chunk of a render that another one leads.
    pub fn tell_of_chunk(&self, render_id: &str) {
        self.tell(Signal::Chunk(render_id.to_owned()));
    }

    /// A render has ended, or its files were deleted: its segments are deleted if nobody can watch them any more.
    pub fn sweep_stream(&self, render_id: &str) {
        self.ended().push(render_id.to_owned());
        self.signals.sweeping.notify_one();
    }

    fn tell(&self, signal: Signal) {
        self.hear(&signal);
        if self.is_shared {
            self.unsent().insert(signal);
            self.signals.sending.notify_one();
        }
    }

    /// Acts on a signal in this process.
    pub(crate) fn hear(&self, signal: &Signal) {
        match signal {
            Signal::Renders => self.signals.renders.notify_one(),
            Signal::Deliveries => self.signals.deliveries.notify_one(),
            Signal::Cancelled(render_id) => {
                if let Some(control) = self.running().get(render_id) {
                    control.stop();
                }
            }
            Signal::Chunk(render_id) => {
                if let Some(control) = self.running().get(render_id) {
                    control.hear_of_chunk();
                }
            }
        }
    }

    /// Waits for signals that other processes are to be told.
    pub(crate) async fn to_send(&self) -> BTreeSet<Signal> {
        loop {
            let signals = std::mem::take(&mut *self.unsent());
            if !signals.is_empty() {
                return signals;
            }
            self.signals.sending.notified().await;
        }
    }

    /// Waits for renders that have ended.
    pub(crate) async fn ended_streams(&self) -> Vec<String> {
        loop {
            let ended = std::mem::take(&mut *self.ended());
            if !ended.is_empty() {
                return ended;
            }
            self.signals.sweeping.notified().await;
        }
    }

    pub(crate) async fn render_ready(&self) {
        self.signals.renders.notified().await;
    }

    pub(crate) async fn delivery_due(&self) {
        self.signals.deliveries.notified().await;
    }

    /// Registers a running render until the guard is dropped.
    pub(crate) fn enter(&self, render_id: &str, control: &Control) -> Running<'_> {
        self.running().insert(render_id.to_owned(), control.clone());
        Running { queue: self, render_id: render_id.to_owned() }
    }

    fn unsent(&self) -> std::sync::MutexGuard<'_, BTreeSet<Signal>> {
        self.signals.unsent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.signals.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<String, Control>> {
        self.signals.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A render that runs in this process.
pub(crate) struct Running<'a> {
    queue: &'a Queue,
    render_id: String,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.queue.running().remove(&self.render_id);
    }
}
