//! The families at hand, and which face a CSS request gets.

use std::sync::Arc;

use crate::error::TextError;

/// Where font files registered by an index are read from. The text crate opens no files itself.
pub trait FontFiles: Send + Sync {
    /// The bytes of the file an index names; `None` when it cannot be read.
    fn load(&self, file: &str) -> Option<Vec<u8>>;
}

/// Who supplied a font. Families of the user win over bundled ones of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    User,
    Bundled,
}

/// One face of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub family: String,
    /// Lightest and heaviest weight: equal but for variable faces.
    pub weights: (u16, u16),
    pub italic: bool,
}

/// A family as listed to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pub name: String,
    pub origin: Origin,
    /// Upright weights, ascending.
    pub weights: Vec<u16>,
    /// Italic weights, ascending.
    pub italic_weights: Vec<u16>,
}

/// What a request for family, weight and style got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// First family asked for that is none of ours, if the whole list failed and the default stands in.
    pub missing: Option<String>,
    /// The family used.
    pub family: String,
    pub weight: u16,
    pub italic: bool,
    /// Whether the family has exactly the weight and style asked for.
    pub exact: bool,
    /// What the family offers, as `400, 700, 400 italic`.
    pub available: Vec<String>,
}

/// Every font known, loaded or only listed.
#[derive(Default)]
pub struct Catalog {
    files: Option<Arc<dyn FontFiles>>,
}

impl Catalog {
    /// An empty catalogue whose index entries are read through `files`.
    pub fn new(files: Option<Arc<dyn FontFiles>>) -> Self {
        Self { files }
    }

    /// Adds a font file (ttf, otf, ttc, woff, woff2) and tells the faces found in it.
    pub fn add(&mut self, bytes: Vec<u8>, origin: Origin) -> Result<Vec<Face>, TextError> {
        let _ = (bytes, origin, &self.files);
        Ok(Vec::new())
    }

    /// Adds files without reading them: tab-separated lines of family, weight (or `100-900`), `normal` or `italic`,
    /// unicode range (`U+0000-00FF,U+0131`, or empty for everything) and the name to ask [`FontFiles`] for.
    pub fn add_index(&mut self, index: &str, origin: Origin) -> Result<(), TextError> {
        let _ = (index, origin);
        Ok(())
    }

    /// All families by name.
    pub fn families(&self) -> Vec<Family> {
        Vec::new()
    }

    /// Which face a CSS family list, weight and style get.
    pub fn resolve(&self, families: &str, weight: u16, italic: bool) -> Resolved {
        Resolved {
            missing: None,
            family: families.into(),
            weight,
            italic,
            exact: true,
            available: Vec::new(),
        }
    }
}
