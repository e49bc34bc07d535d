//! Texts that follow speech: `transcript_source` and what belongs to it.

use rondo_composition::CaptionRoom;
use serde_json::{Value, json};

use super::group::Group;
use super::shape::fill;
use super::units::{seconds_of, text};
use super::{element, text as text_element};
use crate::color;
use crate::fields::Fields;
use crate::film::{Film, Overlay, tidy};
use crate::speech;

/// Words that are read.
const MOST_WORDS: usize = 10_000;

pub fn import(fields: &Fields<'_>, group: &Group, film: &Film) -> Overlay {
    let most = fields.number("transcript_maximum_length");
    let mut room = CaptionRoom::on_canvas(film.width, film.height);
    if let Some(most) = most.filter(|most| *most >= 1.0) {
        room = CaptionRoom { words: most as usize, characters: most as usize };
    }
    let mut overlay = match fields.value("transcript_source") {
        Some(Value::Array(words)) => {
            let words: Vec<(String, f64, f64)> = words
                .iter()
                .take(MOST_WORDS)
                .filter_map(|word| {
                    let start = word.get("time").and_then(seconds_of)?;
                    let length = word.get("duration").and_then(seconds_of).unwrap_or(1.0);
                    Some((word.get("value")?.as_str()?.to_owned(), start, start + length.max(0.0)))
                })
                .collect();
            speech::captions(&speech::grouped(&words, room), &fields.path, 0.0, 1.0)
        }
        Some(Value::String(source)) => match speech::parsed(source) {
            Some(captions) => speech::captions(&captions, &fields.path, 0.0, 1.0),
            None => {
                let name = fields.text("name").unwrap_or_else(|| "captions".into());
                let source: String = source.chars().take(200).collect();
                let what = format!("The captions are transcribed from `{source}`.");
                speech::captions_to_come(name, &what, &fields.path, fields.notes)
            }
        },
        _ => speech::captions(&[], &fields.path, 0.0, 1.0),
    };
    text_element::place(fields, group, &mut overlay);
    text_element::font(fields, group, film, &mut overlay);
    overlay.style("color", fill(fields, group).unwrap_or_else(|| "#000000".into()));
    if let Some((width, stroke)) = element::stroke(fields, group.rect) {
        overlay.style("WebkitTextStroke", format!("{}px {stroke}", tidy(width)));
        overlay.style("paintOrder", "stroke fill");
    }
    overlay.style_if("textShadow", element::shadow(fields, group.rect));
    text_element::background(fields, &mut overlay);
    highlight(fields, &mut overlay);
    let rect = overlay.rect;
    element::look(fields, rect, group, &mut overlay);
    fields.skip(&["text", "transcript_placement"]);
    overlay
}

/// How spoken words stand out.
fn highlight(fields: &Fields<'_>, overlay: &mut Overlay) {
    let accent = text(fields, "transcript_color").and_then(|text| color::css(&text));
    let accent = accent.unwrap_or_else(|| "#e74c3c".into());
    let effect = fields.text("transcript_effect").unwrap_or_else(|| "color".into());
    let split = fields.text("transcript_split").unwrap_or_else(|| "word".into());
    let weight = overlay.get_style("fontWeight").cloned().unwrap_or_else(|| json!("400"));
    let mut style = json!({"scale": 1, "padding": "0px 0.1em", "fontWeight": weight, "color": accent});
    match &*effect {
        "color" => {}
        "karaoke" => overlay.style("mode", "karaoke"),
        "highlight" => {
            style["backgroundColor"] = json!(accent);
            style["color"] = overlay.get_style("color").cloned().unwrap_or_default();
        }
        "enlarge" => style["scale"] = json!(1.2),
        other => {
            overlay.style("mode", "progressive");
            let message = format!("Words appear as they are spoken in place of `{other}`.");
            fields.notes.approximated(fields.at("transcript_effect"), message);
        }
    }
    if split == "none" || split == "line" {
        style["color"] = overlay.get_style("color").cloned().unwrap_or_default();
    }
    overlay.style("highlightStyle", style);
}
