//! Effect overlays: particles, matrix rain, grids, fractures and scrolling columns.

use rondo_fields::{
    Choice, Codec, ProblemKind, Reader, amount, choices, count, list, number, object, one_of, record, text,
};
use serde_json::Value;

use super::base::Base;
use super::media_source::{MediaRole, MediaSource};
use super::overlay_type::OverlayType;
use super::variable::{Field, Variable, content_value};
use crate::animation::{Animation, StaggerDirection, StaggeredMotion, animation};
use crate::grouping::CaptionRoom;
use crate::values::style;

record! {
    /// A drawn effect that fills its box.
    pub struct Effect {
        /// Which effect.
        content: required EffectName => "content", one_of();
        /// How the effect looks and moves.
        styles: default EffectStyles => "styles", object(), EffectStyles::default();
    }
}

impl OverlayType for Effect {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Content, "Name of an effect.", self.content.name())
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        let name = content_value(value, reader)?;
        self.content = match EffectName::from_name(&name) {
            Some(name) => name,
            None => {
                let expected = one_of::<EffectName>().expected();
                return reader.refuse(ProblemKind::InvalidReplacement, value, expected);
            }
        };
        Some(())
    }

    fn media(&self) -> Vec<MediaSource<'_>> {
        let styles = &self.styles;
        let (cells, columns) = match self.content {
            EffectName::GridStagger | EffectName::Fracture => (true, false),
            EffectName::ScrollingColumns => (styles.columns.is_empty(), true),
            EffectName::Snow
            | EffectName::Confetti
            | EffectName::Rain
            | EffectName::Fireflies
            | EffectName::Sparkles
            | EffectName::Bubbles
            | EffectName::Matrix => (false, false),
        };
        let picture = |field: String, used, address| MediaSource {
            field: field.into(),
            role: MediaRole::Image,
            used,
            address,
        };
        let mut media = Vec::new();
        for (i, address) in styles.cell_images.iter().enumerate() {
            media.push(picture(format!("styles.cellImages[{i}]"), cells, address));
        }
        for (c, column) in styles.columns.iter().enumerate() {
            for (i, address) in column.images.iter().enumerate() {
                media.push(picture(format!("styles.columns[{c}].images[{i}]"), columns, address));
            }
        }
        media
    }

    fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        let EffectStyles { cell_images, columns, .. } = &mut self.styles;
        cell_images.iter_mut().chain(columns.iter_mut().flat_map(|column| &mut column.images)).collect()
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

choices! {
    /// The effects.
    pub enum EffectName {
        Snow = "snow",
        Confetti = "confetti",
        Rain = "rain",
        Fireflies = "fireflies",
        Sparkles = "sparkles",
        Bubbles = "bubbles",
        Matrix = "matrix",
        GridStagger = "grid-stagger",
        Fracture = "fracture",
        ScrollingColumns = "scrolling-columns",
    }
}

record! {
    /// Styles of an effect overlay. What is omitted takes the effect's own value.
    pub struct EffectStyles {
        /// Colour of the particles.
        color: optional String => "color", style();
        /// Number of particles.
        particle_count: optional u32 => "particleCount", count(0, 2000);
        /// Factor on time.
        speed: default f64 => "speed", number().between(0.0, 100.0), 1.0;
        /// Particle size in pixels.
        size: optional f64 => "size", number().between(0.0, 10_000.0);
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// Order inside this overlay only.
        z_index: optional f64 => "zIndex", number();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Colour of matrix glyphs.
        matrix_color: optional String => "matrixColor", style();
        /// Characters of the matrix.
        matrix_charset: optional String => "matrixCharset", style();
        /// Size of matrix glyphs in pixels.
        matrix_font_size: optional f64 => "matrixFontSize", number().between(4.0, 1000.0);
        /// Share of matrix columns that flow, from 0 to 1.
        matrix_density: optional f64 => "matrixDensity", number().between(0.0, 1.0);
        /// Columns of a grid.
        grid_cols: optional u32 => "gridCols", count(1, 100);
        /// Rows of a grid.
        grid_rows: optional u32 => "gridRows", count(1, 100);
        /// Frames between the starts of two cells.
        stagger_delay: optional f64 => "staggerDelay", amount();
        /// Order in which the cells of a grid start.
        stagger_dir: optional StaggerDirection => "staggerDir", one_of();
        /// Frames the animation of a cell takes.
        anim_duration: optional f64 => "animDuration", amount();
        /// Colours of the cells, repeated in turn.
        cell_colors: default Vec<String> => "cellColors", list(text()), Vec::new();
        /// Addresses of pictures for the cells, repeated in turn.
        cell_images: default Vec<String> => "cellImages", list(text()), Vec::new();
        /// Columns of pictures that scroll.
        columns: default Vec<Column> => "columns", list(object()), Vec::new();
        /// Pixels between columns, or between cells.
        column_gap: optional f64 => "columnGap", number().between(0.0, 10_000.0);
        /// Height of a scrolling picture in pixels.
        image_height: optional f64 => "imageHeight", number().between(1.0, 10_000.0);
        /// Enter and exit motion.
        animation: optional Animation => "animation", animation();
        /// Keyframes spread over cells or columns.
        staggered_motion: optional StaggeredMotion => "staggeredMotion", object();
    }
}

choices! {
    /// Which way a column scrolls.
    pub enum ColumnDirection {
        Up = "up",
        Down = "down",
    }
}

record! {
    /// One column of scrolling pictures.
    pub struct Column {
        /// Addresses of its pictures.
        images: default Vec<String> => "images", list(text()), Vec::new();
        /// Speed in pixels per second.
        speed: default f64 => "speed", number().between(0.0, 100_000.0), 100.0;
        /// Which way it scrolls.
        direction: default ColumnDirection => "direction", one_of(), ColumnDirection::Up;
    }
}
