//! The media of films on this machine: files of the service where they lie, everything else fetched into a cache of
//! limited size.
//!
//! Files are kept under the hash of their content, so that a source that did not change keeps its name and its age and
//! with them the finished chunks of films that show it. A file in use is locked, also against other processes.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use futures_util::StreamExt;
use rondo_composition::Composition;
use rondo_render::Locate;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::fetch::DownloadLimits;
use crate::resolve::sources::{self, Place};
use crate::templates;

/// Largest single download.
const MOST_BYTES: u64 = 5_000_000_000;
/// Largest sum of downloads of one film.
const MOST_BYTES_IN_ALL: u64 = 10_000_000_000;
/// Longest single download.
const MOST_TIME: Duration = Duration::from_secs(3600);
/// Downloads of one film at a time.
const AT_ONCE: usize = 4;
/// Part of the limit that is left after making room.
const KEPT_PERCENT: u64 = 90;

/// A folder of fetched media.
#[derive(Debug)]
pub struct MediaCache {
    folder: PathBuf,
    limit: u64,
}

/// A file that stays where it is while this is held.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    /// Carries the lock.
    _file: File,
    bytes: u64,
}

/// What is known of an address that was fetched before.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    url: String,
    validator: String,
    content: String,
}

impl MediaCache {
    pub fn open(folder: &Path, limit: u64) -> io::Result<Self> {
        for part in ["content", "known", "partial"] {
            fs::create_dir_all(folder.join(part))?;
        }
        Ok(Self { folder: folder.to_owned(), limit })
    }

    fn content(&self, hash: &str) -> PathBuf {
        self.folder.join("content").join(hash)
    }

    fn known(&self, url: &str) -> PathBuf {
        self.folder.join("known").join(hex(&Sha256::digest(url)))
    }

    fn partial(&self) -> io::Result<NamedTempFile> {
        NamedTempFile::new_in(self.folder.join("partial"))
    }

    /// Locks a file of the cache and notes that it was used.
    fn keep(&self, hash: &str) -> io::Result<Kept> {
        let path = self.content(hash);
        let file = File::open(&path)?;
        file.lock_shared()?;
        // It may have been removed between opening and locking.
        let bytes = fs::metadata(&path)?.len();
        // Only the time of use: the time of change is part of a clip's identity. A read-only cache still serves.
        let _ = file.set_times(FileTimes::new().set_accessed(SystemTime::now()));
        Ok(Kept { path, _file: file, bytes })
    }

    /// Moves a finished file into the cache.
    fn adopt(&self, partial: NamedTempFile) -> io::Result<(Kept, String)> {
        let hash = hash_of(partial.path())?;
        if let Ok(kept) = self.keep(&hash) {
            return Ok((kept, hash));
        }
        partial.persist(self.content(&hash)).map_err(|error| error.error)?;
        let kept = self.keep(&hash)?;
        self.make_room()?;
        Ok((kept, hash))
    }

    fn recall(&self, url: &str) -> Option<Known> {
        let known: Known = serde_json::from_slice(&fs::read(self.known(url)).ok()?).ok()?;
        (known.url == url && self.content(&known.content).exists()).then_some(known)
    }

