//! Creatomate's RenderScript: elements on tracks, in compositions that may be nested. Later elements and higher tracks
//! are in front.

mod captions;
mod element;
mod group;
mod media;
mod modifications;
mod motion;
mod shape;
mod text;
mod timeline;
mod units;

use rondo_composition::{Error, ProblemKind};
use serde_json::Value;

use crate::film::Film;
use crate::merge::{Budget, Scope, fill};
use crate::notes::Notes;
use crate::{color, problem, root};

pub fn recognised(document: &Value) -> bool {
    let script = document.get("source").unwrap_or(document);
    let elements = script.get("elements").and_then(Value::as_array);
    document.get("template_id").is_some()
        || script.get("output_format").is_some()
        || elements.is_some_and(|elements| elements.iter().all(|element| element.get("type").is_some()))
}

pub fn import(document: &Value, notes: &Notes) -> Result<Film, Error> {
    if document.get("source").is_none()
        && document.get("elements").is_none()
        && document.get("template_id").is_some()
    {
        let expected = "left out, with the RenderScript of the template as `source`";
        return Err(problem("template_id", ProblemKind::WrongType, "a template id", expected));
    }
    let (script, prefix) = match document.get("source") {
        Some(script) => (script, "source"),
        None => (document, ""),
    };
    let mut script = script.clone();
    let placeholders = modifications::placeholders(document);
    let changed = modifications::apply(&mut script, document.get("modifications"), notes);
    // Fields keep the paths of the document they came from.
    let scope = Scope::new(placeholders, None);
    let (filled, mut table) = fill(&script, prefix, &scope, &mut Budget::default(), notes)?;
    modifications::name_variables(&filled, prefix, &changed, &mut table);
    let mut fields = root(&filled, &table, notes)?;
    fields.path = prefix.to_owned();

    let width = fields.number("width").unwrap_or(1280.0);
    let height = fields.number("height").unwrap_or(720.0);
    let fps = fields.number("frame_rate").unwrap_or(30.0);
    let mut film = Film::new(width, height, fps, prefix);
    if let Some(background) = fields.text("fill_color").or_else(|| fields.text("background_color")) {
        match color::css(&background) {
            Some(background) => film.background = background,
            None => notes.value_ignored(fields.at("fill_color"), "This must be a colour. It is ignored."),
        }
    }
    fields.skip(&[
        "background_color",
        "modifications",
        "id",
        "name",
        "webhook_url",
        "metadata",
        "tags",
        "template_id",
    ]);
    let rendering = "This is an option of a render, not of the film. Send it as `output` with the render.";
    if fields.text("output_format").is_some_and(|format| format != "mp4") {
        notes.no_equivalent(fields.at("output_format"), rendering);
    }
    fields.refuse(&["render_scale", "max_width", "max_height", "snapshot_time", "h264_crf"], rendering);
    fields.refuse(
        &["fonts"],
        "Fonts are not imported. Upload the font: films use it by the name of its family.",
    );
    fields.refuse(&["emoji_style"], "Emoji are drawn in one style.");
    let duration = units::seconds(&fields, "duration");
    film.length = duration;
    group::import(&fields, duration, &mut film)?;
    fields.finish();
    Ok(film)
}
