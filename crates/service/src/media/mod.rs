//! The media of films on this machine: files of the service in place, everything else fetched into a cache.

mod cache;
pub mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use rondo_composition::Composition;
use rondo_jobs::MediaFiles;
use rondo_store::{Files, StoreError};
use tempfile::NamedTempFile;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::disk::{Growth, is_full, require_room};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::{DownloadLimits, Downloading, Fetch, FetchError};
use crate::fonts::Fonts;
use crate::isolation::{Isolation, open_files};
use crate::links::Links;
use crate::templates;
use crate::turns::{Seat, Turns};
use crate::uploads::Uploads;
pub use cache::MediaCache;
use cache::{Kept, Known};
use sources::Target;

/// Largest single download.
const MOST_BYTES: u64 = 5_000_000_000;
/// Largest sum of downloads of one film.
const MOST_BYTES_IN_ALL: u64 = 10_000_000_000;
/// Longest time for all downloads of one film together. Within that, they have the patience of the settings and a second for each of
/// these bytes: a worker waits meanwhile.
const MOST_TIME: Duration = Duration::from_secs(3600);
const BYTES_A_SECOND: u64 = 1_000_000;
/// Files fetched for requests at a time, those of one account, how many of an account may wait, and how long they do.
const FETCHES: usize = 64;
const FETCHES_OF_ACCOUNT: usize = 2;
const MOST_WAITING: usize = 8;
const TURN: Duration = Duration::from_secs(30);
/// Time to check the hosts of all media of a request, and hosts checked at a time.
const CHECKING: Duration = Duration::from_secs(5);
const CHECKED_AT_ONCE: usize = 16;
/// Downloads of one film at a time.
const AT_ONCE: usize = 4;

/// Copies of fetched media that are sent to the bucket at a time. While there are more, others are not shared.
static SHARING: Semaphore = Semaphore::const_new(3);
/// How long the bucket may take to tell of media of another machine, and to hand them over.
const SHARED_LOOK: Duration = Duration::from_secs(2);
const SHARED_FETCH: Duration = Duration::from_secs(60);
/// How long it is not asked again after it did not answer.
const SHARED_PAUSE: Duration = Duration::from_secs(10);

/// Why a file of the service is not found while the bucket is away.
pub const STORAGE_AWAY: &str = "the storage of files does not answer";
/// Why a file was not stored.
pub const DISK_FULL: &str = "failed to store it: No space left on device";

/// Access to media: files of the service, the cache, and the guarded client.
#[derive(Debug)]
pub struct Media {
    pub files: Files,
    pub uploads: Uploads,
    pub cache: Arc<MediaCache>,
    pub fetch: Fetch,
    pub links: Links,
    pub fonts: Fonts,
    /// Where media are decoded.
    pub isolation: Isolation,
    pub bucket_pause: BucketPause,
    /// How long the media of a film may take, beside the time for their bytes.
    pub patience: Duration,
    pub turns: FetchTurns,
}

/// Turns at fetching what one request asks for.
#[derive(Debug)]
pub struct FetchTurns(Arc<Turns>);

impl Default for FetchTurns {
    fn default() -> Self {
        Self(Turns::shared(FETCHES, FETCHES_OF_ACCOUNT, MOST_WAITING))
    }
}

impl FetchTurns {
    pub async fn take(&self, account_id: &str) -> ServiceResult<Seat> {
        let busy = || {
            let message = "Too many files are being fetched for this account. Try again in a moment.";
            ServiceError::busy(message, 5)
        };
        timeout(TURN, self.0.take(account_id)).await.map_err(|_| busy())?.map_err(|_| busy())
    }
}

/// Until when the bucket is not asked for media of other machines.
#[derive(Debug, Default)]
pub struct BucketPause(Mutex<Option<Instant>>);

impl BucketPause {
    fn is_on(&self) -> bool {
        self.until().is_some_and(|until| Instant::now() < until)
    }

    fn begin(&self) {
        *self.until() = Some(Instant::now() + SHARED_PAUSE);
    }

