//! Files with a temporary name until they are complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file that gets its name when it is complete. Otherwise it is removed.
#[derive(Debug)]
pub(crate) struct Partial {
    /// Where it is written.
    pub path: PathBuf,
    pub target: PathBuf,
}

impl Partial {
    pub fn new(target: &Path) -> Self {
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.partial", std::process::id()));
        Self { path: target.with_file_name(name), target: target.to_owned() }
    }

    /// Gives the file its name, replacing another one.
    pub fn finish(&self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // It no longer exists if it was renamed.
        let _ = fs::remove_file(&self.path);
    }
}
