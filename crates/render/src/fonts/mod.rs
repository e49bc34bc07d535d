//! The fonts of this machine: the core set inside the binary, the web-font catalogue beside it, families that were fetched,
//! and the user's folder.

mod fetched;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_text::{Catalog, Dictionaries, FontFile, FontFiles, Origin};

use crate::bundled::bundled_folder;
use crate::media::io_reason;
pub use fetched::{FamilyFace, FetchedFamilies, add_family, families_named, family_file};

/// Where fonts are looked for beside the built-in ones.
#[derive(Clone, Debug, Default)]
pub struct FontSettings {
    /// A folder of ttf, otf, woff and woff2 files whose families win over bundled ones.
    pub user_folder: Option<PathBuf>,
    /// Families that were fetched.
    pub fetched: Option<FetchedFamilies>,
}

/// Files of the core set and of the bundled catalogue, by the names their indexes give them, and the dictionaries.
struct Bundled(Option<PathBuf>);

impl FontFiles for Bundled {
    fn load(&self, file: &str) -> FontFile {
        if let Some(core) = CORE.iter().find(|core| core.name == file) {
            return FontFile::Bytes(core.bytes.to_vec());
        }
        if let FontFile::Bytes(dictionary) = Dictionaries.load(file) {
            return FontFile::Bytes(dictionary);
        }
        self.0.as_ref().and_then(|folder| std::fs::read(folder.join(file)).ok()).into()
    }
}

/// A font inside the binary.
struct Core {
    family: &'static str,
    weight: u16,
    style: &'static str,
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! core {
    ($family:literal, $weight:literal, $style:literal, $name:literal) => {
        Core {
            family: $family,
            weight: $weight,
            style: $style,
            name: $name,
            bytes: include_bytes!(concat!("../../../../assets/fonts/core/", $name)),
        }
    };
}

/// Inter and Roboto Mono, inside the binary: text can be set even where nothing is installed.
const CORE: &[Core] = &[
    core!("Inter", 400, "italic", "inter-latin-400-italic.woff2"),
    core!("Inter", 400, "normal", "inter-latin-400-normal.woff2"),
    core!("Inter", 500, "italic", "inter-latin-500-italic.woff2"),
    core!("Inter", 500, "normal", "inter-latin-500-normal.woff2"),
    core!("Inter", 600, "italic", "inter-latin-600-italic.woff2"),
    core!("Inter", 600, "normal", "inter-latin-600-normal.woff2"),
    core!("Inter", 700, "italic", "inter-latin-700-italic.woff2"),
    core!("Inter", 700, "normal", "inter-latin-700-normal.woff2"),
    core!("Inter", 800, "italic", "inter-latin-800-italic.woff2"),
    core!("Inter", 800, "normal", "inter-latin-800-normal.woff2"),
    core!("Inter", 900, "italic", "inter-latin-900-italic.woff2"),
    core!("Inter", 900, "normal", "inter-latin-900-normal.woff2"),
    core!("Roboto Mono", 400, "normal", "roboto-mono-latin-400-normal.woff2"),
    core!("Roboto Mono", 700, "normal", "roboto-mono-latin-700-normal.woff2"),
];

/// Families that are fetched when a composition names them, or installed by `scripts/fonts`: a row each, which starts with
/// the package.
pub const MORE: &str = include_str!("../../../../assets/fonts/more.txt");

/// The colour emoji font where Debian puts it.
const SYSTEM_EMOJI: &str = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf";

/// Builds the catalogue. Invalid files in the user's folder become warnings, not errors.
pub fn load_fonts(settings: &FontSettings) -> (Arc<Catalog>, Vec<String>) {
    let mut warnings = Vec::new();
    let folder = bundled_folder("assets/fonts/web");
    let mut catalog = Catalog::new(Some(Arc::new(Bundled(folder.clone()))));
    if let Err(e) = catalog.add_index(&core_index(), Origin::Bundled) {
        warnings.push(e.to_string());
    }
    let index = folder.and_then(|folder| std::fs::read_to_string(folder.join("index.tsv")).ok());
    match index {
        Some(index) => {
            if let Err(e) = catalog.add_index(&index, Origin::Bundled) {
                warnings.push(e.to_string());
            }
        }
        // The catalogue brings its own emoji; without it the system's will do.
        None => {
            if let Ok(emoji) = std::fs::read(SYSTEM_EMOJI)
                && let Err(e) = catalog.add(emoji, Origin::Bundled)
            {
                warnings.push(e.to_string());
            }
        }
    }
    for path in settings.fetched.iter().flat_map(FetchedFamilies::files) {
        if let Err(reason) = add_family(&mut catalog, &path) {
            warnings.push(format!("The font file {} cannot be used: {reason}.", path.display()));
        }
    }
    catalog.add_installable(packages(MORE));
    if let Some(folder) = &settings.user_folder {
        add_folder(&mut catalog, folder, &mut warnings);
    }
    (Arc::new(catalog), warnings)
}

/// The packages of a list of families.
fn packages(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|row| !row.starts_with('#')).filter_map(|row| row.split(' ').next())
}

