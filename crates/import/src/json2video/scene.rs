//! Scenes: their times, their backgrounds, and the transitions between them.

use rondo_composition::Error;
use serde_json::Value;

use super::element::{self, Lasts};
use super::{Filled, Reader, without};
use crate::color;
use crate::fields::Fields;
use crate::film::{Film, Overlay};
use crate::merge::Scope;
use crate::motion::{Motion, Property};
use crate::notes::Notes;

/// Seconds of media whose length only the file knows.
const MEDIA: f64 = 10.0;
/// Seconds of a picture or text in a scene without a length.
const STILL: f64 = 5.0;
/// Repetitions of one scene.
const MOST_REPEATS: usize = 500;
/// Seconds of a transition without a duration.
const TRANSITION: f64 = 1.0;

/// Adds a scene that starts at a time, as often as it is repeated. Returns when it ends.
pub fn import(
    scene: &Value,
    path: &str,
    outer: &Scope<'_>,
    start: f64,
    film: &mut Film,
    reader: &mut Reader<'_>,
) -> Result<f64, Error> {
    let scope = reader.variables(scene, Some(outer))?;
    let list = scene.get("iterate").and_then(Value::as_str);
    let Some(list) = list else { return once(scene, path, &scope, start, film, reader) };
    let items = scope.get(list.trim()).and_then(Value::as_array).cloned();
    let Some(items) = items else {
        let message = "No variable with this name is an array. The scene is shown once.";
        reader.notes.value_ignored(format!("{path}.iterate"), message);
        return once(scene, path, &scope, start, film, reader);
    };
    let mut end = start;
    for (number, item) in items.iter().take(MOST_REPEATS).enumerate() {
        let own = item.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
        let scope = Scope::new(own, Some(&scope));
        let before = film.overlays().len();
        end = once(scene, path, &scope, end, film, reader)?;
        // Each repetition has variables of its own.
        for overlay in film.overlays_mut().iter_mut().skip(before) {
            if let Some(name) = overlay.variable.as_mut().filter(|name| item.get(name.as_str()).is_some()) {
                *name = format!("{name}-{}", number + 1);
            }
        }
    }
    Ok(end)
}

fn once(
    scene: &Value,
    path: &str,
    scope: &Scope<'_>,
    start: f64,
    film: &mut Film,
    reader: &mut Reader<'_>,
) -> Result<f64, Error> {
    let notes = reader.notes;
    let filled = reader.elements(scene, path, scope)?;
    let shell = reader.fill(&without(scene, &["elements", "variables"]), path.to_owned(), scope)?;
    let Some(fields) = shell.fields(notes) else { return Ok(start) };
    fields.skip(&["id", "comment", "cache", "iterate"]);
    if !element::condition(&fields) {
        fields.skip_all();
        return Ok(start);
    }
    let duration = fields.number("duration").filter(|duration| *duration > 0.0);
    let first = film.overlays().len();
    if let Some(background) = fields.text("background-color").filter(|text| text != "transparent") {
        match color::css(&background) {
            Some(fill) if fill != film.background => {
                let mut overlay = Overlay::new("shape", path.to_owned());
                overlay.rect = film.canvas();
                overlay.field("content", "rectangle");
                overlay.style("fill", fill);
                overlay.start = start;
                film.push(overlay)?;
            }
            Some(_) => {}
            None => {
                notes.value_ignored(fields.at("background-color"), "This must be a colour. It is ignored.")
            }
        }
    }
    let length = elements(&filled, start, duration, notes, film)?;
    if let Some(background) = film.overlays_mut().get_mut(first).filter(|overlay| overlay.source == path) {
        background.length = length;
    }
    if let Some(transition) = fields.fields("transition") {
        apply_transition(&transition, start, first, film);
        transition.finish();
    }
    fields.finish();
    Ok(start + length)
}

