//! Files on disk: their paths, and writing them atomically.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::{Result, StoreError, id};

/// The folder of outputs, uploads, previews, voiceovers and fetched media. File names derive from ids or hashes,
/// never from user input.
#[derive(Clone, Debug)]
pub struct Files {
    root: Arc<Path>,
    /// Bytes of the disk that are reserved.
    min_free: u64,
}

const FOLDERS: [&str; 8] =
    ["outputs", "uploads", "parts", "previews", "templates", "voiceovers", "media", "drafts"];

impl Files {
    /// Opens the folder and creates missing subfolders.
    pub fn open(root: &Path) -> Result<Self> {
        for folder in FOLDERS {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(|source| StoreError::File { path, source })?;
        }
        Ok(Self { root: root.into(), min_free: 0 })
    }

    /// Reserves space on the disk: [`Files::has_room`] is false while less is free.
    pub fn with_min_free(self, min_free: u64) -> Self {
        Self { min_free, ..self }
    }

    /// Whether the disk has room for new files. A disk that does not tell has.
    pub fn has_room(&self) -> bool {
        self.min_free == 0 || free_disk(&self.root).map_or(true, |free| free >= self.min_free)
    }

    /// A finished film, such as `job_….mp4`.
    pub fn output(&self, name: &str) -> Result<PathBuf> {
        self.path("outputs", name)
    }

    /// The poster of a render.
    pub fn poster(&self, render_id: &str) -> Result<PathBuf> {
        self.path("outputs", &format!("{render_id}-poster.jpg"))
    }

    /// Removes the named files of a render, and its poster.
    pub fn remove_outputs<'a>(
        &self,
        render_id: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        for name in names {
            self.remove(&self.output(name)?)?;
        }
        self.remove(&self.poster(render_id)?)
    }

    pub fn upload(&self, name: &str) -> Result<PathBuf> {
        self.path("uploads", name)
    }

    /// What has arrived of the file of an upload.
    pub fn part(&self, upload_id: &str) -> Result<PathBuf> {
        // The folder may have been removed.
        let _ = fs::create_dir_all(self.root.join("parts"));
        self.path("parts", upload_id)
    }

    /// Removes parts of files that were last written more than `age` ago. Returns how many.
    pub fn remove_old_parts(&self, age: Duration) -> Result<u32> {
        self.remove_old("parts", age)
    }

    /// A rendered preview, such as `prv_….mp4`.
    pub fn preview(&self, name: &str) -> Result<PathBuf> {
        self.path("previews", name)
    }

    /// The picture of a template, such as `tpl_….png`.
    pub fn template(&self, name: &str) -> Result<PathBuf> {
        self.path("templates", name)
    }

    /// A narration, such as `voi_….wav`.
    pub fn voiceover(&self, name: &str) -> Result<PathBuf> {
        self.path("voiceovers", name)
    }

    /// Fetched media, named by a hash.
    pub fn media(&self, name: &str) -> Result<PathBuf> {
        self.path("media", name)
    }

    /// The file with a public name, if it exists: a film `job_…`, an upload `upl_…`, the picture of a template
    /// `tpl_…` or a narration `voi_…`.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let folder = match name.split_once('_')?.0 {
            "job" => "outputs",
            "upl" => "uploads",
            "tpl" => "templates",
            "voi" => "voiceovers",
            _ => return None,
        };
        self.path(folder, name).ok().filter(|path| path.is_file())
    }

    /// A temporary file to write to, which [`Draft::keep`] then moves to its final name.
    pub fn draft(&self) -> Draft {
        let folder = self.root.join("drafts");
        // The folder may have been removed. If it cannot be created, writing to the draft reports why.
        let _ = fs::create_dir_all(&folder);
        Draft { path: folder.join(id::secret(24)), is_part: false }
    }

    /// The folder of temporary files.
    pub fn drafts(&self) -> PathBuf {
        self.root.join("drafts")
    }

    /// Removes a file. Succeeds if it does not exist.
    pub fn remove(&self, path: &Path) -> Result<()> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::File { path: path.to_owned(), source })
            }
            _ => Ok(()),
        }
    }

    /// Removes drafts of ended processes, last written more than `age` ago. Returns how many.
    pub fn remove_old_drafts(&self, age: Duration) -> Result<u32> {
        self.remove_old("drafts", age)
    }

    /// Removes previews rendered more than `age` ago. Returns how many.
    pub fn remove_old_previews(&self, age: Duration) -> Result<u32> {
        self.remove_old("previews", age)
    }

    fn remove_old(&self, folder: &str, age: Duration) -> Result<u32> {
        let folder = self.root.join(folder);
        let entries = match fs::read_dir(&folder) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries.map_err(|source| StoreError::File { path: folder, source })?,
        };
        let mut removed = 0;
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let old = modified
                .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|passed| passed > age));
            if old {
                match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    // The working folder of a child process.
                    true => drop(fs::remove_dir_all(entry.path())),
                    false => self.remove(&entry.path())?,
                }
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn path(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let (stem, extension) = name.split_once('.').unwrap_or((name, "x"));
        let plain = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
        };
        if name.len() > 120 || !plain(stem) || !plain(extension) {
            return Err(StoreError::BadFileName { name: name.chars().take(60).collect() });
        }
        Ok(self.root.join(folder).join(name))
    }
}