    fn until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The media of one film, each a file or the reason why there is none. Files stay while this is held.
#[derive(Debug, Default)]
pub struct Gathered {
    found: BTreeMap<String, Result<Found, String>>,
}

#[derive(Debug)]
enum Found {
    Own(PathBuf),
    Kept(Kept),
}

impl Gathered {
    /// The files by address, for a job.
    pub fn media_files(&self) -> MediaFiles {
        let file = |found: &Result<Found, String>| match found {
            Ok(Found::Own(path) | Found::Kept(Kept { path, .. })) => Ok(path.clone()),
            Err(reason) => Err(reason.clone()),
        };
        MediaFiles(self.found.iter().map(|(address, found)| (address.clone(), file(found))).collect())
    }

    /// The files, open.
    pub fn open_files(&self) -> Vec<(PathBuf, File)> {
        let paths: BTreeSet<PathBuf> = self.media_files().0.into_values().flatten().collect();
        open_files(paths)
    }

    /// How many addresses were looked for.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The first address without a file, and why.
    pub fn problem(&self) -> Option<(String, &str)> {
        self.found
            .iter()
            .find_map(|(address, found)| Some((sources::shortened(address), found.as_ref().err()?.as_str())))
    }

    /// Whether files of the service are missing because the bucket is away.
    pub fn is_storage_away(&self) -> bool {
        self.found.iter().any(|(_, found)| found.as_ref().is_err_and(|reason| reason == STORAGE_AWAY))
    }

    /// Whether files are missing because the disk has no room for them.
    pub fn is_disk_full(&self) -> bool {
        self.found.iter().any(|(_, found)| found.as_ref().is_err_and(|reason| reason == DISK_FULL))
    }

    /// A message with addresses in place of the paths of files on this machine.
    pub fn with_addresses(&self, mut message: String) -> String {
        for (address, found) in &self.found {
            if let Ok(Found::Own(path) | Found::Kept(Kept { path, .. })) = found
                && let Some(path) = path.to_str()
            {
                message = message.replace(path, &sources::shortened(address));
            }
        }
        message
    }
}

/// One file, which stays while this is held.
#[derive(Debug)]
pub struct One(Found);

impl One {
    pub fn path(&self) -> &Path {
        let (Found::Own(path) | Found::Kept(Kept { path, .. })) = &self.0;
        path
    }
}

/// A file that is being fetched, and whose length is known.
#[derive(Debug, Clone)]
pub struct Growing {
    /// The copy on this machine, for reading.
    pub file: Arc<File>,
    /// Those that it has, and those it will have.
    pub bytes: u64,
    pub length: u64,
    /// Changes when the file does.
    pub validator: Option<String>,
}

impl Media {
    /// Brings the media of a film onto this machine, and its fonts. `stop` ends it early; what is missing then says so.
    pub async fn gather(&self, composition: &Composition, stop: &CancellationToken) -> Gathered {
        let mut composition = composition.clone();
        // With those of font files.
        let mut addresses: Vec<String> = sources::sources(&mut composition)
            .into_iter()
            .map(|source| std::mem::take(source.address))
            .collect();
        addresses.retain(|address| !address.trim().is_empty());
        addresses.sort();
        addresses.dedup();
        let (spent, arrived) = (AtomicU64::new(0), AtomicU64::new(0));
        let late = CancellationToken::new();
        let fonts = async {
            tokio::select! {
                _ = self.fonts.fetch_for(&composition) => {}
                () = stop.cancelled() => {}
            }
        };
        let found = futures_util::stream::iter(addresses)
            .map(|address| async {
                let found = tokio::select! {
                    biased;
                    () = stop.cancelled() => Err("the render was stopped".to_owned()),
                    () = late.cancelled() => Err(self.too_late()),
                    found = self.find(&address, &spent, &arrived) => found,
                };
                (address, found)
            })
            .buffer_unordered(AT_ONCE)
            .collect();
        let found = async {
            tokio::pin!(found);
            tokio::select! {
                found = &mut found => found,
                () = self.overdue(&arrived) => {
                    late.cancel();
                    found.await
                }
            }
        };
        let (found, ()) = tokio::join!(found, fonts);
        Gathered { found }
    }

