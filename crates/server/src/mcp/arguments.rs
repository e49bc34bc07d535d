//! The arguments of a call, held against the schema that clients were shown.

use serde_json::{Map, Value, json};

use crate::error::{ApiError, ApiResult};

/// Tells everything that is wrong with the arguments of a call. Those in `unchecked` are left to whoever reads them.
pub fn check(schema: &Value, arguments: &Map<String, Value>, unchecked: &[&str]) -> ApiResult<()> {
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    let mut wrong: Vec<(String, String)> = Vec::new();
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            wrong.push((name.to_owned(), format!("`{name}` is missing.")));
        }
    }
    for (name, value) in arguments {
        match known.get(name) {
            None => wrong.push((name.clone(), unknown(name, known))),
            Some(_) if unchecked.contains(&name.as_str()) => {}
            Some(field) => hold(name, field, value, &mut wrong),
        }
    }
    let Some((_, first)) = wrong.first() else { return Ok(()) };
    let message = match wrong.len() {
        1 => first.clone(),
        n => format!("{first} ({} more in details.issues.)", n - 1),
    };
    let issues: Vec<Value> = wrong
        .iter()
        .map(|(path, message)| json!({"path": path, "code": "INVALID_ARGUMENT", "message": message}))
        .collect();
    Err(ApiError::invalid(message).reason("INVALID_ARGUMENT").with("issues", issues))
}

fn unknown(name: &str, known: &Map<String, Value>) -> String {
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    let way_out = match known.contains_key("replacements") {
        true => " Values for variables belong under `replacements`.",
        false => "",
    };
    match names.is_empty() {
        true => format!("`{name}` is not an argument of this tool, which takes none."),
        false => format!("`{name}` is not an argument of this tool. It takes {}.{way_out}", names.join(", ")),
    }
}

/// Holds a value against its schema: type, choices, range, and the same for the items of a list.
fn hold(path: &str, schema: &Value, value: &Value, wrong: &mut Vec<(String, String)>) {
    let expected = schema["type"].as_str().unwrap_or_default();
    let fits = match expected {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if !fits {
        let article = if expected.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
        wrong.push((path.to_owned(), format!("`{path}` must be {article} {expected}.")));
        return;
    }
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        let names: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        let shown = shortened(value);
        wrong.push((
            path.to_owned(),
            format!("`{path}` is {shown}, but must be one of {}.", names.join(", ")),
        ));
    }
    let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    if let Some(number) = value.as_f64()
        && (least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most))
    {
        let range = match (least, most) {
            (Some(least), Some(most)) => format!("from {least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => String::new(),
        };
        wrong.push((path.to_owned(), format!("`{path}` is {value}, but must be {range}.")));
    }
    if let Some(items) = value.as_array() {
        let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
        let count = items.len() as u64;
        if least.is_some_and(|least| count < least) || most.is_some_and(|most| count > most) {
            let (least, most) = (least.unwrap_or(0), most.unwrap_or(u64::MAX));
            let message = format!("`{path}` has {count} items, but must have {least} to {most}.");
            wrong.push((path.to_owned(), message));
            return;
        }
        for (i, item) in items.iter().enumerate() {
            hold(&format!("{path}[{i}]"), &schema["items"], item, wrong);
        }
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(arguments: &Value) -> Vec<String> {
        let schema = json!({"type": "object", "required": ["area"], "properties": {
            "area": {"type": "string", "enum": ["fonts", "shapes"]},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "frames": {"type": "array", "maxItems": 2, "items": {"type": "integer", "minimum": 0}},
            "film": {"type": "object"},
        }});
        let checked = check(&schema, arguments.as_object().unwrap(), &["film"]);
        checked
            .err()
            .map(|error| error.issues().into_iter().map(|issue| issue.message).collect())
            .unwrap_or_default()
    }

    #[test]
    fn good_arguments_pass_and_what_others_check_is_left_to_them() {
        assert_eq!(problems(&json!({"area": "fonts", "limit": 5.0, "frames": [0, 1], "film": 3})), [""; 0]);
    }

    #[test]
    fn everything_wrong_is_told_with_its_place_and_the_way_out() {
        assert_eq!(
            problems(&json!({"limit": 0, "frames": [1, -1], "colour": "red"})),
            [
                "`area` is missing.",
                "`limit` is 0, but must be from 1 to 100.",
                "`frames[1]` is -1, but must be at least 0.",
                "`colour` is not an argument of this tool. It takes area, limit, frames, film.",
            ]
        );
        assert_eq!(
            problems(&json!({"area": "voices", "limit": 1.5, "frames": [1, 2, 3]})),
            [
                "`area` is \"voices\", but must be one of fonts, shapes.",
                "`limit` must be an integer.",
                "`frames` has 3 items, but must have 0 to 2.",
            ]
        );
    }
}
