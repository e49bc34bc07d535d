//! What the painter needs of a font: the file's bytes, the face inside it, and an identity that is stable across processes.

use std::sync::Arc;

/// One face of one font file.
#[derive(Clone)]
pub struct Font {
    /// The whole file, already decompressed to plain TrueType/OpenType.
    pub data: Arc<[u8]>,
    /// Index of the face inside a collection, 0 otherwise.
    pub index: u32,
    /// BLAKE3 hash of `data` and `index`: equal digest, equal glyphs, in every process.
    pub digest: [u8; 32],
    /// The first bytes of `digest`, for caches within a process.
    pub key: u64,
}

impl std::fmt::Debug for Font {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Font({:016x}#{})", self.key, self.index)
    }
}

/// A glyph placed relative to the origin of its layout: x to the right, y down to its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph {
    pub id: u32,
    pub x: f32,
    pub y: f32,
}

/// Glyphs of one face at one size.
#[derive(Clone, Debug)]
pub struct GlyphRun {
    pub font: Font,
    /// Pixels per em.
    pub size: f32,
    /// Variation coordinates, normalised, in 2.14 fixed point; empty for static faces.
    pub coords: Vec<i16>,
    pub glyphs: Vec<Glyph>,
}
