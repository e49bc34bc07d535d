//! Folders that come with the binary: fonts, templates.

use std::path::{Path, PathBuf};

/// A folder of the installation, such as `templates`: beside the binary or above it, else where the binary was built.
pub fn bundled_folder(name: &str) -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let exe = std::env::current_exe().ok();
    let above = exe.iter().flat_map(|exe| exe.ancestors().skip(1)).map(Path::to_owned);
    above.chain([built]).map(|root| root.join(name)).find(|folder| folder.is_dir())
}
