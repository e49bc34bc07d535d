//! Compositions: their elements in the time and the space of the film. A nested composition becomes its elements.

use rondo_composition::Error;
use serde_json::Value;

use super::element::{self, Kind};
use super::motion::Moves;
use super::timeline::{MOST_DEPTH, Time, layout};
use super::{captions, media, shape, text, units};
use crate::color;
use crate::fields::Fields;
use crate::film::{Film, Overlay, Rect};

/// The composition that elements are in.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Its box on the canvas, before rotation.
    pub rect: Rect,
    /// When it begins in the film, and how long it lasts.
    pub time: Time,
    pub opacity: f64,
    /// Degrees about its centre.
    pub rotation: f64,
    /// Frames per second of the film.
    pub fps: f64,
    /// What moves it and the compositions it is in, with times of the film.
    moves: Vec<(f64, Moves)>,
    depth: usize,
}

/// Adds the elements of a document.
pub fn import(fields: &Fields<'_>, duration: Option<f64>, film: &mut Film) -> Result<(), Error> {
    let group = Group { rect: film.canvas(), opacity: 1.0, fps: f64::from(film.fps), ..Group::default() };
    elements(fields, duration, &group, film)
}

fn elements(fields: &Fields<'_>, duration: Option<f64>, group: &Group, film: &mut Film) -> Result<(), Error> {
    let elements = fields.objects("elements");
    let layout = layout(&elements, duration, group.depth);
    let mut order: Vec<usize> = (0..elements.len()).collect();
    // Higher tracks are in front; elements without a track keep their place.
    let track = |index: usize| elements[index].peek("track").and_then(Value::as_f64);
    order.sort_by(|a, b| match (track(*a), track(*b)) {
        (Some(first), Some(second)) => first.total_cmp(&second),
        _ => std::cmp::Ordering::Equal,
    });
    let mut elements: Vec<Option<Fields<'_>>> = elements.into_iter().map(Some).collect();
    for index in order {
        let Some(fields) = elements[index].take() else { continue };
        let Time { start, length, assumed } = layout.times[index];
        if assumed {
            let message = format!("Only the media file knows the length. {length} s are assumed.");
            fields.notes.length_assumed(fields.at("duration"), message);
        }
        let time = Time { start: group.time.start + start, length, assumed };
        one(&fields, time, group, film)?;
        fields.finish();
    }
    Ok(())
}

/// Adds one element.
fn one(fields: &Fields<'_>, time: Time, group: &Group, film: &mut Film) -> Result<(), Error> {
    let notes = fields.notes;
    let kind = fields.text("type").unwrap_or_default();
    fields.skip(&["id", "name", "dynamic", "locked", "track", "time", "duration", "z_index"]);
    if fields.flag("visible") == Some(false) {
        notes.no_equivalent(fields.at("visible"), "The element is hidden. It is left out.");
        fields.skip_all();
        return Ok(());
    }
    let mut overlays = match &*kind {
        "composition" => return nested(fields, time, group, film),
        "text" if fields.has("transcript_source") => vec![captions::import(fields, group, film)],
        "text" => vec![text::import(fields, group, film)],
        "image" | "video" => media::picture(fields, &kind, group),
        "audio" => vec![media::audio(fields)],
        "shape" | "rectangle" | "ellipse" => vec![shape::import(fields, &kind, group)],
        _ => {
            notes.no_equivalent(
                &*fields.path,
                format!("A composition has no `{kind}`. The element is left out."),
            );
            fields.skip_all();
            return Ok(());
        }
    };
    let moves = Moves::of(fields, time, Kind::of(&kind), group, &mut overlays);
    for mut overlay in overlays {
        (overlay.start, overlay.length) = (time.start, time.length);
        if overlay.kind != "sound" {
            within(&mut overlay, group);
            let mut motion = moves.motion(overlay.start - time.start);
            for (start, moves) in &group.moves {
                motion.join(moves.motion(overlay.start - start));
            }
            if overlay.kind != "caption" {
                motion.apply(&mut overlay, film.fps);
            }
        }
        film.push(overlay)?;
    }
    Ok(())
}

/// Opacity and rotation of the composition an element is in.
fn within(overlay: &mut Overlay, group: &Group) {
    if group.opacity < 1.0 {
        let own = overlay.get_style("opacity").and_then(Value::as_f64).unwrap_or(1.0);
        overlay.style("opacity", own * group.opacity);
    }
    if group.rotation != 0.0 {
        let (x, y) = overlay.rect.center();
        let (cx, cy) = group.rect.center();
        let (sin, cos) = libm::sincos(group.rotation.to_radians());
        let (dx, dy) = (x - cx, y - cy);
        overlay.rect = overlay.rect.moved(dx * cos - dy * sin - dx, dx * sin + dy * cos - dy);
        overlay.rotation += group.rotation;
    }
}

/// A composition in a composition.
fn nested(fields: &Fields<'_>, time: Time, outer: &Group, film: &mut Film) -> Result<(), Error> {
    if outer.depth + 1 >= MOST_DEPTH {
        fields.notes.no_equivalent(&*fields.path, "Compositions are nested too deep. This one is left out.");
        fields.skip_all();
        return Ok(());
    }
    let rect = element::rect(fields, outer.rect, Kind::Group);
    let mut frame = vec![Overlay::new("shape", fields.path.clone())];
    frame[0].rect = rect;
    frame[0].field("content", "rectangle");
    element::look(fields, rect, outer, &mut frame[0]);
    let mut moves = outer.moves.clone();
    moves.push((time.start, Moves::of(fields, time, Kind::Group, outer, &mut frame)));
    let Some(mut background) = frame.pop() else { return Ok(()) };
    let own_opacity = background.get_style("opacity").and_then(Value::as_f64).unwrap_or(1.0);
    let group = Group {
        rect,
        time,
        opacity: outer.opacity * own_opacity,
        rotation: outer.rotation + background.rotation,
        fps: outer.fps,
        moves,
        depth: outer.depth + 1,
    };
    let fill = units::text(fields, "fill_color").or_else(|| units::text(fields, "background_color"));
    fields.skip(&["background_color"]);
    if let Some(fill) = fill.and_then(|fill| color::css(&fill)) {
        background.style("fill", fill);
        (background.start, background.length) = (time.start, time.length);
        within(&mut background, outer);
        let mut motion = crate::motion::Motion::default();
        for (start, moves) in &group.moves {
            motion.join(moves.motion(background.start - start));
        }
        motion.apply(&mut background, film.fps);
        film.push(background)?;
    }
    if fields.flag("clip") == Some(true) {
        fields.notes.approximated(fields.at("clip"), "What sticks out of the composition is not cut off.");
    }
    fields.refuse(&["loop", "plays"], "A composition does not repeat its contents.");
    elements(fields, Some(time.length), &group, film)
}
