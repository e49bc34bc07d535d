//! A cache of fetched media with a size limit.
//!
//! Files are named by the hash of their content, so a source that did not change keeps its name and its modification
//! time, and with them the finished chunks of films that show it. A file in use is locked, also against other processes.

use std::fs::{self, File, FileTimes};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

/// Share of the limit that is left after an eviction, in percent.
const KEPT_PERCENT: u64 = 90;

/// A folder of fetched media.
#[derive(Debug)]
pub struct MediaCache {
    folder: PathBuf,
    limit: u64,
}

/// A file that stays where it is while this is held.
#[derive(Debug)]
pub(super) struct Kept {
    pub path: PathBuf,
    /// Carries the lock.
    _file: File,
    pub bytes: u64,
}

/// What is known of an address that was fetched before. The address itself is not stored: it may contain a password.
/// Files of earlier versions, which contain it, are not read and removed by [`MediaCache::tidy`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    pub validator: String,
    pub content: String,
}

impl MediaCache {
    pub fn open(folder: &Path, limit: u64) -> io::Result<Self> {
        let cache = Self { folder: folder.to_owned(), limit };
        cache.create_folders()?;
        Ok(cache)
    }

    fn create_folders(&self) -> io::Result<()> {
        ["content", "known", "partial"].iter().try_for_each(|part| fs::create_dir_all(self.folder.join(part)))
    }

    fn content(&self, hash: &str) -> PathBuf {
        self.folder.join("content").join(hash)
    }

    fn known(&self, url: &str) -> PathBuf {
        self.folder.join("known").join(key(url))
    }

    pub(super) fn partial(&self) -> io::Result<NamedTempFile> {
        // The folders may have been removed.
        self.create_folders()?;
        NamedTempFile::new_in(self.folder.join("partial"))
    }

    /// A file without a name, which is gone when it is closed.
    pub fn scratch(&self) -> io::Result<File> {
        self.create_folders()?;
        tempfile::tempfile_in(self.folder.join("partial"))
    }

    /// Locks a file of the cache and notes that it was used.
    pub(super) fn keep(&self, hash: &str) -> io::Result<Kept> {
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
    pub(super) fn adopt(&self, partial: NamedTempFile) -> io::Result<(Kept, String)> {
        let hash = hash_of(partial.path())?;
        if let Ok(kept) = self.keep(&hash) {
            return Ok((kept, hash));
        }
        partial.persist(self.content(&hash)).map_err(|error| error.error)?;
        let kept = self.keep(&hash)?;
        self.make_room()?;
        Ok((kept, hash))
    }

    pub(super) fn recall(&self, url: &str) -> Option<Known> {
        let known: Known = serde_json::from_slice(&fs::read(self.known(url)).ok()?).ok()?;
        self.content(&known.content).exists().then_some(known)
    }

    pub(super) fn remember(&self, url: &str, known: &Known) -> io::Result<()> {
        let mut file = self.partial()?;
        file.write_all(serde_json::to_string(known)?.as_bytes())?;
        file.persist(self.known(url)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The copy of an address that was fetched before.
    pub fn cached(&self, url: &str) -> Option<PathBuf> {
        self.recall(url).map(|known| self.content(&known.content))
    }

    /// Removes abandoned downloads older than `age`, and metadata of URLs whose copy is gone. Returns how
    /// many files.
    pub fn tidy(&self, age: Duration) -> io::Result<u64> {
        self.create_folders()?;
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

/// Stands for an address.
pub(super) fn key(url: &str) -> String {
    hex(&Sha256::digest(url))
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
