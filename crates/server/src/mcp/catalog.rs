//! Tools that list what there is: the guide, templates, projects, variables, and every name a composition may use.

use rmcp::model::ContentBlock;
use rondo_composition::OVERLAY_TYPES;
use rondo_service::Operation;
use rondo_service::operations::projects::{ListProjectVariables, ListProjects};
use rondo_service::operations::registry::ListRegistry;
use rondo_service::operations::templates::{GetTemplate, ListTemplateVariables, ListTemplates, TemplateItem};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::schema;
use super::tool::{Answer, Effect, Tool, ToolCall};
use crate::guides;
use crate::http::error::{ApiError, ApiResult};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool {
            name: "get_guide",
            title: "Read the composition guide",
            description: "How to write a composition: canvas, time, rows, text, fonts, animations, complete recipes and \
                          pitfalls. Read it once before writing your first one. With `overlay` it returns instead the \
                          exact JSON Schema of one type of overlay, with every field and style it takes.",
            effect: Effect::Reads,
            input: schema::own(
                &json!({"overlay": {"type": "string", "enum": OVERLAY_TYPES, "description": "Return the schema of this type of overlay"}}),
                &[],
            ),
            output: schema::response::<Guide>(),
            run: |call| Box::pin(get_guide(call)),
        },
        Tool {
            input: schema::without(schema::arguments::<ListTemplates>(), "fields"),
            output: schema::response::<TemplateSummaries>(),
            run: |call| Box::pin(list_templates(call)),
            ..Tool::of::<ListTemplates>(
                "list_templates",
                "List templates",
                Effect::Reads,
                "Films ready to be filled in, each with its category, price per minute and the names of its variables. \
                 See what one looks like with preview_frames and its templateId; get_template returns the rest.",
            )
        },
        Tool::of::<GetTemplate>(
            "get_template",
            "Get a template",
            Effect::Reads,
            "One template: what each variable accepts, and the whole composition, which you may also change and use as \
             inputProps of your own.",
        ),
        Tool {
            input: schema::without(schema::arguments::<ListProjects>(), "fields"),
            ..Tool::of::<ListProjects>(
                "list_projects",
                "List projects",
                Effect::Reads,
                "Your saved films, newest first, each with its size, length and variables.",
            )
        },
        Tool {
            name: "get_variables",
            title: "Get variables",
            description: "What each variable of a template or project accepts: text or url, its default, and for text of \
                          a fixed size how many characters fit. Give exactly one of templateId and projectId.",
            effect: Effect::Reads,
            input: schema::own(
                &json!({
                    "templateId": {"type": "string", "description": "From list_templates"},
                    "projectId": {"type": "string", "description": "From list_projects"}
                }),
                &[],
            ),
            output: schema::response::<<ListTemplateVariables as Operation>::Response>(),
            run: |call| Box::pin(get_variables(call)),
        },
        Tool::of::<ListRegistry>(
            "list_registry",
            "List names a composition may use",
            Effect::Reads,
            "Every name of an area: enter and exit animations, during animations, 3D layouts, effects, shapes, stickers, \
             emoji stickers (more than 1900, so pass `search`), caption styles, easings, filter presets, font families \
             with their weights, or voices.",
        ),
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

async fn get_guide(call: ToolCall) -> ApiResult<Answer> {
    let (topic, mime_type, text) =
        match call.arguments.get("overlay").map(|kind| kind.as_str().unwrap_or("?")) {
            Some(kind) => (kind, "application/schema+json", overlay_schema(kind)?.to_string()),
            None => ("guide", "text/markdown", guides::agents(&call.app.service.links)),
        };
    let answer = Answer::of(Guide { topic: topic.to_owned(), mime_type, size: text.len() })?;
    Ok(answer.with(ContentBlock::text(text)))
}

/// The schema of one kind of overlay with the parts it refers to.
fn overlay_schema(kind: &str) -> ApiResult<Value> {
    let mut whole = rondo_composition::schema();
    let of_kind = |part: &Value| part.pointer("/properties/type/const").and_then(Value::as_str) == Some(kind);
    let parts = whole["$defs"].as_object_mut().map(std::mem::take).unwrap_or_default();
    let (name, _) = parts.iter().find(|(_, part)| of_kind(part)).ok_or_else(|| {
        let message = format!("`overlay` must be one of {}.", OVERLAY_TYPES.join(", "));
        ApiError::invalid_field("overlay", message).reason("INVALID_ARGUMENT")
    })?;
    let mut used = vec![name.clone()];
    let mut at = 0;
    while let Some(name) = used.get(at).cloned() {
        if let Some(part) = parts.get(&name) {
            schema::references(part, &mut used);
        }
        at += 1;
    }
    let defs: serde_json::Map<String, Value> =
        used.iter().skip(1).filter_map(|name| Some((name.clone(), parts.get(name)?.clone()))).collect();
    let mut schema = parts.get(name).cloned().unwrap_or_default();
    schema["$defs"] = Value::Object(defs);
    Ok(schema)
}

/// The templates in few words: a model reads all of them to choose one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TemplateSummaries {
    templates: Vec<TemplateSummary>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TemplateSummary {
    template_id: String,
    name: String,
    description: String,
    category: String,
    /// Credits a minute of film at 1080p.
    credits_per_minute: u32,
    /// Names of the variables.
    variables: Vec<String>,
}

impl From<TemplateItem> for TemplateSummary {
    fn from(item: TemplateItem) -> Self {
        Self {
            template_id: item.id,
            name: item.name,
            description: item.description,
            category: item.category,
            credits_per_minute: item.credits_per_minute,
            variables: item.variables.into_iter().map(|variable| variable.name).collect(),
        }
    }
}

async fn list_templates(call: ToolCall) -> ApiResult<Answer> {
    let list = call.run::<ListTemplates>().await?;
    Answer::of(TemplateSummaries {
        templates: list.templates.into_iter().map(|template| template.whole.into()).collect(),
        total: list.total,
        next_cursor: list.next_cursor,
    })
}

async fn get_variables(call: ToolCall) -> ApiResult<Answer> {
    match (call.arguments.contains_key("templateId"), call.arguments.contains_key("projectId")) {
        (true, false) => Answer::of(call.run::<ListTemplateVariables>().await?),
        (false, true) => Answer::of(call.run::<ListProjectVariables>().await?),
        _ => Err(ApiError::invalid("Give exactly one of `templateId` and `projectId`.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_every_kind_of_overlay_is_complete_in_itself() {
        for kind in OVERLAY_TYPES {
            let overlay = overlay_schema(kind).unwrap();
            let mut used = Vec::new();
            schema::references(&overlay, &mut used);
            for name in used {
                assert!(overlay["$defs"].get(&name).is_some(), "{kind} lacks {name}");
            }
        }
    }
}
