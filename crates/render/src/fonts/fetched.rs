//! Families that were fetched: a folder with one file per family, so that a child process needs one descriptor for it.
//!
//! The file is the length of the index in ten digits and a line feed, the index (see [`Catalog::add_index`]), and the
//! font files one after the other. The index names each by its position after the index and its length: `1200+48000`.

use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_media::MediaFile;
use rondo_text::{Catalog, FontFile, FontFiles, Origin, packages_named};
use serde_json::Value;

/// Digits of the length of the index, and a line feed.
const HEAD: usize = 11;
const MOST_INDEX: usize = 10_000_000;
/// Largest font file inside.
const MOST_FONT: usize = 50_000_000;
/// Families used by one film.
const MOST_FAMILIES: usize = 32;
const EXTENSION: &str = "family";

/// A font file of a family, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyFace {
    pub weight: u16,
    /// `normal` or `italic`.
    pub style: String,
    /// The characters it is for, as a CSS unicode range.
    pub range: String,
    pub bytes: Vec<u8>,
}

/// The folder of fetched families.
#[derive(Debug, Clone)]
pub struct FetchedFamilies(PathBuf);

impl FetchedFamilies {
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The file of a package, whether it exists or not. `None` for a name that no package has.
    pub fn file(&self, package: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_name = !package.is_empty() && package.len() < 100 && package.chars().all(plain);
        is_name.then(|| self.0.join(format!("{package}.{EXTENSION}")))
    }

    pub fn has(&self, package: &str) -> bool {
        self.file(package).is_some_and(|file| file.is_file())
    }

    /// Every file, by name.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let is_family = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_family).collect();
        files.sort();
        files
    }

    /// The files of families that a composition names.
    pub fn files_for(&self, composition: &Value) -> Vec<PathBuf> {
        let mut packages: Vec<String> =
            families_named(composition).into_iter().flat_map(packages_named).collect();
        packages.sort();
        packages.dedup();
        let files = packages.iter().filter_map(|package| self.file(package));
        files.filter(|file| file.is_file()).take(MOST_FAMILIES).collect()
    }

    /// Stores a family under its package, whole or not at all, with the licence beside it.
    pub fn store(&self, package: &str, licence: &[u8], bytes: &[u8]) -> io::Result<()> {
        let file = self.file(package).ok_or(ErrorKind::InvalidInput)?;
        std::fs::create_dir_all(&self.0)?;
        // Two processes may store the same family at a time.
        let draft = self.0.join(format!(".{package}-{}", std::process::id()));
        for (bytes, to) in [(licence, file.with_extension("LICENSE")), (bytes, file)] {
            let written = std::fs::File::create(&draft)
                .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
                .and_then(|()| std::fs::rename(&draft, to));
            if written.is_err() {
                // Nothing more can be done about a file that cannot be removed either.
                let _ = std::fs::remove_file(&draft);
            }
            written?;
        }
        Ok(())
    }
}

/// The `fontFamily` lists of a composition.
pub fn families_named(composition: &Value) -> Vec<&str> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(list) if key == "fontFamily" => found.push(list),
                        value => collect(value, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(composition, &mut found);
    found
}

/// The bytes of a family's file.
pub fn family_file(family: &str, faces: &[FamilyFace]) -> Vec<u8> {
    let (mut index, mut fonts) = (String::new(), Vec::new());
    for (number, face) in faces.iter().enumerate() {
        let FamilyFace { weight, style, range, bytes } = face;
        let place = format!("{}+{}", fonts.len(), bytes.len());
        index.push_str(&format!("range\t{number}\t{range}\n"));
        index.push_str(&format!("face\t{family}\t{weight}\t{style}\t{number}\t{place}\n"));
        fonts.extend_from_slice(bytes);
    }
    let mut file = format!("{:0width$}\n{index}", index.len(), width = HEAD - 1).into_bytes();
    file.append(&mut fonts);
    file
}

/// Adds a family to a catalogue that does not have it. Its fonts are read when they are needed.
pub fn add_family(catalog: &mut Catalog, path: &Path) -> Result<(), String> {
    let (file, index) = open(path).map_err(|error| error.to_string())?;
    let index = String::from_utf8(index).map_err(|_| "its index is no text".to_owned())?;
    let family = index.lines().find_map(|line| line.strip_prefix("face\t")?.split('\t').next());
    if family.is_some_and(|family| catalog.has(family)) {
        return Ok(());
    }
    let files = Arc::new(FamilyFile { file, fonts: (HEAD + index.len()) as u64 });
    catalog.add_index_of(&index, Origin::Bundled, Some(files)).map_err(|error| error.to_string())
}