    /// Brings one file onto this machine.
    pub async fn gather_one(&self, address: &str, stop: &CancellationToken) -> Result<One, String> {
        let (spent, arrived) = (AtomicU64::new(0), AtomicU64::new(0));
        tokio::select! {
            found = self.find(address, &spent, &arrived) => found.map(One),
            () = stop.cancelled() => Err("it was stopped".to_owned()),
            () = self.overdue(&arrived) => Err(self.too_late()),
        }
    }

    /// Ends when media take too long, of which so many bytes have arrived.
    async fn overdue(&self, arrived: &AtomicU64) {
        let begun = Instant::now();
        loop {
            let for_bytes = Duration::from_secs(arrived.load(Ordering::Relaxed) / BYTES_A_SECOND);
            let end = begun + self.patience.saturating_add(for_bytes).min(MOST_TIME);
            if Instant::now() >= end {
                return;
            }
            sleep_until(end).await;
        }
    }

    fn too_late(&self) -> String {
        let seconds = self.patience.as_secs();
        format!(
            "the media arrive too slowly: all together may take {seconds} s, and 1 s more for each MB, at most an hour"
        )
    }

    /// Brings one file of at most so many bytes onto this machine.
    pub async fn one_up_to(&self, address: &str, most: u64) -> Result<One, String> {
        self.one_telling(address, most, &watch::Sender::default()).await
    }

    /// The same, telling how far it is while it is fetched.
    pub async fn one_telling(
        &self,
        address: &str,
        most: u64,
        told: &watch::Sender<Option<Growing>>,
    ) -> Result<One, String> {
        match sources::target(&self.links, address) {
            Some(Target::Remote) => {
                let arrived = AtomicU64::new(0);
                self.fetched_telling(address, most, &arrived, told).await.map(|kept| One(Found::Kept(kept)))
            }
            Some(Target::File(name)) if self.files.size(&name).await.is_ok_and(|size| size > Some(most)) => {
                Err(too_much())
            }
            _ => self.local(address).await.map(One),
        }
    }

    /// The file behind an address that needs no fetching.
    pub async fn local_file(&self, address: &str) -> Result<PathBuf, String> {
        match self.local(address).await? {
            Found::Own(path) | Found::Kept(Kept { path, .. }) => Ok(path),
        }
    }

    /// The copy of a file elsewhere, fetched unless it is in the cache.
    pub async fn fetched_file(&self, url: &str) -> Option<PathBuf> {
        self.fetched(url, MOST_BYTES).await.ok().map(|kept| kept.path)
    }

    async fn local(&self, address: &str) -> Result<Found, String> {
        match sources::target(&self.links, address) {
            Some(Target::File(name)) => {
                let away = |error: StoreError| {
                    tracing::error!(%error, name, "failed to find a file");
                    STORAGE_AWAY.to_owned()
                };
                let mut found = self.files.find(&name).await.map_err(away)?;
                let unusable = |error: ServiceError| match error.kind {
                    ErrorKind::Unavailable => STORAGE_AWAY.to_owned(),
                    _ => error.message,
                };
                if found.is_none() && self.uploads.settle_named(&name).await.map_err(unusable)?.is_some() {
                    found = self.files.find(&name).await.map_err(away)?;
                }
                found
                    .map(Found::Own)
                    .ok_or_else(|| "the file does not exist, or its retention period is over".to_owned())
            }
            Some(Target::TemplateMedia(path)) => templates::media_file(&path)
                .map(Found::Own)
                .ok_or_else(|| "the file does not exist".to_owned()),
            Some(Target::Data) => {
                let bytes = sources::data_bytes(address)?;
                let mut partial = self.cache.partial().map_err(unwritable)?;
                partial.write_all(&bytes).map_err(unwritable)?;
                Ok(Found::Kept(self.adopt(partial).await?.0))
            }
            Some(Target::Remote) => Err("it is not a file of this service".to_owned()),
            None => Err("it is not an http or https address".to_owned()),
        }
    }

