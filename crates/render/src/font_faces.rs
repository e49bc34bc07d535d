//! The font files that a film brings along.

use std::path::Path;
use std::sync::Arc;

use rondo_composition::{Composition, FontFace};
use rondo_media::MediaFile;
use rondo_scene::{Notice, Severity};
use rondo_text::{Catalog, Face, read_faces};

use crate::media::{Locate, io_reason};

/// Largest font file in bytes.
pub const MOST_FONT_BYTES: u64 = 50_000_000;

/// The fonts with those of a film. Files that cannot be read are left out, each with a notice.
pub fn with_font_faces(
    composition: &Composition,
    locate: &dyn Locate,
    fonts: Arc<Catalog>,
) -> (Arc<Catalog>, Vec<Notice>) {
    if composition.font_faces.is_empty() {
        return (fonts, Vec::new());
    }
    let (mut catalog, mut notices) = ((*fonts).clone(), Vec::new());
    for (index, face) in composition.font_faces.iter().enumerate() {
        if let Err(reason) = add(&mut catalog, face, locate) {
            notices.push(unreadable(index, &face.family, &reason));
        }
    }
    (Arc::new(catalog), notices)
}

fn add(catalog: &mut Catalog, face: &FontFace, locate: &dyn Locate) -> Result<(), String> {
    let bytes = read(&locate.locate(&face.src)?)?;
    catalog.add_family(&face.family, bytes).map_err(|_| NOT_A_FONT.to_owned())
}

const NOT_A_FONT: &str = "it is not a font that can be read";

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = MediaFile::open(path).and_then(|file| file.read_all(MOST_FONT_BYTES));
    bytes.map_err(|error| io_reason(&error))
}

/// The faces in a font file, or why it cannot be used, as the end of the sentence "The file cannot be used: ".
pub fn faces_of_file(path: &Path) -> Result<Vec<Face>, String> {
    read_faces(read(path)?).map_err(|_| NOT_A_FONT.to_owned())
}

/// A notice for a font file that cannot be used.
fn unreadable(index: usize, family: &str, reason: &str) -> Notice {
    let message = format!("The font file of \"{family}\" cannot be used: {reason}. Another font is used.");
    Notice::new("FONT_FACE_UNREADABLE", Severity::Warning, format!("fontFaces[{index}].src"), message)
        .hint("Upload the font again, or use another family.")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::path::PathBuf;

    use rondo_text::{TextEngine, TextStyle, WrapMode};

    use super::*;
    use crate::fonts::{FontSettings, load_fonts};

    const MONO: &[u8] = include_bytes!("../../../assets/fonts/core/roboto-mono-latin-400-normal.woff2");

    struct Folder(PathBuf);

    impl Locate for Folder {
        fn locate(&self, src: &str) -> Result<PathBuf, String> {
            Ok(self.0.join(src))
        }
    }

    fn film(faces: &[(&str, &str)]) -> Composition {
        let face = |(family, src): &(&str, &str)| FontFace { family: (*family).into(), src: (*src).into() };
        Composition { font_faces: faces.iter().map(face).collect(), ..Composition::default() }
    }

    #[test]
    fn a_font_of_the_film_sets_its_texts_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), MONO).unwrap();
        let (fonts, _) = load_fonts(&FontSettings::default());
        let named = film(&[("My  Brand", "a"), ("Inter", "a")]);
        let (with, notices) = with_font_faces(&named, &Folder(folder.path().into()), fonts.clone());
        assert_eq!(notices, []);
        let width = |fonts: &Arc<Catalog>, families: &str| {
            let style = TextStyle { families: families.into(), size: 100.0, ..TextStyle::default() };
            TextEngine::new(fonts.clone()).layout("Hello", &style, None, WrapMode::NoWrap).width
        };
        let mono = width(&fonts, "Roboto Mono");
        assert_ne!(width(&fonts, "Inter"), mono);
        assert_eq!((width(&with, "'my brand'"), width(&with, "Inter")), (mono, mono));
        assert!(with.resolve("My Brand", 400, false).exact);
        // The fonts of other films are as they were.
        assert!(!fonts.has("My Brand"));
    }

    #[test]
    fn a_file_that_is_no_font_is_left_out_with_a_notice() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("text"), "not a font").unwrap();
        std::fs::write(folder.path().join("cut"), &MONO[..MONO.len() / 2]).unwrap();
        let faces = [("A", "text"), ("B", "cut"), ("C", "missing")];
        let (fonts, _) = load_fonts(&FontSettings::default());
        let (with, notices) = with_font_faces(&film(&faces), &Folder(folder.path().into()), fonts);
        let paths: Vec<&str> = notices.iter().map(|notice| notice.path.as_str()).collect();
        assert_eq!(paths, ["fontFaces[0].src", "fontFaces[1].src", "fontFaces[2].src"]);
        assert!(notices[0].message.contains("\"A\" cannot be used: it is not a font"), "{notices:?}");
        assert!(!with.has("A") && !with.has("B") && !with.has("C"));
        assert!(faces_of_file(&folder.path().join("cut")).is_err());
    }
}
