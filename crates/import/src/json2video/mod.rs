//! Movies of JSON2Video: scenes that follow one another, and elements above all scenes. Later elements are in front.

mod element;
mod scene;
mod style;
mod text;

use rondo_composition::{Error, ProblemKind};
use serde_json::Value;

use crate::fields::{Fields, Place, named};
use crate::film::Film;
use crate::merge::{Budget, Scope, Table, fill, joined};
use crate::notes::Notes;
use crate::problem;

/// Elements of all scenes together, however often they are repeated.
const MOST_ELEMENTS: usize = 2000;

/// Sizes by `resolution`.
const RESOLUTIONS: [(&str, (f64, f64)); 8] = [
    ("sd", (640.0, 360.0)),
    ("hd", (1280.0, 720.0)),
    ("full-hd", (1920.0, 1080.0)),
    ("squared", (1080.0, 1080.0)),
    ("instagram-story", (1080.0, 1920.0)),
    ("instagram-feed", (1080.0, 1080.0)),
    ("twitter-landscape", (1280.0, 720.0)),
    ("twitter-portrait", (720.0, 1280.0)),
];

pub fn recognised(document: &Value) -> bool {
    document.get("scenes").is_some_and(Value::is_array)
}

pub fn import(document: &Value, notes: &Notes) -> Result<Film, Error> {
    let mut reader = Reader { budget: Budget::default(), left: MOST_ELEMENTS, notes };
    let scope = reader.variables(document, None)?;
    // Scenes and elements have variables of their own, so they are filled in one by one.
    let shell =
        reader.fill(&without(document, &["scenes", "elements", "variables"]), String::new(), &scope)?;
    let Some(movie) = shell.fields(notes) else {
        return Err(problem("", ProblemKind::WrongType, "no object", "an object with `scenes`"));
    };
    let mut film = canvas(&movie);
    movie.skip(&["id", "comment", "cache", "client-data", "client_data", "project", "draft"]);
    movie.refuse(&["quality"], "This is an option of a render, not of the film.");
    movie.refuse(&["exports"], "Rondo keeps the file; fetch it from `outputUrl`, or register a webhook.");
    movie.refuse(&["template"], "A template of the other service is not part of the document.");
    movie.finish();

    let mut end = 0.0;
    for (index, scene) in items(document, "scenes").iter().enumerate() {
        end = scene::import(scene, &format!("scenes[{index}]"), &scope, end, &mut film, &mut reader)?;
    }
    let above = reader.elements(document, "", &scope)?;
    scene::elements(&above, 0.0, (end > 0.0).then_some(end), notes, &mut film)?;
    film.length = Some(film.end().max(end));
    Ok(film)
}

/// An object without some of its fields.
fn without(value: &Value, keys: &[&str]) -> Value {
    let fields = value.as_object().into_iter().flatten().filter(|(key, _)| !keys.contains(&key.as_str()));
    Value::Object(fields.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// The items of an array.
fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Size and rate of the film.
fn canvas(movie: &Fields<'_>) -> Film {
    let resolution = movie.text("resolution").unwrap_or_else(|| "custom".into());
    let (width, height) = named(&RESOLUTIONS, &resolution).unwrap_or((640.0, 360.0));
    let own = (movie.number("width"), movie.number("height"));
    let known = RESOLUTIONS.iter().any(|row| row.0 == resolution);
    if !known && resolution != "custom" {
        movie.notes.value_ignored(movie.at("resolution"), "This resolution is not known. `sd` is used.");
    }
    let (width, height) =
        if known { (width, height) } else { (own.0.unwrap_or(width), own.1.unwrap_or(height)) };
    let fps = movie.number("fps").unwrap_or(25.0);
    Film::new(width, height, fps, "")
}

/// Fills in the variables of parts of the movie.
pub struct Reader<'a> {
    budget: Budget,
    /// Elements that may still be read: scenes may be repeated.
    left: usize,
    notes: &'a Notes,
}

/// A part of the movie with its variables filled in.
#[derive(Debug)]
pub struct Filled {
    value: Value,
    table: Table,
    path: String,
}

impl Filled {
    /// Its fields; `None` where it is not an object.
    pub fn fields<'a>(&'a self, notes: &'a Notes) -> Option<Fields<'a>> {
        let place = Place { value: &self.value, path: self.path.clone(), table: &self.table, notes };
        let fields = Fields::of(place);
        if fields.is_none() {
            notes.value_ignored(&*self.path, "This must be an object. It is left out.");
        }
        fields
    }
}

impl Reader<'_> {
    /// The variables of an object, over those around it. Their values may name outer ones.
    fn variables<'s>(&mut self, value: &Value, outer: Option<&'s Scope<'s>>) -> Result<Scope<'s>, Error> {
        let none = Scope::default();
        let mut values = Vec::new();
        for (name, value) in value.get("variables").and_then(Value::as_object).into_iter().flatten() {
            let (value, _) = fill(value, "", outer.unwrap_or(&none), &mut self.budget, &Notes::default())?;
            values.push((name.clone(), value));
        }
        Ok(Scope::new(values, outer))
    }

    fn fill(&mut self, value: &Value, path: String, scope: &Scope<'_>) -> Result<Filled, Error> {
        let (value, table) = fill(value, &path, scope, &mut self.budget, self.notes)?;
        Ok(Filled { value, table, path })
    }

    /// The elements of a scene or of the movie, with variables of their own.
    fn elements(&mut self, container: &Value, path: &str, scope: &Scope<'_>) -> Result<Vec<Filled>, Error> {
        let elements = items(container, "elements").iter().enumerate();
        elements
            .map(|(index, element)| {
                let path = format!("{}[{index}]", joined(path, "elements"));
                self.left = self.left.checked_sub(1).ok_or_else(|| {
                    let expected = format!("one of at most {MOST_ELEMENTS} elements");
                    problem(&*path, ProblemKind::TooManyOverlays, "one more", expected)
                })?;
                let scope = self.variables(element, Some(scope))?;
                self.fill(element, path, &scope)
            })
            .collect()
    }
}
