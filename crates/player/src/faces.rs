//! Font files that films bring along. The page fetches them by their addresses; they are kept for other films.

use std::collections::HashMap;
use std::sync::Arc;

use rondo_composition::FontFace;
use rondo_text::Catalog;

/// The fonts of the index, and those of the film.
pub struct Faces {
    index: Arc<Catalog>,
    film: Vec<FontFace>,
    /// By address; `None` for a file that cannot be loaded.
    files: HashMap<String, Option<Vec<u8>>>,
}

impl Faces {
    pub fn new(index: Arc<Catalog>) -> Self {
        Self { index, film: Vec::new(), files: HashMap::new() }
    }

    /// Turns to the font files of a film. Returns whether they are others than before.
    pub fn turn_to(&mut self, faces: &[FontFace]) -> bool {
        let changed = self.film != faces;
        self.film = faces.to_vec();
        changed
    }

    /// Takes a file if the film has it, and it did not come before.
    pub fn give(&mut self, src: &str, bytes: Option<Vec<u8>>) -> Result<(), Option<Vec<u8>>> {
        if !self.film.iter().any(|face| face.src == src) {
            return Err(bytes);
        }
        self.files.entry(src.to_owned()).or_insert(bytes);
        Ok(())
    }

    /// Addresses of files that did not come yet.
    pub fn lacking(&self) -> impl Iterator<Item = &String> {
        self.film.iter().map(|face| &face.src).filter(|src| !self.files.contains_key(*src))
    }

    /// The fonts of the index with those of the film that are there.
    pub fn catalog(&self) -> Arc<Catalog> {
        if self.film.is_empty() {
            return self.index.clone();
        }
        let mut catalog = (*self.index).clone();
        for FontFace { family, src } in &self.film {
            if let Some(Some(bytes)) = self.files.get(src) {
                // A file that is no font is left out, as in a render.
                let _ = catalog.add_family(family, bytes.clone());
            }
        }
        Arc::new(catalog)
    }
}
