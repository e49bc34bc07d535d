//! When elements begin and how long they last. Elements on one track play one after another.

use std::collections::BTreeMap;

use serde_json::Value;

use super::units::{seconds, seconds_of};
use crate::fields::Fields;

/// Seconds of media whose length only the file knows.
const MEDIA: f64 = 10.0;
/// Seconds of a composition without any length.
const EMPTY: f64 = 5.0;
/// Compositions within each other. Deeper ones are left out.
pub const MOST_DEPTH: usize = 20;

/// Start and length in seconds, in the time of the composition.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Time {
    pub start: f64,
    pub length: f64,
    /// Whether only the file knows the length.
    pub assumed: bool,
}

/// The times of the elements of a composition.
#[derive(Debug, Default)]
pub struct Layout {
    pub times: Vec<Time>,
    pub length: f64,
    /// Whether any element has a length of its own.
    has_length: bool,
}

/// How long an element lasts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lasts {
    Known(f64),
    /// Until the next element of its track, or the end.
    Fills,
    /// As long as its file.
    Media,
}

/// The times of the elements of a composition, `depth` compositions deep.
pub fn layout(elements: &[Fields<'_>], duration: Option<f64>, depth: usize) -> Layout {
    let lasts: Vec<Lasts> = elements.iter().map(|element| lasts(element, depth)).collect();
    let mut tracks: BTreeMap<(i64, usize), Vec<usize>> = BTreeMap::new();
    for (index, element) in elements.iter().enumerate() {
        let track = match element.number("track") {
            Some(track) => (track as i64, 0),
            None => (i64::MIN, index),
        };
        tracks.entry(track).or_default().push(index);
    }
    let mut times = vec![Time::default(); elements.len()];
    let mut open: Vec<usize> = Vec::new();
    for track in tracks.values() {
        let mut cursor = 0.0;
        for (place, index) in track.iter().copied().enumerate() {
            let element = &elements[index];
            let overlap = if place > 0 { overlap(element) } else { 0.0 };
            let start = seconds(element, "time").unwrap_or(cursor - overlap).max(0.0);
            let next = track.get(place + 1).map(|next| &elements[*next]);
            let next_start = next.and_then(|next| next.peek("time")).and_then(seconds_of);
            let length = match (lasts[index], next_start) {
                (Lasts::Known(length), _) => length,
                (_, Some(next)) if next > start => next - start,
                (Lasts::Fills, _) if next.is_some() => EMPTY,
                (Lasts::Media, _) if next.is_some() => MEDIA,
                _ => {
                    open.push(index);
                    0.0
                }
            };
            times[index] = Time { start, length, assumed: lasts[index] == Lasts::Media };
            cursor = start + length;
        }
    }
    let known = times.iter().map(|time| time.start + time.length).fold(0.0, f64::max);
    let any_media = open.iter().any(|index| lasts[*index] == Lasts::Media);
    let latest = open.iter().map(|index| times[*index].start).fold(0.0, f64::max);
    let total = duration.unwrap_or(match (known > latest, any_media) {
        (true, _) => known,
        (false, true) => latest + MEDIA,
        (false, false) => latest + EMPTY,
    });
    for index in open {
        times[index].length = (total - times[index].start).max(0.0);
    }
    let has_length = lasts.iter().any(|lasts| *lasts != Lasts::Fills);
    Layout { times, length: total, has_length }
}

fn lasts(element: &Fields<'_>, depth: usize) -> Lasts {
    if let Some(length) = seconds(element, "duration") {
        return Lasts::Known(length.max(0.0));
    }
    let kind = element.peek("type").and_then(Value::as_str).unwrap_or_default();
    let said = element.peek("duration").and_then(Value::as_str);
    match kind {
        // `null` lets a sound last as long as its composition.
        "video" | "audio" if element.has("duration") || !element.is_null("duration") => {
            let trimmed = seconds(element, "trim_duration");
            trimmed.map_or(Lasts::Media, |length| Lasts::Known(length / super::media::speed(element)))
        }
        "composition" if depth < MOST_DEPTH && said != Some("end") => {
            let inside = layout(&element.objects("elements"), None, depth + 1);
            if inside.has_length { Lasts::Known(inside.length) } else { Lasts::Fills }
        }
        _ => Lasts::Fills,
    }
}

/// Seconds that an element overlaps the one before it: the length of its transition.
fn overlap(element: &Fields<'_>) -> f64 {
    let animations = element.peek("animations").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let transition =
        animations.iter().find(|animation| animation.get("transition") == Some(&Value::Bool(true)));
    transition.and_then(|transition| transition.get("duration")).and_then(seconds_of).unwrap_or(0.0).max(0.0)
}
