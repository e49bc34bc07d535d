//! Clips: where an asset stands, how it is fitted, and what moves it.

use rondo_composition::Error;

use super::motion::{self, Side};
use super::timing::Time;
use super::{asset, captions, html, text};
use crate::fields::{Fields, named};
use crate::film::{Film, Overlay, Rect};
use crate::motion::Motion;
use crate::place::{CENTER, Nine, object_position, place, placed};

/// CSS filters by `filter`.
const FILTERS: [(&str, &str); 8] = [
    ("blur", "blur(8px)"),
    ("boost", "contrast(1.2) saturate(1.5)"),
    ("contrast", "contrast(1.4)"),
    ("darken", "brightness(0.6)"),
    ("greyscale", "grayscale(1)"),
    ("lighten", "brightness(1.4)"),
    ("muted", "saturate(0.6) contrast(0.85)"),
    ("negative", "invert(1)"),
];

/// CSS `object-fit` by `fit`.
const FITS: [(&str, &str); 4] =
    [("crop", "cover"), ("cover", "fill"), ("contain", "contain"), ("none", "none")];

/// Where a clip stands, as far as the asset does not say it.
#[derive(Debug, Clone, Copy)]
pub struct Placing {
    pub canvas: Rect,
    pub at: Nine,
    /// Pixels to the right and down.
    pub offset: (f64, f64),
    pub scale: f64,
    /// Size of the clip in pixels, where it is given.
    pub size: (Option<f64>, Option<f64>),
}

impl Placing {
    /// A box of a size at the clip's place.
    pub fn rect(&self, width: f64, height: f64) -> Rect {
        let (width, height) = (width * self.scale, height * self.scale);
        placed(self.canvas, width, height, self.at, (0.0, 0.0)).moved(self.offset.0, self.offset.1)
    }

    /// The box of an asset with a size of its own; without one, the canvas.
    pub fn rect_of(&self, width: Option<f64>, height: Option<f64>) -> Rect {
        let width = width.or(self.size.0).unwrap_or(self.canvas.width);
        self.rect(width, height.or(self.size.1).unwrap_or(self.canvas.height))
    }
}

/// The overlays of a clip, back to front.
pub fn overlays(clip: &Fields<'_>, time: Time, film: &Film) -> Result<Vec<Overlay>, Error> {
    let notes = clip.notes;
    let Some(asset) = clip.fields("asset") else {
        notes.value_ignored(clip.at("asset"), "A clip needs an asset. The clip is left out.");
        return Ok(Vec::new());
    };
    let mut motion = Motion::default();
    let placing = placing(clip, film.canvas(), &mut motion);
    let kind = asset.text("type").unwrap_or_default();
    let mut overlays = match &*kind {
        "video" | "image" => vec![asset::picture(clip, &asset, &kind, &placing)],
        "audio" => vec![asset::audio(&asset)],
        "text-to-speech" => vec![asset::narration(&asset)],
        "shape" => vec![asset::shape(&asset, &placing)],
        "svg" => asset::svg(&asset, &placing).into_iter().collect(),
        "caption" | "rich-caption" => vec![captions::import(&asset, film)],
        "title" => text::title(&asset, film, &placing),
        "text" | "rich-text" => text::text(&asset, film, &placing, time.length),
        "html" => html::import(&asset, film, &placing),
        "luma" => {
            notes.no_equivalent(&*asset.path, "A composition has no luma mattes. The clip is left out.");
            asset.skip(&["src", "trim"]);
            Vec::new()
        }
        _ => {
            let message = format!("A composition has no asset of type `{kind}`. The clip is left out.");
            notes.no_equivalent(&*asset.path, message);
            asset.skip(&["src", "html", "html5", "css", "js", "prompt"]);
            Vec::new()
        }
    };
    asset.finish();
    clip.skip(&["fit", "alias"]);
    decorate(clip, time, film, &mut overlays, motion);
    Ok(overlays)
}

