//! How far into its entrance and its exit an overlay is.

/// Length of a ramp whose duration is not given, at any frame rate.
pub const DEFAULT_RAMP_FRAMES: f64 = 15.0;

/// Lengths of the entrance and the exit of one overlay, in frames; fractional where both had to shrink to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramps {
    pub enter: f64,
    pub exit: f64,
    /// Length of the overlay.
    pub duration: f64,
}

/// Whether a side has a preset, and its duration in seconds if the author gave one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    pub preset: bool,
    pub seconds: Option<f64>,
}

impl Ramps {
    pub fn new(enter: Side, exit: Side, duration: u32, fps: f64) -> Self {
        let duration = f64::from(duration);
        let frames = |side: Side| {
            side.seconds.map_or(DEFAULT_RAMP_FRAMES, |s| (s.clamp(0.0, 1e6) * fps + 0.5).floor().max(1.0))
        };
        let (mut e, mut x) = (frames(enter), frames(exit));
        if enter.preset && exit.preset {
            let shrink = (duration / (e + x)).min(1.0);
            (e, x) = (e * shrink, x * shrink);
        } else if enter.preset {
            e = e.min(duration);
        } else if exit.preset {
            x = x.min(duration);
        }
        Self { enter: e, exit: x, duration }
    }

    /// Progress of the entrance: 0 fully out, 1 settled.
    pub fn entered(&self, frame: u32) -> f64 {
        (f64::from(frame) / self.enter.max(1e-9)).clamp(0.0, 1.0)
    }

    /// Progress of the exit: 0 not begun, 1 gone.
    pub fn left(&self, frame: u32) -> f64 {
        ((f64::from(frame) - (self.duration - self.exit)) / self.exit.max(1e-9)).clamp(0.0, 1.0)
    }
}