fn open(path: &Path) -> io::Result<(MediaFile, Vec<u8>)> {
    let wrong = || Error::new(ErrorKind::InvalidData, "it is no family of fonts");
    let file = MediaFile::open(path)?;
    let mut head = [0; HEAD];
    file.read_at(&mut head, 0)?;
    let digits = std::str::from_utf8(&head[..HEAD - 1]).map_err(|_| wrong())?;
    let length = digits.parse::<usize>().ok().filter(|length| *length <= MOST_INDEX).ok_or_else(wrong)?;
    let mut index = vec![0; length];
    if file.read_at(&mut index, HEAD as u64)? < length {
        return Err(wrong());
    }
    Ok((file, index))
}

struct FamilyFile {
    file: MediaFile,
    /// Where the fonts begin.
    fonts: u64,
}

impl FontFiles for FamilyFile {
    fn load(&self, place: &str) -> FontFile {
        self.read(place).into()
    }
}

impl FamilyFile {
    fn read(&self, place: &str) -> Option<Vec<u8>> {
        let (position, length) = place.split_once('+')?;
        let (position, length) = (position.parse::<u64>().ok()?, length.parse::<usize>().ok()?);
        if length > MOST_FONT {
            return None;
        }
        let mut bytes = vec![0; length];
        let read = self.file.read_at(&mut bytes, self.fonts.checked_add(position)?).ok()?;
        (read == length).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rondo_text::{TextEngine, TextStyle, WrapMode};
    use serde_json::json;

    use super::*;

    const FONT: &[u8] = include_bytes!("../../../../assets/fonts/core/roboto-mono-latin-400-normal.woff2");

    fn stored() -> (tempfile::TempDir, FetchedFamilies) {
        let folder = tempfile::tempdir().unwrap();
        let families = FetchedFamilies::new(folder.path().join("fonts"));
        let face = FamilyFace {
            weight: 400,
            style: "normal".to_owned(),
            range: "U+0000-00FF".to_owned(),
            bytes: FONT.to_vec(),
        };
        families.store("plain-mono", b"OFL", &family_file("Plain Mono", &[face])).unwrap();
        (folder, families)
    }

    #[test]
    fn a_stored_family_sets_text_like_its_font() {
        let (_folder, families) = stored();
        let (fonts, _) = super::super::load_fonts(&Default::default());
        let mut catalog = (*fonts).clone();
        add_family(&mut catalog, &families.files()[0]).unwrap();
        let mut engine = TextEngine::new(Arc::new(catalog));
        let mut width = |families: &str| {
            let style = TextStyle { families: families.into(), size: 100.0, ..TextStyle::default() };
            engine.layout("Hello", &style, None, WrapMode::NoWrap).width
        };
        assert_eq!(width("Plain Mono"), width("Roboto Mono"));
        assert_ne!(width("Plain Mono"), width("Inter"));
        assert_eq!(std::fs::read(families.folder().join("plain-mono.LICENSE")).unwrap(), b"OFL");
        assert_eq!(std::fs::read_dir(families.folder()).unwrap().count(), 2, "no drafts are left");
    }

    #[test]
    fn a_film_gets_the_families_that_it_names_and_no_other_files() {
        let (_folder, families) = stored();
        std::fs::write(families.folder().join("other.family"), "").unwrap();
        let named = |list: &str| {
            families.files_for(&json!({"overlays": [{"styles": {"highlightStyle": {"fontFamily": list}}}]}))
        };
        assert_eq!(named("Georgia, 'plain  MONO', serif"), [families.file("plain-mono").unwrap()]);
        assert_eq!(named("../plain-mono, Nothing"), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_damaged_file_is_an_error_and_no_panic() {
        let (_folder, families) = stored();
        let path = families.file("plain-mono").unwrap();
        let whole = std::fs::read(&path).unwrap();
        for damaged in [&b""[..], b"0000000009\nrange", b"9999999999\n", b"12345678x0\n", &whole[..40]] {
            std::fs::write(&path, damaged).unwrap();
            assert!(add_family(&mut Catalog::default(), &path).is_err());
        }
        // The font is cut off: text is set in another.
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut catalog = Catalog::default();
        add_family(&mut catalog, &path).unwrap();
        let mut engine = TextEngine::new(Arc::new(catalog));
        let style = TextStyle { families: "Plain Mono".into(), ..TextStyle::default() };
        engine.layout("Hello", &style, None, WrapMode::NoWrap);
    }
}
