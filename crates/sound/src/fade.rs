//! Gains over time: an overlay's fades, and the short ramps that keep cuts from clicking.

use crate::SAMPLE_RATE;

/// Frames of the ramp at a cut: 2 ms.
pub(crate) const RAMP: u64 = 96;

/// The fades of one span: linear amplitude, multiplied where they overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fades {
    length: u64,
    fade_in: f64,
    fade_out: f64,
}

impl Fades {
    /// `length` in frames, fades in seconds; anything but a positive number means no fade.
    pub(crate) fn new(length: u64, fade_in: f64, fade_out: f64) -> Self {
        let frames = |seconds: f64| {
            let frames = seconds * f64::from(SAMPLE_RATE);
            if frames.is_finite() { frames.max(0.0) } else { 0.0 }
        };
        Self { length, fade_in: frames(fade_in), fade_out: frames(fade_out) }
    }

    /// Gain at `frame` of the span. Exactly 1 outside the fades.
    pub(crate) fn gain(&self, frame: u64) -> f32 {
        let before = frame as f64;
        let after = self.length.saturating_sub(frame) as f64;
        let rise = if before < self.fade_in { before / self.fade_in } else { 1.0 };
        let fall = if after < self.fade_out { after / self.fade_out } else { 1.0 };
        (rise * fall) as f32
    }

    /// Whether the fade in already starts the span without a click.
    pub(crate) fn softens_start(&self) -> bool {
        self.fade_in >= RAMP as f64
    }

    pub(crate) fn softens_end(&self) -> bool {
        self.fade_out >= RAMP as f64
    }
}

/// Gain `distance` frames away from a cut, 1 from [`RAMP`] on. It rises fast, so that an attack right at the cut is heard
/// within a millisecond of its place.
pub(crate) fn declick(distance: u64) -> f32 {
    if distance >= RAMP {
        return 1.0;
    }
    let part = (distance as f32 + 0.5) / RAMP as f32;
    libm::sinf(part * std::f32::consts::FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fades_are_linear_and_multiply_where_they_overlap() {
        let fades = Fades::new(96_000, 1.0, 0.5);
        assert_eq!([fades.gain(0), fades.gain(12_000), fades.gain(48_000)], [0.0, 0.25, 1.0]);
        assert_eq!([fades.gain(72_000), fades.gain(84_000), fades.gain(96_000)], [1.0, 0.5, 0.0]);
        let crossing = Fades::new(1_000, 1_000.0 / 48_000.0, 1_000.0 / 48_000.0);
        assert!((crossing.gain(500) - 0.25).abs() < 1e-6);
    }

    #[test]
    fn invalid_fades_are_ignored() {
        for fade in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Fades::new(100, fade, fade).gain(0), 1.0);
        }
    }
}
