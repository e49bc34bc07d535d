//! Motion between the entrance and the exit: slow drifts and endless loops.

use std::f64::consts::TAU;

use kurbo::{Point, Size};

use super::aliases::{self, OF_DURING};
use super::{Property, flatten, lerp};
use crate::Homography;
use crate::nearest::{Lookup, look_up};

/// One row of the registry.
#[derive(Debug)]
pub struct During {
    pub name: &'static str,
    motion: Motion,
}

#[derive(Clone, Copy, Debug)]
enum Motion {
    /// Growth of the scale at the start and at the end.
    Zoom(f64, f64),
    /// From this part of the box to the opposite one; media grow by a tenth, so that their edges stay out of sight.
    Pan(f64, f64),
    /// Growth of the scale and loss of opacity at the crest, and the period in seconds.
    Swell { scale: f64, dim: f64, period: f64 },
    /// Up and down in three seconds.
    Float,
    /// Degrees to either side in three seconds.
    Sway(f64),
    /// Degrees a second.
    Spin(f64),
}

const DURING: &[During] = &[
    During { name: "ken-burns-in", motion: Motion::Zoom(0.0, 0.15) },
    During { name: "ken-burns-out", motion: Motion::Zoom(0.15, 0.0) },
    During { name: "pan-left", motion: Motion::Pan(0.05, 0.0) },
    During { name: "pan-right", motion: Motion::Pan(-0.05, 0.0) },
    During { name: "drift-diagonal", motion: Motion::Pan(0.04, 0.04) },
    During { name: "pulse", motion: Motion::Swell { scale: 0.05, dim: 0.0, period: 1.0 } },
    During { name: "float", motion: Motion::Float },
    During { name: "sway", motion: Motion::Sway(2.5) },
    During { name: "breathe", motion: Motion::Swell { scale: 0.03, dim: 0.08, period: 4.0 } },
    During { name: "spin", motion: Motion::Spin(90.0) },
];

/// The overlay a `during` preset acts on.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The overlay's box.
    pub size: Size,
    /// Centre of what is moved: of the box, or of the media inside its padding.
    pub center: Point,
    /// An image or a video.
    pub media: bool,
    /// Length of the overlay in frames.
    pub duration: u32,
    pub fps: f64,
    /// `duringSpeed` and `duringIntensity`, as given; 1 when absent.
    pub speed: f64,
    pub intensity: f64,
}

/// What a `during` preset does at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    pub transform: Homography,
    pub opacity: f64,
    /// Whether the next frame will differ.
    pub moving: bool,
}

pub(crate) fn rows() -> impl Iterator<Item = &'static During> {
    DURING.iter()
}

/// Names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    DURING.iter().map(|d| d.name)
}

/// The preset called `name`, here or in other editors.
pub fn find(name: &str) -> Lookup<&'static During> {
    look_up(aliases::meant(name, OF_DURING), DURING, |row, is| is(row.name))
}

impl During {
    /// Whether the preset is an endless loop, which moves the whole layer; a drift moves media inside their clip.
    pub fn loops(&self) -> bool {
        !matches!(self.motion, Motion::Zoom(..) | Motion::Pan(..))
    }

    pub fn at(&self, frame: u32, on: &Subject) -> Moved {
        let (k, speed) = (on.intensity.clamp(0.0, 5.0), on.speed.clamp(0.0, 10.0));
        let f = f64::from(frame);
        let drifted = (speed * f / f64::from(on.duration.saturating_sub(1).max(1))).min(1.0);
        let seconds = speed * f / on.fps;
        let wave = |period: f64| libm::sin(TAU * seconds / period);
        let mut opacity = 1.0;
        let scale = |v| (Property::Scale, v);
        let chain = match self.motion {
            Motion::Zoom(from, to) => vec![scale(1.0 + lerp(from, to, drifted) * k)],
            Motion::Pan(x, y) => {
                let part = lerp(1.0, -1.0, drifted) * k;
                vec![
                    (Property::X, x * part * on.size.width),
                    (Property::Y, y * part * on.size.height),
                    scale(if on.media { 1.0 + 0.1 * k } else { 1.0 }),
                ]
            }
            Motion::Swell { scale: grow, dim, period } => {
                let crest = k * (1.0 - libm::cos(TAU * seconds / period)) / 2.0;
                opacity = 1.0 - dim * crest;
                vec![scale(1.0 + grow * crest)]
            }
            Motion::Float => vec![(Property::Y, -(0.02 * on.size.height + 4.0) * k * wave(3.0))],
            Motion::Sway(degrees) => vec![(Property::Rotate, degrees * k * wave(3.0))],
            Motion::Spin(degrees) => vec![(Property::Rotate, degrees * k * seconds)],
        };
        let moving = k > 0.0 && speed > 0.0 && (self.loops() || drifted < 1.0);
        Moved { transform: flatten(chain, on.size, on.center), opacity, moving }
    }
}
