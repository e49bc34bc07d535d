//! GET /registry/{area}: every name a composition may use.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_scene::registry::Area;
use rondo_speech::Voice;
use rondo_text::{Family, Origin};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::api::ai;
use crate::app::App;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/registry/{area}", get(registry))
}

/// The areas by the name in the address; fonts come from the catalogue, voices from the engines of speech.
const AREAS: [(&str, Area); 9] = [
    ("animations", Area::Animations),
    ("during", Area::During),
    ("layouts", Area::Layouts),
    ("effects", Area::Effects),
    ("shapes", Area::Shapes),
    ("stickers", Area::Stickers),
    ("captions", Area::Captions),
    ("easings", Area::Easings),
    ("filters", Area::Filters),
];

#[derive(Debug, Serialize, ToSchema)]
pub struct Registry {
    area: String,
    /// Each with its name and aliases; stickers also have a category, filters their CSS, fonts their weights, voices
    /// their language, gender and engine.
    entries: Vec<Map<String, Value>>,
    total: usize,
}

impl Registry {
    /// Keeps the entries whose name, or one of whose other names, contains a text.
    pub fn keep(&mut self, text: &str) {
        let text = text.to_lowercase();
        let names = |entry: &Map<String, Value>| -> Vec<Value> {
            let aliases = entry.get("aliases").and_then(Value::as_array).cloned().unwrap_or_default();
            entry.get("name").cloned().into_iter().chain(aliases).collect()
        };
        let contains = |name: &Value| name.as_str().is_some_and(|name| name.to_lowercase().contains(&text));
        self.entries.retain(|entry| names(entry).iter().any(contains));
        self.total = self.entries.len();
    }
}

/// The names of the areas.
pub fn names() -> Vec<&'static str> {
    AREAS.iter().map(|(name, _)| *name).chain(["fonts", "voices"]).collect()
}

/// Lists the names of an area: animations, during, layouts, effects, shapes, stickers, captions, easings, filters,
/// fonts or voices.
#[utoipa::path(
    get, path = "/registry/{area}", tag = "Registry", operation_id = "listRegistry",
    params(("area" = String, Path, description = "animations, during, layouts, effects, shapes, stickers, captions, easings, filters, fonts or voices")),
    responses(
        (status = 200, description = "The names", body = inline(Answer<Registry>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such area", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
    )
)]
pub async fn registry(State(app): State<Arc<App>>, Path(area): Path<String>) -> ApiResult<Data<Registry>> {
    let entries: Vec<Map<String, Value>> = if area == "fonts" {
        app.fonts.families().iter().map(font).collect()
    } else if area == "voices" {
        app.speech.voices().iter().map(voice).collect()
    } else {
        let known = AREAS.iter().find(|(name, _)| *name == area).map(|(_, area)| area);
        let Some(known) = known else {
            return Err(ApiError::not_found("registry").with("areas", names()));
        };
        known
            .entries()
            .iter()
            .map(|entry| {
                let mut fields = Map::new();
                fields.insert("name".into(), entry.name.into());
                fields.insert("aliases".into(), json!(entry.aliases));
                if let Some((word, detail)) = entry.detail {
                    fields.insert(word.into(), detail.into());
                }
                fields
            })
            .collect()
    };
    Ok(Data(Registry { area, total: entries.len(), entries }))
}

fn font(family: &Family) -> Map<String, Value> {
    let source = match family.origin {
        Origin::User => "user",
        Origin::Bundled => "bundled",
    };
    entry([
        ("name", json!(family.name)),
        ("aliases", json!([])),
        ("weights", json!(family.weights)),
        ("italicWeights", json!(family.italic_weights)),
        ("source", json!(source)),
    ])
}

fn voice(voice: &Voice) -> Map<String, Value> {
    entry([
        ("name", json!(voice.id)),
        ("aliases", json!(voice.aliases)),
        ("language", json!(voice.language)),
        ("gender", json!(ai::gender(voice.gender))),
        ("engine", json!(voice.engine)),
    ])
}

fn entry(fields: [(&str, Value); 5]) -> Map<String, Value> {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
