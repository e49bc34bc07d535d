//! The running service: its capabilities, opened from the settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rondo_jobs::{Jobs, JobsSettings, Mode, STUCK_AFTER, SelfTest, StartError};
use rondo_render::{FetchedFamilies, FontSettings, bundled_folder};
use rondo_speech::{Confined, Speech, espeak_program};
use rondo_store::permissions::{create_private_folder, make_private};
use rondo_store::{Bucket, Files, KeySource, Store, StoreError};

use crate::browser_fonts::BrowserFonts;
use crate::credential_uses::CredentialUses;
use crate::fetch::Fetch;
use crate::fonts::{FontOptions, Fonts, WAIT};
use crate::isolation::{Isolation, RenderBudget};
use crate::links::Links;
use crate::mail::Mailer;
use crate::media::{BucketPause, FetchTurns, Media, MediaCache};
use crate::metrics::Metrics;
use crate::opened_previews::OpenedPreviews;
use crate::preview_media::PreviewMedia;
use crate::previews::Previews;
use crate::queue::Queue;
use crate::readiness::Readiness;
use crate::render_progress::RenderProgress;
use crate::resolve::Resolver;
use crate::settings::Settings;
use crate::speech::{Courier, LocalTranscriber, SpeechChildren, SpeechService};
use crate::stock::Stock;
use crate::template_films::TemplateFilms;
use crate::uploads::Uploads;
use crate::waiting::Waiting;
use crate::{password, templates};

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("Failed to create the data folder {path}: {source}.")]
    Data { path: PathBuf, source: std::io::Error },
    #[error("Failed to remove the access of other users to the data folder {path}: {source}.")]
    Private { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "The files of this service are in another folder than {data}. Give all processes on one database the same data \
         folder. If this folder replaces the other, write {id} into {path}."
    )]
    OtherFolder { data: PathBuf, path: PathBuf, id: String },
    #[error(
        "The files of this service are elsewhere than in {bucket}. Move them with `rondo files move --to {bucket}`, or set \
         `files` to where they are."
    )]
    OtherBucket { bucket: String },
    #[error("There is no database in {path}. Name the data folder of the service with --data.")]
    NoDatabase { path: PathBuf },
    #[error("The files of this service are in a bucket. Set `files` to it.")]
    InBucket,
    #[error("{bucket} holds the files of another service. Choose another bucket or prefix.")]
    ForeignBucket { bucket: String },
    #[error("Failed to set up the HTTP client: {0}")]
    Fetch(String),
    #[error(transparent)]
    Jobs(#[from] StartError),
    #[error("Failed to set up mail: {0}.")]
    Mail(String),
    #[error("Failed to start: {0}")]
    Start(#[from] std::io::Error),
}

/// What operations and background tasks work with.
pub struct Service {
    pub settings: Settings,
    pub links: Links,
    pub store: Store,
    /// Media of films, and the guarded client.
    pub media: Arc<Media>,
    /// Fonts for players.
    pub browser_fonts: Arc<BrowserFonts>,
    /// Narration and transcription.
    pub speech: SpeechService,
    /// Photos and videos of others.
    pub stock: Stock,
    /// From requests to films.
    pub resolver: Resolver,
    /// Previews that visitors have opened.
    pub opened_previews: OpenedPreviews,
    /// Pictures and films of previews.
    pub previews: Arc<Previews>,
    /// Previews for players.
    pub preview_media: Arc<PreviewMedia>,
    pub uploads: Uploads,
    /// Progress for clients that follow renders.
    pub render_progress: Arc<RenderProgress>,
    /// Requests that wait for the end of a render.
    pub waiting: Waiting,
    pub template_films: TemplateFilms,
    pub mail: Option<Mailer>,
    /// Signals to the background tasks.
    pub queue: Queue,
    /// Other processes answer requests too, so what is counted must be counted in the database.
    pub is_shared: Arc<AtomicBool>,
    pub credential_uses: CredentialUses,
    pub metrics: Metrics,
    pub(crate) readiness: Readiness,
}

pub(crate) fn store_settings(settings: &Settings) -> rondo_store::Settings {
    rondo_store::Settings {
        concurrent_renders: settings.concurrency,
        storage_limits: settings.storage,
        master_key: match &settings.master_key {
            Some(key) => KeySource::Given(key.clone()),
            None => KeySource::in_folder(&settings.data),
        },
        engine: rondo_render::ENGINE.to_owned(),
        ..rondo_store::Settings::default()
    }
}

/// Opens the database that the settings name, or the one in the data folder.
pub async fn open_store(settings: &Settings) -> Result<Store, OpenError> {
    let options = store_settings(settings);
    create_private_folder(&settings.data)
        .map_err(|source| OpenError::Data { path: settings.data.clone(), source })?;
    Ok(match &settings.database_url {
        Some(url) => Store::open(url, options).await?,
        None => Store::open_folder(&settings.data, options).await?,
    })
}

/// The URLs of the service. The public one, once set, holds for all processes on the database.
async fn links(store: &Store, settings: &Settings, listening_at: &str) -> Result<Links, OpenError> {
    if let Some(url) = &settings.public_url {
        store.set_public_url(url).await?;
    }
    let known = store.public_urls().await?;
    let public_url =
        settings.public_url.as_deref().or(known.first().map(String::as_str)).unwrap_or(listening_at);
    Ok(Links::new(public_url, settings.files_url.as_deref()).with_former(known))
}

/// The file that tells the folder of a service from others.
pub const FOLDER_ID: &str = "folder-id";

/// Fails if another folder holds the files of the service: films would be charged and not be found.
async fn check_folder(store: &Store, files: &Files, settings: &Settings) -> Result<(), OpenError> {
    if let Some(bucket) = &settings.files {
        let name = format!("{bucket:?}");
        if files.leaves_files_behind().await? {
            return Err(OpenError::OtherBucket { bucket: name });
        }
        // Nothing is written before the bucket has answered.
        let there = files.known_bucket_id().await?;
        if there.is_some() && store.known_files_id().await?.is_none() {
            return Err(OpenError::ForeignBucket { bucket: name });
        }
        let id = store.files_id(&new_bucket_id()).await?;
        if !is_bucket_id(&id) {
            return Err(OpenError::OtherBucket { bucket: name });
        }
        let found = files.bucket_id(&id).await?;
        return if found == id { Ok(()) } else { Err(OpenError::ForeignBucket { bucket: name }) };
    }
    let data = &settings.data;
    if store.known_files_id().await?.is_some_and(|id| is_bucket_id(&id)) {
        return Err(OpenError::InBucket);
    }
    if !store.is_server() {
        return Ok(());
    }
    let path = data.join(FOLDER_ID);
    let own = folder_id(&path).map_err(|source| OpenError::Data { path: path.clone(), source })?;
    let id = store.files_id(&own).await?;
    if own == id { Ok(()) } else { Err(OpenError::OtherFolder { data: data.to_owned(), path, id }) }
}

/// Ids of buckets differ from those of folders.
const BUCKET: &str = "bucket-";

pub fn new_bucket_id() -> String {
    format!("{BUCKET}{}", rondo_store::id::secret(16))
}

pub fn is_bucket_id(id: &str) -> bool {
    id.starts_with(BUCKET)
}

/// The files of the settings: in the data folder, or in a bucket.
pub fn files_of(settings: &Settings) -> Result<Files, StoreError> {
    let files = Files::open(&settings.data)?.with_min_free(settings.min_free_disk_bytes);
    match &settings.files {
        Some(bucket) => Ok(files.with_bucket(Bucket::open(bucket.clone())?)),
        None => Ok(files),
    }
}

/// The id of a folder, which gets one here. Processes that start at the same time find the same one.
fn folder_id(path: &Path) -> std::io::Result<String> {
    if !path.exists() {
        let id = rondo_store::id::secret(16);
        let draft = path.with_extension(&id);
        std::fs::write(&draft, format!("{id}\n"))?;
        let linked = std::fs::hard_link(&draft, path);
        std::fs::remove_file(&draft)?;
        if let Err(error) = linked
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(error);
        }
    }
    Ok(std::fs::read_to_string(path)?.trim().to_owned())
}

