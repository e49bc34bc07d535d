//! Elements: their times and places, pictures, videos, sounds and narration.

use serde_json::{Value, json};

use super::{style, text};
use crate::fields::Fields;
use crate::film::{Film, Overlay, Rect, tidy};
use crate::motion::{Motion, Property};
use crate::place::{CENTER, Nine, object_position, place, placed};
use crate::speech;

/// How long an element lasts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lasts {
    Known(f64),
    /// As long as its scene, or as the movie.
    Fills,
    /// As long as its file.
    Media,
}

pub fn start(fields: &Fields<'_>) -> f64 {
    fields.number("start").unwrap_or(0.0).max(0.0)
}

/// A duration of -1 is that of the contents, -2 that of the scene.
pub fn lasts(fields: &Fields<'_>) -> Lasts {
    let extra = fields.number("extra-time").unwrap_or(0.0).max(0.0);
    let duration = fields.number("duration").unwrap_or(-1.0);
    let kind = fields.peek("type").and_then(Value::as_str).unwrap_or_default();
    match (duration, kind) {
        (duration, _) if duration > 0.0 => Lasts::Known(duration + extra),
        (-2.0, _) => Lasts::Fills,
        (_, "voice") => {
            let text = fields.peek("text").and_then(Value::as_str).unwrap_or_default();
            Lasts::Known(speech::spoken_seconds(text) + extra)
        }
        (_, "video" | "audio") => Lasts::Media,
        _ => Lasts::Fills,
    }
}

/// Whether an element or scene is shown. Only conditions that are a plain value by now are decided.
pub fn condition(fields: &Fields<'_>) -> bool {
    let Some(condition) = fields.text("condition") else { return true };
    let condition = condition.trim();
    match condition {
        "" | "false" | "0" | "null" => {
            fields
                .notes
                .no_equivalent(fields.at("condition"), "The condition is not met now. It is left out.");
            false
        }
        "true" | "1" => true,
        _ => {
            let message = "A composition has no conditions. It is shown always.";
            fields.notes.no_equivalent(fields.at("condition"), message);
            true
        }
    }
}

/// The overlays of an element, back to front.
pub fn import(fields: &Fields<'_>, length: f64, film: &Film) -> Vec<Overlay> {
    let kind = fields.text("type").unwrap_or_default();
    fields.skip(&[
        "id",
        "comment",
        "cache",
        "variables",
        "z-index",
        "condition",
        "start",
        "duration",
        "extra-time",
    ]);
    let overlays = match &*kind {
        "image" | "video" => vec![picture(fields, &kind, film)],
        "audio" => vec![audio(fields)],
        "voice" => vec![voice(fields, length)],
        "text" => vec![text::text(fields, length, film)],
        "html" => text::html(fields, film).into_iter().collect(),
        "subtitles" => vec![text::subtitles(fields, film)],
        _ => {
            let message = match &*kind {
                "component" => {
                    "Components are drawn by the other service. Draw them with texts and shapes.".to_owned()
                }
                "audiogram" => {
                    "A composition does not draw sound waves. Use the sticker `audio-visualiser`.".to_owned()
                }
                _ => format!("A composition has no element `{kind}`."),
            };
            fields.notes.no_equivalent(&*fields.path, format!("{message} The element is left out."));
            fields.skip_all();
            Vec::new()
        }
    };
    if kind != "voice" && kind != "audio" && kind != "subtitles" {
        style::rotation_note(fields);
    }
    overlays
}