/// Lists the core set, so that none of it is unpacked before it is needed.
fn core_index() -> String {
    let line = |Core { family, weight, style, name, .. }: &Core| {
        format!("face\t{family}\t{weight}\t{style}\t-\t{name}\n")
    };
    CORE.iter().map(line).collect()
}

fn add_folder(catalog: &mut Catalog, folder: &Path, warnings: &mut Vec<String>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) => {
            warnings.push(format!("The font folder {} cannot be read: {}.", folder.display(), io_reason(&e)));
            return;
        }
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| is_font(p)).collect();
    paths.sort();
    for path in paths {
        let added = std::fs::read(&path)
            .map_err(|e| io_reason(&e))
            .and_then(|bytes| catalog.add(bytes, Origin::User).map_err(|e| e.to_string()));
        if let Err(reason) = added {
            warnings.push(format!("The font file {} cannot be used: {reason}", path.display()));
        }
    }
}

fn is_font(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    matches!(extension.as_str(), "ttf" | "otf" | "ttc" | "woff" | "woff2")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rondo_text::{Face, TextEngine, TextStyle, WrapMode};

    use super::*;

    /// The most used open families, most used first.
    const POPULAR: &str = include_str!("../../tests/data/popular-families.txt");
    const FAMILIES: &str = include_str!("../../../../assets/fonts/families.txt");

    #[test]
    fn the_most_used_families_are_installed_or_can_be() {
        let mut catalog = Catalog::default();
        catalog.add_installable(packages(FAMILIES).chain(packages(MORE)));
        let missing: Vec<&str> = POPULAR.lines().filter(|name| !catalog.is_installable(name)).collect();
        assert_eq!(POPULAR.lines().count(), 250);
        assert!(missing.len() <= 10, "{missing:?}");
        for list in [FAMILIES, MORE] {
            for row in list.lines().filter(|row| !row.starts_with('#')) {
                let fields: Vec<&str> = row.split(' ').collect();
                let pinned = fields.len() == 4 && fields[3].len() == 64;
                assert!(pinned, "{row}");
            }
        }
    }

    #[test]
    fn families_that_stand_for_others_have_their_widths() {
        let (catalog, _) = load_fonts(&FontSettings::default());
        let mut engine = TextEngine::new(catalog.clone());
        let mut width = |families: &str| {
            let style = TextStyle { families: families.into(), size: 1000.0, ..TextStyle::default() };
            engine.layout("Hello", &style, None, WrapMode::NoWrap).width
        };
        // The widths of the fonts themselves, in thousandths of the size.
        for (name, family, wanted) in [
            ("Arial", "Arimo", Some(2279.0)),
            ("'helvetica'", "Arimo", Some(2279.0)),
            ("Times New Roman", "Tinos", Some(2221.0)),
            ("Courier New", "Cousine", Some(3000.0)),
            ("Calibri", "Carlito", Some(2107.0)),
            ("Georgia", "Gelasio", None),
            ("Cambria", "Caladea", None),
        ] {
            let found = catalog.resolve(name, 700, true);
            assert_eq!((found.family.as_str(), found.missing, found.exact), (family, None, true), "{name}");
            let drawn = width(name);
            assert_eq!(drawn, width(family), "{name}");
            assert_ne!(drawn, width("Inter"), "{name}");
            assert!(wanted.is_none_or(|wanted| (drawn - wanted).abs() < 2.0), "{name}: {drawn}");
        }
        assert_eq!(width("No Such Family, Arial"), width("Arimo"));
    }

    #[test]
    fn core_fonts_are_what_they_are_listed_as() {
        for Core { family, weight, style, bytes, .. } in CORE {
            let found = Catalog::new(None).add(bytes.to_vec(), Origin::Bundled).unwrap();
            let (weights, italic) = ((*weight, *weight), *style == "italic");
            let listed = Face { family: (*family).into(), weights, italic, widths: (100, 100) };
            assert_eq!(found, [listed]);
        }
    }
}
