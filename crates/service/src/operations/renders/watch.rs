//! Follows a render job until it ends.

use std::sync::Arc;

use rondo_store::{Render, RenderStatus};
use tokio::sync::watch::Receiver;

use crate::service::Service;

/// A render job and its changes.
pub struct RenderWatch {
    service: Arc<Service>,
    id: String,
    /// Read but not reported yet.
    first: Option<Render>,
    states: Receiver<Option<(RenderStatus, u32)>>,
    /// What was last reported; nothing follows a final status.
    reported: Option<(RenderStatus, u32)>,
}

impl RenderWatch {
    pub fn new(service: Arc<Service>, render: Render) -> Self {
        let states = service.render_progress.watch(&render.id);
        Self { id: render.id.clone(), first: Some(render), states, reported: None, service }
    }

    /// The job as it is at first and, without its composition, after every change; `None` when it has ended.
    pub async fn change(&mut self) -> Option<Render> {
        loop {
            if self.reported.is_some_and(|(status, _)| status.is_final()) {
                return None;
            }
            let render = match self.first.take() {
                Some(render) => render,
                None => {
                    self.states.changed().await.ok()?;
                    if *self.states.borrow_and_update() == self.reported {
                        continue;
                    }
                    self.service.store.render_summary(&self.id).await.ok()??
                }
            };
            let state = Some((render.status, render.progress));
            if self.reported != state {
                self.reported = state;
                return Some(render);
            }
        }
    }
}
