//! Paints frames and prints a hash of each, for comparison with the player's:
//!
//!     frame_hashes FONTS INDEX [COMPOSITION FRAMES]…
//!
//! FONTS is a folder of font files, whose index is written to INDEX; FRAMES are numbers, such as `0,15,30`, or `*/5` for every
//! fifth. Each line is a composition, a frame and the SHA-256 of its RGBA pixels.

#![allow(clippy::unwrap_used, reason = "a tool for tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_composition::{Limits, read_composition_or_request};
use rondo_render::{Film, Locate};
use rondo_text::{Catalog, Dictionaries, FontFile, FontFiles, Origin};
use sha2::{Digest, Sha256};

struct Folder(PathBuf);

impl FontFiles for Folder {
    fn load(&self, file: &str) -> FontFile {
        match Dictionaries.load(file) {
            FontFile::Bytes(dictionary) => FontFile::Bytes(dictionary),
            FontFile::Absent | FontFile::Awaited => std::fs::read(self.0.join(file)).ok().into(),
        }
    }
}

struct Beside(PathBuf);

impl Locate for Beside {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Ok(self.0.join(src))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [fonts, index, films @ ..] = arguments.as_slice() else { panic!("FONTS and INDEX are missing") };
    let listed = font_index(Path::new(fonts));
    std::fs::write(index, &listed).unwrap();
    let mut catalog = Catalog::new(Some(Arc::new(Folder(fonts.into()))));
    catalog.add_index(&listed, Origin::Bundled).unwrap();
    let catalog = Arc::new(catalog);
    for film in films.chunks_exact(2) {
        let [path, frames] = film else { continue };
        let value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let read = read_composition_or_request(&value, Limits::WIDEST).unwrap();
        let duration = read.composition.duration;
        let folder = Path::new(path).parent().unwrap().to_owned();
        let mut film = Film::open(read.composition, &Beside(folder), catalog.clone());
        for frame in wanted(frames, duration) {
            match film.still(frame) {
                Ok(still) => println!("{path}\t{frame}\t{:x}", Hex(Sha256::digest(still.pixels))),
                Err(error) => println!("{path}\t{frame}\t{error}"),
            }
        }
    }
}

struct Hex<B>(B);

impl<B: AsRef<[u8]>> std::fmt::LowerHex for Hex<B> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_ref().iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

fn wanted(frames: &str, duration: u32) -> Vec<u32> {
    match frames.strip_prefix("*/") {
        Some(step) => (0..duration).step_by(step.parse().unwrap()).collect(),
        None => frames.split(',').map(|frame| frame.parse().unwrap()).collect(),
    }
}

/// The faces of the files in a folder.
fn font_index(folder: &Path) -> String {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "ttf" || e == "woff2"));
    files.sort();
    let mut index = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        for face in Catalog::new(None).add(std::fs::read(&file).unwrap(), Origin::Bundled).unwrap() {
            let (low, high) = face.weights;
            let style = if face.italic { "italic" } else { "normal" };
            index += &format!("face\t{}\t{low}-{high}\t{style}\t-\t{name}\n", face.family);
        }
    }
    index
}
