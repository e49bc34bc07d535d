//! Starting and stopping the service.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rondo_service::settings::Settings;
use rondo_service::{OpenError, Service, background};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::app::App;
use crate::connections::{Limits, answer};
use crate::probes;
use crate::router::router;

/// Longest time for a shutdown.
const SHUTDOWN: Duration = Duration::from_secs(8);

/// Why the service cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("Failed to listen on {address}: {source}.")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("Failed to start: {0}")]
    Start(#[from] std::io::Error),
}

/// A running service.
pub struct Running {
    /// Where it listens, with the real port; `None` for a worker.
    pub address: Option<SocketAddr>,
    /// Where it answers for metrics and probes, with the real port.
    pub metrics_address: Option<SocketAddr>,
    /// How clients reach it.
    pub public_url: String,
    pub service: Arc<Service>,
    tasks: JoinSet<()>,
}

/// Starts everything that the role asks for, and returns.
pub async fn start(settings: Settings) -> Result<Running, ServeError> {
    let listener = match settings.role.answers() {
        true => Some(listen(settings.listen).await?),
        false => None,
    };
    let address = listener.as_ref().map(TcpListener::local_addr).transpose()?;
    let listening_at = format!("http://{}", address.unwrap_or(settings.listen));
    let metrics_listener = match settings.metrics_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    let metrics_address = metrics_listener.as_ref().map(TcpListener::local_addr).transpose()?;
    let limits = Limits::of(&settings);
    let service = Arc::new(Service::open(settings, &listening_at).await?);
    let stopping = &service.queue.stopping;
    let mut tasks = JoinSet::new();
    if let Some(listener) = listener {
        let app = Arc::new(App::new(service.clone()));
        tasks.spawn(answer(listener, router(app), limits, stopping.clone()));
    }
    if let Some(listener) = metrics_listener {
        tasks.spawn(answer(listener, probes::routes(service.clone()), limits, stopping.clone()));
    }
    background::start(&service, &mut tasks);
    let public_url = service.links.public_url().to_owned();
    Ok(Running { address, metrics_address, public_url, service, tasks })
}

impl Running {
    /// Shuts down: no new requests, leases are released, at most ten seconds.
    pub async fn stop(mut self) {
        self.service.queue.stopping.cancel();
        let ended = tokio::time::timeout(SHUTDOWN, async { while self.tasks.join_next().await.is_some() {} });
        if ended.await.is_err() {
            tracing::warn!("shutting down with open connections");
        }
        self.tasks.abort_all();
        self.service.flush().await;
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
}
