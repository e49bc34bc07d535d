//! The film under construction: overlays in seconds and pixels, in the order they are painted, and their way to a valid
//! composition.

use rondo_composition::limits::{MOST_MINUTES, MOST_OVERLAYS, RATES};
use rondo_composition::{Composition, Error, Limits, ProblemKind};
use serde_json::{Map, Value, json};

use crate::fields::Content;
use crate::notes::Notes;
use crate::problem;

/// Rounds of leaving out what the composition refuses.
const MOST_REPAIRS: usize = 8;

/// A film under construction.
#[derive(Debug)]
pub struct Film {
    pub width: f64,
    pub height: f64,
    pub fps: u32,
    pub background: String,
    /// Where the document says the size.
    pub canvas_path: &'static str,
    /// Length in seconds; without it, the film ends with its last overlay.
    pub length: Option<f64>,
    overlays: Vec<Overlay>,
}

/// A box in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn new(left: f64, top: f64, width: f64, height: f64) -> Self {
        Self { left, top, width, height }
    }

    /// A box about a centre.
    pub fn about(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self::new(x - width / 2.0, y - height / 2.0, width, height)
    }

    pub fn center(self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    pub fn moved(self, x: f64, y: f64) -> Self {
        Self { left: self.left + x, top: self.top + y, ..self }
    }
}

/// An overlay under construction.
#[derive(Debug, Clone)]
pub struct Overlay {
    pub kind: &'static str,
    /// Where it stands in the document.
    pub source: String,
    /// Seconds.
    pub start: f64,
    pub length: f64,
    /// Given where the document has rows; otherwise made from the order of painting.
    pub row: Option<f64>,
    pub rect: Rect,
    pub rotation: f64,
    pub variable: Option<String>,
    /// A name without being a variable.
    pub name: Option<String>,
    fields: Map<String, Value>,
    styles: Map<String, Value>,
}

impl Overlay {
    pub fn new(kind: &'static str, source: impl Into<String>) -> Self {
        Self {
            kind,
            source: source.into(),
            start: 0.0,
            length: 0.0,
            row: None,
            rect: Rect::default(),
            rotation: 0.0,
            variable: None,
            name: None,
            fields: Map::new(),
            styles: Map::new(),
        }
    }

    /// Another overlay in the same place, with the same opacity, radius and transform.
    pub fn clone_as(&self, kind: &'static str) -> Self {
        let mut other = Self::new(kind, self.source.clone());
        (other.rect, other.rotation) = (self.rect, self.rotation);
        for key in ["opacity", "borderRadius", "transform"] {
            other.style_if(key, self.styles.get(key).cloned());
        }
        other
    }

    /// Sets a text or an address, with its variable.
    pub fn content(&mut self, key: &str, content: Content) {
        self.field(key, content.text);
        self.variable = content.variable.or(self.variable.take());
    }

    pub fn field(&mut self, key: &str, value: impl Into<Value>) {
        self.fields.insert(key.to_owned(), value.into());
    }

    pub fn remove_field(&mut self, key: &str) {
        self.fields.shift_remove(key);
    }

    pub fn style(&mut self, key: &str, value: impl Into<Value>) {
        self.styles.insert(key.to_owned(), value.into());
    }

    /// Sets a style that is given.
    pub fn style_if(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.style(key, value);
        }
    }

    /// The text of the overlay.
    pub fn content_text(&self) -> &str {
        self.fields.get("content").and_then(Value::as_str).unwrap_or_default()
    }

    pub fn get_style(&self, key: &str) -> Option<&Value> {
        self.styles.get(key)
    }

    /// Adds to a style that is a list with blanks between its parts.
    pub fn append_style(&mut self, key: &str, part: &str) {
        let value = match self.styles.get(key).and_then(Value::as_str) {
            Some(before) => format!("{before} {part}"),
            None => part.to_owned(),
        };
        self.style(key, value);
    }

    /// Sets one field of `styles.animation`.
    pub fn animation(&mut self, key: &str, value: impl Into<Value>) {
        let animation = self.styles.entry("animation").or_insert_with(|| json!({}));
        animation[key] = value.into();
    }

    pub fn end(&self) -> f64 {
        self.start + self.length
    }
}

