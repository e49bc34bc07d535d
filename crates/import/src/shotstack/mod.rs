//! Edits of the Shotstack Edit API: tracks of clips, each with an asset; the first track is in front.

mod asset;
mod captions;
mod clip;
mod html;
mod motion;
mod text;
mod timing;

use rondo_composition::{Error, ProblemKind};
use serde_json::Value;

use crate::fields::{Fields, named};
use crate::film::Film;
use crate::merge::{Budget, Scope, fill};
use crate::notes::Notes;
use crate::{problem, root};

/// Sizes at 16:9 and frame rates by `output.resolution`.
const RESOLUTIONS: [(&str, (f64, f64, f64)); 6] = [
    ("preview", (512.0, 288.0, 15.0)),
    ("mobile", (640.0, 360.0, 25.0)),
    ("sd", (1024.0, 576.0, 25.0)),
    ("hd", (1280.0, 720.0, 25.0)),
    ("1080", (1920.0, 1080.0, 25.0)),
    ("4k", (3840.0, 2160.0, 25.0)),
];

/// Shapes by `output.aspectRatio`: the sides for a longer and a shorter side of 16:9.
type Sides = fn(f64, f64) -> (f64, f64);
const RATIOS: [(&str, Sides); 5] = [
    ("16:9", |long, short| (long, short)),
    ("9:16", |long, short| (short, long)),
    ("1:1", |_, short| (short, short)),
    ("4:5", |_, short| (short * 4.0 / 5.0, short)),
    ("4:3", |_, short| (short * 4.0 / 3.0, short)),
];

pub fn recognised(document: &Value) -> bool {
    let edit = document.get("template").unwrap_or(document);
    edit.get("timeline").is_some_and(Value::is_object)
}

pub fn import(document: &Value, notes: &Notes) -> Result<Film, Error> {
    let scope = merge_fields(document);
    let (filled, table) = fill(document, "", &scope, &mut Budget::default(), notes)?;
    let edit = root(&filled, &table, notes)?;
    edit.skip(&["merge", "id", "name"]);
    match edit.fields("template") {
        Some(template) => {
            edit.finish();
            read(&template)
        }
        None => {
            let film = read(&edit)?;
            edit.finish();
            Ok(film)
        }
    }
}

/// The values of `merge`, which stands beside the timeline or beside the template.
fn merge_fields(document: &Value) -> Scope<'static> {
    let lists = [document.get("merge"), document.get("template").and_then(|template| template.get("merge"))];
    let fields = lists.into_iter().flatten().filter_map(Value::as_array).flatten();
    let pair =
        |field: &Value| Some((field.get("find")?.as_str()?.trim().to_owned(), field.get("replace")?.clone()));
    Scope::new(fields.filter_map(pair), None)
}

fn read(edit: &Fields<'_>) -> Result<Film, Error> {
    let Some(timeline) = edit.fields("timeline") else {
        return Err(problem(
            edit.at("timeline"),
            ProblemKind::WrongType,
            "nothing",
            "an object with `tracks`",
        ));
    };
    let mut film = canvas(edit);
    if let Some(color) = timeline.text("background") {
        match crate::color::opacity_first(&color) {
            Some(color) => film.background = color,
            None => {
                edit.notes.value_ignored(timeline.at("background"), "This must be a colour. It is ignored.")
            }
        }
    }
    timeline.refuse(
        &["fonts"],
        "Fonts are not imported. Upload the font: films use it by the name of its family.",
    );
    timeline.skip(&["cache"]);

    let tracks: Vec<Vec<Fields<'_>>> = timeline
        .objects("tracks")
        .into_iter()
        .map(|track| {
            let clips = track.objects("clips");
            track.finish();
            clips
        })
        .collect();
    let times = timing::resolve(&tracks, edit.notes)?;
    // The first track is in front, so it is painted last.
    for (row, (clips, times)) in tracks.into_iter().zip(&times).enumerate().rev() {
        for (clip, time) in clips.into_iter().zip(times) {
            for mut overlay in clip::overlays(&clip, *time, &film)? {
                overlay.row = Some(row as f64);
                film.push(overlay)?;
            }
            clip.finish();
        }
    }
    if let Some(soundtrack) = timeline.fields("soundtrack") {
        let mut overlay = asset::soundtrack(&soundtrack, film.end());
        overlay.row = Some(times.len() as f64);
        film.push(overlay)?;
        soundtrack.finish();
    }
    timeline.finish();
    edit.skip(&["callback", "disk", "instance"]);
    Ok(film)
}

/// Size and rate of the film.
fn canvas(edit: &Fields<'_>) -> Film {
    let Some(output) = edit.fields("output") else { return Film::new(1280.0, 720.0, 25.0, "output.size") };
    let resolution = output.text("resolution").unwrap_or_else(|| "hd".to_owned());
    let (long, short, rate) = named(&RESOLUTIONS, &resolution).unwrap_or_else(|| {
        edit.notes.value_ignored(output.at("resolution"), "This resolution is not known. `hd` is used.");
        (1280.0, 720.0, 25.0)
    });
    let ratio = output.text("aspectRatio").unwrap_or_else(|| "16:9".to_owned());
    let sides = named(&RATIOS, &ratio).unwrap_or_else(|| {
        edit.notes.value_ignored(output.at("aspectRatio"), "This ratio is not known. `16:9` is used.");
        RATIOS[0].1
    });
    let (mut width, mut height) = sides(long, short);
    if let Some(size) = output.fields("size") {
        width = size.number("width").unwrap_or(width);
        height = size.number("height").unwrap_or(height);
        size.finish();
    }
    let fps = output.number("fps").unwrap_or(rate);
    if fps.fract() != 0.0 {
        let message = format!("A composition has whole frame rates. {} is used.", fps.round());
        edit.notes.approximated(output.at("fps"), message);
    }
    let rendering = "This is an option of a render, not of the film. Send it as `output` with the render.";
    if output.text("format").is_some_and(|format| format != "mp4") {
        edit.notes.no_equivalent(output.at("format"), rendering);
    }
    output.refuse(&["quality", "scaleTo", "range", "mute", "repeat"], rendering);
    output.refuse(&["poster", "thumbnail"], "Draw a frame with output `png` or `jpg` instead.");
    output.refuse(&["destinations"], "Rondo keeps the file; fetch it from `outputUrl`.");
    output.finish();
    Film::new(width, height, fps, "output.size")
}
