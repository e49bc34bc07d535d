//! Shape overlays and gradients that change over time.

use rondo_fields::{Reader, amount, flag, list, number, object, record, text};
use serde_json::Value;

use super::base::Base;
use super::overlay_type::OverlayType;
use super::variable::{Field, Variable, content_value};
use crate::animation::{Animation, StaggeredMotion, animation};
use crate::grouping::CaptionRoom;
use crate::limits::MOST_CONTENT;
use crate::values::{length, style};

record! {
    /// A geometric shape that fills its box.
    pub struct Shape {
        /// Name of the shape, such as rectangle, circle or star; or SVG path data in a box of 100 by 100.
        content: required String => "content", text().at_most(MOST_CONTENT);
        /// How the shape looks and moves.
        styles: default ShapeStyles => "styles", object(), ShapeStyles::default();
    }
}

impl OverlayType for Shape {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Content, "Name of a shape.", &self.content)
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.content = content_value(value, reader)?;
        Some(())
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

record! {
    /// Styles of a shape overlay. Strings hold CSS values.
    pub struct ShapeStyles {
        /// Fill colour, #3B82F6 when omitted.
        fill: optional String => "fill", style();
        /// Stroke colour, none when omitted.
        stroke: optional String => "stroke", style();
        /// Stroke width in pixels, 2 when omitted and a stroke colour is set.
        stroke_width: optional f64 => "strokeWidth", number().between(0.0, 10_000.0);
        /// Corner radius of rectangles.
        border_radius: optional String => "borderRadius", length();
        /// Shadows of the outline.
        box_shadow: optional String => "boxShadow", style();
        /// A CSS gradient in place of the fill.
        gradient: optional String => "gradient", style();
        /// Gradients that turn into one another, in place of `gradient`.
        gradient_transition: optional GradientTransition => "gradientTransition", object();
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

record! {
    /// Gradients that turn into one another.
    pub struct GradientTransition {
        /// Switches the transition off when false.
        enabled: default bool => "enabled", flag(), true;
        /// CSS gradients, spaced evenly over `duration`.
        gradients: default Vec<String> => "gradients", list(text()), Vec::new();
        /// Frames from the first gradient to the last. When omitted, the overlay's length.
        duration: optional f64 => "duration", amount();
        /// Easing inside each pair of gradients.
        easing: optional String => "easing", style();
    }
}
