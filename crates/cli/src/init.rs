//! `rondo init`: writes the starter project.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::{Outcome, args, print};

/// A file of the project: its path, its content, and whether it is a program.
struct Entry(&'static str, &'static [u8], bool);

const PROJECT: [Entry; 5] = [
    Entry("composition.json", include_bytes!("../starter/composition.json"), false),
    Entry("media/photo.jpg", include_bytes!("../../../examples/media/photo.jpg"), false),
    Entry("media/music.m4a", include_bytes!("../starter/media/music.m4a"), false),
    Entry("README.md", include_bytes!("../starter/README.md"), false),
    Entry("render.sh", include_bytes!("../starter/render.sh"), true),
];

/// Writes all files, or none if one of them is there already.
pub fn run(args: &args::Init) -> Outcome {
    let folder = &args.folder;
    for Entry(name, ..) in PROJECT {
        if folder.join(name).symlink_metadata().is_ok() {
            return Err(format!(
                "{} already exists. Choose a new folder: rondo init DIR.",
                folder.join(name).display()
            ));
        }
    }
    for entry in &PROJECT {
        let path = folder.join(entry.0);
        write(&path, entry).map_err(|error| match error.kind() {
            ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                format!("{} cannot be written: a file is where a folder is needed.", path.display())
            }
            _ => format!("{} cannot be written: {error}.", path.display()),
        })?;
    }
    let there = if folder == Path::new(".") { String::new() } else { format!("cd {}\n  ", folder.display()) };
    print(&format!(
        "Wrote a film of six seconds to {}. Next:\n\n  {there}rondo dev composition.json\n  ./render.sh",
        folder.join("composition.json").display()
    ))
}

fn write(path: &Path, Entry(_, content, is_program): &Entry) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, content)?;
    if *is_program {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755))?;
    }
    Ok(())
}
