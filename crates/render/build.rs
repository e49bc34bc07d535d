//! Sets `RONDO_ENGINE` to a hash of every source file that can change a frame: those of this crate and of the workspace
//! crates that it depends on. Chunks made by another engine are not reused.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    // Read at run time: several copies of the sources may share a build directory.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    let crates = PathBuf::from(own).join("..");
    let mut files = vec![crates.join("../Cargo.lock")];
    for name in dependencies(&crates)? {
        collect(&crates.join(name).join("src"), &mut files)?;
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in &files {
        std::fs::read(file)?.hash(&mut hash);
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!("cargo::rustc-env=RONDO_ENGINE={:016x}", hash.finish());
    Ok(())
}

/// The folders of this crate and of every workspace crate that it depends on.
fn dependencies(crates: &Path) -> std::io::Result<Vec<String>> {
    let mut names = vec!["render".to_owned()];
    let mut read = 0;
    while let Some(name) = names.get(read) {
        let manifest = crates.join(name).join("Cargo.toml");
        println!("cargo::rerun-if-changed={}", manifest.display());
        let manifest = std::fs::read_to_string(manifest)?;
        let used = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        for line in used.take_while(|line| !line.starts_with('[')) {
            let Some((name, _)) = line.strip_prefix("rondo-").and_then(|line| line.split_once(".workspace"))
            else {
                continue;
            };
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        read += 1;
    }
    Ok(names)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
