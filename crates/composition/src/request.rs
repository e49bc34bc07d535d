//! The body of a render request: one of three ways to name a film, values for its variables, and overrides of its
//! size, rate and length.

use rondo_fields::{Codec, Error, Object, ProblemKind, Reader, Record, flag, integer, record, text};
use serde_json::{Map, Value};

use crate::composition::{Composition, Read};
use crate::finish::Finish;
use crate::limits::{Limits, MOST_FRAMES, MOST_METADATA, MOST_REPLACEMENTS, RATES, SIDES};

/// A render or preview request as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderRequest {
    pub film: Film,
    /// Values for variables: the explicit ones, then unknown top-level keys. `null` values are left out.
    /// They have no effect on a direct film.
    pub replacements: Map<String, Value>,
    /// Already applied to a direct film.
    pub overrides: Overrides,
    pub options: RequestOptions,
    /// From `audio`, which is additive as the two below: there only when it has its own shape.
    pub finish: Finish,
    pub output: Option<Map<String, Value>>,
    pub metadata: Option<Map<String, Value>>,
    pub draft: bool,
    /// Paths of fields inside `inputProps` and `audio` that no one knows. They were dropped.
    pub unknown_fields: Vec<String>,
}

/// The film a request names.
#[derive(Debug, Clone, PartialEq)]
pub enum Film {
    Direct(Box<Composition>),
    Template(String),
    Project(String),
}

record! {
    /// Size, rate and length that replace those of the film.
    pub struct Overrides {
        /// Width of the canvas in pixels.
        width: optional u32 => "width", integer(SIDES.0, SIDES.1);
        /// Height of the canvas in pixels.
        height: optional u32 => "height", integer(SIDES.0, SIDES.1);
        /// Frames per second.
        fps: optional u32 => "fps", integer(RATES.0, RATES.1);
        /// Length in frames.
        duration: optional u32 => "durationInFrames", integer(1, MOST_FRAMES);
    }
}

record! {
    /// What a request says about the project, the callback and the cost.
    pub struct RequestOptions {
        /// Saves the film as a project. When omitted: no for direct films, yes for templates.
        create_project: optional bool => "createProject", flag();
        /// Name of that project.
        project_name: optional String => "projectName", text();
        /// Address to call once the render ends.
        webhook_url: optional String => "webhookUrl", text();
        /// Lets a preview generate and bill AI values.
        confirm_ai_cost: default bool => "confirmAiCost", flag(), false;
    }
}

impl Overrides {
    /// Replaces what is given, and checks the result.
    pub fn apply(&self, composition: &mut Composition, limits: Limits) -> Result<(), Error> {
        composition.width = self.width.unwrap_or(composition.width);
        composition.height = self.height.unwrap_or(composition.height);
        composition.fps = self.fps.unwrap_or(composition.fps);
        composition.duration = self.duration.unwrap_or(composition.duration);
        let mut reader = Reader::default();
        composition.check_canvas(limits, &mut reader);
        reader.finish(Some(()))
    }
}

impl RenderRequest {
    /// Reads a request body. All problems are reported at once.
    pub fn read(body: &Value, limits: Limits) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let request = Self::read_at(body, limits, &mut reader);
        reader.finish(request)
    }

    fn read_at(body: &Value, limits: Limits, reader: &mut Reader) -> Option<Self> {
        let mut object = Object::open(body, reader)?;
        let overrides = Overrides::read_fields(&mut object, reader);
        let options = RequestOptions::read_fields(&mut object, reader);
        if let Some(url) = options.as_ref().and_then(|options| options.webhook_url.as_ref()) {
            check_url(url, reader);
        }
        let film = read_film(&mut object, overrides.as_ref(), limits, reader);
        let finish = match object.get_if("audio", Value::is_object) {
            Some(audio) => Finish::read_at(audio, reader),
            None => Some(Finish::default()),
        };
        let additive =
            |object: &mut Object<'_>, key| object.get_if(key, Value::is_object)?.as_object().cloned();
        let output = additive(&mut object, "output");
        let metadata = additive(&mut object, "metadata");
        if let Some(metadata) = metadata.as_ref().filter(|metadata| metadata.len() > MOST_METADATA) {
            reader.at_key("metadata", |reader| {
                let count = format!("an object of {} keys", metadata.len());
                reader.note(
                    ProblemKind::OutOfRange,
                    Some(count),
                    format!("an object of at most {MOST_METADATA} keys"),
                );
            });
        }
        let draft = object.get_if("draft", Value::is_boolean).and_then(Value::as_bool).unwrap_or(false);
        let replacements = read_replacements(&mut object, reader)?;
        Some(Self {
            film: film?,
            replacements,
            overrides: overrides?,
            options: options?,
            finish: finish?,
            output,
            metadata,
            draft,
            unknown_fields: reader.take_unknown(),
        })
    }
}

