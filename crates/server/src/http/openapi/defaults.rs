//! Defaults of fields. Generators of types take a field with the keyword `default` for one that is always there, so that a request
//! would have to give it: the default is in the description and in `x-default` instead.

use serde_json::{Map, Value};

/// Moves the defaults of all fields.
pub fn describe(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
        fields.into_iter().flat_map(Map::values_mut).for_each(describe_field);
    }
}

fn describe_field(field: &mut Value) {
    let Some(field) = field.as_object_mut() else { return };
    let Some(default) = field.shift_remove("default") else { return };
    let about = field.get("description").and_then(Value::as_str).unwrap_or_default();
    if let Some(sentence) = sentence(&default).filter(|_| !about.contains("Default: ")) {
        let about = format!("{about} {sentence}");
        field.insert("description".to_owned(), about.trim_start().into());
    }
    field.insert("x-default".to_owned(), default);
}

/// `Default: 30.`; nothing for what is empty.
fn sentence(default: &Value) -> Option<String> {
    match default {
        Value::String(text) if !text.is_empty() => Some(format!("Default: `{text}`.")),
        Value::Number(_) | Value::Bool(_) => Some(format!("Default: {default}.")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_default_is_told_once_and_kept() {
        let field = |schema: Value| json!({"S": {"properties": {"default": schema}}});
        let mut schemas = field(json!({"type": "integer", "description": "Frames.", "default": 30}));
        describe(schemas.as_object_mut().unwrap());
        let told = json!({"type": "integer", "description": "Frames. Default: 30.", "x-default": 30});
        assert_eq!(schemas, field(told));
        let mut schemas = field(json!({"type": "array", "description": "Default: none.", "default": []}));
        describe(schemas.as_object_mut().unwrap());
        assert_eq!(
            schemas,
            field(json!({"type": "array", "description": "Default: none.", "x-default": []}))
        );
    }
}
