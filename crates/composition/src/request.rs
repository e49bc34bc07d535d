//! The body of a render or preview request: one of three ways to name a film, values for its variables, overrides,
//! and what to do with the result. Reading and JSON Schema come from the same field tables.

use rondo_fields::{
    Codec, Definitions, Error, Object, ObjectSchema, ProblemKind, Reader, Record, flag, integer, json_map,
    json_value, object, record, text, url,
};
use serde_json::{Map, Value, json};

use crate::composition::{Composition, Read};
use crate::finish::Finish;
use crate::limits::{Limits, MOST_FRAMES, MOST_METADATA, MOST_REPLACEMENTS, RATES, SIDES};
use crate::output::Output;
use crate::replacements::ReplacementValues;
use crate::tolerance::Remarks;

/// A render or preview request as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderRequest {
    pub film: Film,
    /// Values for variables: the explicit ones, then unknown top-level keys. `null` values are left out.
    /// They have no effect on a direct film.
    pub replacements: Map<String, Value>,
    /// The unknown top-level keys among them, with the field of a request that each resembles.
    pub flat: Vec<(String, Option<&'static str>)>,
    /// Already applied to a direct film.
    pub overrides: Overrides,
    pub options: RequestOptions,
    pub finish: Finish,
    pub output: Option<Output>,
    pub metadata: Option<Map<String, Value>>,
    pub draft: bool,
    /// What was noted inside `inputProps`, `audio` and `output`.
    pub remarks: Remarks,
}

/// The film a request names.
#[derive(Debug, Clone, PartialEq)]
pub enum Film {
    Direct(Box<Composition>),
    Template(String),
    Project(String),
}

record! {
    /// The ways to name a film.
    struct FilmFields {
        /// A complete composition (direct mode).
        input_props: optional Value => "inputProps",
            json_value(|definitions| object::<Composition>().schema(definitions), "a composition");
        /// Id of a template that is public, owned by the caller or shared with the caller.
        template_id: optional String => "templateId", text();
        /// Id of a project of the caller.
        project_id: optional String => "projectId", text();
    }
}

record! {
    /// Values for variables.
    struct ValueFields {
        /// Values for variables by name, in template and project mode.
        replacements: optional Map<String, Value> => "replacements", ReplacementValues;
    }
}

record! {
    /// Size, rate and length that replace those of the film.
    pub struct Overrides {
        /// Width of the canvas in pixels. Replaces the film's.
        width: optional u32 => "width", integer(SIDES.0, SIDES.1);
        /// Height of the canvas in pixels. Replaces the film's.
        height: optional u32 => "height", integer(SIDES.0, SIDES.1);
        /// Frames per second. Replaces the film's.
        fps: optional u32 => "fps", integer(RATES.0, RATES.1);
        /// Length in frames. Replaces the film's.
        duration: optional u32 => "durationInFrames", integer(1, MOST_FRAMES);
    }
}

record! {
    /// What a request says about the project, the callback and the cost.
    pub struct RequestOptions {
        /// Saves the film as a project. Default: true in template mode, else false.
        create_project: optional bool => "createProject", flag();
        /// Name of that project.
        project_name: optional String => "projectName", text();
        /// URL to call once the render ends.
        webhook_url: optional String => "webhookUrl", url();
        /// Allows a preview to generate and bill AI values.
        confirm_ai_cost: default bool => "confirmAiCost", flag(), false;
    }
}

record! {
    /// Fields that count as replacements when they hold another type: films may have variables of these names.
    struct AdditiveFields {
        /// The file to make.
        output: optional Output => "output", object();
        /// How the sound is finished.
        audio: optional Finish => "audio", object();
        /// Keys and values of the caller, shown on the job and in webhook events.
        metadata: optional Map<String, Value> => "metadata", json_map().at_most(MOST_METADATA);
        /// Renders faster, at lower quality.
        draft: default bool => "draft", flag(), false;
    }
}

type Fits = fn(&Value) -> bool;