/// Where an element stands: its box, and the place in it.
pub fn frame(fields: &Fields<'_>, film: &Film) -> (Rect, Nine, bool) {
    let size = |key: &'static str| fields.number(key).filter(|size| *size > 0.0);
    let (width, height) = (size("width"), size("height"));
    let position = fields.text("position").unwrap_or_else(|| "custom".into());
    let (x, y) = (fields.number("x"), fields.number("y"));
    let canvas = film.canvas();
    let whole = (width.unwrap_or(film.width), height.unwrap_or(film.height));
    let own_size = width.is_some() || height.is_some();
    if position == "custom" || place(&position).is_none() {
        if position != "custom" {
            fields
                .notes
                .value_ignored(fields.at("position"), "This position is not known. `custom` is used.");
        }
        let rect = Rect::new(x.unwrap_or(0.0), y.unwrap_or(0.0), whole.0, whole.1);
        let at = if own_size { (0.0, 0.0) } else { CENTER };
        return (rect, at, own_size);
    }
    let at = place(&position).unwrap_or(CENTER);
    // Places at the edge keep a margin of 5 %.
    let margin = if own_size || at != CENTER { (film.width * 0.05, film.height * 0.05) } else { (0.0, 0.0) };
    let whole = match own_size {
        true => whole,
        false => (film.width - 2.0 * margin.0, film.height - 2.0 * margin.1),
    };
    (placed(canvas, whole.0, whole.1, at, margin).moved(x.unwrap_or(0.0), y.unwrap_or(0.0)), at, own_size)
}

fn picture(fields: &Fields<'_>, kind: &str, film: &Film) -> Overlay {
    let kind = if kind == "video" { "video" } else { "image" };
    let mut overlay = Overlay::new(kind, fields.path.clone());
    source(fields, &mut overlay);
    let (rect, at, own_size) = frame(fields, film);
    overlay.rect = rect;
    let one_side =
        fields.number("width").is_some_and(|w| w > 0.0) != fields.number("height").is_some_and(|h| h > 0.0);
    let fit = match fields.text("resize").as_deref() {
        Some("cover") => "cover",
        Some("fill" | "stretch") => "fill",
        Some("fit" | "contain") => "contain",
        Some(_) => {
            fields.notes.value_ignored(
                fields.at("resize"),
                "This must be cover, fill, fit or contain. It is ignored.",
            );
            "cover"
        }
        None if one_side => "contain",
        None if !own_size && at != CENTER => "scale-down",
        None => "cover",
    };
    overlay.style("objectFit", fit);
    if matches!(fit, "contain" | "scale-down") && at != CENTER {
        overlay.style("objectPosition", object_position(at));
    }
    style::media(fields, &mut overlay);
    if kind == "video" {
        playback(fields, &mut overlay, "videoStartTime");
    }
    fields.refuse(
        &["prompt", "model", "model-settings", "connection"],
        "A composition does not generate media.",
    );
    overlay
}

fn audio(fields: &Fields<'_>) -> Overlay {
    let mut overlay = Overlay::new("sound", fields.path.clone());
    source(fields, &mut overlay);
    playback(fields, &mut overlay, "startFromSound");
    overlay
}

fn voice(fields: &Fields<'_>, length: f64) -> Overlay {
    let content = fields.content("text").unwrap_or_default();
    let name = content.variable.or_else(|| fields.text("id")).unwrap_or_else(|| "narration".into());
    if fields.number("duration").unwrap_or(-1.0) <= 0.0 {
        let message = format!("The length depends on the voice. {length} s are assumed.");
        fields.notes.length_assumed(fields.at("duration"), message);
    }
    fields.skip(&["voice", "model", "connection", "model-settings", "language"]);
    let mut overlay = speech::narration(&content.text, name, &fields.path, fields.notes);
    playback(fields, &mut overlay, "startFromSound");
    overlay
}

fn source(fields: &Fields<'_>, overlay: &mut Overlay) {
    let src = fields.content("src").unwrap_or_default();
    if src.text.is_empty() {
        fields.notes.media_needed(
            fields.at("src"),
            "The media has no address. Set `src` before the film is rendered.",
        );
    }
    overlay.content("src", src);
}

