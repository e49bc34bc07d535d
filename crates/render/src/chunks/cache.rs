//! The chunk cache: a folder of finished chunks by key, with a size limit and least-recently-used eviction.
//!
//! Several processes may share a folder. A file appears complete, by renaming, and may disappear at any time: a missing chunk is
//! rendered again. A process claims a chunk before it renders it, so that several can share the work of one film.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::error::RenderError;

/// Share of the limit that is kept after an eviction, so that not every new chunk evicts.
const KEPT_PERCENT: u64 = 90;

/// After this time the folder is measured again: other processes may have filled it.
const MEASURE_EVERY: Duration = Duration::from_secs(30);

/// Unfinished files and claims older than this are stale.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// After this time a chunk claimed by another process is rendered here too: that process may be suspended.
const PATIENCE: Duration = Duration::from_secs(60);

const FINISHED: &str = "chunk";
const UNFINISHED: &str = "partial";
const CLAIMED: &str = "claim";

/// Where a render keeps finished chunks and finds them again. Keys are lower-case hexadecimal numbers.
pub trait ChunkStore: Send + Sync + std::fmt::Debug {
    /// The file kept under a key.
    fn load(&self, key: &str) -> Option<Vec<u8>>;
    /// Keeps a file under a key.
    fn store(&self, key: &str, bytes: &[u8]) -> Result<(), RenderError>;
    /// Claims a chunk that is about to be rendered; `None` while another render holds it. The claim ends when it is dropped.
    fn claim(&self, key: &str) -> Option<ChunkClaim>;
    /// Forgets a file that is damaged. The next one that is kept under its key replaces it anyway.
    fn discard(&self, _key: &str) {}
    /// Called once before a render.
    fn trim(&self) -> Result<(), RenderError>;
}

/// Keeps other renders from rendering the same chunk.
pub type ChunkClaim = Box<dyn std::any::Any + Send + Sync>;

/// A folder of finished chunks. Clones share one view of it.
#[derive(Clone, Debug)]
pub struct ChunkCache {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limit: u64,
    measured: Mutex<Measured>,
}

/// What the folder holds as far as this process knows.
#[derive(Debug)]
struct Measured {
    bytes: u64,
    at: Option<Instant>,
}

/// The content of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    pub chunks: u64,
    pub bytes: u64,
}