/// The keys of [`AdditiveFields`] and the type that each must have.
const ADDITIVE: [(&str, Fits); 4] = [
    ("output", Value::is_object),
    ("audio", Value::is_object),
    ("metadata", Value::is_object),
    ("draft", Value::is_boolean),
];

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
        for (key, fits) in ADDITIVE {
            object.skip_unless(key, fits);
        }
        let overrides = Overrides::read_fields(&mut object, reader);
        let options = RequestOptions::read_fields(&mut object, reader);
        let given = Film::KEYS
            .iter()
            .copied()
            .filter(|key| body.get(key).is_some_and(|value| !value.is_null()))
            .collect::<Vec<_>>();
        let film = FilmFields::read_fields(&mut object, reader);
        let film = film.and_then(|film| film.read_film(&given, overrides.as_ref(), limits, reader));
        let additive = AdditiveFields::read_fields(&mut object, reader);
        let values = ValueFields::read_fields(&mut object, reader);
        let mut replacements = values?.replacements.unwrap_or_default();
        let mut flat = Vec::new();
        for (key, value) in object.rest() {
            if !value.is_null() && !replacements.contains_key(key) {
                // More are refused below, whatever they are called.
                if flat.len() < MOST_REPLACEMENTS {
                    flat.push((key.clone(), object.nearest(key)));
                }
                replacements.insert(key.clone(), value.clone());
            }
        }
        if matches!(film, Some(Film::Direct(_))) {
            object.close(reader);
        }
        reader.at_key("replacements", |reader| ReplacementValues::check_count(&replacements, reader));
        let AdditiveFields { output, audio, metadata, draft } = additive?;
        Some(Self {
            film: film?,
            replacements,
            flat,
            overrides: overrides?,
            options: options?,
            finish: audio.unwrap_or_default(),
            output,
            metadata,
            draft,
            remarks: Remarks::take(reader),
        })
    }

    /// JSON Schema (draft 2020-12) of a request body, with the objects it refers to under `$defs`.
    pub fn schema() -> Value {
        let mut definitions = Definitions::new();
        let body = Self::describe(&mut definitions);
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "RenderRequest",
        });
        if let (Some(schema), Value::Object(body)) = (schema.as_object_mut(), body) {
            schema.extend(body);
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }

    /// The schema of a request body; the objects it refers to go to `definitions`.
    pub fn describe(definitions: &mut Definitions) -> Value {
        let mut schema = ObjectSchema::new(definitions);
        FilmFields::describe(&mut schema);
        ValueFields::describe(&mut schema);
        Overrides::describe(&mut schema);
        AdditiveFields::describe(&mut schema);
        RequestOptions::describe(&mut schema);
        schema.finish(&[
            "A film to render. Exactly one of inputProps, templateId and projectId is required.",
            "Any other top-level key counts as a replacement.",
        ])
    }
}

impl Film {
    /// The fields that name a film.
    const KEYS: [&str; 3] = ["inputProps", "templateId", "projectId"];
}

impl FilmFields {
    /// The film, when exactly one key is `given`.
    fn read_film(
        self,
        given: &[&str],
        overrides: Option<&Overrides>,
        limits: Limits,
        reader: &mut Reader,
    ) -> Option<Film> {
        if given.len() != 1 {
            let given = (!given.is_empty()).then(|| given.join(" and "));
            let expected = "exactly one of inputProps, templateId and projectId";
            reader.note(ProblemKind::Mode, given, expected.to_owned());
            return None;
        }
        let Self { input_props, template_id, project_id } = self;
        if let Some(props) = input_props {
            let props = with_overrides(props, overrides);
            let film = reader.at_key("inputProps", |reader| Composition::read_at(&props, limits, reader));
            return film.map(|composition| Film::Direct(Box::new(composition)));
        }
        template_id.map(Film::Template).or(project_id.map(Film::Project))
    }
}

/// `inputProps` with the overrides in place.
fn with_overrides(mut props: Value, overrides: Option<&Overrides>) -> Value {
    if let (Some(overrides), Some(fields)) = (overrides, props.as_object_mut()) {
        overrides.write_fields(fields);
    }
    props
}

/// A film as a file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmFile {
    pub composition: Composition,
    pub finish: Finish,
    pub remarks: Remarks,
}

/// Reads a file that holds either a composition or the body of a direct render request.
pub fn read_composition_or_request(value: &Value, limits: Limits) -> Result<FilmFile, Error> {
    if !Film::KEYS.iter().any(|key| value.get(key).is_some_and(|value| !value.is_null())) {
        let Read { composition, remarks } = Composition::read(value, limits)?;
        return Ok(FilmFile { composition, finish: Finish::default(), remarks });
    }
    let RenderRequest { film, finish, remarks, .. } = RenderRequest::read(value, limits)?;
    match film {
        Film::Direct(composition) => Ok(FilmFile { composition: *composition, finish, remarks }),
        Film::Template(_) | Film::Project(_) => {
            let mut reader = Reader::default();
            let given = if matches!(film, Film::Template(_)) { "templateId" } else { "projectId" };
            reader.note(
                ProblemKind::Mode,
                Some(given.to_owned()),
                "inputProps, since templates and projects are stored on a server".to_owned(),
            );
            reader.finish(None)
        }
    }
}
