//! Images, videos and sounds.

use serde_json::Value;

use super::element::{self, Kind};
use super::group::Group;
use super::units::{seconds, share, share_of, text};
use crate::color;
use crate::fields::Fields;
use crate::film::{Overlay, tidy};
use crate::place::object_position;

/// Playback speed of media.
pub fn speed(fields: &Fields<'_>) -> f64 {
    share(fields, "speed").unwrap_or(1.0).clamp(0.01, 100.0)
}

/// An image or a video, and its colour overlay.
pub fn picture(fields: &Fields<'_>, kind: &str, group: &Group) -> Vec<Overlay> {
    let kind = if kind == "video" { "video" } else { "image" };
    let mut overlay = Overlay::new(kind, fields.path.clone());
    overlay.rect = element::rect(fields, group.rect, Kind::Media);
    source(fields, &mut overlay);
    let fit = text(fields, "fit").unwrap_or_else(|| "cover".into());
    match &*fit {
        "cover" | "contain" | "fill" => overlay.style("objectFit", fit),
        _ => fields
            .notes
            .value_ignored(fields.at("fit"), "This must be cover, contain or fill. `cover` is used."),
    }
    let align = (share(fields, "x_alignment").unwrap_or(0.5), share(fields, "y_alignment").unwrap_or(0.5));
    if align != (0.5, 0.5) {
        overlay.style("objectPosition", object_position(align));
    }
    overlay.style_if("borderRadius", element::radius(fields, "border_radius", group.rect));
    if let Some((width, stroke)) = element::stroke(fields, group.rect) {
        overlay.style("border", format!("{}px solid {stroke}", tidy(width)));
    }
    overlay.style_if("boxShadow", element::shadow(fields, group.rect));
    fields.refuse(&["smart_crop"], "A crop does not follow the subject. Set the alignment instead.");
    if kind == "video" {
        playback(fields, &mut overlay, "videoStartTime");
    }
    let rect = overlay.rect;
    element::look(fields, rect, group, &mut overlay);
    let mut overlays = vec![overlay];
    if let Some(tint) = text(fields, "color_overlay").and_then(|tint| color::css(&tint)) {
        let mut shape = overlays[0].clone_as("shape");
        shape.field("content", "rectangle");
        shape.style("fill", tint);
        overlays.push(shape);
    }
    overlays
}

pub fn audio(fields: &Fields<'_>) -> Overlay {
    let mut overlay = Overlay::new("sound", fields.path.clone());
    source(fields, &mut overlay);
    playback(fields, &mut overlay, "startFromSound");
    fields.skip(&["x", "y", "width", "height", "animations"]);
    overlay
}

fn source(fields: &Fields<'_>, overlay: &mut Overlay) {
    let source = fields.content("source").unwrap_or_default();
    fields.refuse(&["provider"], "A composition does not generate media. Set `src` to a file.");
    let is_address =
        ["http:", "https:", "data:", "/", "."].iter().any(|start| source.text.starts_with(start));
    if source.text.is_empty() {
        fields.notes.media_needed(
            fields.at("source"),
            "The media has no address. Set `src` before the film is rendered.",
        );
    } else if !is_address && source.text.len() == 36 && source.text.matches('-').count() == 4 {
        let message = "This is the id of a file in the other service. Set `src` to an address.";
        fields.notes.media_needed(fields.at("source"), message);
    }
    overlay.content("src", source);
}

fn playback(fields: &Fields<'_>, overlay: &mut Overlay, in_point: &str) {
    if let Some(start) = seconds(fields, "trim_start").filter(|start| *start > 0.0) {
        overlay.field(in_point, start);
    }
    fields.skip(&["trim_duration"]);
    let speed = speed(fields);
    if speed != 1.0 {
        overlay.field("speed", tidy(speed));
    }
    match fields.peek("volume") {
        Some(Value::Array(keyframes)) => {
            fields.skip(&["volume"]);
            let values: Vec<f64> =
                keyframes.iter().filter_map(|k| k.get("value").and_then(share_of)).collect();
            overlay.style("volume", values.iter().copied().fold(0.0, f64::max).clamp(0.0, 1.0));
            let message =
                "A sound has one volume with a fade at its start and its end. The loudest volume is used.";
            fields.notes.approximated(fields.at("volume"), message);
        }
        _ => overlay.style_if("volume", share(fields, "volume").map(|volume| volume.clamp(0.0, 1.0))),
    }
    overlay.style_if("fadeIn", seconds(fields, "audio_fade_in").filter(|fade| *fade > 0.0));
    overlay.style_if("fadeOut", seconds(fields, "audio_fade_out").filter(|fade| *fade > 0.0));
    fields.refuse(
        &["loop"],
        "Media do not repeat in a composition: a video holds its last frame, a sound ends.",
    );
}
