//! Edits: small changes of a composition that leave the rest as it is. The editor in the browser applies the same ones.

use rondo_fields::{
    Codec, Definitions, Nested, Reader, choices, integer, json_value, number, object, one_of, record, text,
};
use serde_json::{Map, Value, json};

use crate::error::{Issue, ServiceError};

/// Beyond this, not every number has a successor.
const MOST_ID: f64 = 9_007_199_254_740_991.0;
/// Steps of a path at most.
const MOST_STEPS: usize = 32;
/// Objects and lists inside one another at most, so that the film can be read again.
const DEEPEST: usize = 100;
/// Characters of a path at most.
const LONGEST_PATH: usize = 500;

choices! {
    /// What an edit does.
    pub enum EditOp {
        Set = "set",
        Add = "add",
        Remove = "remove",
        Move = "move",
    }
}

record! {
    /// One change: `{"op": "set", "id": 7, "path": "styles.opacity", "value": 0.5}`, `{"op": "add", "overlay": {…}}`,
    /// `{"op": "remove", "id": 7}` or `{"op": "move", "id": 7, "index": 0}`.
    pub struct Edit {
        /// set: gives a field another value. add: adds an overlay. remove: removes one. move: changes its place in the list.
        op: required EditOp => "op", one_of();
        /// The id of an overlay. Without it, `set` changes a field of the film itself.
        id: optional f64 => "id", number().between(-MOST_ID, MOST_ID);
        /// set: the field, such as `styles.opacity` or `captions[2].text`. What is missing on the way is made.
        path: optional String => "path", text().not_blank().at_most(LONGEST_PATH);
        /// set: the value. Without it, the field is removed.
        value: optional Value => "value", json_value(|_| json!({}), "any value");
        /// add: the overlay. Without an `id` it gets the next free number.
        overlay: optional Value => "overlay", json_value(|_| json!({"type": "object", "additionalProperties": true}), "an overlay");
        /// add, move: the place in the list of overlays, from 0. Default of add: the end.
        index: optional u32 => "index", integer(0, 10_000);
    }
}

/// An edit, whose `value` may be null.
#[derive(Debug)]
pub struct EditCodec(Nested<Edit>);

pub fn edit() -> EditCodec {
    EditCodec(object())
}

impl Codec for EditCodec {
    type Out = Edit;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Edit> {
        let edit = self.0.read(value, reader)?;
        Some(Edit { value: value.get("value").cloned(), ..edit })
    }

    fn write(&self, out: &Edit) -> Value {
        self.0.write(out)
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        self.0.schema(definitions)
    }

    fn expected(&self) -> String {
        self.0.expected()
    }
}

/// Applies all edits, or fails at the first that cannot be applied. Then the composition is to be thrown away.
pub fn apply(composition: &mut Value, edits: &[Edit]) -> Result<(), ServiceError> {
    for (index, edit) in edits.iter().enumerate() {
        apply_one(composition, edit).map_err(|(field, why)| {
            let path = format!("edits[{index}].{field}");
            ServiceError::unprocessable_field("INVALID_EDIT", &path, format!("`{path}`: {why}."))
        })?;
    }
    Ok(())
}

