//! Writes down what `scripts/web` and `scripts/player` have built, so that dashboard and player become part of the program.
//! Where they were not built there is nothing to write down, and the pages say so.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A folder that is put into the program: the table it becomes, where it is, and the endings of its files that count.
const FOLDERS: [(&str, &str, Option<&[&str]>); 2] = [
    ("dashboard", "../../web/dist", None),
    // The package has files for compilers and bundlers beside those that browsers load.
    ("player", "../../packages/player/dist", Some(&["js", "css", "wasm", "bin", "txt"])),
];

fn main() -> std::io::Result<()> {
    // Asked when it runs: a build folder may be shared by several copies of the sources.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    let out = std::env::var_os("OUT_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    println!("cargo::rerun-if-changed=build.rs");
    wait_for_player();
    FOLDERS.into_iter().try_for_each(|(table, place, endings)| {
        embed(table, &Path::new(&own).join(place), endings, Path::new(&out))
    })
}

/// Waits until the file is there that `./run` names while it builds the player at the same time.
fn wait_for_player() {
    let Some(built) = std::env::var_os("RONDO_PLAYER_BUILT") else { return };
    // An hour at most: whoever builds it may have been killed.
    for _ in 0..18_000 {
        if Path::new(&built).exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

/// Writes the table of the files in a folder, each with its packed copies.
fn embed(table: &str, built: &Path, endings: Option<&[&str]>, out: &Path) -> std::io::Result<()> {
    watch(built);
    let mut names = Vec::new();
    if built.is_dir() {
        collect(built, "", &mut names)?;
    }
    names.sort();
    // Copies are put into the program: the folder may be built anew while the compiler reads.
    let copies = out.join(table);
    std::fs::create_dir_all(&copies)?;
    let include = |name: &str| -> std::io::Result<(PathBuf, String)> {
        let copy = copies.join(name.replace('/', "-"));
        std::fs::copy(built.join(name), &copy)?;
        let text = format!("include_bytes!({copy:?})");
        Ok((copy, text))
    };
    let packed = |name: &str, ending: &str| -> std::io::Result<String> {
        let packed = format!("{name}.{ending}");
        match names.contains(&packed) {
            true => Ok(format!("Some({})", include(&packed)?.1)),
            false => Ok("None".to_owned()),
        }
    };
    let counts = |name: &&String| {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        !matches!(ending, "gz" | "br") && endings.is_none_or(|endings| endings.contains(&ending))
    };
    let mut text = String::from("[\n");
    for name in names.iter().filter(counts) {
        let (copy, whole) = include(name)?;
        let mut hasher = DefaultHasher::new();
        std::fs::read(copy)?.hash(&mut hasher);
        let (version, gzip, brotli) =
            (format!("{:016x}", hasher.finish()), packed(name, "gz")?, packed(name, "br")?);
        let _ = writeln!(
            text,
            "    File {{ name: {name:?}, version: {version:?}, whole: {whole}, gzip: {gzip}, brotli: {brotli} }},"
        );
    }
    text.push(']');
    std::fs::write(out.join(format!("{table}.rs")), text)
}

/// Has Cargo run this again when the folder changes. Of a folder that is not there yet, the one it will be made in counts:
/// for a path that does not exist, Cargo would build the program anew every time.
fn watch(built: &Path) {
    let known = [Some(built), built.parent()].into_iter().flatten().find(|folder| folder.is_dir());
    if let Some(folder) = known {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

/// The files below a folder, hidden ones aside, by their path in it.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let file_name = entry.file_name();
        let Some(name) = file_name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let name = format!("{prefix}{name}");
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), names)?,
            false => names.push(name),
        }
    }
    Ok(())
}
