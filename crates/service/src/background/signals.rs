//! Sends signals to the other processes on the database server, and acts on theirs. One that is lost delays its work until
//! the worker or the delivery looks at the database again.

use std::sync::Arc;
use std::time::Duration;

use rondo_store::{Signals, StoreError};
use tokio::time::sleep;

use crate::service::Service;

/// Time before the server is asked again after it was away.
const RETRY: Duration = Duration::from_secs(1);

/// Sends signals until the service shuts down.
pub async fn send(service: Arc<Service>) {
    loop {
        let signals = tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            signals = service.queue.to_send() => signals,
        };
        for signal in &signals {
            if let Err(error) = service.store.send(signal).await {
                tracing::warn!(%error, "failed to send a signal");
            }
        }
    }
}

/// Acts on the signals of others until the service shuts down.
pub async fn listen(service: Arc<Service>) {
    loop {
        let heard = tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            heard = hear(&service) => heard,
        };
        if let Err(error) = heard {
            tracing::warn!(%error, "failed to listen for signals");
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = sleep(RETRY) => {}
        }
    }
}

async fn hear(service: &Service) -> Result<(), StoreError> {
    let Some(mut signals): Option<Signals> = service.store.signals().await? else { return Ok(()) };
    loop {
        service.queue.hear(&signals.next().await?);
    }
}
