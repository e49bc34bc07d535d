//! What all elements share: place, size, rotation, opacity, filters and shadows.

use serde_json::Value;

use super::group::Group;
use super::units::{degrees, length, share, text};
use crate::color;
use crate::fields::Fields;
use crate::film::{Overlay, Rect, tidy};
use crate::length::Base;

/// What an element is, as far as its place and motion depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Media,
    Shape,
    Group,
    Sound,
}

impl Kind {
    pub fn of(name: &str) -> Self {
        match name {
            "text" => Self::Text,
            "image" | "video" => Self::Media,
            "audio" => Self::Sound,
            "composition" => Self::Group,
            _ => Self::Shape,
        }
    }
}

/// CSS filters by `color_filter`, from the share of its value.
type Filter = fn(f64) -> String;
const FILTERS: [(&str, Filter); 7] = [
    ("brighten", |share| format!("brightness({})", tidy(1.0 + share))),
    ("contrast", |share| format!("contrast({})", tidy(1.0 + share))),
    ("hue", |share| format!("hue-rotate({}deg)", tidy(share * 360.0))),
    ("invert", |share| format!("invert({})", tidy(share))),
    ("grayscale", |share| format!("grayscale({})", tidy(share))),
    ("sepia", |share| format!("sepia({})", tidy(share))),
    ("saturate", |share| format!("saturate({})", tidy(1.0 + share))),
];

/// What lengths of an element refer to.
pub fn base(parent: Rect, whole: f64) -> Base {
    Base { width: parent.width, height: parent.height, whole, em: 16.0 }
}

/// The share of an element that stands at its x and y.
pub fn anchor(fields: &Fields<'_>) -> (f64, f64) {
    (share(fields, "x_anchor").unwrap_or(0.5), share(fields, "y_anchor").unwrap_or(0.5))
}

/// Where an element stands, in pixels of the canvas.
pub fn point(fields: &Fields<'_>, parent: Rect) -> (f64, f64) {
    let at = |key: &'static str, whole: f64| match fields.peek(key) {
        // The way from here is read with the motion.
        Some(Value::Array(_)) => {
            super::units::keyframes(fields, key, |value| super::units::length_of(value, base(parent, whole)))
                .and_then(|keyframes| keyframes.first().map(|keyframe| keyframe.value))
        }
        _ => length(fields, key, base(parent, whole)),
    };
    let x = at("x", parent.width).unwrap_or(parent.width / 2.0);
    let y = at("y", parent.height).unwrap_or(parent.height / 2.0);
    (parent.left + x, parent.top + y)
}

/// The box of an element, before rotation.
pub fn rect(fields: &Fields<'_>, parent: Rect, kind: Kind) -> Rect {
    let ratio = fields.number("aspect_ratio").filter(|ratio| *ratio > 0.0);
    let width = length(fields, "width", base(parent, parent.width));
    let height = length(fields, "height", base(parent, parent.height));
    let (width, height) = match (width, height, ratio) {
        (Some(width), None, Some(ratio)) => (width, width / ratio),
        (None, Some(height), Some(ratio)) => (height * ratio, height),
        (None, None, Some(ratio)) => {
            let width = parent.width.min(parent.height * ratio);
            (width, width / ratio)
        }
        (width, height, _) => (width.unwrap_or(parent.width), height.unwrap_or(parent.height)),
    };
    let (scale_x, scale_y) = scale(fields);
    let (width, height) = (width.max(0.0) * scale_x.abs(), height.max(0.0) * scale_y.abs());
    let (x, y) = point(fields, parent);
    let (ax, ay) = anchor(fields);
    let rect = Rect::new(x - width * ax, y - height * ay, width, height);
    let pad = |key, whole| length(fields, key, base(parent, whole)).unwrap_or(0.0).max(0.0);
    let (px, py) = (pad("x_padding", parent.width), pad("y_padding", parent.height));
    match kind {
        // The padding of a text is inside its box.
        Kind::Text => rect,
        _ => Rect::about(
            rect.center().0,
            rect.center().1,
            (rect.width - 2.0 * px).max(0.0),
            (rect.height - 2.0 * py).max(0.0),
        ),
    }
}

/// The steady scale of an element.
pub fn scale(fields: &Fields<'_>) -> (f64, f64) {
    let steady = |key: &'static str| match fields.peek(key) {
        Some(Value::Array(_)) | None => 1.0,
        Some(_) => share(fields, key).unwrap_or(1.0),
    };
    (steady("x_scale"), steady("y_scale"))
}