/// Bytes that the service can still write to the disk of `path`.
pub fn free_disk(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// A temporary file. It is removed on drop unless kept.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Stays on drop.
    is_part: bool,
}

impl Draft {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file to the disk, so that [`Draft::keep`] is quick.
    pub fn sync(&self) -> Result<()> {
        let synced = File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(|source| StoreError::File { path: self.path.clone(), source })
    }

    /// All parts of a file, which arrived one by one. They stay unless they are kept: they need not be sent again.
    pub fn of_parts(path: PathBuf) -> Self {
        Self { path, is_part: true }
    }

    /// Syncs the file and moves it to `path`, replacing an existing file. Returns its size in bytes.
    pub fn keep(self, path: &Path) -> Result<u64> {
        let at = |source| StoreError::File { path: path.to_owned(), source };
        let file = File::open(&self.path).map_err(at)?;
        file.sync_all().map_err(at)?;
        let size = file.metadata().map_err(at)?.len();
        let folder = path.parent();
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(at)?;
        }
        fs::rename(&self.path, path).map_err(at)?;
        if let Some(folder) = folder {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(at)?;
        }
        Ok(size)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `keep` the file no longer exists under this name.
        if !self.is_part {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_draft_replaces_its_target_and_a_dropped_draft_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let target = files.output("job_1.mp4").unwrap();

        let dropped = files.draft();
        fs::write(dropped.path(), "half").unwrap();
        let left = dropped.path().to_owned();
        drop(dropped);
        assert!(!left.exists() && !target.exists());

        let kept = files.draft();
        fs::write(kept.path(), "whole").unwrap();
        assert_eq!(kept.keep(&target).unwrap(), 5);
        assert_eq!(fs::read_to_string(&target).unwrap(), "whole");
        files.remove(&target).unwrap();
        files.remove(&target).unwrap();
    }

    #[test]
    fn removed_folders_are_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        for removed in FOLDERS {
            fs::remove_dir(folder.path().join(removed)).unwrap();
        }
        assert_eq!(files.remove_old_drafts(Duration::ZERO).unwrap(), 0);
        let draft = files.draft();
        fs::write(draft.path(), "film").unwrap();
        draft.keep(&files.output("job_1.mp4").unwrap()).unwrap();
        assert!(files.find("job_1.mp4").is_some());
    }

    #[test]
    fn a_reserved_disk_has_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        assert!(files.has_room());
        assert!(files.clone().with_min_free(1).has_room());
        assert!(!files.with_min_free(u64::MAX).has_room());
    }

    #[test]
    fn names_that_could_leave_their_folder_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        for name in ["../secret", "a/b", "", ".", "..", ".mp4", "a.", "a.b.c", "A", "a\0"] {
            assert!(files.upload(name).is_err(), "{name:?}");
        }
        assert!(files.upload("upl_01h2.png").unwrap().ends_with("uploads/upl_01h2.png"));
    }

    #[test]
    fn only_public_names_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        fs::write(files.output("job_1.mp4").unwrap(), "film").unwrap();
        fs::write(files.preview("prv_1.mp4").unwrap(), "preview").unwrap();
        assert_eq!(files.find("job_1.mp4"), files.output("job_1.mp4").ok());
        for name in ["job_2.mp4", "upl_1.mp4", "prv_1.mp4", "job_1", "job_/../job_1.mp4", "rondo.db", ""] {
            assert_eq!(files.find(name), None, "{name}");
        }
    }

    #[test]
    fn free_disk_is_that_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free_disk(folder.path()).unwrap() > 0);
        assert!(free_disk(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn old_drafts_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let left = files.draft();
        fs::write(left.path(), "x").unwrap();
        assert_eq!(files.remove_old_drafts(Duration::from_secs(60)).unwrap(), 0);
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(files.remove_old_drafts(Duration::ZERO).unwrap(), 1);
        assert!(!left.path().exists());
    }
}
