//! Folders that come with the binary: fonts, templates, speech engines, pictures.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that names the folder of all of them.
pub const SHARE: &str = "RONDO_SHARE";

/// A folder of the installation, such as `templates`: in the folder that `RONDO_SHARE` names, else in `../share/rondo` of
/// the binary's folder, beside the binary, or in the repository that the binary was built in.
pub fn bundled_folder(name: &str) -> Option<PathBuf> {
    let exe = std::env::current_exe().ok();
    roots(std::env::var_os(SHARE).as_deref(), exe.as_deref())
        .map(|root| root.join(name))
        .find(|path| path.is_dir())
}

/// Where the folders may be, in the order in which they are tried.
fn roots<'a>(share: Option<&OsStr>, exe: Option<&'a Path>) -> impl Iterator<Item = PathBuf> + use<'a> {
    // A folder that was named is not replaced by another one: what lacks in it, lacks.
    let named = share.filter(|share| !share.is_empty()).map(PathBuf::from);
    let others = named.is_none();
    let own = exe.and_then(Path::parent);
    let installed = own.and_then(Path::parent).map(|prefix| prefix.join("share/rondo"));
    // Only a repository above the binary counts: `templates` in a folder such as /tmp may be anyone's.
    let above = own.into_iter().flat_map(|own| own.ancestors().skip(1));
    let repositories = above.filter(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_owned);
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = installed.into_iter().chain(own.map(Path::to_owned)).chain(repositories).chain([built]);
    named.into_iter().chain(found.filter(move |_| others))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(share: Option<&str>, exe: &Path) -> Vec<PathBuf> {
        roots(share.map(OsStr::new), Some(exe)).collect()
    }

    #[test]
    fn an_installation_can_be_moved() {
        let exe = Path::new("/opt/rondo/bin/rondo");
        assert_eq!(found(None, exe)[..2], [Path::new("/opt/rondo/share/rondo"), Path::new("/opt/rondo/bin")]);
        assert_eq!(found(Some(""), exe), found(None, exe));
    }

    #[test]
    fn a_folder_that_is_named_is_the_only_one() {
        assert_eq!(found(Some("/srv/rondo"), Path::new("/usr/bin/rondo")), [Path::new("/srv/rondo")]);
    }

    #[test]
    fn folders_above_count_only_in_a_repository() {
        let folder = tempfile::tempdir().unwrap();
        let exe = folder.path().join("target/release/rondo");
        assert!(!found(None, &exe).contains(&folder.path().to_owned()));
        std::fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        assert!(found(None, &exe).contains(&folder.path().to_owned()));
    }
}