/// A lock on a chunk that other processes respect. It ends with the process.
#[derive(Debug)]
struct Claim {
    /// Locked; `None` on file systems without locks.
    held: Option<(PathBuf, File)>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.held {
            // If removal fails, the next claim locks the file again.
            let _ = fs::remove_file(path);
        }
    }
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl ChunkCache {
    /// Default size limit of a cache: 10 GiB.
    pub const DEFAULT_LIMIT: u64 = 10 << 30;

    /// Makes the folder where there is none. `limit` is in bytes.
    pub fn open(folder: &Path, limit: u64) -> Result<Self, RenderError> {
        fs::create_dir_all(folder).map_err(|e| unusable(folder, &e))?;
        let measured = Mutex::new(Measured { bytes: 0, at: None });
        Ok(Self { inner: Arc::new(Inner { folder: folder.to_owned(), limit, measured }) })
    }

    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// Most bytes of its chunks.
    pub fn limit(&self) -> u64 {
        self.inner.limit
    }

    /// Counts the finished chunks.
    pub fn stats(&self) -> Result<CacheStats, RenderError> {
        let entries = self.entries().map_err(|e| unusable(&self.inner.folder, &e))?;
        Ok(total(&entries))
    }

    /// Removes every chunk; returns what was there. Running renders render missing chunks again.
    pub fn clear(&self) -> Result<CacheStats, RenderError> {
        let entries = self.entries().map_err(|e| unusable(&self.inner.folder, &e))?;
        for entry in &entries {
            remove(&entry.path).map_err(|e| unusable(&entry.path, &e))?;
        }
        Ok(total(&entries))
    }

    /// The file kept under a key, open, which counts as used now.
    pub fn open_chunk(&self, key: &str) -> Option<File> {
        let file = File::open(self.path(key)).ok()?;
        // A cache that may be read but not written still serves.
        let _ = file.set_modified(SystemTime::now());
        Some(file)
    }

    /// Whether a file is kept under a key.
    pub fn contains(&self, key: &str) -> bool {
        self.path(key).is_file()
    }

    /// Keeps the first `length` bytes of a file under a key. They are copied, as the file may be another process's.
    pub fn store_file(&self, key: &str, file: &File, length: u64) -> Result<(), RenderError> {
        let path = self.path(key);
        let copy = |kept: &mut File| -> std::io::Result<()> {
            let mut file = file;
            file.rewind()?;
            match std::io::copy(&mut file.take(length), kept)? == length {
                true => Ok(()),
                false => Err(std::io::ErrorKind::UnexpectedEof.into()),
            }
        };
        self.write(&path, copy).map_err(|e| unusable(&path, &e))?;
        self.make_room(length).map_err(|e| unusable(&self.inner.folder, &e))
    }

    /// Removes the file kept under a key.
    pub fn remove_chunk(&self, key: &str) {
        // What cannot be removed is replaced by the next chunk of this key.
        let _ = remove(&self.path(key));
    }

    fn lock(&self, key: &str) -> Option<Claim> {
        let path = self.path(key).with_extension(CLAIMED);
        let opened = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::options().create(true).append(true).open(&path));
        let Ok(file) = opened else { return Some(Claim { held: None }) };
        match file.try_lock() {
            Ok(()) => {
                // Restarts the time that other processes wait.
                let _ = file.set_modified(SystemTime::now());
                Some(Claim { held: Some((path, file)) })
            }
            Err(TryLockError::WouldBlock) => {
                let since = file.metadata().and_then(|facts| facts.modified()).ok()?;
                // A time in the future comes from another clock.
                let fresh = since.elapsed().is_ok_and(|age| age <= PATIENCE);
                (!fresh).then_some(Claim { held: None })
            }
            Err(TryLockError::Error(_)) => Some(Claim { held: None }),
        }
    }

    /// Makes a file appear complete.
    fn write(&self, path: &Path, fill: impl FnOnce(&mut File) -> std::io::Result<()>) -> std::io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let partial = path.with_extension(format!("{}-{number}.{UNFINISHED}", std::process::id()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let written = File::create(&partial)
            .and_then(|mut file| fill(&mut file))
            .and_then(|()| fs::rename(&partial, path));
        if written.is_err() {
            // Report the first error.
            let _ = fs::remove_file(&partial);
        }
        written
    }

    /// Removes the chunks unused longest when the folder has outgrown its limit.
    fn make_room(&self, added: u64) -> std::io::Result<()> {
        let mut measured = self.inner.measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.bytes = measured.bytes.saturating_add(added);
        let fresh = measured.at.is_some_and(|at| at.elapsed() < MEASURE_EVERY);
        if fresh && measured.bytes <= self.inner.limit {
            return Ok(());
        }
        let mut entries = self.entries()?;
        let mut bytes = total(&entries).bytes;
        if bytes > self.inner.limit {
            let kept = self.inner.limit / 100 * KEPT_PERCENT;
            entries.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
            for entry in entries {
                if bytes <= kept {
                    break;
                }
                remove(&entry.path)?;
                bytes -= entry.bytes;
            }
        }
        *measured = Measured { bytes, at: Some(Instant::now()) };
        Ok(())
    }

    /// Every finished chunk; files that a dead process left unfinished are removed on the way.
    fn entries(&self) -> std::io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for shelf in fs::read_dir(&self.inner.folder)? {
            let shelf = shelf?.path();
            let files = match fs::read_dir(&shelf) {
                Ok(files) if is_shelf(&shelf) => files,
                _ => continue,
            };
            for file in files {
                let path = file?.path();
                // Another process may have removed it.
                let Ok(facts) = fs::metadata(&path) else { continue };
                let used = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                match path.extension().and_then(|e| e.to_str()) {
                    Some(FINISHED) => entries.push(Entry { path, bytes: facts.len(), used }),
                    Some(UNFINISHED | CLAIMED) if used.elapsed().is_ok_and(|age| age > ABANDONED_AFTER) => {
                        remove(&path)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(entries)
    }

    /// Where the file kept under a key is.
    pub fn path(&self, key: &str) -> PathBuf {
        let shelf = key.get(..2).unwrap_or("00");
        self.inner.folder.join(shelf).join(format!("{key}.{FINISHED}"))
    }
}

impl ChunkStore for ChunkCache {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_chunk(key)?.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn store(&self, key: &str, bytes: &[u8]) -> Result<(), RenderError> {
        let path = self.path(key);
        self.write(&path, |file| file.write_all(bytes)).map_err(|e| unusable(&path, &e))?;
        self.make_room(bytes.len() as u64).map_err(|e| unusable(&self.inner.folder, &e))
    }

    fn claim(&self, key: &str) -> Option<ChunkClaim> {
        Some(Box::new(self.lock(key)?))
    }

    /// Brings a folder below the limit that has grown under a larger one.
    fn trim(&self) -> Result<(), RenderError> {
        self.make_room(0).map_err(|e| unusable(&self.inner.folder, &e))
    }
}

/// Chunks are in folders named by the first two digits of their keys; other files are ignored.
fn is_shelf(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == 2 && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn total(entries: &[Entry]) -> CacheStats {
    CacheStats { chunks: entries.len() as u64, bytes: entries.iter().map(|entry| entry.bytes).sum() }
}

/// Ignores a file that another process removed first.
fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> RenderError {
    RenderError::Cache { path: path.to_owned(), reason: crate::media::io_reason(error) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_claim_is_respected_for_a_minute_unless_clocks_disagree() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ChunkCache::open(folder.path(), 1 << 20).unwrap();
        let key = "0007";
        let held = cache.lock(key).unwrap();
        assert!(cache.lock(key).is_none(), "another claim exists");
        let file = File::options().append(true).open(cache.path(key).with_extension(CLAIMED)).unwrap();
        let (past, future) = (SystemTime::now() - 2 * PATIENCE, SystemTime::now() + 2 * PATIENCE);
        for time in [past, future] {
            file.set_modified(time).unwrap();
            assert!(cache.lock(key).is_some_and(|claim| claim.held.is_none()), "it is made twice");
        }
        drop(held);
        assert!(cache.lock(key).is_some_and(|claim| claim.held.is_some()), "the claim was released");
    }
}
