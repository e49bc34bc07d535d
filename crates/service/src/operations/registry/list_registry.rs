//! Lists the names of an area.

use rondo_fields::{Codec, Definitions, Reader, record, text};
use rondo_scene::registry::Area;
use rondo_speech::Voice;
use rondo_text::{Family, Origin};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::speech::gender;
use crate::service::Service;

/// The areas by the name in the address; fonts come from the catalogue, voices from the engines of speech.
const AREAS: [(&str, Area); 10] = [
    ("animations", Area::Animations),
    ("during", Area::During),
    ("layouts", Area::Layouts),
    ("effects", Area::Effects),
    ("shapes", Area::Shapes),
    ("stickers", Area::Stickers),
    ("emoji", Area::Emoji),
    ("captions", Area::Captions),
    ("easings", Area::Easings),
    ("filters", Area::Filters),
];

record! {
    /// Which names to list.
    pub struct RegistryQuery {
        /// What to list.
        area: required String => "area", AreaName;
        /// Only names that contain this text.
        search: optional String => "search", text();
    }
}

/// The name of an area. Others are not found, rather than invalid.
struct AreaName;

impl Codec for AreaName {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        text().read(value, reader)
    }

    fn write(&self, out: &String) -> Value {
        out.as_str().into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "enum": names()})
    }

    fn expected(&self) -> String {
        format!("one of {}", names().join(", "))
    }
}

/// The names of the areas.
pub fn names() -> Vec<&'static str> {
    AREAS.iter().map(|(name, _)| *name).chain(["fonts", "voices"]).collect()
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Registry {
    area: String,
    /// Each with its name and aliases; stickers also have a category, emoji the emoji, filters their CSS, fonts their
    /// weights, voices their language, gender and engine.
    entries: Vec<Map<String, Value>>,
    total: usize,
}

impl Registry {
    /// Keeps the entries whose name, or one of whose other names, contains a text.
    fn keep(&mut self, text: &str) {
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

pub struct ListRegistry;

impl Operation for ListRegistry {
    const ID: &'static str = "listRegistry";
    const ABOUT: &'static str = "Lists the names of an area: animations, during, layouts, effects, shapes, stickers, \
                                 emoji, captions, easings, filters, fonts or voices.";
    const RETURNS: &'static str = "The names";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[(ErrorKind::NotFound, "There is no such area")];

    type Request = RegistryQuery;
    type Response = Registry;

    async fn run(call: Call<'_>, request: RegistryQuery) -> ServiceResult<Registry> {
        list(call.service, request)
    }
}

/// The names of an area.
pub fn list(service: &Service, request: RegistryQuery) -> ServiceResult<Registry> {
    let area = request.area.clone();
    let entries: Vec<Map<String, Value>> = if area == "fonts" {
        service.media.fonts.catalog().families().iter().map(font).collect()
    } else if area == "voices" {
        service.speech.engines.voices().iter().map(voice).collect()
    } else {
        let known = AREAS.iter().find(|(name, _)| *name == area).map(|(_, area)| area);
        let Some(known) = known else {
            return Err(ServiceError::not_found("registry").with("areas", names()));
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
    let mut registry = Registry { area, total: entries.len(), entries };
    if let Some(search) = &request.search {
        registry.keep(search);
    }
    Ok(registry)
}

fn font(family: &Family) -> Map<String, Value> {
    let source = match family.origin {
        Origin::User => "user",
        Origin::Bundled => "bundled",
    };
    entry([
        ("name", json!(family.name)),
        ("aliases", json!(family.aliases)),
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
        ("gender", json!(gender(voice.gender))),
        ("engine", json!(voice.engine)),
    ])
}

fn entry(fields: [(&str, Value); 5]) -> Map<String, Value> {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
