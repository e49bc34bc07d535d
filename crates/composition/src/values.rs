//! Kinds of values that several overlays have: CSS values and frames.

use rondo_fields::{Text, Whole, text, whole};

/// A CSS value: a string, or a number that stands for itself.
pub(crate) fn style() -> Text {
    text().or_number()
}

/// A CSS value that is a length, or starts with one: a string, or a number of pixels.
pub(crate) fn length() -> Text {
    text().or_number_of("px")
}

/// A position in time in frames, rounded to a whole one.
pub(crate) fn frame() -> Whole<i64> {
    whole()
}

/// A length in frames: rounded, refused below zero.
pub(crate) fn frames() -> Whole<u32> {
    whole().at_least(0)
}
