//! When clips begin and how long they last: numbers, `auto`, `end` and references to other clips.

use std::collections::HashMap;

use rondo_composition::limits::MOST_OVERLAYS;
use rondo_composition::{Error, ProblemKind};
use serde_json::Value;

use crate::fields::{Fields, number_of};
use crate::notes::Notes;
use crate::problem;

/// Seconds of a picture or text whose length is `auto`.
const STILL: f64 = 3.0;
/// Seconds of media whose length is `auto`.
const MEDIA: f64 = 10.0;
/// Rounds of following references. Longer chains are cut.
const MOST_ROUNDS: usize = 16;

/// Start and length in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    pub start: f64,
    pub length: f64,
}

/// One of the two times as the document says it.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Seconds(f64),
    Auto,
    End,
    /// That of another clip.
    Of(String),
}

#[derive(Debug)]
struct Timed {
    start: Said,
    length: Said,
    is_media: bool,
    path: String,
    /// What is known by now.
    at: Option<f64>,
    lasts: Option<f64>,
}

/// The times of every clip of every track.
pub fn resolve(tracks: &[Vec<Fields<'_>>], notes: &Notes) -> Result<Vec<Vec<Time>>, Error> {
    let count: usize = tracks.iter().map(Vec::len).sum();
    if count > MOST_OVERLAYS {
        let expected = format!("tracks of at most {MOST_OVERLAYS} clips in total");
        return Err(problem(
            "timeline.tracks",
            ProblemKind::TooManyOverlays,
            format!("{count} clips"),
            expected,
        ));
    }
    let mut names: HashMap<String, (usize, usize)> = HashMap::new();
    let mut timed: Vec<Vec<Timed>> = Vec::new();
    for (row, clips) in tracks.iter().enumerate() {
        let clips = clips.iter().enumerate();
        timed.push(
            clips
                .map(|(index, clip)| {
                    if let Some(alias) = clip.text("alias") {
                        names.insert(alias, (row, index));
                    }
                    read(clip)
                })
                .collect(),
        );
    }
    for _ in 0..MOST_ROUNDS {
        if !round(&mut timed, &names, notes) {
            break;
        }
    }
    Ok(finish(timed, notes))
}

fn read(clip: &Fields<'_>) -> Timed {
    let kind =
        clip.peek("asset").and_then(|asset| asset.get("type")).and_then(Value::as_str).unwrap_or_default();
    let said = |key: &'static str| match clip.value(key) {
        None if key == "start" => Said::Seconds(0.0),
        None => Said::Auto,
        Some(Value::String(text)) if text == "auto" => Said::Auto,
        Some(Value::String(text)) if text == "end" && key == "length" => Said::End,
        Some(Value::String(text)) if text.starts_with("alias://") => {
            Said::Of(text["alias://".len()..].to_owned())
        }
        Some(value) => match number_of(value) {
            Some(seconds) => Said::Seconds(seconds.max(0.0)),
            None => {
                clip.notes.value_ignored(clip.at(key), "This must be a number of seconds. `auto` is used.");
                Said::Auto
            }
        },
    };
    Timed {
        start: said("start"),
        length: said("length"),
        is_media: matches!(
            kind,
            "video" | "audio" | "luma" | "text-to-speech" | "image-to-video" | "caption"
        ),
        path: clip.path.clone(),
        at: None,
        lasts: None,
    }
}

/// Finds what follows from what is known. Whether anything new was found.
fn round(timed: &mut [Vec<Timed>], names: &HashMap<String, (usize, usize)>, notes: &Notes) -> bool {
    let mut found = false;
    for row in 0..timed.len() {
        for index in 0..timed[row].len() {
            let clip = &timed[row][index];
            let other = |name: &String| names.get(name).map(|(row, index)| &timed[*row][*index]);
            let at = clip.at.or_else(|| match &clip.start {
                Said::Seconds(seconds) => Some(*seconds),
                Said::Of(name) => other(name)?.at,
                Said::Auto | Said::End => match index.checked_sub(1).map(|before| &timed[row][before]) {
                    Some(before) => Some(before.at? + before.lasts?),
                    None => Some(0.0),
                },
            });
            let lasts = clip.lasts.or_else(|| match &clip.length {
                Said::Seconds(seconds) => Some(*seconds),
                Said::Of(name) => other(name)?.lasts,
                Said::End => None,
                Said::Auto if clip.is_media => {
                    Some(media_length(clip, at?, timed[row].get(index + 1), notes))
                }
                Said::Auto => Some(STILL),
            });
            found |= at != clip.at || lasts != clip.lasts;
            let clip = &mut timed[row][index];
            (clip.at, clip.lasts) = (at, lasts);
        }
    }
    found
}

/// Media of unknown length last until the next clip of the track, where its start is given.
fn media_length(clip: &Timed, at: f64, next: Option<&Timed>, notes: &Notes) -> f64 {
    let until = next.and_then(|next| match next.start {
        Said::Seconds(start) if start > at => Some(start - at),
        _ => None,
    });
    let length = until.unwrap_or(MEDIA);
    let what = if until.is_some() { "It lasts until the next clip." } else { "10 s are assumed." };
    let message = format!("Only the media file knows the length. {what}");
    notes.length_assumed(crate::merge::joined(&clip.path, "length"), message);
    length
}

/// `end` is the end of everything else. What is still not known refers to a clip that is not there, or to itself.
fn finish(timed: Vec<Vec<Timed>>, notes: &Notes) -> Vec<Vec<Time>> {
    let known = timed.iter().flatten().filter_map(|clip| Some(clip.at? + clip.lasts?));
    let end = known.fold(0.0, f64::max);
    let time = |clip: &Timed| {
        if matches!(&clip.start, Said::Of(_)) && clip.at.is_none() {
            let path = crate::merge::joined(&clip.path, "start");
            notes.value_ignored(path, "No clip with a known start has this alias. 0 is used.");
        }
        if matches!(&clip.length, Said::Of(_)) && clip.lasts.is_none() {
            let path = crate::merge::joined(&clip.path, "length");
            notes.value_ignored(path, "No clip with a known length has this alias. It lasts to the end.");
        }
        let start = clip.at.unwrap_or(if matches!(clip.start, Said::Of(_)) { 0.0 } else { end });
        let rest = if end > start { end - start } else { STILL };
        Time { start, length: clip.lasts.unwrap_or(rest) }
    };
    timed.iter().map(|clips| clips.iter().map(time).collect()).collect()
}
