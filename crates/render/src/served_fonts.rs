//! Fonts as browsers get them: an index of the catalogue, and files under names that follow from their content.

use std::collections::HashMap;
use std::sync::Arc;

use rondo_text::{Catalog, FaceFile, FontFile, FontFiles};

/// Hexadecimal digits of a hash that name a file. All names are in the index, so it should not be longer than it must.
const NAME: usize = 24;
/// The name of a file that cannot be read. There is no such file; faces of it are missing in browsers too.
const MISSING: &str = "missing";

/// The fonts of a catalogue, each file hashed once.
pub struct ServedFonts {
    /// As [`Catalog::add_index`] reads it. It makes the same catalogue.
    pub index: String,
    /// Changes when the index does.
    pub version: String,
    files: HashMap<String, Place>,
}

enum Place {
    Memory(Arc<[u8]>),
    Listed(Arc<dyn FontFiles>, String),
}

impl Place {
    fn read(&self) -> Option<Vec<u8>> {
        match self {
            Self::Memory(bytes) => Some(bytes.to_vec()),
            Self::Listed(files, name) => match files.load(name) {
                FontFile::Bytes(bytes) => Some(bytes),
                FontFile::Absent | FontFile::Awaited => None,
            },
        }
    }
}

impl ServedFonts {
    /// Reads every font file.
    pub fn new(catalog: &Catalog) -> Self {
        let mut files = HashMap::new();
        // Several faces can be in one file.
        let mut known: HashMap<(*const (), String), String> = HashMap::new();
        let index = catalog.write_index(|file| {
            let (key, place) = match file {
                FaceFile::Bytes(bytes) => {
                    ((bytes.as_ptr().cast(), String::new()), Some(Place::Memory(bytes.clone())))
                }
                FaceFile::Named(name, source) => {
                    let source_key = source.map_or(std::ptr::null(), |source| Arc::as_ptr(source).cast());
                    let place = source.map(|source| Place::Listed(source.clone(), name.to_owned()));
                    ((source_key, name.to_owned()), place)
                }
            };
            known.entry(key).or_insert_with(|| add(&mut files, place)).clone()
        });
        Self { version: hash(index.as_bytes()), index, files }
    }

    /// The bytes of a file of the index, and their type. `None` also where the file has changed since.
    pub fn file(&self, name: &str) -> Option<(Vec<u8>, &'static str)> {
        let bytes = self.files.get(name)?.read()?;
        (hash(&bytes) == name).then(|| {
            let content_type = content_type(&bytes);
            (bytes, content_type)
        })
    }
}

fn add(files: &mut HashMap<String, Place>, place: Option<Place>) -> String {
    let Some((place, bytes)) = place.and_then(|place| place.read().map(|bytes| (place, bytes))) else {
        return MISSING.to_owned();
    };
    let name = hash(&bytes);
    files.entry(name.clone()).or_insert(place);
    name
}

fn hash(bytes: &[u8]) -> String {
    let mut name = blake3::hash(bytes).to_hex().to_string();
    name.truncate(NAME);
    name
}

fn content_type(bytes: &[u8]) -> &'static str {
    match bytes.get(..4) {
        Some(b"wOF2") => "font/woff2",
        Some(b"wOFF") => "font/woff",
        Some(b"OTTO") => "font/otf",
        Some(b"ttcf") => "font/collection",
        _ => "font/ttf",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::path::PathBuf;

    use rondo_text::{Origin, TextEngine, TextStyle, WrapMode};

    use super::*;
    use crate::fonts::{FontSettings, load_fonts};

    /// A browser: what it knows is the index.
    struct Browser(Arc<ServedFonts>);

    impl FontFiles for Browser {
        fn load(&self, file: &str) -> FontFile {
            self.0.file(file).map(|(bytes, _)| bytes).into()
        }
    }

    #[test]
    fn a_browser_has_the_catalogue_and_the_glyphs_of_the_service() {
        let folder = tempfile::tempdir().unwrap();
        let core = include_bytes!("../../../assets/fonts/core/inter-latin-700-normal.woff2");
        std::fs::write(folder.path().join("mine.woff2"), core).unwrap();
        let user_folder = Some(folder.path().to_owned());
        let (catalog, warnings) = load_fonts(&FontSettings { user_folder, ..FontSettings::default() });
        assert_eq!(warnings, [""; 0]);
        let served = Arc::new(ServedFonts::new(&catalog));
        assert!(served.index.contains("origin\tuser\nface\tInter\t700\tnormal\t-\t"), "{}", served.index);
        let mut browser = Catalog::new(Some(Arc::new(Browser(served.clone()))));
        browser.add_index(&served.index, Origin::Bundled).unwrap();
        assert_eq!(browser.families(), catalog.families());
        // The same faces in the same order: the names follow from the content, so the texts are equal.
        let named = |file: FaceFile<'_>| match file {
            FaceFile::Named(name, _) => name.to_owned(),
            FaceFile::Bytes(_) => "bytes".to_owned(),
        };
        assert_eq!(browser.write_index(named), served.index);
        let [mut here, mut there] = [catalog, Arc::new(browser)].map(TextEngine::new);
        for (families, text) in
            [("Inter", "Hello"), ("Roboto Mono", "Hello"), ("Inter", "Привет 👋"), ("Noto Serif", "你好")]
        {
            let style = TextStyle { families: families.into(), size: 40.0, ..TextStyle::default() };
            let [here, there] = [&mut here, &mut there].map(|engine| {
                let layout = engine.layout(text, &style, None, WrapMode::NoWrap);
                let runs = layout.lines.iter().flat_map(|line| &line.runs);
                runs.map(|run| (run.glyphs.font.key, run.glyphs.glyphs.clone())).collect::<Vec<_>>()
            });
            assert_eq!(here, there, "{families}: {text}");
        }
    }

    #[test]
    fn a_file_that_changed_is_not_served_under_the_name_of_the_old_one() {
        struct Folder(PathBuf);
        impl FontFiles for Folder {
            fn load(&self, file: &str) -> FontFile {
                std::fs::read(self.0.join(file)).ok().into()
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ttf");
        std::fs::write(&path, "one").unwrap();
        let mut catalog = Catalog::new(Some(Arc::new(Folder(folder.path().to_owned()))));
        let line = |file: &str| format!("face\tInter\t400\tnormal\t-\t{file}\n");
        catalog.add_index(&(line("a.ttf") + &line("b.ttf") + &line("a.ttf")), Origin::Bundled).unwrap();
        let served = ServedFonts::new(&catalog);
        let name = hash(b"one");
        assert_eq!(served.index, format!("origin\tbundled\n{}", line(&name) + &line(MISSING) + &line(&name)));
        assert_eq!(served.file(&name), Some((b"one".to_vec(), "font/ttf")));
        assert_eq!(served.file(MISSING), None);
        std::fs::write(&path, "two").unwrap();
        assert_eq!(served.file(&name), None);
    }
}