impl Film {
    pub fn new(width: f64, height: f64, fps: f64, canvas_path: &'static str) -> Self {
        let rates = (RATES.0 as f64, RATES.1 as f64);
        Self {
            width: width.round(),
            height: height.round(),
            fps: fps.round().clamp(rates.0, rates.1) as u32,
            background: "#000000".to_owned(),
            canvas_path,
            length: None,
            overlays: Vec::new(),
        }
    }

    pub fn canvas(&self) -> Rect {
        Rect::new(0.0, 0.0, self.width, self.height)
    }

    /// Percent of the shorter side.
    pub fn vmin(&self) -> f64 {
        self.width.min(self.height) / 100.0
    }

    /// Adds an overlay in front of the others.
    pub fn push(&mut self, overlay: Overlay) -> Result<(), Error> {
        if self.overlays.len() >= MOST_OVERLAYS {
            let expected = format!("part of a film of at most {MOST_OVERLAYS} overlays");
            return Err(problem(overlay.source, ProblemKind::TooManyOverlays, "one more", expected));
        }
        self.overlays.push(overlay);
        Ok(())
    }

    pub fn overlays(&self) -> &[Overlay] {
        &self.overlays
    }

    pub fn overlays_mut(&mut self) -> &mut Vec<Overlay> {
        &mut self.overlays
    }

    /// When the last overlay ends.
    pub fn end(&self) -> f64 {
        self.overlays.iter().map(Overlay::end).fold(0.0, f64::max)
    }

    /// The composition. What it refuses of an overlay is left out and reported.
    pub fn finish(mut self, notes: &Notes) -> Result<Composition, Error> {
        self.check_length()?;
        self.assign_rows();
        let seconds = self.length.unwrap_or_else(|| self.end());
        let frames = self.frame_at(seconds).max(1);
        let mut sources: Vec<String> = self.overlays.iter().map(|overlay| overlay.source.clone()).collect();
        let overlays: Vec<Value> =
            self.overlays.iter().enumerate().map(|(index, overlay)| self.json(index, overlay)).collect();
        let mut composition = json!({
            "width": self.width, "height": self.height, "fps": self.fps, "durationInFrames": frames,
            "backgroundColor": self.background, "overlays": overlays,
        });
        for _ in 0..MOST_REPAIRS {
            match Composition::read(&composition, Limits::WIDEST) {
                Ok(read) => {
                    for path in &read.remarks.unknown_fields {
                        let (overlay, rest) = split_path(path);
                        let source =
                            overlay.and_then(|index| sources.get(index)).cloned().unwrap_or_default();
                        let message = format!("A composition has no `{rest}`. It is left out.");
                        notes.no_equivalent(source, message);
                    }
                    return Ok(read.composition);
                }
                Err(error) => {
                    if !repair(&mut composition, &mut sources, &error, notes) {
                        return Err(self.renamed(error));
                    }
                }
            }
        }
        Composition::read(&composition, Limits::WIDEST).map(|read| read.composition)
    }

    fn check_length(&self) -> Result<(), Error> {
        let longest = f64::from(MOST_MINUTES) * 60.0;
        let last = self.overlays.iter().max_by(|a, b| a.end().total_cmp(&b.end()));
        match last.filter(|overlay| overlay.end() > longest) {
            Some(overlay) => {
                let given = format!("shown until {} s", overlay.end());
                let expected = format!("shown within {MOST_MINUTES} minutes");
                Err(problem(overlay.source.clone(), ProblemKind::OutOfRange, given, expected))
            }
            None => Ok(()),
        }
    }

    fn frame_at(&self, seconds: f64) -> i64 {
        (seconds * f64::from(self.fps)).round() as i64
    }