/// Opens the speech engines and logs what is missing. With `confined`, those of this machine speak there.
pub async fn speech_engines(
    settings: &Settings,
    confined: Option<Arc<dyn Confined>>,
) -> Result<Arc<Speech>, OpenError> {
    let courier = Courier::new().map_err(|error| OpenError::Fetch(error.to_string()))?;
    let settings = settings.speech.clone();
    let opening = tokio::task::spawn_blocking(move || match confined {
        Some(confined) => Speech::open_confined(settings, Some(courier), confined),
        None => Speech::open(settings, Some(courier)),
    });
    let speech = opening.await.map_err(std::io::Error::other)?;
    for sentence in speech.missing() {
        tracing::warn!(sentence, "a speech engine is missing");
    }
    Ok(Arc::new(speech))
}

/// A folder of fonts beside the bundled ones.
pub fn font_folder() -> Option<PathBuf> {
    std::env::var_os("RONDO_FONT_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Families that were fetched for films.
fn fetched_fonts(settings: &Settings) -> FetchedFamilies {
    let data = std::path::absolute(&settings.data).unwrap_or_else(|_| settings.data.clone());
    FetchedFamilies::new(data.join("fonts"))
}

/// How this process makes children, and what they must not be able to do.
pub fn jobs_settings(settings: &Settings) -> JobsSettings {
    let data = std::path::absolute(&settings.data).unwrap_or_else(|_| settings.data.clone());
    // A key that is not in a file is in the environment of this process.
    let environment = format!("/proc/{}/environ", std::process::id());
    let existing = |path: PathBuf, other: PathBuf| if path.exists() { path } else { other };
    let secrets = vec![
        ("database".to_owned(), existing(data.join("rondo.db"), data.clone())),
        ("keys".to_owned(), existing(data.join("master.key"), environment.into())),
    ];
    let jobs = JobsSettings {
        fetched_fonts: Some(fetched_fonts(settings)),
        stuck_after: settings.stuck_after,
        ..sandbox_in(&data, data.join("drafts"), settings.sandbox, secrets)
    };
    match settings.fork_server.clone() {
        Some((program, arguments)) => JobsSettings { program, arguments, ..jobs },
        None => jobs,
    }
}

/// Children of this program that work in `scratch`, and can neither read the secrets nor write elsewhere in `folder`.
pub fn sandbox_in(
    folder: &Path,
    scratch: PathBuf,
    mode: Mode,
    secrets: Vec<(String, PathBuf)>,
) -> JobsSettings {
    let fonts = bundled_folder("assets/fonts/web");
    JobsSettings {
        program: std::env::current_exe().unwrap_or_default(),
        arguments: vec![FORK_SERVER.to_owned()],
        mode,
        font_folder: font_folder(),
        fetched_fonts: None,
        read_only: fonts.iter().cloned().chain([PathBuf::from(SYSTEM_FONTS)]).collect(),
        scratch,
        self_test: SelfTest {
            secrets,
            elsewhere: folder.to_owned(),
            fonts,
            program: espeak_program(),
            other_programs: SelfTest::idle_programs(),
        },
        stuck_after: STUCK_AFTER,
    }
}

/// The command that runs the fork server.
pub const FORK_SERVER: &str = "fork-server";
/// Where Debian puts fonts.
const SYSTEM_FONTS: &str = "/usr/share/fonts";

impl Service {
    /// Opens the service. `listening_at` is its URL where no public one is known, without a slash at the end.
    pub async fn open(settings: Settings, listening_at: &str) -> Result<Self, OpenError> {
        let store = open_store(&settings).await?;
        let files = files_of(&settings)?;
        check_folder(&store, &files, &settings).await?;
        let data = settings.data.clone();
        let corrected = tokio::task::spawn_blocking(move || make_private(&data)).await;
        match corrected.map_err(std::io::Error::other).flatten() {
            Ok(0) => {}
            Ok(files) => {
                tracing::info!(files, "removed the access of other users to files of the data folder")
            }
            Err(source) => return Err(OpenError::Private { path: settings.data, source }),
        }
        let cache = MediaCache::open(&settings.data.join("media"), settings.media_cache_bytes)?;
        let signing_key: Arc<str> = store.secret("signing").await?.into();
        let jobs = jobs_settings(&settings);
        let jobs = tokio::task::spawn_blocking(move || Jobs::start(jobs));
        let options = FontOptions {
            fonts: FontSettings { user_folder: font_folder(), fetched: None },
            fetched: fetched_fonts(&settings),
            registry: settings.font_registry.clone(),
            packages: settings.font_packages.clone(),
            wait: WAIT,
        };
        let fonts =
            tokio::task::spawn_blocking(|| Fonts::open(options)).await.map_err(std::io::Error::other)?;
        let (fonts, warnings) = fonts.map_err(|error| OpenError::Fetch(error.to_string()))?;
        for warning in warnings {
            tracing::warn!(warning, "failed to load a font");
        }
        let jobs = jobs.await.map_err(std::io::Error::other)??;
        for (layer, reason) in jobs.missing_layers() {
            tracing::warn!(layer = layer.name(), reason, "a layer of the sandbox is missing");
        }
        let isolation = Isolation::new(
            Arc::new(jobs),
            settings.job_memory,
            settings.max_output_bytes,
            RenderBudget {
                cpu_base: settings.cpu_base,
                cpu_per_gigapixel: settings.cpu_per_gigapixel,
                most_time: settings.render_timeout,
            },
        );
        let links = links(&store, &settings, listening_at).await?.with_bucket(files.bucket_origin().await?);
        let queue = Queue::new(store.is_server());
        let fetch = Fetch::new(settings.allow_private_network)
            .map_err(|error| OpenError::Fetch(error.to_string()))?
            .with_pace(settings.fetch_pace);
        let stock = Stock::new(&settings.stock, fetch.clone())
            .map_err(|error| OpenError::Fetch(error.to_string()))?;
        let uploads = Uploads {
            store: store.clone(),
            files: files.clone(),
            links: links.clone(),
            direct: settings.files.is_some() && !settings.proxy_files,
            signing_key: signing_key.clone(),
            in_flight: Arc::default(),
            isolation: isolation.clone(),
        };
        let children = SpeechChildren::new(isolation.jobs.clone(), isolation.limits(0), files.drafts());
        let media = Arc::new(Media {
            files: files.clone(),
            uploads: uploads.clone(),
            cache: Arc::new(cache),
            fetch,
            links: links.clone(),
            fonts,
            isolation,
            bucket_pause: BucketPause::default(),
            patience: settings.fetch_patience,
            turns: FetchTurns::default(),
        });
        let speech = SpeechService {
            engines: speech_engines(&settings, Some(Arc::new(children))).await?,
            local_transcriber: LocalTranscriber::of(&settings.speech),
            store: store.clone(),
            media: media.clone(),
            links: links.clone(),
            signing_key: signing_key.clone(),
            max_minutes: settings.max_minutes,
        };
        templates::load(&store, &links).await?;
        // The first sign-in with an unknown email takes as long as the others.
        tokio::task::spawn_blocking(|| password::verify(None, ""));
        Ok(Self {
            resolver: Resolver {
                store: store.clone(),
                media: media.clone(),
                speech: speech.clone(),
                max_minutes: settings.max_minutes,
                stopping: queue.stopping.clone(),
            },
            opened_previews: OpenedPreviews::new(store.clone()),
            previews: Arc::new(Previews::new(media.clone(), settings.drawing_time, queue.stopping.clone())),
            preview_media: Arc::new(PreviewMedia::new(media.clone(), signing_key.clone())),
            render_progress: Arc::new(RenderProgress::new(store.clone(), queue.stopping.clone())),
            uploads,
            waiting: Waiting::default(),
            template_films: TemplateFilms::default(),
            mail: Mailer::new(&settings).map_err(OpenError::Mail)?,
            is_shared: Arc::new(store.is_server().into()),
            credential_uses: CredentialUses::default(),
            metrics: Metrics::default(),
            readiness: Readiness::default(),
            browser_fonts: Arc::new(BrowserFonts::new(media.fonts.clone())),
            settings,
            links,
            store,
            media,
            speech,
            stock,
            queue,
        })
    }

    /// Writes what memory still holds, and closes the store.
    pub async fn flush(&self) {
        if let Err(error) = self.credential_uses.flush(&self.store).await {
            tracing::warn!(%error, "failed to save when credentials were used");
        }
        if let Err(error) = self.store.retire_process().await {
            tracing::warn!(%error, "failed to retire this process");
        }
        self.store.close().await;
    }
}