fn playback(fields: &Fields<'_>, overlay: &mut Overlay, in_point: &str) {
    if let Some(seek) = fields.number("seek").filter(|seek| *seek > 0.0) {
        overlay.field(in_point, seek);
    }
    if let Some(speed) = fields.number("speed").filter(|speed| *speed > 0.0) {
        overlay.field("speed", speed.clamp(0.01, 100.0));
    }
    let muted = fields.flag("muted") == Some(true);
    let volume = fields.number("volume");
    if volume.is_some_and(|volume| volume > 1.0) {
        fields.notes.approximated(fields.at("volume"), "A sound is at most as loud as its file.");
    }
    overlay.style_if("volume", if muted { Some(0.0) } else { volume.map(|volume| volume.clamp(0.0, 1.0)) });
    let repeats = fields
        .value("loop")
        .is_some_and(|value| !matches!(value.as_f64(), Some(1.0 | 0.0)) && value != false);
    if repeats {
        let message = "Media do not repeat in a composition: a video holds its last frame, a sound ends.";
        fields.notes.no_equivalent(fields.at("loop"), message);
    }
}

/// `fade-in` and `fade-out`, of the picture and of the sound.
pub fn fades(fields: &Fields<'_>, overlay: &mut Overlay) {
    for (key, side, sound) in [("fade-in", "enter", "fadeIn"), ("fade-out", "exit", "fadeOut")] {
        let Some(seconds) = fields.number(key).filter(|seconds| *seconds > 0.0) else { continue };
        if overlay.kind != "sound" {
            overlay.animation(side, "fade");
            overlay.animation(&format!("{side}Duration"), seconds);
        }
        if matches!(overlay.kind, "sound" | "video") {
            overlay.style(sound, seconds);
        }
    }
}

/// `zoom`, `pan` and turning.
pub fn moves(fields: &Fields<'_>, film: &Film, overlay: &mut Overlay) {
    if !matches!(overlay.kind, "image" | "video") {
        return;
    }
    let zoom = fields.number("zoom").unwrap_or(0.0).clamp(-10.0, 10.0);
    if zoom != 0.0 {
        overlay.animation("during", if zoom > 0.0 { "ken-burns-in" } else { "ken-burns-out" });
        overlay.animation("duringIntensity", tidy((zoom.abs() / 3.0).min(5.0)));
    }
    let distance = fields.number("pan-distance").unwrap_or(0.1).clamp(0.01, 0.5);
    fields.refuse(&["pan-crop"], "A picture that pans keeps the crop of its box.");
    let mut motion = Motion::default();
    let seconds = overlay.length;
    if let Some(pan) = fields.text("pan") {
        let Rect { width, height, .. } = overlay.rect;
        let way = |low: &str, high: &str| match (pan.contains(low), pan.contains(high)) {
            (true, _) => -1.0,
            (_, true) => 1.0,
            _ => 0.0,
        };
        for (property, sign, side) in
            [(Property::X, way("left", "right"), width), (Property::Y, way("top", "bottom"), height)]
        {
            let reach = side * distance / 2.0 * sign;
            if reach != 0.0 {
                motion.ramp(property, (-reach, 0.0), (reach, seconds));
            }
        }
        motion.ramp(Property::Scale, (1.0 + distance, 0.0), (1.0 + distance, seconds));
    }
    if let Some(rotate) = fields.fields("rotate") {
        let angle = rotate.number("angle").unwrap_or(0.0);
        let speed = rotate.number("speed").unwrap_or(0.0);
        if speed > 0.0 {
            motion.ramp(Property::Rotate, (0.0, 0.0), (angle, speed));
        } else {
            overlay.rotation = angle;
        }
        rotate.finish();
    }
    motion.apply(overlay, film.fps);
}

/// The keying of a picture.
pub fn chroma_key(fields: &Fields<'_>, overlay: &mut Overlay) {
    let Some(key) = fields.fields("chroma-key") else { return };
    let color = key.text("color").unwrap_or_else(|| "#00ff00".into());
    let tolerance = key.number("tolerance").unwrap_or(25.0).clamp(0.0, 100.0);
    let sensitivity = (100.0 + tolerance * 1.5).min(255.0);
    overlay.field("greenscreen", json!({
        "enabled": true, "sensitivity": tidy(sensitivity), "smoothing": 1, "spill": 0.5, "keyColor": color,
    }));
    fields.notes.approximated(&*key.path, "Keying works differently. Check the edges.");
    key.finish();
}