    /// Gives rows to overlays that have none. An overlay shares the front row where it does not overlap it in time.
    fn assign_rows(&mut self) {
        let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut layers: Vec<Option<usize>> = Vec::with_capacity(self.overlays.len());
        for overlay in &self.overlays {
            if overlay.row.is_some() {
                layers.push(None);
                continue;
            }
            let span = (overlay.start, overlay.end());
            let free = |row: &Vec<(f64, f64)>| row.iter().all(|other| other.1 <= span.0 || span.1 <= other.0);
            match rows.last_mut().filter(|row| free(row)) {
                Some(row) => row.push(span),
                None => rows.push(vec![span]),
            }
            layers.push(Some(rows.len()));
        }
        for (overlay, layer) in self.overlays.iter_mut().zip(layers) {
            if let Some(layer) = layer {
                overlay.row = Some((rows.len() - layer) as f64);
            }
        }
    }

    fn json(&self, index: usize, overlay: &Overlay) -> Value {
        let from = self.frame_at(overlay.start);
        let frames = (self.frame_at(overlay.end()) - from).max(1);
        let Rect { left, top, width, height } = overlay.rect;
        let mut fields = Map::new();
        fields.insert("id".into(), (index + 1).into());
        fields.insert("type".into(), overlay.kind.into());
        fields.insert("from".into(), from.into());
        fields.insert("durationInFrames".into(), frames.into());
        fields.insert("row".into(), tidy(overlay.row.unwrap_or(0.0)));
        for (key, value) in
            [("left", left), ("top", top), ("width", width.max(0.0)), ("height", height.max(0.0))]
        {
            fields.insert(key.into(), tidy(value));
        }
        if overlay.rotation != 0.0 {
            fields.insert("rotation".into(), tidy(overlay.rotation));
        }
        if let Some(name) = overlay.variable.as_ref().or(overlay.name.as_ref()) {
            fields.insert("isDynamic".into(), overlay.variable.is_some().into());
            fields.insert("name".into(), name.as_str().into());
        }
        fields.extend(overlay.fields.clone());
        if !overlay.styles.is_empty() {
            fields.insert("styles".into(), Value::Object(overlay.styles.clone()));
        }
        Value::Object(fields)
    }

    /// The problems of size, rate and length, at their place in the document.
    fn renamed(&self, error: Error) -> Error {
        match error {
            Error::Invalid(mut problems) => {
                for problem in
                    problems.iter_mut().filter(|problem| matches!(&*problem.path, "width" | "height"))
                {
                    problem.path = crate::merge::joined(self.canvas_path, &problem.path);
                }
                Error::Invalid(problems)
            }
            other => other,
        }
    }
}

/// A number without noise after the third decimal.
pub fn tidy(value: f64) -> Value {
    let rounded = (value * 1000.0).round() / 1000.0;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 { (rounded as i64).into() } else { rounded.into() }
}

/// The overlay of a path, and what follows.
fn split_path(path: &str) -> (Option<usize>, &str) {
    let inside = path.strip_prefix("overlays[").and_then(|rest| rest.split_once(']'));
    match inside {
        Some((index, rest)) => (index.parse().ok(), rest.trim_start_matches('.')),
        None => (None, path),
    }
}

/// Leaves out the fields that a composition refuses, or their overlays where it needs the fields. `false` where the
/// problem is not with an overlay.
fn repair(composition: &mut Value, sources: &mut Vec<String>, error: &Error, notes: &Notes) -> bool {
    let mut gone: Vec<usize> = Vec::new();
    let mut repaired = false;
    for problem in error.problems() {
        let (Some(index), rest) = split_path(&problem.path) else { continue };
        let Some(source) = sources.get(index).cloned() else { continue };
        let path = if rest.is_empty() { source } else { crate::merge::joined(&source, rest) };
        let removed = rest.strip_prefix("styles.").and_then(|rest| {
            let key = rest.split(['.', '[']).next()?;
            composition["overlays"][index]["styles"].as_object_mut()?.shift_remove(key)
        });
        if removed.is_some() {
            notes.value_ignored(path, format!("This must be {}. It is left out.", problem.expected));
        } else if !gone.contains(&index) {
            notes.value_ignored(path, format!("This must be {}. The overlay is left out.", problem.expected));
            gone.push(index);
        }
        repaired = true;
    }
    gone.sort_unstable();
    for index in gone.into_iter().rev() {
        if let Some(overlays) = composition["overlays"].as_array_mut() {
            overlays.remove(index);
            sources.remove(index);
        }
    }
    repaired
}
