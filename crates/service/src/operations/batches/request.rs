//! The request of a batch: what all renders share, and a set of values for each.

use rondo_composition::RenderRequest;
use rondo_fields::{json_map, list, object, record};
use serde_json::{Map, Value, json};

use super::MOST_SETS;
use crate::error::{ServiceError, ServiceResult};
use crate::operation::Request;

/// Keys and values of the caller for one render.
const MOST_METADATA: usize = 50;

/// Fields of a render request that a batch does not have.
const NOT_SHARED: [&str; 4] = ["inputProps", "createProject", "projectName", "confirmAiCost"];

record! {
    /// One render of a batch.
    pub struct BatchSet {
        /// Values for variables by name. They replace those that all renders share.
        replacements: default Map<String, Value> => "replacements", json_map(), Map::new();
        /// Keys and values of the caller for this render, added to those that all renders share.
        metadata: optional Map<String, Value> => "metadata", json_map().at_most(MOST_METADATA);
    }
}

record! {
    /// The renders of a batch.
    struct BatchSets {
        /// One set of values for each render.
        sets: required Vec<BatchSet> => "sets", list(object()).at_least(1).at_most(MOST_SETS);
    }
}

/// A batch to render. The shared fields are those of [`RenderRequest`], which the resolver reads.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRequest {
    pub shared: Map<String, Value>,
    pub sets: Vec<BatchSet>,
}

impl Request for BatchRequest {
    const NAME: &'static str = "BatchBody";

    fn read(input: Value) -> ServiceResult<Self> {
        let BatchSets { sets } = rondo_fields::read(&input)?;
        let Value::Object(mut shared) = input else {
            return Err(ServiceError::invalid("The request must be a JSON object."));
        };
        shared.shift_remove("sets");
        for field in NOT_SHARED {
            if shared.get(field).is_some_and(|value| !value.is_null() && *value != false) {
                let message = format!(
                    "`{field}` cannot be used in a batch: it renders a template or a project, and saves none."
                );
                return Err(ServiceError::invalid_field(field, message));
            }
        }
        shared.insert("createProject".into(), false.into());
        Ok(Self { shared, sets })
    }

    fn schema() -> Value {
        let mut schema = RenderRequest::schema();
        schema["title"] = "BatchBody".into();
        schema["description"] = "Many renders of one template or project. Exactly one of templateId and projectId is \
                                 required. Every field but `sets` holds for all renders; `webhookUrl` is called once, when \
                                 all have ended."
            .into();
        schema["required"] = json!(["sets"]);
        if let Some(properties) = schema["properties"].as_object_mut() {
            for field in NOT_SHARED {
                properties.shift_remove(field);
            }
            let described = |name: &str, about: &str| {
                let mut field = properties.get(name).cloned().unwrap_or_default();
                field["description"] = about.into();
                field
            };
            let replacements = described("replacements", "Values for variables of this render.");
            let metadata = described("metadata", "Keys and values of the caller for this render.");
            properties.insert(
                "sets".into(),
                json!({
                    "type": "array", "minItems": 1, "maxItems": MOST_SETS,
                    "description": "One set of values for each render.",
                    "items": {"$ref": "#/$defs/BatchSet"},
                }),
            );
            schema["$defs"]["BatchSet"] = json!({
                "type": "object",
                "description": "Values of one render of a batch.",
                "properties": {"replacements": replacements, "metadata": metadata},
            });
        }
        schema
    }
}

impl BatchRequest {
    /// The body of one render.
    pub fn body(&self, set: &BatchSet) -> Map<String, Value> {
        let mut body = self.shared.clone();
        for (field, own) in [("replacements", Some(&set.replacements)), ("metadata", set.metadata.as_ref())] {
            let Some(own) = own.filter(|own| !own.is_empty()) else { continue };
            match body.get_mut(field).and_then(Value::as_object_mut) {
                Some(shared) => shared.extend(own.clone()),
                None => {
                    body.insert(field.to_owned(), Value::Object(own.clone()));
                }
            }
        }
        body
    }

    /// Where a field of the body of one render stands in the request: in its set, or among what all renders share.
    pub fn path(&self, index: usize, path: &str) -> String {
        let (field, value) = path.split_once('.').unwrap_or((path, ""));
        let set = &self.sets[index];
        let is_own = |keys: &Map<String, Value>| {
            let mut rests = keys.keys().filter_map(|key| value.strip_prefix(key.as_str()));
            value.is_empty() || rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let is_own = match field {
            "replacements" => is_own(&set.replacements),
            "metadata" => set.metadata.as_ref().is_some_and(is_own),
            _ => !self.shared.contains_key(field.split('[').next().unwrap_or(field)),
        };
        if is_own { format!("sets[{index}].{path}") } else { path.to_owned() }
    }
}
