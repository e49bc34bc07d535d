//! Lists the names of an area.

use rondo_fields::{Codec, Definitions, Reader, record, text};
use rondo_scene::registry::{Area, Entry};
use rondo_speech::Voice;
use rondo_text::{Family, Origin};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::speech::gender;
use crate::own_fonts::{self, OwnFamily};
use crate::service::Service;
use crate::words::{RegistryArea, VoiceGender};

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
    #[schema(value_type = RegistryArea)]
    area: String,
    entries: Vec<RegistryEntry>,
    total: usize,
}

/// A name. Fields that do not apply are left out.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryEntry {
    name: String,
    /// Other names for the same.
    aliases: Vec<String>,
    /// Of during: `loop` or `drift`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kind: Option<&'static str>,
    /// Of stickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    category: Option<&'static str>,
    /// Of emoji: the characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    emoji: Option<&'static str>,
    /// Of captions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    font_family: Option<&'static str>,
    /// Of filters: the CSS it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    css: Option<&'static str>,
    /// Of fonts: upright weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    weights: Option<Vec<u16>>,
    /// Of fonts: italic weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    italic_weights: Option<Vec<u16>>,
    /// Of fonts: where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<FontSource>,
    /// Of voices, as `en-US`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    language: Option<String>,
    /// Of voices.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<VoiceGender>, nullable = false)]
    gender: Option<&'static str>,
    /// Of voices: what speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    engine: Option<&'static str>,
}

/// Where a font comes from: a folder of the operator, Rondo, or the caller's uploads.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FontSource {
    User,
    Bundled,
    Account,
}

impl Registry {
    /// Keeps the entries whose name, or one of whose other names, contains a text.
    fn keep(&mut self, text: &str) {
        let text = text.to_lowercase();
        let contains = |name: &String| name.to_lowercase().contains(&text);
        self.entries.retain(|entry| contains(&entry.name) || entry.aliases.iter().any(contains));
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
        let service = call.service;
        let own = match request.area == "fonts" {
            true => own_fonts::families(&service.store, &service.media, call.account_id()).await?,
            false => Vec::new(),
        };
        list_with(service, request, own)
    }
}

/// The names of an area.
pub fn list(service: &Service, request: RegistryQuery) -> ServiceResult<Registry> {
    list_with(service, request, Vec::new())
}

/// The names of an area; of fonts, those that the account uploaded come first.
fn list_with(service: &Service, request: RegistryQuery, own: Vec<OwnFamily>) -> ServiceResult<Registry> {
    let area = request.area.clone();
    let entries: Vec<RegistryEntry> = if area == "fonts" {
        let own = own.iter().filter(|family| !family.is_built_in).map(own_font);
        own.chain(service.media.fonts.catalog().families().iter().map(font)).collect()
    } else if area == "voices" {
        service.speech.engines.voices().iter().map(voice).collect()
    } else {
        let known = AREAS.iter().find(|(name, _)| *name == area).map(|(_, area)| area);
        let Some(known) = known else {
            return Err(ServiceError::not_found("registry").with("areas", names()));
        };
        known.entries().iter().map(word).collect()
    };
    let mut registry = Registry { area, total: entries.len(), entries };
    if let Some(search) = &request.search {
        registry.keep(search);
    }
    Ok(registry)
}

fn word(entry: &Entry) -> RegistryEntry {
    let detail = |word: &str| entry.detail.filter(|(known, _)| *known == word).map(|(_, detail)| detail);
    RegistryEntry {
        name: entry.name.to_owned(),
        aliases: entry.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        kind: detail("kind"),
        category: detail("category"),
        emoji: detail("emoji"),
        font_family: detail("fontFamily"),
        css: detail("css"),
        ..RegistryEntry::default()
    }
}

fn font(family: &Family) -> RegistryEntry {
    RegistryEntry {
        name: family.name.clone(),
        aliases: family.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        weights: Some(family.weights.clone()),
        italic_weights: Some(family.italic_weights.clone()),
        source: Some(match family.origin {
            Origin::Film | Origin::User => FontSource::User,
            Origin::Bundled => FontSource::Bundled,
        }),
        ..RegistryEntry::default()
    }
}

fn own_font(family: &OwnFamily) -> RegistryEntry {
    RegistryEntry {
        name: family.name.clone(),
        weights: Some(family.weights(false)),
        italic_weights: Some(family.weights(true)),
        source: Some(FontSource::Account),
        ..RegistryEntry::default()
    }
}

fn voice(voice: &Voice) -> RegistryEntry {
    RegistryEntry {
        name: voice.id.clone(),
        aliases: voice.aliases.clone(),
        language: Some(voice.language.clone()),
        gender: Some(gender(voice.gender)),
        engine: Some(voice.engine),
        ..RegistryEntry::default()
    }
}
