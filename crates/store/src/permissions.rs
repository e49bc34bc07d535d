//! Who may read the data folder: its owner alone.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Creates a folder and its missing parents. Only the owner can read what is created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(folder)
}

/// Removes the access of others to a folder and everything in it. Returns how many modes were wrong. Does not follow
/// symbolic links.
pub fn make_private(folder: &Path) -> io::Result<u64> {
    let mut changed = restrict(folder, FOLDER)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let done = if kind.is_dir() {
            make_private(&entry.path())
        } else if kind.is_file() {
            restrict(&entry.path(), FILE)
        } else {
            Ok(0)
        };
        changed += match done {
            // Another process may remove temporary files meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            done => done?,
        };
    }
    Ok(changed)
}

/// Files that only their owner reads keep narrower modes, such as read-only ones.
fn restrict(path: &Path, most: u32) -> io::Result<u64> {
    let mode = fs::symlink_metadata(path)?.permissions().mode() & 0o7777;
    if mode & !most == 0 {
        return Ok(0);
    }
    fs::set_permissions(path, Permissions::from_mode(mode & most))?;
    Ok(1)
}
