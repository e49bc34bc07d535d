//! Modifications of a render request: values for the properties of named elements. The texts and sources that they set
//! become variables.

use serde_json::{Map, Value};

use crate::merge::Table;
use crate::notes::Notes;

/// Elements within each other.
const MOST_DEPTH: usize = 20;
/// Further modifications are ignored.
const MOST_MODIFICATIONS: usize = 200;

/// Sets the properties that `modifications` names. Returns the names of the elements whose content was set.
pub fn apply(script: &mut Value, modifications: Option<&Value>, notes: &Notes) -> Vec<String> {
    let mut contents = Vec::new();
    let Some(modifications) = modifications.and_then(Value::as_object) else { return contents };
    let fields = crate::merge::field_names(script);
    for (key, value) in modifications.iter().take(MOST_MODIFICATIONS) {
        let (name, property) = key.rsplit_once('.').unwrap_or((key, ""));
        let mut found = false;
        each(script, 0, &mut |element| {
            let is_named = |field: &str| element.get(field).and_then(Value::as_str) == Some(name);
            if !is_named("name") && !is_named("id") {
                return;
            }
            found = true;
            let content = content_key(element);
            let property = if property.is_empty() { content } else { property };
            if property == content {
                contents.push(name.to_owned());
            }
            element.insert(property.to_owned(), value.clone());
        });
        if !found && !fields.contains(key) {
            let key: String = key.chars().take(80).collect();
            notes.value_ignored(format!("modifications.{key}"), "No element has this name. It is ignored.");
        }
    }
    contents
}

/// The values of `{{ … }}` in texts that modifications name without an element.
pub fn placeholders(document: &Value) -> Vec<(String, Value)> {
    let modifications = document.get("modifications").and_then(Value::as_object);
    modifications.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Makes the contents of dynamic elements, and those that modifications set, variables by the element's name.
pub fn name_variables(script: &Value, prefix: &str, changed: &[String], table: &mut Table) {
    walk(script, prefix, 0, &mut |element, path| {
        let Some(name) = element.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            return;
        };
        let is_dynamic = element.get("dynamic") == Some(&Value::Bool(true));
        if is_dynamic || changed.iter().any(|other| other == name) {
            table.set(format!("{path}.{}", content_key(element)), name.to_owned());
        }
    });
}

/// The property that a modification without one sets.
fn content_key(element: &Map<String, Value>) -> &'static str {
    match element.get("type").and_then(Value::as_str) {
        Some("text") => "text",
        _ => "source",
    }
}

fn each(script: &mut Value, depth: usize, change: &mut impl FnMut(&mut Map<String, Value>)) {
    let Some(elements) = script.get_mut("elements").and_then(Value::as_array_mut) else { return };
    for element in elements.iter_mut().filter(|_| depth < MOST_DEPTH) {
        if let Some(fields) = element.as_object_mut() {
            change(fields);
        }
        each(element, depth + 1, change);
    }
}

fn walk(script: &Value, path: &str, depth: usize, look: &mut impl FnMut(&Map<String, Value>, &str)) {
    let Some(elements) = script.get("elements").and_then(Value::as_array) else { return };
    for (index, element) in elements.iter().enumerate().filter(|_| depth < MOST_DEPTH) {
        let path = format!("{}[{index}]", crate::merge::joined(path, "elements"));
        if let Some(fields) = element.as_object() {
            look(fields, &path);
        }
        walk(element, &path, depth + 1, look);
    }
}
