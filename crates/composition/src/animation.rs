//! Motion that overlays share: enter, exit and `during` presets, and keyframes spread over children.

use rondo_fields::{Nested, Tolerant, amount, choices, flag, list, number, object, one_of, record, tolerant};

use crate::tolerance::ANIMATION_IGNORED;
use crate::values::style;

record! {
    /// How an overlay appears, moves while it is there, and leaves. Presets are looked up by name.
    pub struct Animation {
        /// Enter preset, such as fade, slide-up or zoom-blur. An unknown name does nothing.
        enter: optional String => "enter", style();
        /// Exit preset, from the same list as `enter`.
        exit: optional String => "exit", style();
        /// Length of the enter ramp in seconds. When omitted the ramp takes 15 frames.
        enter_duration: optional f64 => "enterDuration", amount();
        /// Length of the exit ramp in seconds. When omitted the ramp takes 15 frames.
        exit_duration: optional f64 => "exitDuration", amount();
        /// Motion across the whole lifetime: ken-burns-in, ken-burns-out, pan-left, pan-right, drift-diagonal,
        /// pulse, float, sway, breathe or spin.
        during: optional String => "during", style();
        /// Speed of `during`.
        during_speed: default f64 => "duringSpeed", number().between(0.0, 10.0), 1.0;
        /// Strength of `during`.
        during_intensity: default f64 => "duringIntensity", number().between(0.0, 5.0), 1.0;
    }
}

/// An animation. What cannot be read of it is ignored.
pub(crate) fn animation() -> Tolerant<Nested<Animation>> {
    tolerant(object(), ANIMATION_IGNORED)
}

choices! {
    /// The order in which children start.
    pub enum StaggerDirection {
        Forward = "forward",
        Reverse = "reverse",
        Center = "center",
        Random = "random",
    }
}

record! {
    /// Keyframes applied to the children of an overlay one after another. Arrays are keyframes spaced evenly over
    /// `duration`; an empty array leaves its property alone.
    pub struct StaggeredMotion {
        /// Switches the motion on. When omitted it is on if any keyframes are given.
        enabled: optional bool => "enabled", flag();
        /// Frames between the starts of two children.
        stagger: default f64 => "stagger", amount(), 0.0;
        /// The order in which children start.
        stagger_direction: default StaggerDirection => "staggerDirection", one_of(), StaggerDirection::Forward;
        /// Vertical offsets in pixels.
        y: default Vec<f64> => "y", list(number()), Vec::new();
        /// Horizontal offsets in pixels.
        x: default Vec<f64> => "x", list(number()), Vec::new();
        /// Scale factors.
        scale: default Vec<f64> => "scale", list(number()), Vec::new();
        /// Opacities from 0 to 1.
        opacity: default Vec<f64> => "opacity", list(number().between(0.0, 1.0)), Vec::new();
        /// Angles in degrees.
        rotate: default Vec<f64> => "rotate", list(number()), Vec::new();
        /// Blur radii in pixels.
        blur: default Vec<f64> => "blur", list(amount()), Vec::new();
        /// Frames one child takes. When omitted, one second.
        duration: optional f64 => "duration", amount();
        /// Frames before the first child starts.
        delay: default f64 => "delay", amount(), 0.0;
        /// Easing inside each pair of keyframes, such as easeOutCubic, spring or cubic-bezier(…).
        easing: optional String => "easing", style();
    }
}

impl StaggeredMotion {
    /// Whether the motion applies: as said, or else when any keyframes are given.
    pub fn is_enabled(&self) -> bool {
        self.enabled.unwrap_or_else(|| {
            [&self.y, &self.x, &self.scale, &self.opacity, &self.rotate, &self.blur]
                .iter()
                .any(|keyframes| !keyframes.is_empty())
        })
    }
}
