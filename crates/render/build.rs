//! Tells the crate which engine it is part of: a hash of every source that decides what a frame looks like. Chunks made
//! by another engine are not used.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

const CRATES: [&str; 8] = ["composition", "css", "fields", "media", "paint", "render", "scene", "text"];

fn main() -> std::io::Result<()> {
    // Asked when it runs: a build folder may be shared by several copies of the sources.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    let crates = PathBuf::from(own).join("..");
    let mut files = vec![crates.join("../Cargo.lock")];
    for name in CRATES {
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