    fn remember(&self, known: &Known) -> io::Result<()> {
        let mut file = self.partial()?;
        file.write_all(serde_json::to_string(known)?.as_bytes())?;
        file.persist(self.known(&known.url)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The copy of an address that was fetched before.
    pub fn cached(&self, url: &str) -> Option<PathBuf> {
        self.recall(url).map(|known| self.content(&known.content))
    }

    /// Removes downloads nobody has written to for `age`, and what is known of addresses whose copy is gone. Returns how
    /// many files.
    pub fn tidy(&self, age: Duration) -> io::Result<u64> {
        let mut removed = 0;
        for entry in fs::read_dir(self.folder.join("partial"))? {
            let path = entry?.path();
            let written = fs::metadata(&path).and_then(|facts| facts.modified());
            let abandoned = written.is_ok_and(|at| at.elapsed().is_ok_and(|passed| passed > age));
            removed += u64::from(abandoned && fs::remove_file(&path).is_ok());
        }
        for entry in fs::read_dir(self.folder.join("known"))? {
            let path = entry?.path();
            let known = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Known>(&text).ok());
            let gone = known.is_none_or(|known| !self.content(&known.content).exists());
            removed += u64::from(gone && fs::remove_file(&path).is_ok());
        }
        Ok(removed)
    }

    /// Removes the files unused longest when the cache has outgrown its limit. Files in use stay.
    fn make_room(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder.join("content"))? {
            let path = entry?.path();
            // Another process may have removed it by now.
            if let Ok(facts) = fs::metadata(&path) {
                files.push((facts.accessed().unwrap_or(SystemTime::UNIX_EPOCH), facts.len(), path));
            }
        }
        let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        if bytes <= self.limit {
            return Ok(());
        }
        files.sort();
        for (_, size, path) in files {
            if bytes <= self.limit / 100 * KEPT_PERCENT {
                break;
            }
            let unused = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if unused.is_some() && fs::remove_file(&path).is_ok() {
                bytes -= size;
            }
        }
        Ok(())
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

impl Locate for Gathered {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        match self.found.get(src) {
            Some(Ok(Found::Own(path) | Found::Kept(Kept { path, .. }))) => Ok(path.clone()),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("it was not fetched".to_owned()),
        }
    }
}

impl Gathered {
    /// The first address without a file, and why.
    pub fn problem(&self) -> Option<(String, &str)> {
        self.found
            .iter()
            .find_map(|(address, found)| Some((sources::shortened(address), found.as_ref().err()?.as_str())))
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

/// Brings the media of a film onto this machine. `stop` ends it early; what is missing then says so.
pub async fn gather(app: &App, composition: &Composition, stop: &CancellationToken) -> Gathered {
    let mut composition = composition.clone();
    let mut addresses: Vec<String> =
        sources::sources(&mut composition).into_iter().map(|source| std::mem::take(source.address)).collect();
    addresses.retain(|address| !address.trim().is_empty());
    addresses.sort();
    addresses.dedup();
    let spent = AtomicU64::new(0);
    let found = futures_util::stream::iter(addresses)
        .map(|address| async {
            let found = tokio::select! {
                found = find(app, &address, &spent) => found,
                () = stop.cancelled() => Err("the render was stopped".to_owned()),
            };
            (address, found)
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    Gathered { found }
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

/// Brings one file onto this machine.
pub async fn gather_one(app: &App, address: &str, stop: &CancellationToken) -> Result<One, String> {
    let spent = AtomicU64::new(0);
    tokio::select! {
        found = find(app, address, &spent) => found.map(One),
        () = stop.cancelled() => Err("it was stopped".to_owned()),
    }
}

/// The file behind an address that needs no fetching.
pub async fn local_file(app: &App, address: &str) -> Result<PathBuf, String> {
    match local(app, address).await? {
        Found::Own(path) | Found::Kept(Kept { path, .. }) => Ok(path),
    }
}

/// The copy of a file elsewhere, fetched unless it is in the cache.
pub async fn fetched_file(app: &App, url: &str) -> Option<PathBuf> {
    fetched(app, url, &AtomicU64::new(0)).await.ok().map(|kept| kept.path)
}

async fn local(app: &App, address: &str) -> Result<Found, String> {
    match sources::place(&app.public_url, address) {
        Some(Place::File(name)) => {
            let path = app.files.find(&name).filter(|path| path.is_file());
            path.map(Found::Own)
                .ok_or_else(|| "there is no such file, or it was deleted for its age".to_owned())
        }
        Some(Place::TemplateMedia(path)) => templates::media_file(&path)
            .map(Found::Own)
            .ok_or_else(|| "no template has such a file".to_owned()),
        Some(Place::Data) => {
            let bytes = sources::data_bytes(address)?;
            let mut partial = app.media.partial().map_err(unwritable)?;
            partial.write_all(&bytes).map_err(unwritable)?;
            Ok(Found::Kept(adopt(app, partial).await?.0))
        }
        Some(Place::Remote) => Err("it is not on this machine".to_owned()),
        None => Err("it is not an http or https address".to_owned()),
    }
}

async fn find(app: &App, address: &str, spent: &AtomicU64) -> Result<Found, String> {
    match sources::place(&app.public_url, address) {
        Some(Place::Remote) => {
            let kept = fetched(app, address, spent).await?;
            let sum = spent.fetch_add(kept.bytes, Ordering::Relaxed) + kept.bytes;
            if sum > MOST_BYTES_IN_ALL {
                return Err(too_much());
            }
            Ok(Found::Kept(kept))
        }
        _ => local(app, address).await,
    }
}

async fn fetched(app: &App, url: &str, spent: &AtomicU64) -> Result<Kept, String> {
    if let Some(known) = app.media.recall(url)
        && app.fetch.probe(url).await.is_ok_and(|probe| probe.validator.as_ref() == Some(&known.validator))
        && let Ok(kept) = app.media.keep(&known.content)
    {
        return Ok(kept);
    }
    let left = MOST_BYTES_IN_ALL.saturating_sub(spent.load(Ordering::Relaxed));
    if left == 0 {
        return Err(too_much());
    }
    let partial = app.media.partial().map_err(unwritable)?;
    let limits = DownloadLimits { bytes: MOST_BYTES.min(left), time: MOST_TIME };
    let downloaded =
        app.fetch.download(url, partial.path(), limits).await.map_err(|error| error.to_string())?;
    let (kept, content) = adopt(app, partial).await?;
    if let Some(validator) = downloaded.validator {
        let known = Known { url: url.to_owned(), validator, content };
        if let Err(error) = app.media.remember(&known) {
            tracing::warn!(%error, url, "fetched media will be fetched again");
        }
    }
    Ok(kept)
}

async fn adopt(app: &App, partial: NamedTempFile) -> Result<(Kept, String), String> {
    let media = app.media.clone();
    let adopted = tokio::task::spawn_blocking(move || media.adopt(partial)).await;
    adopted.map_err(io::Error::other).flatten().map_err(unwritable)
}

fn unwritable(error: io::Error) -> String {
    format!("it cannot be stored: {error}")
}

fn too_much() -> String {
    "the media of the film are larger than 10 GB in all".to_owned()
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hex(&hasher.finalize())),
            count => hasher.update(&part[..count]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &MediaCache, bytes: &[u8]) -> (Kept, String) {
        let mut partial = cache.partial().unwrap();
        partial.write_all(bytes).unwrap();
        cache.adopt(partial).unwrap()
    }

    #[test]
    fn the_same_bytes_keep_their_name_and_age() {
        let folder = tempfile::tempdir().unwrap();
        let cache = MediaCache::open(folder.path(), 1000).unwrap();
        let (first, _) = put(&cache, b"film");
        let age = fs::metadata(&first.path).unwrap().modified().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        let (second, _) = put(&cache, b"film");
        assert_eq!(first.path, second.path);
        assert_eq!(fs::metadata(&second.path).unwrap().modified().unwrap(), age);
    }

    #[test]
    fn what_was_unused_longest_goes_first_and_nothing_in_use_goes() {
        let folder = tempfile::tempdir().unwrap();
        let cache = MediaCache::open(folder.path(), 1000).unwrap();
        let (in_use, _) = put(&cache, &[1; 400]);
        let old = put(&cache, &[2; 300]).0.path.clone();
        let recent = put(&cache, &[3; 300]).0.path.clone();
        let newest = put(&cache, &[4; 100]).0.path.clone();
        assert!(in_use.path.exists() && recent.exists() && newest.exists());
        assert!(!old.exists());
    }
}
