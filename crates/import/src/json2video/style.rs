//! The look of pictures and videos: crops, corrections, flips and keys.

use super::element::chroma_key;
use crate::fields::Fields;
use crate::film::{Overlay, tidy};

pub fn media(fields: &Fields<'_>, overlay: &mut Overlay) {
    chroma_key(fields, overlay);
    crop(fields, overlay);
    correction(fields, overlay);
    let sign = |key| if fields.flag(key) == Some(true) { -1 } else { 1 };
    let flips = (sign("flip-horizontal"), sign("flip-vertical"));
    if flips != (1, 1) {
        overlay.style("transform", format!("scale({}, {})", flips.0, flips.1));
    }
    overlay.style_if("opacity", fields.number("opacity").map(|opacity| opacity.clamp(0.0, 1.0)));
    overlay
        .style_if("borderRadius", fields.number("border-radius").map(|radius| format!("{}px", tidy(radius))));
    fields.refuse(&["mask"], "A composition has no masks.");
}

/// A crop in pixels, of the box on the canvas.
fn crop(fields: &Fields<'_>, overlay: &mut Overlay) {
    let Some(crop) = fields.fields("crop") else { return };
    let (width, height) = (overlay.rect.width.max(1.0), overlay.rect.height.max(1.0));
    let x = crop.number("x").unwrap_or(0.0).clamp(0.0, width);
    let y = crop.number("y").unwrap_or(0.0).clamp(0.0, height);
    let crop_width = crop.number("width").filter(|width| *width > 0.0).unwrap_or(width - x);
    let crop_height = crop.number("height").filter(|height| *height > 0.0).unwrap_or(height - y);
    overlay.style("cropEnabled", true);
    overlay.style("cropX", tidy(x / width * 100.0));
    overlay.style("cropY", tidy(y / height * 100.0));
    overlay.style("cropWidth", tidy((crop_width / width * 100.0).min(100.0)));
    overlay.style("cropHeight", tidy((crop_height / height * 100.0).min(100.0)));
    fields.notes.approximated(&*crop.path, "The crop is taken from the element's box on the canvas.");
    crop.finish();
}

fn correction(fields: &Fields<'_>, overlay: &mut Overlay) {
    let Some(correction) = fields.fields("correction") else { return };
    let mut filters = Vec::new();
    if let Some(brightness) = correction.number("brightness").filter(|value| *value != 0.0) {
        filters.push(format!("brightness({})", tidy(1.0 + brightness.clamp(-1.0, 1.0))));
    }
    if let Some(contrast) = correction.number("contrast").filter(|value| *value != 1.0) {
        filters.push(format!("contrast({})", tidy(contrast.clamp(0.0, 10.0))));
    }
    if let Some(saturation) = correction.number("saturation").filter(|value| *value != 1.0) {
        filters.push(format!("saturate({})", tidy(saturation.clamp(0.0, 3.0))));
    }
    correction.refuse(&["gamma"], "A composition has no gamma.");
    if !filters.is_empty() {
        overlay.style("filter", filters.join(" "));
    }
    correction.finish();
}

/// Turning, panning and zooming are for pictures and videos.
pub fn rotation_note(fields: &Fields<'_>) {
    let kind = fields.peek("type").and_then(serde_json::Value::as_str).unwrap_or_default();
    if !matches!(kind, "image" | "video") {
        fields.refuse(
            &["rotate", "pan", "zoom", "chroma-key", "correction", "crop"],
            "Only pictures and videos have this.",
        );
    }
}
