//! Tools that tell what there is: the guide, templates, projects, variables, and every name a composition may use.

use axum::extract::{Path, State};
use rmcp::model::ContentBlock;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::schema;
use super::tool::{Answer, Call, Effect, Tool};
use crate::api::query::Params;
use crate::api::{projects, registry, templates};
use crate::error::{ApiError, ApiResult};
use crate::pages::docs;

/// Kinds of overlays, as the schema of a composition names them.
const KINDS: [&str; 8] = ["text", "image", "video", "sound", "shape", "sticker", "caption", "effect"];

pub fn tools() -> Vec<Tool> {
    vec![
        Tool {
            name: "get_guide",
            title: "Read the composition guide",
            description: "How to write a composition: canvas, time, rows, text, fonts, animations, complete recipes and \
                          pitfalls. Read it once before writing your first one. With `overlay` it shows instead the exact \
                          JSON Schema of one kind of overlay, with every field and style it takes.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({"overlay": {"type": "string", "enum": KINDS, "description": "Show the schema of this kind of overlay"}}),
                &[],
            ),
            output: schema::of::<Guide>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(get_guide(call)),
        },
        Tool {
            name: "list_templates",
            title: "List templates",
            description: "Films ready to be filled in, each with its category, price per minute and the names of its \
                          variables. See what one looks like with preview_frames and its templateId; get_template tells \
                          the rest.",
            effect: Effect::Reads,
            input: schema::page(&json!({})),
            output: schema::of::<Shelf>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(list_templates(call)),
        },
        Tool {
            name: "get_template",
            title: "Get a template",
            description: "One template: what each variable accepts, and the whole composition, which you may also change and \
                          use as inputProps of your own.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({"templateId": {"type": "string", "description": "From list_templates"}}),
                &["templateId"],
            ),
            output: schema::of::<templates::TemplateDetails>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(get_template(call)),
        },
        Tool {
            name: "list_projects",
            title: "List projects",
            description: "Your saved films, newest first, each with its size, length and variables.",
            effect: Effect::Reads,
            input: schema::page(&json!({
                "dynamic": {"type": "boolean", "description": "true: only projects with at least one variable"}
            })),
            output: schema::of::<projects::ProjectList>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(list_projects(call)),
        },
        Tool {
            name: "get_variables",
            title: "Get variables",
            description: "What each variable of a template or project accepts: text or url, its default, and for text of a \
                          fixed size how many characters fit. Give exactly one of templateId and projectId.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({
                    "templateId": {"type": "string", "description": "From list_templates"},
                    "projectId": {"type": "string", "description": "From list_projects"}
                }),
                &[],
            ),
            output: schema::of::<projects::VariableList>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(get_variables(call)),
        },
        Tool {
            name: "list_registry",
            title: "List names a composition may use",
            description: "Every name of an area: enter and exit animations, during animations, 3D layouts, effects, shapes, \
                          stickers, caption styles, easings, filter presets, font families with their weights, or voices.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({
                    "area": {"type": "string", "enum": registry::names(), "description": "What to list"},
                    "search": {"type": "string", "description": "Only names that contain this"}
                }),
                &["area"],
            ),
            output: schema::of::<registry::Registry>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(list_registry(call)),
        },
    ]
}

/// What get_guide shows.
#[derive(Debug, Serialize, ToSchema)]
struct Guide {
    /// `guide`, or the kind of overlay whose schema this is.
    topic: String,
    /// text/markdown or application/schema+json.
    #[serde(rename = "mimeType")]
    mime_type: &'static str,
    /// Bytes of the text that follows as content.
    size: usize,
}

async fn get_guide(call: Call) -> ApiResult<Answer> {
    let (topic, mime_type, text) = match call.optional_text("overlay") {
        Some(kind) => (kind, "application/schema+json", overlay_schema(kind)?.to_string()),
        None => ("guide", "text/markdown", docs::agents(&call.app)),
    };
    let answer = Answer::of(Guide { topic: topic.to_owned(), mime_type, size: text.len() })?;
    Ok(answer.with(ContentBlock::text(text)))
}

