//! Writes down what `scripts/web` has built, so that the dashboard becomes part of the program. Where it was not built
//! there is nothing to write down, and its pages say so.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    // Asked when it runs: a build folder may be shared by several copies of the sources.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    let out = std::env::var_os("OUT_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    let built = PathBuf::from(own).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", built.display());
    let mut names = Vec::new();
    if built.is_dir() {
        collect(&built, "", &mut names)?;
    }
    names.sort();
    // Copies are put into the program: the folder may be built anew while the compiler reads.
    let copies = Path::new(&out).join("dashboard");
    std::fs::create_dir_all(&copies)?;
    let include = |name: &String| -> std::io::Result<String> {
        let copy = copies.join(name.replace('/', "-"));
        std::fs::copy(built.join(name), &copy)?;
        Ok(format!("include_bytes!({copy:?})"))
    };
    let mut table = String::from("[\n");
    for name in names.iter().filter(|name| !name.ends_with(".gz")) {
        let packed = format!("{name}.gz");
        let packed = match names.contains(&packed) {
            true => format!("Some({})", include(&packed)?),
            false => "None".to_owned(),
        };
        let _ =
            writeln!(table, "    File {{ name: {name:?}, whole: {}, packed: {packed} }},", include(name)?);
    }
    table.push(']');
    std::fs::write(Path::new(&out).join("dashboard.rs"), table)
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