    async fn find(&self, address: &str, spent: &AtomicU64, arrived: &AtomicU64) -> Result<Found, String> {
        match sources::target(&self.links, address) {
            Some(Target::Remote) => {
                let left = MOST_BYTES_IN_ALL.saturating_sub(spent.load(Ordering::Relaxed));
                if left == 0 {
                    return Err(too_much());
                }
                let most = MOST_BYTES.min(left);
                let kept = self.fetched_telling(address, most, arrived, &watch::Sender::default()).await?;
                let sum = spent.fetch_add(kept.bytes, Ordering::Relaxed) + kept.bytes;
                if sum > MOST_BYTES_IN_ALL {
                    return Err(too_much());
                }
                Ok(Found::Kept(kept))
            }
            Some(Target::File(name)) => {
                // The bucket may send it, and gets the time for all of it at once.
                if let Ok(Some(size)) = self.files.size(&name).await {
                    arrived.fetch_add(size, Ordering::Relaxed);
                }
                self.local(address).await
            }
            _ => self.local(address).await,
        }
    }

    async fn fetched(&self, url: &str, most: u64) -> Result<Kept, String> {
        self.fetched_telling(url, most, &AtomicU64::new(0), &watch::Sender::default()).await
    }

    async fn fetched_telling(
        &self,
        url: &str,
        most: u64,
        arrived: &AtomicU64,
        told: &watch::Sender<Option<Growing>>,
    ) -> Result<Kept, String> {
        let known = match self.cache.recall(url) {
            Some(known) => Some(known),
            None => self.recall_shared(url).await,
        };
        if let Some(known) = known
            && self
                .fetch
                .probe(url)
                .await
                .is_ok_and(|probe| probe.validator.as_ref() == Some(&known.validator))
            && let Some(kept) = self.keep_known(url, &known, most).await
        {
            arrived.fetch_add(kept.bytes, Ordering::Relaxed);
            return Ok(kept);
        }
        require_room(&self.files).map_err(|_| DISK_FULL)?;
        let partial = self.cache.partial().map_err(unwritable)?;
        let limits = DownloadLimits { bytes: most, time: MOST_TIME };
        let file = Arc::new(partial.reopen().map_err(unwritable)?);
        let (mut growth, mut counted) = (Growth::of(&self.files, 0), 0);
        let tell = |Downloading { bytes, length, validator }: Downloading| -> Result<(), FetchError> {
            growth.require_room(bytes).map_err(|_| FetchError::NoRoom)?;
            arrived.fetch_add(bytes - counted, Ordering::Relaxed);
            counted = bytes;
            told.send_modify(|growing| match (growing, length) {
                (Some(growing), _) => growing.bytes = bytes,
                (growing, Some(length)) => {
                    let validator = validator.map(str::to_owned);
                    *growing = Some(Growing { file: file.clone(), bytes, length, validator });
                }
                (_, None) => {}
            });
            Ok(())
        };
        let downloaded = self.fetch.download_telling(url, partial.path(), limits, tell).await;
        let downloaded = downloaded.map_err(|error| match error {
            FetchError::NoRoom => DISK_FULL.to_owned(),
            error => error.to_string(),
        })?;
        let (kept, content) = self.adopt(partial).await?;
        if let Some(validator) = downloaded.validator {
            let known = Known { validator, content };
            self.remember(url, &known);
            self.share(url, &known);
        }
        Ok(kept)
    }

    fn remember(&self, url: &str, known: &Known) {
        if let Err(error) = self.cache.remember(url, known) {
            tracing::warn!(%error, url = sources::shortened(url), "fetched media will be fetched again");
        }
    }

    /// What another machine has fetched from an address.
    async fn recall_shared(&self, url: &str) -> Option<Known> {
        let key = cache::key(url);
        let noted = self.ask_bucket(SHARED_LOOK, self.files.known_media(&key)).await??;
        serde_json::from_slice(&noted).ok()
    }

    /// What the bucket answers in time. One that does not is left alone for a while: media can be fetched where they are from.
    async fn ask_bucket<T>(
        &self,
        time: Duration,
        asked: impl Future<Output = rondo_store::Result<T>>,
    ) -> Option<T> {
        if self.bucket_pause.is_on() {
            return None;
        }
        let answer = timeout(time, asked).await.ok().and_then(Result::ok);
        if answer.is_none() {
            self.bucket_pause.begin();
        }
        answer
    }

