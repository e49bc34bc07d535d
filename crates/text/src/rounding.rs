//! Lengths as browsers keep them: in 64ths of a pixel, finite and bounded.

/// Widths are kept on a grid of 1/64 px, as browsers do.
pub(crate) fn ceil64(value: f32) -> f32 {
    (value * 64.0).ceil() / 64.0
}

pub(crate) fn floor64(value: f32) -> f32 {
    (value * 64.0).floor() / 64.0
}

pub(crate) fn round64(value: f32) -> f32 {
    (value * 64.0).round() / 64.0
}

/// Sizes beyond what any canvas shows, infinities and NaN are brought into range.
pub(crate) fn sane(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1e5) }
}

pub(crate) fn sane_signed(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-1e4, 1e4) }
}