/// Reads position, offset, scale and size.
fn placing(clip: &Fields<'_>, canvas: Rect, motion: &mut Motion) -> Placing {
    let at = match clip.text("position") {
        None => CENTER,
        Some(name) => place(&name).unwrap_or_else(|| {
            clip.notes.value_ignored(clip.at("position"), "This position is not known. `center` is used.");
            CENTER
        }),
    };
    let mut offset = (0.0, 0.0);
    if let Some(fields) = clip.fields("offset") {
        // Up is positive.
        offset.0 = motion::steady_or_moving(&fields, "x", canvas.width, motion);
        offset.1 = motion::steady_or_moving(&fields, "y", -canvas.height, motion);
        fields.finish();
    }
    let scale = motion::steady_or_moving(clip, "scale", 1.0, motion);
    let scale = if clip.has("scale") && scale > 0.0 { scale } else { 1.0 };
    Placing { canvas, at, offset, scale, size: (clip.number("width"), clip.number("height")) }
}

/// The box and the fit of a picture.
pub fn fit(clip: &Fields<'_>, placing: &Placing, overlay: &mut Overlay) {
    let fit = clip.text("fit").unwrap_or_else(|| "crop".to_owned());
    let object_fit = named(&FITS, &fit).unwrap_or_else(|| {
        clip.notes.value_ignored(clip.at("fit"), "This fit is not known. `crop` is used.");
        "cover"
    });
    overlay.style("objectFit", object_fit);
    if matches!(object_fit, "contain" | "none") {
        overlay.style("objectPosition", object_position(placing.at));
    }
    overlay.rect = placing.rect_of(None, None);
    if object_fit == "none" && placing.scale != 1.0 {
        // The picture keeps its size in a box that is scaled as a whole to the size of the canvas.
        let (x, y) = placing.canvas.moved(placing.offset.0, placing.offset.1).center();
        let (width, height) = (placing.canvas.width / placing.scale, placing.canvas.height / placing.scale);
        overlay.rect = Rect::about(x, y, width, height);
        overlay.append_style("transform", &format!("scale({})", placing.scale));
    }
}

/// What a clip does to any asset: transition, effect, filter, opacity and transform.
fn decorate(clip: &Fields<'_>, time: Time, film: &Film, overlays: &mut [Overlay], mut motion: Motion) {
    let opacity = motion::steady_or_moving(clip, "opacity", 1.0, &mut motion);
    let steady_opacity = clip.has("opacity").then_some(opacity.clamp(0.0, 1.0));
    let filter = clip.text("filter").filter(|name| name != "none").and_then(|name| {
        let filter = named(&FILTERS, &name);
        if filter.is_none() {
            clip.notes.no_equivalent(clip.at("filter"), format!("There is no filter like `{name}`."));
        }
        filter
    });
    let mut rotation = 0.0;
    let mut transform = String::new();
    if let Some(fields) = clip.fields("transform") {
        transform = motion::transform(&fields, &mut rotation, &mut motion);
        fields.finish();
    }
    let mut presets = Vec::new();
    if let Some(fields) = clip.fields("transition") {
        for side in [Side::In, Side::Out] {
            presets.extend(motion::transition(&fields, side, time.length, film, &mut motion));
        }
        fields.finish();
    }
    let during = motion::effect(clip, time.length, film, &mut motion);

    for overlay in overlays.iter_mut() {
        (overlay.start, overlay.length) = (time.start, time.length);
        if overlay.kind == "sound" {
            continue;
        }
        overlay.rotation = rotation;
        overlay.style_if("opacity", steady_opacity);
        if let Some(filter) = filter {
            match overlay.kind {
                "image" | "video" | "text" => overlay.style("filter", filter),
                _ => clip.notes.no_equivalent(clip.at("filter"), "Shapes and captions have no filters."),
            }
        }
        if !transform.is_empty() && overlay.kind != "caption" {
            overlay.append_style("transform", &transform);
        }
        for (key, seconds, preset) in &presets {
            overlay.animation(key, *preset);
            overlay.animation(&format!("{key}Duration"), *seconds);
        }
        if overlay.kind != "caption" {
            for (key, value) in &during {
                overlay.animation(key, value.clone());
            }
            motion.apply(overlay, film.fps);
        }
    }
    if let Some(alias) = clip.text("alias") {
        for overlay in overlays.iter_mut().filter(|overlay| matches!(overlay.kind, "video" | "sound")) {
            overlay.name = Some(alias.clone());
        }
    }
}
