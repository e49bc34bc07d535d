//! Signals between the operations and the background tasks of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::film::Control;

/// Wakes the background tasks and stops renders. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    signals: Arc<Signals>,
    /// Cancelled when the service shuts down.
    pub stopping: CancellationToken,
}

#[derive(Debug, Default)]
struct Signals {
    renders: Notify,
    deliveries: Notify,
    running: Mutex<HashMap<String, Control>>,
}

impl Queue {
    /// A render may be ready to start.
    pub fn wake_workers(&self) {
        self.signals.renders.notify_one();
    }

    /// A webhook delivery may be due.
    pub fn wake_deliveries(&self) {
        self.signals.deliveries.notify_one();
    }

    pub(crate) async fn render_ready(&self) {
        self.signals.renders.notified().await;
    }

    pub(crate) async fn delivery_due(&self) {
        self.signals.deliveries.notified().await;
    }

    /// Stops a cancelled render if it runs in this process.
    pub fn stop_render(&self, render_id: &str) {
        if let Some(control) = self.running().get(render_id) {
            control.stop();
        }
    }

    /// Registers a running render until the guard is dropped.
    pub(crate) fn enter(&self, render_id: &str, control: &Control) -> Running<'_> {
        self.running().insert(render_id.to_owned(), control.clone());
        Running { queue: self, render_id: render_id.to_owned() }
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