    /// The copy of media that did not change: that of this machine, or that of another one.
    async fn keep_known(&self, url: &str, known: &Known, most: u64) -> Option<Kept> {
        if let Ok(kept) = self.cache.keep(&known.content) {
            return Some(kept);
        }
        let partial = self.cache.partial().ok()?;
        let fetching = self.files.fetch_media(&known.content, partial.path(), most);
        if !self.ask_bucket(SHARED_FETCH, fetching).await? {
            return None;
        }
        let (kept, content) = self.adopt(partial).await.ok()?;
        if content != known.content {
            // Others would fetch the damaged copy, too.
            if let Err(error) = self.files.remove_media(&known.content).await {
                tracing::warn!(%error, "failed to remove damaged media");
            }
            return None;
        }
        self.remember(url, known);
        Some(kept)
    }

    /// Copies fetched media to the bucket, for the other machines. They fetch them themselves if that fails.
    fn share(&self, url: &str, known: &Known) {
        let (Ok(kept), Ok(noted)) = (self.cache.keep(&known.content), serde_json::to_vec(known)) else {
            return;
        };
        let (files, key, content) = (self.files.clone(), cache::key(url), known.content.clone());
        let Some(turn) = files.shares_media().then(|| SHARING.try_acquire().ok()).flatten() else { return };
        tokio::spawn(async move {
            let _turn = turn;
            if let Err(error) = files.share_media(&key, noted, &content, &kept.path).await {
                tracing::warn!(%error, "failed to share fetched media");
            }
        });
    }

    async fn adopt(&self, partial: NamedTempFile) -> Result<(Kept, String), String> {
        let cache = self.cache.clone();
        let adopted = tokio::task::spawn_blocking(move || cache.adopt(partial)).await;
        adopted.map_err(io::Error::other).flatten().map_err(unwritable)
    }

    /// Why an address may not be used, as the end of the sentence "… cannot be used: ".
    pub async fn refusal(&self, address: &str, is_picture: bool) -> Option<String> {
        let refused = self.refused_hosts(&[address]).await;
        self.refusal_given(address, is_picture, &refused)
    }

    /// The hosts of addresses that may not be called, each resolved once, all of them in a few seconds.
    pub async fn refused_hosts(&self, addresses: &[&str]) -> BTreeMap<String, FetchError> {
        let is_remote = |address: &&&str| sources::target(&self.links, address) == Some(Target::Remote);
        let hosts: BTreeSet<String> = addresses
            .iter()
            .filter(is_remote)
            .filter_map(|address| self.fetch.check_literal(address).ok()?.domain().map(str::to_owned))
            .collect();
        let end = Instant::now() + CHECKING;
        futures_util::stream::iter(hosts)
            .map(|host| async move {
                // What is not resolved by then is checked again when it is connected to.
                let error = timeout_at(end, self.fetch.check_host(&host)).await.ok()?.err()?;
                Some((host, error))
            })
            .buffer_unordered(CHECKED_AT_ONCE)
            .filter_map(std::future::ready)
            .collect()
            .await
    }

    /// Why an address may not be used, given the hosts that may not be called.
    pub fn refusal_given(
        &self,
        address: &str,
        is_picture: bool,
        refused_hosts: &BTreeMap<String, FetchError>,
    ) -> Option<String> {
        match sources::target(&self.links, address) {
            None => Some("write an http or https address, or upload the file and use its fileUrl".to_owned()),
            Some(Target::File(_) | Target::TemplateMedia(_)) => None,
            Some(Target::Data) if !is_picture => {
                Some("only pictures may be given as data: addresses".to_owned())
            }
            Some(Target::Data) => sources::data_bytes(address).err(),
            Some(Target::Remote) => {
                let refused = match self.fetch.check_literal(address) {
                    Ok(url) => url.domain().and_then(|host| refused_hosts.get(host)).cloned(),
                    Err(error) => Some(error),
                };
                refused.map(|error| error.to_string())
            }
        }
    }
}

fn unwritable(error: io::Error) -> String {
    if is_full(&error) {
        return DISK_FULL.to_owned();
    }
    // The kind alone: the text of the error may contain a path of this machine.
    format!("failed to store it: {}", error.kind())
}

fn too_much() -> String {
    "the media of the film are larger than 10 GB in all".to_owned()
}
