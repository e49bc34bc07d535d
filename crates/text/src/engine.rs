//! Shaping and line layout.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::layout::TextLayout;
use crate::style::{TextStyle, WrapMode};

/// Lays out texts with the fonts of a catalogue. Keeps caches; results do not depend on them.
pub struct TextEngine {
    catalog: Arc<Catalog>,
}

impl TextEngine {
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self { catalog }
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Lays out `text`, wrapped to `max_width` if given. Alignment is within `max_width` only if a line wrapped or
    /// the text is wider; else within the widest line, as for a block that shrinks to fit.
    pub fn layout(
        &mut self,
        text: &str,
        style: &TextStyle,
        max_width: Option<f32>,
        wrap: WrapMode,
    ) -> TextLayout {
        let _ = (text, style, max_width, wrap);
        TextLayout::default()
    }
}