/// The schema of one kind of overlay with the parts it refers to.
fn overlay_schema(kind: &str) -> ApiResult<Value> {
    let mut whole = rondo_composition::schema();
    let of_kind = |part: &Value| part.pointer("/properties/type/const").and_then(Value::as_str) == Some(kind);
    let parts = whole["$defs"].as_object_mut().map(std::mem::take).unwrap_or_default();
    let (name, _) = parts
        .iter()
        .find(|(_, part)| of_kind(part))
        .ok_or_else(|| ApiError::internal(format!("the schema has no overlay of the type {kind}")))?;
    let mut used = vec![name.clone()];
    let mut at = 0;
    while let Some(name) = used.get(at).cloned() {
        if let Some(part) = parts.get(&name) {
            collect(part, &mut used);
        }
        at += 1;
    }
    let defs: serde_json::Map<String, Value> =
        used.iter().skip(1).filter_map(|name| Some((name.clone(), parts.get(name)?.clone()))).collect();
    let mut schema = parts.get(name).cloned().unwrap_or_default();
    schema["$defs"] = Value::Object(defs);
    Ok(schema)
}

/// Names of the parts a schema refers to that are not known yet.
fn collect(schema: &Value, used: &mut Vec<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect(item, used)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field.as_str().and_then(|text| text.strip_prefix("#/$defs/")) {
                    Some(name) if key == "$ref" && !used.iter().any(|known| known == name) => {
                        used.push(name.to_owned());
                    }
                    _ => collect(field, used),
                }
            }
        }
        _ => {}
    }
}

/// The arguments of a call as an operation reads its query.
pub fn params(call: &Call) -> Params {
    call.arguments
        .iter()
        .map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.clone(), text)
        })
        .collect()
}

/// The templates in few words: a model reads all of them to choose one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Shelf {
    templates: Vec<Shelved>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Shelved {
    template_id: String,
    name: String,
    description: String,
    category: String,
    /// Credits a minute of film at 1080p.
    credits_per_minute: u32,
    /// Names of the variables.
    variables: Vec<String>,
}

async fn list_templates(call: Call) -> ApiResult<Answer> {
    let params = params(&call);
    let list = templates::list(State(call.app), call.caller, params).await?.0;
    let shelved = |item: templates::TemplateItem| Shelved {
        template_id: item.id,
        name: item.name,
        description: item.description,
        category: item.category,
        credits_per_minute: item.credits_per_minute,
        variables: item.variables.into_iter().map(|variable| variable.name).collect(),
    };
    Answer::of(Shelf {
        templates: list.templates.into_iter().map(shelved).collect(),
        total: list.total,
        next_cursor: list.next_cursor,
    })
}

async fn get_template(call: Call) -> ApiResult<Answer> {
    Answer::of(templates::details(&call.app, &call.caller, call.text("templateId")).await?)
}

async fn list_projects(call: Call) -> ApiResult<Answer> {
    let params = params(&call);
    Answer::of(projects::list(State(call.app), call.caller, params).await?.0)
}

async fn get_variables(call: Call) -> ApiResult<Answer> {
    let (template, project) = (call.optional_text("templateId"), call.optional_text("projectId"));
    match (template.map(str::to_owned), project.map(str::to_owned)) {
        (Some(id), None) => Answer::of(templates::variables(State(call.app), call.caller, Path(id)).await?.0),
        (None, Some(id)) => Answer::of(projects::variables(State(call.app), call.caller, Path(id)).await?.0),
        _ => Err(ApiError::invalid("Give exactly one of `templateId` and `projectId`.")),
    }
}

async fn list_registry(call: Call) -> ApiResult<Answer> {
    let (area, search) = (call.text("area").to_owned(), call.optional_text("search").map(str::to_owned));
    let mut registry = registry::registry(State(call.app), Path(area)).await?.0;
    if let Some(search) = search {
        registry.keep(&search);
    }
    Answer::of(registry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_every_kind_of_overlay_is_complete_in_itself() {
        for kind in KINDS {
            let schema = overlay_schema(kind).unwrap();
            let mut used = Vec::new();
            collect(&schema, &mut used);
            for name in used {
                assert!(schema["$defs"].get(&name).is_some(), "{kind} lacks {name}");
            }
        }
    }
}