/// Adds the elements of a scene or of the movie. Returns how long the container lasts.
pub fn elements(
    filled: &[Filled],
    start: f64,
    duration: Option<f64>,
    notes: &Notes,
    film: &mut Film,
) -> Result<f64, Error> {
    let mut elements: Vec<(f64, Fields<'_>)> = Vec::new();
    for fields in filled.iter().filter_map(|filled| filled.fields(notes)) {
        if !element::condition(&fields) {
            continue;
        }
        elements.push((fields.number("z-index").unwrap_or(0.0), fields));
    }
    let ends = elements.iter().filter_map(|(_, fields)| match element::lasts(fields) {
        Lasts::Known(length) => Some(element::start(fields) + length),
        _ => None,
    });
    let known = ends.fold(0.0, f64::max);
    let media = elements.iter().any(|(_, fields)| element::lasts(fields) == Lasts::Media);
    let total = duration.unwrap_or(match (known > 0.0, media) {
        (true, _) => known,
        (false, true) => MEDIA,
        (false, false) => STILL,
    });
    // Later elements are in front; an index puts them further to the front or back.
    elements.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, fields) in elements {
        let own_start = element::start(&fields);
        let lasts = element::lasts(&fields);
        let rest = (total - own_start).max(0.0);
        let length = match lasts {
            Lasts::Known(length) => length,
            Lasts::Fills => rest,
            Lasts::Media => {
                let length = if rest > 0.0 { rest } else { MEDIA };
                let message = format!("Only the media file knows the length. {length} s are assumed.");
                notes.length_assumed(fields.at("duration"), message);
                length
            }
        };
        for mut overlay in element::import(&fields, length, film) {
            (overlay.start, overlay.length) = (start + own_start, length);
            element::fades(&fields, &mut overlay);
            element::moves(&fields, film, &mut overlay);
            film.push(overlay)?;
        }
        fields.finish();
    }
    Ok(total)
}

/// Blends a scene in over the scene before, which stays until the transition is over.
fn apply_transition(fields: &Fields<'_>, start: f64, first: usize, film: &mut Film) {
    let style = fields.text("style").unwrap_or_else(|| "fade".into());
    let seconds = fields.number("duration").unwrap_or(TRANSITION).clamp(0.0, 10.0);
    fields.skip(&["type"]);
    let (width, height, fps) = (film.width, film.height, film.fps);
    let (before, scene) = film.overlays_mut().split_at_mut(first);
    if before.is_empty() || seconds == 0.0 {
        return;
    }
    for overlay in
        before.iter_mut().filter(|overlay| overlay.kind != "sound" && (overlay.end() - start).abs() < 1e-6)
    {
        overlay.length += seconds;
    }
    let (x, y) = match &*style {
        "slideleft" | "smoothleft" | "coverleft" => (width, 0.0),
        "slideright" | "smoothright" | "coverright" => (-width, 0.0),
        "slideup" | "smoothup" | "coverup" => (0.0, height),
        "slidedown" | "smoothdown" | "coverdown" => (0.0, -height),
        _ => (0.0, 0.0),
    };
    let preset = match &*style {
        "fade" | "dissolve" => None,
        "wipeleft" | "wiperight" | "wipeup" | "wipedown" => Some("wipe-right"),
        "zoomin" | "circleopen" | "circleclose" | "circlecrop" => Some("zoom-in"),
        _ if (x, y) != (0.0, 0.0) => None,
        _ => Some("fade"),
    };
    if preset.is_some() {
        fields.notes.approximated(
            fields.at("style"),
            format!("A composition has a transition similar to `{style}`."),
        );
    }
    for overlay in scene.iter_mut().filter(|overlay| overlay.kind != "sound") {
        // What appears later is not part of the transition.
        if overlay.start > start + seconds {
            continue;
        }
        let end = (seconds - (overlay.start - start)).max(0.01);
        let has_motion = overlay.get_style("staggeredMotion").is_some();
        let preset = preset.or(match (x, y) {
            (0.0, 0.0) => Some("fade"),
            // An overlay has one motion of its own; with a preset it keeps it.
            (x, _) if has_motion && x > 0.0 => Some("slide-left"),
            (x, _) if has_motion && x < 0.0 => Some("slide-right"),
            (_, y) if has_motion => Some(if y > 0.0 { "slide-up" } else { "slide-down" }),
            _ => None,
        });
        if let Some(preset) = preset {
            overlay.animation("enter", preset);
            overlay.animation("enterDuration", end);
            continue;
        }
        let mut motion = Motion::default();
        for (property, away) in [(Property::X, x), (Property::Y, y)] {
            if away != 0.0 {
                motion.ramp(property, (away, 0.0), (0.0, end));
            }
        }
        motion.apply(overlay, fps);
    }
}
