//! Sticker overlays.

use rondo_fields::{Reader, choices, number, object, one_of, record, text, tolerant};
use serde_json::Value;

use super::base::Base;
use super::overlay_type::OverlayType;
use super::variable::{Field, Variable, content_value};
use crate::animation::{Animation, StaggeredMotion, animation};
use crate::grouping::CaptionRoom;
use crate::limits::MOST_CONTENT;
use crate::tolerance::STICKER_CATEGORY_UNKNOWN;
use crate::values::style;

record! {
    /// A sticker from the collection, or an emoji.
    pub struct Sticker {
        /// Name of the sticker, or a literal emoji.
        content: required String => "content", text().at_most(MOST_CONTENT);
        /// Shelf on which editors show it. Does not change the film.
        category: optional StickerCategory => "category", tolerant(one_of(), STICKER_CATEGORY_UNKNOWN);
        /// How the sticker looks and moves.
        styles: default StickerStyles => "styles", object(), StickerStyles::default();
    }
}

impl OverlayType for Sticker {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Content, "Name of a sticker, or an emoji.", &self.content)
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.content = content_value(value, reader)?;
        Some(())
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

choices! {
    /// The shelves of the sticker collection.
    pub enum StickerCategory {
        Shapes = "Shapes",
        Discounts = "Discounts",
        Emojis = "Emojis",
        Reviews = "Reviews",
        Default = "Default",
    }
}

record! {
    /// Styles of a sticker overlay. Strings hold CSS values.
    pub struct StickerStyles {
        /// Replaces the sticker's main colour.
        fill: optional String => "fill", style();
        /// Replaces the sticker's stroke colour.
        stroke: optional String => "stroke", style();
        /// Stroke width in pixels.
        stroke_width: optional f64 => "strokeWidth", number().between(0.0, 10_000.0);
        /// Scale about the centre.
        scale: default f64 => "scale", number().between(0.0, 100.0), 1.0;
        /// CSS filters.
        filter: optional String => "filter", style();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// Order inside this overlay only.
        z_index: optional f64 => "zIndex", number();
        /// Enter, exit and continuous motion.
        animation: optional Animation => "animation", animation();
        /// Keyframes for the whole content.
        staggered_motion: optional StaggeredMotion => "staggeredMotion", object();
    }
}