/// The look that all visible elements share.
pub fn look(fields: &Fields<'_>, rect: Rect, group: &Group, overlay: &mut Overlay) {
    let parent = group.rect;
    if !fields.peek("opacity").is_some_and(Value::is_array) {
        overlay.style_if("opacity", share(fields, "opacity").map(|opacity| opacity.clamp(0.0, 1.0)));
    }
    for key in ["z_rotation", "rotation"] {
        if !fields.peek(key).is_some_and(Value::is_array) {
            overlay.rotation += degrees(fields, key).unwrap_or(0.0);
        }
    }
    turned_about_anchor(fields, rect, overlay);
    let mut transform = Vec::new();
    let (scale_x, scale_y) = scale(fields);
    if scale_x < 0.0 || scale_y < 0.0 {
        transform.push(format!("scale({}, {})", scale_x.signum(), scale_y.signum()));
    }
    let turned = ["x_rotation", "y_rotation"].map(|key| degrees(fields, key).unwrap_or(0.0));
    if turned != [0.0, 0.0] {
        let depth = length(fields, "perspective", base(parent, parent.width)).unwrap_or(parent.width);
        let [x, y] = turned;
        transform.push(format!("perspective({}px) rotateX({x}deg) rotateY({y}deg)", tidy(depth)));
    }
    fields.skip(&["perspective"]);
    if fields.flag("backface_visible") == Some(false) {
        fields
            .notes
            .no_equivalent(fields.at("backface_visible"), "The back of an element is always visible.");
    }
    let skewed = ["x_skew", "y_skew"].map(|key| degrees(fields, key).unwrap_or(0.0));
    if skewed != [0.0, 0.0] {
        transform.push(format!("skew({}deg, {}deg)", skewed[0], skewed[1]));
    }
    if !transform.is_empty() {
        overlay.style("transform", transform.join(" "));
    }
    filters(fields, parent, overlay);
    if let Some(mode) = text(fields, "blend_mode").filter(|mode| mode != "none" && mode != "normal") {
        overlay.style("mixBlendMode", mode);
    }
    fields.refuse(&["mask_mode"], "A composition has no masks.");
    fields.refuse(&["warp_mode", "warp_matrix"], "A composition does not warp elements.");
    fields.refuse(&["repeat"], "A composition does not repeat elements.");
}

/// A rotation is about the anchor; a composition's is about the centre.
fn turned_about_anchor(fields: &Fields<'_>, rect: Rect, overlay: &mut Overlay) {
    let (ax, ay) = anchor(fields);
    if overlay.rotation == 0.0 || (ax, ay) == (0.5, 0.5) {
        return;
    }
    let (sin, cos) = libm::sincos(overlay.rotation.to_radians());
    let (dx, dy) = (rect.width * (0.5 - ax), rect.height * (0.5 - ay));
    overlay.rect = overlay.rect.moved(dx * cos - dy * sin - dx, dx * sin + dy * cos - dy);
}

fn filters(fields: &Fields<'_>, parent: Rect, overlay: &mut Overlay) {
    let mut filters = Vec::new();
    if let Some(name) = text(fields, "color_filter").filter(|name| name != "none") {
        let value = share(fields, "color_filter_value").unwrap_or(1.0);
        match crate::fields::named(&FILTERS, &name) {
            Some(filter) => filters.push(filter(value)),
            None => {
                fields.notes.no_equivalent(fields.at("color_filter"), format!("There is no filter `{name}`."))
            }
        }
    }
    fields.skip(&["color_filter_value"]);
    if !fields.peek("blur_radius").is_some_and(Value::is_array)
        && let Some(blur) = length(fields, "blur_radius", base(parent, 0.0)).filter(|blur| *blur > 0.0)
    {
        filters.push(format!("blur({}px)", tidy(blur)));
    }
    fields.refuse(&["blur_mode"], "A blur covers the whole element.");
    if filters.is_empty() {
        return;
    }
    match overlay.kind {
        "image" | "video" | "text" => overlay.style("filter", filters.join(" ")),
        _ => fields.notes.no_equivalent(&*fields.path, "Only pictures, videos and texts have filters."),
    }
}

/// The shadow of an element as CSS.
pub fn shadow(fields: &Fields<'_>, parent: Rect) -> Option<String> {
    let shadow_color = text(fields, "shadow_color").and_then(|text| color::css(&text));
    let [x, y, blur] = ["shadow_x", "shadow_y", "shadow_blur"]
        .map(|key| length(fields, key, base(parent, parent.width)).unwrap_or(0.0));
    let shadow_color = shadow_color?;
    Some(format!("{}px {}px {}px {shadow_color}", tidy(x), tidy(y), tidy(blur.max(0.0))))
}

/// A corner radius as CSS.
pub fn radius(fields: &Fields<'_>, key: &'static str, parent: Rect) -> Option<String> {
    let written = text(fields, key)?;
    if written.trim().ends_with('%') {
        return Some(written.replace(' ', ""));
    }
    length(fields, key, base(parent, parent.width))
        .filter(|radius| *radius > 0.0)
        .map(|px| format!("{}px", tidy(px)))
}

/// The stroke of an element: width in pixels and colour.
pub fn stroke(fields: &Fields<'_>, parent: Rect) -> Option<(f64, String)> {
    fields.refuse(
        &["stroke_cap", "stroke_join", "stroke_miter_limit"],
        "A composition does not set the ends and corners of strokes.",
    );
    fields.refuse(&["stroke_start", "stroke_offset", "stroke_length"], "Strokes are drawn as a whole.");
    let stroke_color = text(fields, "stroke_color").and_then(|text| color::css(&text));
    let width = length(fields, "stroke_width", base(parent, parent.width))
        .unwrap_or(parent.width.min(parent.height) / 100.0);
    stroke_color.filter(|_| width > 0.0).map(|stroke_color| (width, stroke_color))
}
