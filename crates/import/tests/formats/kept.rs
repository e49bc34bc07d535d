//! What becomes of each film. The list beside each document names every overlay and every warning.

use std::fmt::Write;

use rondo_composition::{Composition, Limits, OverlayKind};
use rondo_import::Imported;
use serde_json::{Value, json};

use crate::{film, films, imported};

/// A film in lines: the canvas, each overlay with its time, row and box, and each warning.
fn listed(imported: &Imported) -> String {
    let Imported { composition, warnings, .. } = imported;
    let Composition { width, height, fps, duration, background_color, .. } = composition;
    let mut list = format!("{width}x{height} {fps} fps {duration} frames {background_color}\n");
    for overlay in &composition.overlays {
        let base = &overlay.base;
        let (left, top) = (base.left.round(), base.top.round());
        let (width, height) = (base.width.round(), base.height.round());
        let what = match &overlay.kind {
            OverlayKind::Caption(captions) => {
                captions.captions.iter().map(|caption| caption.text.as_str()).collect::<Vec<_>>().join(" / ")
            }
            _ => overlay.variable_value(),
        };
        let what: String = what.chars().take(60).collect();
        let variable = overlay.variable_name().map(|name| format!(" = {name}")).unwrap_or_default();
        let kind = overlay.type_name();
        let (from, frames, row) = (base.from, base.duration, base.row);
        writeln!(
            list,
            "{kind} {from}+{frames} row {row} at {left},{top} {width}x{height} {what:?}{variable}"
        )
        .unwrap();
    }
    // Which styles there are is not the importer's matter.
    for warning in warnings.iter().filter(|warning| !warning.message.contains("has no `styles.")) {
        writeln!(list, "! {} {}", warning.code, warning.path).unwrap();
    }
    list
}

