//! Starting and ending the service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::routing::get;
use rondo_media::load_ffmpeg;
use rondo_render::{FontSettings, load_fonts};
use rondo_speech::Speech;
use rondo_store::{Files, Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::api::templates::TemplateVariables;
use crate::app::App;
use crate::auth::Uses;
use crate::fetch::Fetch;
use crate::limit::{Limiter, MINUTE};
use crate::mail::Mailer;
use crate::media::MediaCache;
use crate::metrics::Metrics;
use crate::pages::studio::Studio;
use crate::router::router;
use crate::settings::Settings;
use crate::speech::Courier;
use crate::worker::Jobs;
use crate::{delivery, password, retention, templates, worker};

/// Time between two writes of when credentials were used, and that this process is there.
const REPORT_EVERY: Duration = Duration::from_secs(5);
/// Longest time between the wish to end and the end.
const PATIENCE: Duration = Duration::from_secs(8);

/// Why the service cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("The data folder {path} cannot be made: {source}.")]
    Data { path: PathBuf, source: std::io::Error },
    #[error("{address} cannot be listened on: {source}.")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("The outgoing client cannot be set up: {0}")]
    Fetch(String),
    #[error("{0}.")]
    Ffmpeg(String),
    #[error("Mail cannot be sent: {0}.")]
    Mail(String),
    #[error("A part of the service could not be started: {0}")]
    Start(#[from] std::io::Error),
}

/// A service under way.
pub struct Running {
    /// Where it listens, with the real port; `None` for a worker.
    pub address: Option<SocketAddr>,
    /// How clients reach it.
    pub public_url: String,
    app: Arc<App>,
    tasks: JoinSet<()>,
}

/// Opens the store for a data folder or the database the settings name.
pub async fn open_store(settings: &Settings) -> Result<Store, ServeError> {
    let options = rondo_store::Settings {
        concurrent_renders: settings.concurrency,
        ..rondo_store::Settings::default()
    };
    std::fs::create_dir_all(&settings.data)
        .map_err(|source| ServeError::Data { path: settings.data.clone(), source })?;
    Ok(match &settings.database_url {
        Some(url) => Store::open(url, options).await?,
        None => Store::open_folder(&settings.data, options).await?,
    })
}

/// Opens the engines that speak and listen, and says what is missing.
pub async fn speech_engines(settings: &Settings) -> Result<Arc<Speech>, ServeError> {
    let courier = Courier::new().map_err(|error| ServeError::Fetch(error.to_string()))?;
    let settings = settings.speech.clone();
    let opening = tokio::task::spawn_blocking(move || Speech::open(settings, Some(courier)));
    let speech = opening.await.map_err(std::io::Error::other)?;
    for sentence in speech.missing() {
        tracing::warn!(sentence, "a part of speech is missing");
    }
    Ok(Arc::new(speech))
}

/// Starts everything the role asks for and comes back.
pub async fn start(settings: Settings) -> Result<Running, ServeError> {
    let store = open_store(&settings).await?;
    let files = Files::open(&settings.data)?;
    let media = MediaCache::open(&settings.data.join("media"), settings.media_cache_bytes)?;
    let signing_key = store.secret("signing").await?;
    let fonts = tokio::task::spawn_blocking(|| {
        let user_folder = std::env::var_os("RONDO_FONT_DIR").filter(|v| !v.is_empty()).map(PathBuf::from);
        load_fonts(&FontSettings { user_folder })
    });
    let ffmpeg = tokio::task::spawn_blocking(load_ffmpeg);
    let (fonts, warnings) = fonts.await.map_err(std::io::Error::other)?;
    for warning in warnings {
        tracing::warn!(warning, "a font cannot be used");
    }
    ffmpeg.await.map_err(std::io::Error::other)?.map_err(ServeError::Ffmpeg)?;
    let listener = match settings.role.answers() {
        true => Some(listen(settings.listen).await?),
        false => None,
    };
    let address = match &listener {
        Some(listener) => Some(listener.local_addr()?),
        None => None,
    };
    let public_url = settings
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{}", address.unwrap_or(settings.listen)));
    let speech = speech_engines(&settings).await?;
    let app = Arc::new(App {
        speech,
        fetch: Fetch::new(settings.allow_private_network)
            .map_err(|error| ServeError::Fetch(error.to_string()))?,
        public_url: public_url.clone(),
        store,
        files,
        fonts,
        media: Arc::new(media),
        jobs: Jobs::default(),
        studio: Studio::default(),
        signing_key,
        limiter: Limiter::new(MINUTE),
        attempts: Limiter::new(15 * MINUTE),
        registrations: Limiter::new(60 * MINUTE),
        mail: Mailer::new(&settings).map_err(ServeError::Mail)?,
        metrics: Metrics::default(),
        uses: Uses::default(),
        template_variables: TemplateVariables::default(),
        work: Notify::new(),
        post: Notify::new(),
        stopping: CancellationToken::new(),
        settings,
    });
    templates::load(&app).await?;
    // The first sign-in with an unknown email takes no longer than the others.
    tokio::task::spawn_blocking(|| password::verify(None, ""));
    let mut tasks = JoinSet::new();
    if let Some(listener) = listener {
        let service = router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let stopping = app.stopping.clone().cancelled_owned();
        tasks.spawn(async move {
            if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(stopping).await {
                tracing::error!(%error, "the listener ended");
            }
        });
        tasks.spawn(delivery::run(app.clone()));
        tasks.spawn(retention::run(app.clone()));
    }
    tasks.spawn(report(app.clone()));
    if app.settings.role.renders() {
        tasks.spawn(worker::run(app.clone()));
    }
    if let Some(address) = app.settings.metrics_listen {
        let listener = listen(address).await?;
        let stopping = app.stopping.clone().cancelled_owned();
        let service = axum::Router::new().route("/metrics", get(metrics)).with_state(app.clone());
        tasks.spawn(async move {
            if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(stopping).await {
                tracing::error!(%error, "the listener for metrics ended");
            }
        });
    }
    Ok(Running { address, public_url, app, tasks })
}

impl Running {
    /// Ends the service: no new requests, leases handed back, at most ten seconds.
    pub async fn stop(mut self) {
        self.app.stopping.cancel();
        let ended = tokio::time::timeout(PATIENCE, async { while self.tasks.join_next().await.is_some() {} });
        if ended.await.is_err() {
            tracing::warn!("some connections were still open");
        }
        self.tasks.abort_all();
        if let Err(error) = self.app.uses.flush(&self.app.store).await {
            tracing::warn!(%error, "when credentials were used is not written");
        }
        if let Err(error) = self.app.store.retire_process().await {
            tracing::warn!(%error, "this process stays listed for a while");
        }
        self.app.store.close().await;
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
}

async fn report(app: Arc<App>) {
    let started = app.store.now();
    loop {
        if let Err(error) = app.store.report_process(app.settings.role.name(), started).await {
            tracing::warn!(%error, "this process is not listed");
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(REPORT_EVERY) => {}
        }
        if let Err(error) = app.uses.flush(&app.store).await {
            tracing::warn!(%error, "when credentials were used is not written");
        }
    }
}

async fn metrics(State(app): State<Arc<App>>) -> String {
    let waiting = app.store.renders_waiting().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the queue cannot be counted");
        0
    });
    app.metrics.report(waiting)
}
