//! The arguments of a call: names that a tool does not take, and required ones that are missing. The values are read
//! by the operation.

use serde_json::{Map, Value, json};

use crate::http::error::{ApiError, ApiResult};

/// Reports every unknown and every missing argument.
pub fn check(schema: &Value, arguments: &Map<String, Value>) -> ApiResult<()> {
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required
        .filter(|name| !arguments.contains_key(*name))
        .map(|name| (name.to_owned(), format!("`{name}` is missing.")));
    let unknown = arguments
        .keys()
        .filter(|name| !known.contains_key(*name))
        .map(|name| (name.clone(), unknown(name, known)));
    let wrong: Vec<(String, String)> = missing.chain(unknown).collect();
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
    let hint = match known.contains_key("replacements") {
        true => " Values for variables belong under `replacements`.",
        false => "",
    };
    match names.is_empty() {
        true => format!("`{name}` is not an argument of this tool, which takes none."),
        false => format!("`{name}` is not an argument of this tool. It takes {}.{hint}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_missing_arguments_are_reported_at_once_with_what_the_tool_takes() {
        let schema = json!({"type": "object", "required": ["area"], "properties": {
            "area": {"type": "string"}, "limit": {"type": "integer"},
        }});
        let problems = |arguments: &Value| -> Vec<String> {
            let checked = check(&schema, arguments.as_object().unwrap());
            let issues = checked.err().map(|error| error.issues()).unwrap_or_default();
            issues.into_iter().map(|issue| issue.message).collect()
        };
        assert_eq!(problems(&json!({"area": "fonts", "limit": "x"})), [""; 0]);
        assert_eq!(
            problems(&json!({"colour": "red"})),
            ["`area` is missing.", "`colour` is not an argument of this tool. It takes area, limit."]
        );
    }
}
