//! Files on disk: where each kind lies, and writing them so that a name never shows half a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::{Result, StoreError, id};

/// The folder of outputs, uploads, previews, chunks and fetched media. Names come from ids, never from users.
#[derive(Clone, Debug)]
pub struct Files {
    root: Arc<Path>,
}

const FOLDERS: [&str; 7] = ["outputs", "uploads", "previews", "templates", "voiceovers", "media", "drafts"];

impl Files {
    /// Opens the folder, creating what is missing.
    pub fn open(root: &Path) -> Result<Self> {
        for folder in FOLDERS {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(|source| StoreError::File { path, source })?;
        }
        Ok(Self { root: root.into() })
    }

    /// A finished film, such as `job_….mp4`.
    pub fn output(&self, name: &str) -> Result<PathBuf> {
        self.place("outputs", name)
    }

    pub fn upload(&self, name: &str) -> Result<PathBuf> {
        self.place("uploads", name)
    }

    /// Something drawn for a preview, such as `prv_….mp4`.
    pub fn preview(&self, name: &str) -> Result<PathBuf> {
        self.place("previews", name)
    }

    /// What shows a template, such as `tpl_….png`.
    pub fn template(&self, name: &str) -> Result<PathBuf> {
        self.place("templates", name)
    }

    /// A narration, such as `voi_….wav`.
    pub fn voiceover(&self, name: &str) -> Result<PathBuf> {
        self.place("voiceovers", name)
    }

    /// Fetched media, under a name made from a hash.
    pub fn media(&self, name: &str) -> Result<PathBuf> {
        self.place("media", name)
    }

    /// The file behind a public name, a film `job_…`, an upload `upl_…`, what shows a template `tpl_…` or a
    /// narration `voi_…`, if it is there.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let folder = match name.split_once('_')?.0 {
            "job" => "outputs",
            "upl" => "uploads",
            "tpl" => "templates",
            "voi" => "voiceovers",
            _ => return None,
        };
        self.place(folder, name).ok().filter(|path| path.is_file())
    }

    /// A file to be written and then moved to its name as a whole.
    pub fn draft(&self) -> Draft {
        Draft { path: self.root.join("drafts").join(id::secret(24)) }
    }

    /// Removes a file; one that is not there is fine.
    pub fn remove(&self, path: &Path) -> Result<()> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::File { path: path.to_owned(), source })
            }
            _ => Ok(()),
        }
    }

    /// Removes drafts a killed process left behind, last written more than `age` ago. Returns how many.
    pub fn remove_old_drafts(&self, age: Duration) -> Result<u32> {
        self.remove_old("drafts", age)
    }

    /// Removes what was drawn for previews more than `age` ago. Returns how many files.
    pub fn remove_old_previews(&self, age: Duration) -> Result<u32> {
        self.remove_old("previews", age)
    }

    fn remove_old(&self, folder: &str, age: Duration) -> Result<u32> {
        let folder = self.root.join(folder);
        let entries = fs::read_dir(&folder).map_err(|source| StoreError::File { path: folder, source })?;
        let mut removed = 0;
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let old = modified
                .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|passed| passed > age));
            if old {
                self.remove(&entry.path())?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn place(&self, folder: &str, name: &str) -> Result<PathBuf> {
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

/// A file being written; removed unless it is kept.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
}

impl Draft {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to its name, durably, replacing what was there. Returns its size in bytes.
    pub fn keep(self, path: &Path) -> Result<u64> {
        let at = |source| StoreError::File { path: path.to_owned(), source };
        let file = File::open(&self.path).map_err(at)?;
        file.sync_all().map_err(at)?;
        let size = file.metadata().map_err(at)?.len();
        fs::rename(&self.path, path).map_err(at)?;
        if let Some(folder) = path.parent() {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(at)?;
        }
        Ok(size)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nothing is there once it was kept.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_appears_under_its_name_whole_or_not_at_all() {
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
    fn names_that_could_leave_their_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        for name in ["../secret", "a/b", "", ".", "..", ".mp4", "a.", "a.b.c", "A", "a\0"] {
            assert!(files.upload(name).is_err(), "{name:?}");
        }
        assert!(files.upload("upl_01h2.png").unwrap().ends_with("uploads/upl_01h2.png"));
    }

    #[test]
    fn films_and_uploads_are_found_by_their_public_names_and_nothing_else_is() {
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
    fn drafts_of_killed_processes_are_cleared_away() {
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