fn read_film(
    object: &mut Object<'_>,
    overrides: Option<&Overrides>,
    limits: Limits,
    reader: &mut Reader,
) -> Option<Film> {
    let direct = object.get("inputProps");
    let template = object.get("templateId");
    let project = object.get("projectId");
    match (direct, template, project) {
        (Some(props), None, None) => {
            let overridden = override_fields(props, overrides);
            reader
                .at_key("inputProps", |reader| {
                    Composition::read_at(overridden.as_ref().unwrap_or(props), limits, reader)
                })
                .map(|composition| Film::Direct(Box::new(composition)))
        }
        (None, Some(id), None) => {
            reader.at_key("templateId", |reader| text().read(id, reader)).map(Film::Template)
        }
        (None, None, Some(id)) => {
            reader.at_key("projectId", |reader| text().read(id, reader)).map(Film::Project)
        }
        (None, None, None) => {
            reader.note(ProblemKind::Mode, None, ONE_MODE.to_owned());
            None
        }
        _ => {
            let given = [("inputProps", direct), ("templateId", template), ("projectId", project)];
            let given: Vec<&str> =
                given.iter().filter(|(_, value)| value.is_some()).map(|(key, _)| *key).collect();
            reader.note(ProblemKind::Mode, Some(given.join(" and ")), ONE_MODE.to_owned());
            None
        }
    }
}

const ONE_MODE: &str = "exactly one of inputProps, templateId and projectId";

/// `inputProps` with the overrides in place; `None` when there are none.
fn override_fields(props: &Value, overrides: Option<&Overrides>) -> Option<Value> {
    let overrides = overrides.filter(|overrides| **overrides != Overrides::default())?;
    let mut fields = props.as_object()?.clone();
    overrides.write_fields(&mut fields);
    Some(Value::Object(fields))
}

fn read_replacements(object: &mut Object<'_>, reader: &mut Reader) -> Option<Map<String, Value>> {
    let mut replacements = Map::new();
    match object.get("replacements") {
        None => {}
        Some(Value::Object(explicit)) => {
            replacements.extend(
                explicit
                    .iter()
                    .filter(|(_, value)| !value.is_null())
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
        }
        Some(other) => {
            return reader.at_key("replacements", |reader| {
                reader.refuse(ProblemKind::WrongType, other, "an object of values by variable name")
            });
        }
    }
    for (key, value) in object.rest() {
        if !value.is_null() && !replacements.contains_key(key) {
            replacements.insert(key.clone(), value.clone());
        }
    }
    if replacements.len() > MOST_REPLACEMENTS {
        reader.at_key("replacements", |reader| {
            let count = format!("an object of {} values", replacements.len());
            let expected = format!("an object of at most {MOST_REPLACEMENTS} values");
            reader.note(ProblemKind::OutOfRange, Some(count), expected);
        });
    }
    Some(replacements)
}

fn check_url(url: &str, reader: &mut Reader) {
    let lower = url.trim().to_ascii_lowercase();
    let host = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let well_formed = host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', ':', '?', '#']));
    if !well_formed || lower.contains(char::is_whitespace) {
        reader.at_key("webhookUrl", |reader| {
            let value = Value::String(url.to_owned());
            reader.refuse::<()>(ProblemKind::WrongType, &value, "an http or https address")
        });
    }
}

/// A film as a file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmFile {
    pub composition: Composition,
    pub finish: Finish,
    /// Paths of fields that no one knows. They were dropped.
    pub unknown_fields: Vec<String>,
}

/// Reads a file that holds either a composition or the body of a direct render request.
pub fn read_composition_or_request(value: &Value, limits: Limits) -> Result<FilmFile, Error> {
    let names_a_film = ["inputProps", "templateId", "projectId"]
        .iter()
        .any(|key| value.get(key).is_some_and(|v| !v.is_null()));
    if !names_a_film {
        let Read { composition, unknown_fields } = Composition::read(value, limits)?;
        return Ok(FilmFile { composition, finish: Finish::default(), unknown_fields });
    }
    let RenderRequest { film, finish, unknown_fields, .. } = RenderRequest::read(value, limits)?;
    match film {
        Film::Direct(composition) => Ok(FilmFile { composition: *composition, finish, unknown_fields }),
        Film::Template(_) | Film::Project(_) => {
            let mut reader = Reader::default();
            let given = if matches!(film, Film::Template(_)) { "templateId" } else { "projectId" };
            reader.note(
                ProblemKind::Mode,
                Some(given.to_owned()),
                "inputProps, since templates and projects live on a server".to_owned(),
            );
            reader.finish(None)
        }
    }
}
