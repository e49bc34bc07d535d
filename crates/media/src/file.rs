//! Media files on disk: opened in one place, read at any position.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Open files by path, for a process that cannot open them by name.
static PROVIDED: LazyLock<RwLock<HashMap<PathBuf, Arc<File>>>> = LazyLock::new(RwLock::default);

/// An open media file. Reads have no shared position, so one descriptor serves any number of readers.
#[derive(Clone, Debug)]
pub struct MediaFile(Arc<File>);

impl MediaFile {
    /// From now on this process reads `path` from an open file and never opens it by name.
    pub fn provide(path: PathBuf, file: File) {
        PROVIDED.write().unwrap_or_else(PoisonError::into_inner).insert(path, Arc::new(file));
    }

    fn provided(path: &Path) -> Option<Arc<File>> {
        PROVIDED.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// Opens a regular file.
    pub fn open(path: &Path) -> Result<Self> {
        // Before it is opened: opening a named pipe waits for a writer.
        Self::metadata(path)?;
        match Self::provided(path) {
            Some(file) => Ok(Self(file)),
            None => File::open(path).map(|file| Self(Arc::new(file))),
        }
    }

    /// Size and date of the regular file at a path.
    pub fn metadata(path: &Path) -> Result<Metadata> {
        let metadata = match Self::provided(path) {
            Some(file) => file.metadata(),
            None => std::fs::metadata(path),
        }?;
        if metadata.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "it is not a file"));
        }
        Ok(metadata)
    }

    /// Length in bytes.
    pub fn length(&self) -> Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Reads at a position until the buffer is full or the file ends; returns the number of bytes.
    pub fn read_at(&self, buffer: &mut [u8], position: u64) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read_at(&mut buffer[filled..], position.saturating_add(filled as u64)) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// The whole file, if it has at most `limit` bytes.
    pub fn read_all(&self, limit: u64) -> Result<Vec<u8>> {
        let too_large = || {
            let message = format!("the file is larger than the limit of {} MB", limit / 1_000_000);
            Error::new(ErrorKind::FileTooLarge, message)
        };
        let length = self.length()?;
        if length > limit {
            return Err(too_large());
        }
        // One more byte than the file had: a file that grows meanwhile is noticed.
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| too_large())? + 1];
        let mut filled = 0;
        loop {
            filled += self.read_at(&mut bytes[filled..], filled as u64)?;
            if filled < bytes.len() {
                bytes.truncate(filled);
                return Ok(bytes);
            }
            if filled as u64 > limit {
                return Err(too_large());
            }
            bytes.resize(filled * 2, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_provided_file_is_read_from_its_descriptor_and_not_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("provided.bin");
        std::fs::write(&path, b"provided").unwrap();
        let opened = File::open(&path).unwrap();
        // There is no file of the name that is provided.
        std::fs::remove_file(&path).unwrap();
        assert_eq!(MediaFile::open(&path).unwrap_err().kind(), ErrorKind::NotFound);
        MediaFile::provide(path.clone(), opened);
        let (first, second) = (MediaFile::open(&path).unwrap(), MediaFile::open(&path).unwrap());
        let mut buffer = [0; 5];
        assert_eq!(first.read_at(&mut buffer, 3).unwrap(), 5);
        assert_eq!(&buffer, b"vided");
        assert_eq!(second.read_at(&mut buffer, 6).unwrap(), 2);
        assert_eq!(second.read_all(100).unwrap(), b"provided", "readers have positions of their own");
        assert_eq!(MediaFile::metadata(&path).unwrap().len(), 8);
    }

    #[test]
    fn a_file_over_the_limit_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.bin");
        std::fs::write(&path, vec![7; 3_000_001]).unwrap();
        let file = MediaFile::open(&path).unwrap();
        assert_eq!(file.read_all(3_000_001).unwrap().len(), 3_000_001);
        let error = file.read_all(3_000_000).unwrap_err();
        assert_eq!(error.to_string(), "the file is larger than the limit of 3 MB");
        assert_eq!(MediaFile::open(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
    }
}