/// Why an edit cannot be applied: its field, and what is wrong with it.
type Refusal = (&'static str, String);

fn apply_one(composition: &mut Value, edit: &Edit) -> Result<(), Refusal> {
    if edit.op == EditOp::Set && edit.id.is_none() {
        return set(composition, edit);
    }
    let Some(overlays) = composition.get_mut("overlays").and_then(Value::as_array_mut) else {
        return Err(("op", "the film has no list of overlays".to_owned()));
    };
    if edit.op == EditOp::Add {
        return add(overlays, edit);
    }
    let id = edit.id.ok_or_else(|| ("id", "it is missing".to_owned()))?;
    let at = overlays.iter().position(|overlay| overlay_id(overlay) == Some(id));
    let at = at.ok_or_else(|| ("id", format!("there is no overlay {id}")))?;
    match edit.op {
        EditOp::Set => set(&mut overlays[at], edit),
        EditOp::Move => {
            let to = edit.index.ok_or_else(|| ("index", "it is missing".to_owned()))? as usize;
            if to >= overlays.len() {
                return Err(("index", format!("{to} is beyond the {} overlays", overlays.len())));
            }
            let overlay = overlays.remove(at);
            overlays.insert(to, overlay);
            Ok(())
        }
        EditOp::Remove | EditOp::Add => {
            overlays.remove(at);
            Ok(())
        }
    }
}

fn add(overlays: &mut Vec<Value>, edit: &Edit) -> Result<(), Refusal> {
    let Some(Value::Object(mut overlay)) = edit.overlay.clone() else {
        return Err(("overlay", "an overlay is needed".to_owned()));
    };
    let at = edit.index.map_or(overlays.len(), |index| index as usize);
    if at > overlays.len() {
        return Err(("index", format!("{at} is beyond the {} overlays", overlays.len())));
    }
    if overlay.get("id").is_none_or(Value::is_null) {
        let most = overlays.iter().filter_map(overlay_id).fold(0.0, f64::max);
        if most >= MOST_ID {
            return Err(("overlay", "an id is needed: there is no next free number".to_owned()));
        }
        overlay.insert("id".to_owned(), (most.floor() as i64 + 1).into());
    }
    let overlay = Value::Object(overlay);
    if let Some(id) = overlay_id(&overlay)
        && overlays.iter().any(|other| overlay_id(other) == Some(id))
    {
        return Err(("overlay.id", format!("there is an overlay {id} already")));
    }
    overlays.insert(at, overlay);
    Ok(())
}

fn set(target: &mut Value, edit: &Edit) -> Result<(), Refusal> {
    let path = edit.path.as_deref().ok_or_else(|| ("path", "it is missing".to_owned()))?;
    let steps = steps(path).ok_or_else(|| {
        ("path", format!("\"{path}\" is no path such as styles.opacity or captions[2].text"))
    })?;
    match &edit.value {
        Some(value) if steps.len() + depth(value) > DEEPEST => {
            return Err(("value", format!("the film would be nested more than {DEEPEST} levels deep")));
        }
        Some(value) => put(target, &steps, value),
        None => take(target, &steps),
    }
    Ok(())
}

/// Objects and lists inside one another.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// The id of an overlay, which some editors write as text.
fn overlay_id(overlay: &Value) -> Option<f64> {
    let id = match overlay.get("id")? {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    id.is_finite().then_some(id)
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The steps of a path such as `captions[2].words[0].text`; `None` where it is malformed.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for (number, part) in path.trim().split('.').enumerate() {
        let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        match name.is_empty() {
            false => steps.push(Step::Key(name.to_owned())),
            // Only at the start may an index stand alone.
            true if number > 0 || rest.is_empty() => return None,
            true => {}
        }
        while !rest.is_empty() {
            let (digits, after) = rest.strip_prefix('[')?.split_once(']')?;
            let is_number =
                !digits.is_empty() && digits.len() < 7 && digits.bytes().all(|it| it.is_ascii_digit());
            steps.push(Step::Index(digits.parse().ok().filter(|_| is_number)?));
            rest = after;
        }
    }
    (!steps.is_empty() && steps.len() <= MOST_STEPS).then_some(steps)
}

/// Puts a value at a place. What is missing on the way is made; an index beyond the end of a list is its end.
fn put(target: &mut Value, steps: &[Step], value: &Value) {
    let Some((step, rest)) = steps.split_first() else {
        *target = value.clone();
        return;
    };
    match step {
        Step::Key(key) => {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            if let Some(fields) = target.as_object_mut() {
                put(fields.entry(key.clone()).or_insert(Value::Null), rest, value);
            }
        }
        Step::Index(index) => {
            if !target.is_array() {
                *target = Value::Array(Vec::new());
            }
            if let Some(items) = target.as_array_mut() {
                let index = (*index).min(items.len());
                if index == items.len() {
                    items.push(Value::Null);
                }
                put(&mut items[index], rest, value);
            }
        }
    }
}

/// Removes what is at a place, if it is there.
fn take(target: &mut Value, steps: &[Step]) {
    let Some((step, rest)) = steps.split_first() else { return };
    match (step, target) {
        (Step::Key(key), Value::Object(fields)) => {
            if rest.is_empty() {
                fields.shift_remove(key);
            } else if let Some(field) = fields.get_mut(key) {
                take(field, rest);
            }
        }
        (Step::Index(index), Value::Array(items)) if *index < items.len() => {
            if rest.is_empty() {
                items.remove(*index);
            } else {
                take(&mut items[*index], rest);
            }
        }
        _ => {}
    }
}

/// Problems of the film that edits made, named by the edits that caused them where one did.
pub fn name_causes(error: ServiceError, composition: &Value, edits: &[Edit]) -> ServiceError {
    let mut issues = error.issues();
    let mut message = error.message.clone();
    for Issue { path, message: text, .. } in &mut issues {
        let Some(cause) =
            path.strip_prefix("composition.").and_then(|place| cause(place, composition, edits))
        else {
            continue;
        };
        for text in [&mut *text, &mut message] {
            *text = text.replace(&format!("`{path}`"), &format!("`{cause}`"));
        }
        *path = cause;
    }
    match issues.is_empty() {
        true => error,
        false => ServiceError { message, ..error }.with("issues", json!(issues)),
    }
}

/// The field of the last edit that wrote what is at a place of a composition.
fn cause(place: &str, composition: &Value, edits: &[Edit]) -> Option<String> {
    let place = steps(place)?;
    let overlays = composition.get("overlays").and_then(Value::as_array);
    let at = |id: f64| {
        let index = overlays?.iter().position(|overlay| overlay_id(overlay) == Some(id))?;
        Some(vec![Step::Key("overlays".to_owned()), Step::Index(index)])
    };
    edits.iter().enumerate().rev().find_map(|(number, edit)| match edit.op {
        EditOp::Set => {
            let mut target = edit.id.map_or_else(|| Some(Vec::new()), at)?;
            target.extend(steps(edit.path.as_deref()?)?);
            let field = if edit.value.is_some() { "value" } else { "path" };
            if let Some(rest) = place.strip_prefix(target.as_slice()) {
                return Some(format!("edits[{number}].{field}{}", written(rest)));
            }
            // A field that is missing is named by what removed it from above.
            target.starts_with(&place).then(|| format!("edits[{number}].{field}"))
        }
        EditOp::Add => {
            let id = edit.overlay.as_ref().and_then(overlay_id)?;
            let rest = place.strip_prefix(at(id)?.as_slice())?;
            Some(format!("edits[{number}].overlay{}", written(rest)))
        }
        EditOp::Remove | EditOp::Move => None,
    })
}

fn written(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Key(key) => format!(".{key}"),
        Step::Index(index) => format!("[{index}]"),
    };
    steps.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(film: &Value, edits: &Value) -> Result<Value, String> {
        let mut reader = Reader::default();
        let edits: Option<Vec<Edit>> =
            edits.as_array().unwrap().iter().map(|value| edit().read(value, &mut reader)).collect();
        let edits = reader.finish(edits).map_err(|error| error.to_string())?;
        let mut film = film.clone();
        apply(&mut film, &edits).map(|()| film).map_err(|error| error.message)
    }

    #[test]
    fn edits_change_what_they_name_and_keep_the_rest() {
        let film =
            json!({"z": 1, "overlays": [{"id": 1, "styles": {"b": 1, "a": 2}}, {"id": 7}], "a": [1, 2]});
        for (edits, expected) in [
            (
                json!([{"op": "set", "id": 1, "path": "styles.b", "value": 5}]),
                json!({"z": 1, "overlays": [{"id": 1, "styles": {"b": 5, "a": 2}}, {"id": 7}], "a": [1, 2]}),
            ),
            (
                json!([{"op": "set", "id": 1, "path": "styles.b"}, {"op": "set", "id": 1, "path": "none.there"}]),
                json!({"z": 1, "overlays": [{"id": 1, "styles": {"a": 2}}, {"id": 7}], "a": [1, 2]}),
            ),
            (
                json!([{"op": "set", "path": "a[1]", "value": null}, {"op": "set", "path": "a[9].x", "value": {"y": []}}]),
                json!({"z": 1, "overlays": [{"id": 1, "styles": {"b": 1, "a": 2}}, {"id": 7}], "a": [1, null, {"x": {"y": []}}]}),
            ),
            (
                json!([{"op": "add", "overlay": {"type": "text"}, "index": 1}, {"op": "remove", "id": 7}]),
                json!({"z": 1, "overlays": [{"id": 1, "styles": {"b": 1, "a": 2}}, {"type": "text", "id": 8}], "a": [1, 2]}),
            ),
            (
                json!([{"op": "move", "id": 7, "index": 0}]),
                json!({"z": 1, "overlays": [{"id": 7}, {"id": 1, "styles": {"b": 1, "a": 2}}], "a": [1, 2]}),
            ),
        ] {
            assert_eq!(edited(&film, &edits).unwrap().to_string(), expected.to_string(), "{edits}");
        }
    }

    #[test]
    fn an_edit_that_cannot_be_applied_is_named() {
        let film = json!({"overlays": [{"id": 1}]});
        let deep = (0..DEEPEST).fold(json!(1), |inner, _| json!([inner]));
        for (edit, field) in [
            (json!({"op": "set", "id": 2, "path": "x", "value": 1}), "`edits[0].id`"),
            (json!({"op": "set", "id": 1, "path": "x", "value": deep}), "`edits[0].value`"),
            (json!({"op": "set", "id": 1, "value": 1}), "`edits[0].path`"),
            (json!({"op": "set", "id": 1, "path": "a..b", "value": 1}), "`edits[0].path`"),
            (json!({"op": "set", "id": 1, "path": "a[b]", "value": 1}), "`edits[0].path`"),
            (json!({"op": "set", "id": 1, "path": "a[", "value": 1}), "`edits[0].path`"),
            (json!({"op": "set", "id": 1, "path": "a.".repeat(40) + "b", "value": 1}), "`edits[0].path`"),
            (json!({"op": "add"}), "`edits[0].overlay`"),
            (json!({"op": "add", "overlay": {"id": 1}}), "`edits[0].overlay.id`"),
            (json!({"op": "add", "overlay": {}, "index": 2}), "`edits[0].index`"),
            (json!({"op": "remove"}), "`edits[0].id`"),
            (json!({"op": "move", "id": 1, "index": 1}), "`edits[0].index`"),
            (json!({"op": "move", "id": 1}), "`edits[0].index`"),
        ] {
            let error = edited(&film, &json!([edit])).unwrap_err();
            assert!(error.contains(field), "{edit}: {error}");
        }
    }
}
