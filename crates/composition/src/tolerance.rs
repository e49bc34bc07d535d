//! What is accepted although it is not of the format, so that one odd value does not refuse a whole film. Each code
//! is a notice of the film; `docs/compatibility.md` lists them all.

use std::collections::BTreeMap;

use rondo_fields::{Reader, Tolerated};
use serde_json::Value;

/// An animation, or a field of one, that cannot be read. It is left out.
pub const ANIMATION_IGNORED: &str = "ANIMATION_IGNORED";
/// A sticker category that is not in the list. It is kept and has no effect.
pub const STICKER_CATEGORY_UNKNOWN: &str = "STICKER_CATEGORY_UNKNOWN";
/// An overlay type under a name of older editors.
pub const OVERLAY_TYPE_RENAMED: &str = "OVERLAY_TYPE_RENAMED";
/// A field in which an editor keeps its own state.
pub const EDITOR_FIELD_IGNORED: &str = "EDITOR_FIELD_IGNORED";

/// Names of overlay types in older editors, and what they are read as.
pub const OVERLAY_TYPE_ALIASES: &[(&str, &str)] = &[("clip", "video")];

/// Fields of films and overlays in which editors keep their own state.
pub const EDITOR_FIELDS: &[&str] = &["meta", "trackMuted", "aspectRatio", "isDragging"];

/// The type that another name stands for.
pub(crate) fn aliased_type(name: &str) -> Option<&'static str> {
    OVERLAY_TYPE_ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, known)| *known)
}

/// An overlay's id: a number, or a string that holds one.
pub(crate) fn overlay_id(value: &Value) -> Option<f64> {
    let id = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    id.is_finite().then_some(id)
}

/// What was noted beside problems while a film was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Remarks {
    /// Paths of unknown fields, such as `overlays[0].styles.colour`. They were dropped.
    pub unknown_fields: Vec<String>,
    /// The known fields that unknown ones resemble, by their paths.
    pub nearest: BTreeMap<String, &'static str>,
    /// Values that are not of the format and were accepted.
    pub tolerated: Vec<Tolerated>,
}

impl Remarks {
    /// Takes the remarks from a reader. Unknown fields in which editors keep their own state count as tolerated.
    pub(crate) fn take(reader: &mut Reader) -> Self {
        let (left_over, unknown_fields) =
            reader.take_unknown().into_iter().partition(|path| is_left_over(path));
        let left_over: Vec<String> = left_over;
        for path in left_over {
            reader.at_key(path, |reader| reader.tolerate(EDITOR_FIELD_IGNORED, &Value::Null, "left out"));
        }
        Self { unknown_fields, nearest: reader.take_nearest(), tolerated: reader.take_tolerated() }
    }
}

/// Whether a path is a field of [`EDITOR_FIELDS`] of the film or of an overlay. Styles of these names are CSS.
fn is_left_over(path: &str) -> bool {
    let path = path.strip_prefix("inputProps.").unwrap_or(path);
    let field = match path.split_once('.') {
        None => path,
        Some((overlay, field)) if overlay.starts_with("overlays[") => field,
        Some(_) => return false,
    };
    EDITOR_FIELDS.contains(&field)
}
