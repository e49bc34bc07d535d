//! Boxes at one of nine places of the canvas.

use crate::film::Rect;

/// A place as fractions of the free room: 0 is left or top, 1 is right or bottom.
pub type Nine = (f64, f64);

pub const CENTER: Nine = (0.5, 0.5);

/// The nine places by name, without hyphens and in lower case.
const PLACES: [(&str, Nine); 18] = [
    ("topleft", (0.0, 0.0)),
    ("top", (0.5, 0.0)),
    ("topcenter", (0.5, 0.0)),
    ("centertop", (0.5, 0.0)),
    ("topright", (1.0, 0.0)),
    ("left", (0.0, 0.5)),
    ("centerleft", (0.0, 0.5)),
    ("midleft", (0.0, 0.5)),
    ("center", CENTER),
    ("centercenter", CENTER),
    ("right", (1.0, 0.5)),
    ("centerright", (1.0, 0.5)),
    ("midright", (1.0, 0.5)),
    ("bottomleft", (0.0, 1.0)),
    ("bottom", (0.5, 1.0)),
    ("bottomcenter", (0.5, 1.0)),
    ("centerbottom", (0.5, 1.0)),
    ("bottomright", (1.0, 1.0)),
];

/// A place by its name, however it is written.
pub fn place(name: &str) -> Option<Nine> {
    let name: String =
        name.chars().filter(|c| c.is_ascii_alphabetic()).collect::<String>().to_ascii_lowercase();
    crate::fields::named(&PLACES, &name)
}

/// A box of a size at a place, with a margin.
pub fn placed(canvas: Rect, width: f64, height: f64, at: Nine, margin: (f64, f64)) -> Rect {
    let shift = |free: f64, fraction: f64, margin: f64| free * fraction + margin * (1.0 - 2.0 * fraction);
    Rect::new(
        canvas.left + shift(canvas.width - width, at.0, margin.0),
        canvas.top + shift(canvas.height - height, at.1, margin.1),
        width,
        height,
    )
}

/// CSS `object-position` of a place.
pub fn object_position(at: Nine) -> String {
    format!("{}% {}%", at.0 * 100.0, at.1 * 100.0)
}

/// CSS `text-align` of a fraction.
pub fn text_align(fraction: f64) -> &'static str {
    match fraction {
        f if f < 0.25 => "left",
        f if f > 0.75 => "right",
        _ => "center",
    }
}

/// `verticalAlign` of a fraction.
pub fn vertical_align(fraction: f64) -> &'static str {
    match fraction {
        f if f < 0.25 => "top",
        f if f > 0.75 => "bottom",
        _ => "middle",
    }
}