#[test]
fn every_film_becomes_the_overlays_and_warnings_on_its_list() {
    let mut wrong = Vec::new();
    for (source, path, document) in films() {
        let imported = imported(&document);
        assert_eq!(imported.source, source, "{}", path.display());
        let got = listed(&imported);
        let list = path.with_extension("list");
        if std::env::var_os("RONDO_WRITE_LISTS").is_some() {
            std::fs::write(&list, &got).unwrap();
        }
        if got != std::fs::read_to_string(&list).unwrap_or_default() {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The strings of a document under some keys, but for those in objects that are left out.
fn strings(value: &Value, keys: &[&str], found: &mut Vec<String>) {
    const LEFT_OUT: [&str; 4] = ["luma", "component", "webcam", "blur"];
    if let Some(fields) = value.as_object() {
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let is_hidden = fields.get("visible") == Some(&json!(false))
            || fields.get("condition") == Some(&json!("{{show_legal}}"));
        if LEFT_OUT.contains(&kind) || is_hidden {
            return;
        }
        for (key, field) in fields {
            match field {
                // Fonts are not loaded.
                _ if key == "fonts" || key == "modifications" => {}
                Value::String(text) if keys.contains(&key.as_str()) => found.push(text.clone()),
                _ => strings(field, keys, found),
            }
        }
    }
    for item in value.as_array().into_iter().flatten() {
        strings(item, keys, found);
    }
}

/// A text as a composition holds it: without tags, marks and merge fields.
fn plain(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for (open, close) in [("{{", "}}"), ("<", ">"), ("[", "]")] {
        while let Some(start) = text.find(open) {
            let Some(end) = text[start..].find(close) else { break };
            text.replace_range(start..start + end + close.len(), "\u{1}");
        }
    }
    let text = text.replace("&amp;", "&");
    text.split('\u{1}').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_text_picture_clip_and_sound_of_a_document_is_in_its_composition() {
    let keys = ["text", "html", "src", "source", "file", "content"];
    for (_, path, document) in films() {
        let imported = imported(&document);
        let composition = imported.composition.write();
        let written = serde_json::to_string(&composition).unwrap();
        let mut wanted = Vec::new();
        strings(&document, &keys, &mut wanted);
        assert!(!wanted.is_empty());
        for text in wanted {
            // Captions are cut into cues, references are reported, and replaced values are in `modifications`.
            if text.contains("-->") || text.starts_with("alias://") || text.starts_with("<svg") {
                continue;
            }
            if ["Placeholder", "old.jpg", "Song", "Upbeat", "thumb.jpg"].contains(&&*text)
                && !written.contains(&text)
            {
                continue;
            }
            for part in plain(&text) {
                let part = serde_json::to_string(&part).unwrap();
                assert!(
                    written.contains(part.trim_matches('"')),
                    "{}: {part} of {text:?} is lost",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn every_composition_reads_back_as_it_is_without_unknown_fields() {
    for (_, path, document) in films() {
        let composition = imported(&document).composition;
        let read = Composition::read(&composition.write(), Limits::default()).unwrap();
        assert_eq!(read.composition, composition, "{}", path.display());
        let remarks = read.remarks;
        assert!(remarks.unknown_fields.is_empty(), "{}: {remarks:?}", path.display());
    }
}

/// The value at a path such as `tracks[0].clips`; the last step may be absent.
fn at<'a>(document: &'a Value, path: &str) -> Option<&'a Value> {
    let mut value = document;
    let path = path.replace('[', ".[");
    let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
    for (index, step) in steps.iter().enumerate() {
        let next = match step.strip_prefix('[') {
            Some(number) => value.get(number.trim_end_matches(']').parse::<usize>().ok()?),
            None => value.get(*step),
        };
        value = match next {
            Some(next) => next,
            None if index + 1 == steps.len() => return Some(&Value::Null),
            None => return None,
        };
    }
    Some(value)
}

#[test]
fn the_path_of_every_warning_leads_to_its_place_in_the_document() {
    for (_, file, document) in films() {
        for warning in imported(&document).warnings {
            // Names with a point are keys of `modifications`.
            let exists = at(&document, &warning.path).is_some() || warning.path.starts_with("modifications.");
            assert!(exists, "{}: {warning:?}", file.display());
        }
    }
}

#[test]
fn merge_fields_become_variables_that_replacements_fill() {
    let mut composition = imported(&film("shotstack/product")).composition;
    let values = json!({"HEADLINE": "New", "CLIP": "other.mp4", "LOGO": "new.png", "SHOP": "Hut"});
    let report = composition.apply_replacements(values.as_object().unwrap()).unwrap();
    assert_eq!(report.applied, ["HEADLINE", "CLIP", "LOGO", "SHOP"]);
    assert!(report.unknown.is_empty());
    let texts: Vec<String> = composition.overlays.iter().map(|overlay| overlay.variable_value()).collect();
    for value in ["New", "other.mp4", "new.png", "Hut", "Only 4.90 until Sunday"] {
        assert!(texts.iter().any(|text| text == value), "{value} is not in {texts:?}");
    }
}

#[test]
fn looks_without_an_equal_are_reported_with_their_paths() {
    let document = json!({"width": 640, "height": 360, "emoji_style": "twemoji", "elements": [
        {"type": "image", "source": "https://example.com/a.jpg", "duration": 2, "smart_crop": true, "blur_radius": 4,
            "blur_mode": "background", "stroke_color": "#fff", "stroke_join": "round"},
        {"type": "text", "text": "Hi", "duration": 2, "y_rotation": 120, "backface_visible": false,
            "background_color": "#000", "background_align_threshold": "40%"},
        {"type": "text", "text": "Hi", "duration": 2, "backface_visible": true, "background_align_threshold": "40%"}]});
    let imported = rondo_import::import(&document, Some(rondo_import::Source::Creatomate)).unwrap();
    let mut paths: Vec<&str> =
        imported.warnings.iter().filter(|w| w.code == "NO_EQUIVALENT").map(|w| w.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "elements[0].blur_mode",
            "elements[0].smart_crop",
            "elements[0].stroke_join",
            "elements[1].backface_visible",
            "elements[1].background_align_threshold",
            "emoji_style"
        ]
    );
}

#[test]
fn a_key_that_is_part_of_a_text_is_reported_with_its_path() {
    let imported = imported(&film("shotstack/product"));
    let substituted: Vec<&str> =
        imported.warnings.iter().filter(|w| w.code == "FIELD_SUBSTITUTED").map(|w| w.path.as_str()).collect();
    assert_eq!(
        substituted,
        [
            "timeline.tracks[0].clips[1].length",
            "timeline.tracks[0].clips[0].asset.font.color",
            "timeline.tracks[0].clips[1].asset.text",
        ]
    );
}
