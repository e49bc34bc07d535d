//! Notices about how a composition was read: unknown fields, and values that were accepted although they are not of the
//! format. The tolerances are a table, one row each.

use rondo_composition::{Problem, Remarks, tolerance};

use crate::motion::{during, presets};
use crate::notice::{Notice, Severity, told_once};

/// How one kind of tolerated value is told.
struct Tolerance {
    code: &'static str,
    severity: Severity,
    message: fn(&Problem) -> String,
    hint: fn(&Problem) -> Option<String>,
}

const TOLERANCES: &[Tolerance] = &[
    Tolerance {
        code: tolerance::ANIMATION_IGNORED,
        severity: Severity::Warning,
        message: |problem| {
            format!("`{}` must be {}, got {}; ignored.", field(problem), problem.expected, given(problem))
        },
        hint: |_| Some(presets_by_name()),
    },
    Tolerance {
        code: tolerance::STICKER_CATEGORY_UNKNOWN,
        severity: Severity::Info,
        message: |problem| {
            format!("The sticker category {} is unknown. It does not change the film.", given(problem))
        },
        hint: |problem| Some(format!("It can be {}.", problem.expected)),
    },
    Tolerance {
        code: tolerance::OVERLAY_TYPE_RENAMED,
        severity: Severity::Info,
        message: |problem| format!("The overlay type {} is read as {}.", given(problem), problem.expected),
        hint: |problem| Some(format!("Write \"type\": \"{}\".", problem.expected)),
    },
    Tolerance {
        code: tolerance::EDITOR_FIELD_IGNORED,
        severity: Severity::Info,
        message: |problem| format!("`{}` is an editor's own field; ignored.", field(problem)),
        hint: |_| None,
    },
];

/// Notices about how a composition was read. Each kind of tolerated value is told once, with every place.
pub fn reading_notices(remarks: &Remarks) -> Vec<Notice> {
    let unknown = remarks.unknown_fields.iter().map(|path| {
        let message = format!("`{path}` is not part of the format and is dropped.");
        let hint = remarks.nearest.get(path).map(|nearest| format!("Did you mean \"{nearest}\"?"));
        Notice { hint, ..Notice::new("UNKNOWN_FIELD", Severity::Warning, path, message) }
    });
    let mut notices: Vec<Notice> = unknown.collect();
    for Tolerance { code, severity, message, hint } in TOLERANCES {
        let tolerated = remarks.tolerated.iter().filter(|tolerated| tolerated.code == *code);
        notices.extend(tolerated.map(|tolerated| {
            let problem = &tolerated.problem;
            Notice { hint: hint(problem), ..Notice::new(code, *severity, &problem.path, message(problem)) }
        }));
        told_once(&mut notices, code);
    }
    notices
}

/// The value as it was written.
fn given(problem: &Problem) -> &str {
    problem.value.as_deref().unwrap_or_default()
}

/// The name of the field.
fn field(problem: &Problem) -> &str {
    problem.path.rsplit('.').next().unwrap_or_default()
}

fn presets_by_name() -> String {
    let list = |names: &mut dyn Iterator<Item = &'static str>| names.collect::<Vec<_>>().join(", ");
    format!(
        "Write an object, as in {{\"enter\": \"fade\", \"enterDuration\": 1}}. Presets of enter and exit: {}. Presets of during: {}.",
        list(&mut presets::names()),
        list(&mut during::names())
    )
}

#[cfg(test)]
mod tests {
    use rondo_composition::{Composition, Limits};
    use serde_json::json;

    use super::*;

    #[test]
    fn every_tolerance_is_told_once_with_all_its_places() {
        let place =
            json!({"row": 0, "from": 0, "durationInFrames": 1, "left": 0, "top": 0, "width": 9, "height": 9});
        let overlay = |id: u32, fields: serde_json::Value| {
            let mut overlay = place.clone();
            overlay["id"] = json!(id);
            overlay.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            overlay
        };
        let film = json!({"durationInFrames": 1, "meta": 1, "overlays": [
            overlay(1, json!({"type": "clip", "src": "a.mp4", "meta": 1, "colour": 1})),
            overlay(2, json!({"type": "sticker", "content": "star", "category": "Odd", "styles": {"animation": 1}})),
            overlay(3, json!({"type": "sticker", "content": "star", "styles": {"animation": "fade"}})),
        ]});
        let notices = reading_notices(&Composition::read(&film, Limits::default()).unwrap().remarks);
        let told: Vec<(&str, &str, usize)> =
            notices.iter().map(|n| (n.code, n.path.as_str(), n.paths.len())).collect();
        assert_eq!(
            told,
            [
                ("UNKNOWN_FIELD", "overlays[0].colour", 0),
                ("ANIMATION_IGNORED", "overlays[1].styles.animation", 2),
                ("STICKER_CATEGORY_UNKNOWN", "overlays[1].category", 1),
                ("OVERLAY_TYPE_RENAMED", "overlays[0].type", 1),
                ("EDITOR_FIELD_IGNORED", "meta", 2),
            ]
        );
        assert_eq!(
            notices[1].message,
            "`animation` must be an object, got 1; ignored. One other place is like it."
        );
    }

    #[test]
    fn the_documentation_lists_every_tolerance() {
        for page in [include_str!("../../../docs/compatibility.md"), include_str!("../../../docs/errors.md")]
        {
            for Tolerance { code, .. } in TOLERANCES {
                assert!(page.contains(&format!("`{code}`")), "{code}");
            }
        }
    }
}
