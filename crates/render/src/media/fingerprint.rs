//! The identity of a media file: a hash of its bytes. Name, size and date do not identify a file that is downloaded again.

use std::collections::HashMap;
use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use rondo_media::MediaFile;
use rondo_scene::Digest;

/// Most remembered files; beyond that all are dropped.
const REMEMBERED: usize = 4096;

/// As long as these stay the same, a file is not read again.
#[derive(PartialEq, Eq)]
struct Facts {
    bytes: u64,
    changed: Option<SystemTime>,
}

static KNOWN: LazyLock<Mutex<HashMap<PathBuf, (Facts, Digest)>>> = LazyLock::new(Mutex::default);

/// Hash of a file's bytes.
pub(crate) fn fingerprint(path: &Path) -> Result<Digest, Error> {
    let file = MediaFile::open(path)?;
    let meta = MediaFile::metadata(path)?;
    let facts = Facts { bytes: meta.len(), changed: meta.modified().ok() };
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, key)) = known().get(path).filter(|(seen, _)| *seen == facts) {
        return Ok(*key);
    }
    let mut hash = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut position = 0;
    loop {
        match file.read_at(&mut buffer, position)? {
            0 => break,
            read => {
                hash.update(&buffer[..read]);
                position += read as u64;
            }
        }
    }
    let key = *hash.finalize().as_bytes();
    let mut files = known();
    if files.len() >= REMEMBERED {
        files.clear();
    }
    files.insert(path.to_owned(), (facts, key));
    Ok(key)
}

/// Hash of bytes in memory.
pub(crate) fn content_key(bytes: &[u8]) -> Digest {
    *blake3::hash(bytes).as_bytes()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn other_bytes_of_the_same_size_have_another_fingerprint_and_copies_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("writes");
            let day = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(86_400);
            File::open(&path).and_then(|file| file.set_modified(day)).expect("a date");
            fingerprint(&path).expect("reads")
        };
        let first = write("one.bin", &[1; 3000]);
        assert_eq!(first, write("copy.bin", &[1; 3000]));
        assert_ne!(first, write("other.bin", &[2; 3000]), "same size and date");
        assert_ne!(first, write("one.bin", &[1; 3001]), "the file itself has changed");
    }
}
