//! Filling the variables of a composition with values. Values that ask for speech to be made or heard are recognised
//! and handed back, not carried out.

use rondo_fields::{Choice, Codec, Definitions, Error, ProblemKind, Reader, list, object, plain_number};
use serde_json::{Map, Value, json};

use crate::ai::{AiReplacement, AiValue, NarrationValue, TranscriptionValue, ai_kind, check_ai_count};
use crate::composition::Composition;
use crate::grouping::{CaptionRoom, group_words};
use crate::limits::{MOST_CAPTION_WORDS, MOST_CONTENT, MOST_REPLACEMENTS};
use crate::overlay::{Caption, CaptionWord, EffectName, Overlay, OverlayKind};
use crate::subtitles;

/// What became of a set of replacements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Names of variables that received a value.
    pub applied: Vec<String>,
    /// Keys that match no variable; the authored values stay.
    pub unknown: Vec<UnknownReplacement>,
    /// Values that ask for speech to be made or heard. Their overlays are as authored.
    pub ai: Vec<AiReplacement>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownReplacement {
    pub key: String,
    /// The variable whose name is closest; `None` when there are no variables.
    pub nearest: Option<String>,
}

/// The `replacements` of a request: values by variable name. `null` values are left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplacementValues;

impl ReplacementValues {
    /// Refuses too many values.
    pub(crate) fn check_count(values: &Map<String, Value>, reader: &mut Reader) {
        if values.len() > MOST_REPLACEMENTS {
            let given = format!("an object of {} values", values.len());
            let expected = format!("an object of at most {MOST_REPLACEMENTS} values");
            reader.note(ProblemKind::OutOfRange, Some(given), expected);
        }
    }
}

impl Codec for ReplacementValues {
    type Out = Map<String, Value>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        let Some(values) = value.as_object() else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        let given = values.iter().filter(|(_, value)| !value.is_null());
        Some(given.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn write(&self, out: &Self::Out) -> Value {
        Value::Object(out.clone())
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        let value = json!({"anyOf": [
            {"type": ["string", "number", "boolean", "null"]},
            object::<NarrationValue>().schema(definitions),
            object::<TranscriptionValue>().schema(definitions),
            list(object::<Caption>()).schema(definitions),
            list(object::<CaptionWord>()).schema(definitions),
        ]});
        json!({"type": "object", "maxProperties": MOST_REPLACEMENTS, "additionalProperties": value})
    }

    fn expected(&self) -> String {
        "an object of values by variable name".to_owned()
    }
}

enum Edit {
    Src(String),
    Content(String),
    Count { content: String, to: f64 },
    Captions(Vec<Caption>),
    Effect(EffectName),
}

impl Composition {
    /// Fills every variable that a key names, by exact name. `null` leaves a variable alone. When any value is
    /// refused the composition stays as it was.
    pub fn apply_replacements(&mut self, values: &Map<String, Value>) -> Result<Report, Error> {
        let mut reader = Reader::default();
        let mut report = Report::default();
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        let room = CaptionRoom::on_canvas(f64::from(self.width), f64::from(self.height));
        let names: Vec<Option<String>> = self.overlays.iter().map(Overlay::variable_name).collect();

        reader.at_key("replacements", |reader| {
            for (key, value) in values.iter().filter(|(_, value)| !value.is_null()) {
                let targets: Vec<usize> =
                    (0..names.len()).filter(|index| names[*index].as_deref() == Some(key)).collect();
                if targets.is_empty() {
                    let nearest = nearest(key, names.iter().flatten());
                    report.unknown.push(UnknownReplacement { key: key.clone(), nearest });
                    continue;
                }
                reader.at_key(key.clone(), |reader| {
                    if let Some(ai) = ai_kind(value) {
                        let value = self.read_ai(ai, value, &targets, reader);
                        report.ai.extend(value.map(|value| AiReplacement { name: key.clone(), value }));
                    } else {
                        for index in targets {
                            let edit = read_edit(&self.overlays[index], value, room, reader);
                            edits.extend(edit.map(|edit| (index, edit)));
                        }
                        report.applied.push(key.clone());
                    }
                });
            }
            check_ai_count(&report.ai, reader);
        });

        if !reader.has_problems() {
            self.check_caption_edits(&edits, &mut reader);
        }
        reader.finish(Some(()))?;
        for (index, edit) in edits {
            edit.apply(&mut self.overlays[index]);
        }
        Ok(report)
    }

    /// Names of media overlays that have nothing to play. A sound that is to be narrated has something.
    pub fn missing_media(&self, ai: &[AiReplacement]) -> Vec<String> {
        let narrated = |overlay: &Overlay| {
            overlay.variable_name().is_some_and(|name| {
                ai.iter().any(|ai| ai.name == name && matches!(ai.value, AiValue::Narration(_)))
            })
        };
        let mut missing: Vec<String> = Vec::new();
        for overlay in &self.overlays {
            let name = overlay.display_name();
            if overlay.media_src().is_some_and(|src| src.trim().is_empty())
                && !narrated(overlay)
                && !missing.contains(&name)
            {
                missing.push(name);
            }
        }
        missing
    }

    fn check_caption_edits(&self, edits: &[(usize, Edit)], reader: &mut Reader) {
        let mut words = self.caption_words();
        for (index, edit) in edits {
            if let (Edit::Captions(new), OverlayKind::Caption(old)) = (edit, &self.overlays[*index].kind) {
                words += new.iter().map(Caption::word_count).sum::<usize>();
                words -= old.captions.iter().map(Caption::word_count).sum::<usize>();
            }
        }
        if words > MOST_CAPTION_WORDS {
            reader.at_key("replacements", |reader| {
                reader.note(
                    ProblemKind::CompositionTooLarge,
                    Some(format!("a set that captions the film with {words} words")),
                    format!("a set with at most {MOST_CAPTION_WORDS} caption words in all"),
                );
            });
        }
    }
}

impl Edit {
    fn apply(self, overlay: &mut Overlay) {
        if let Some(src) = overlay.media_src_mut() {
            if let Self::Src(new) = self {
                *src = new;
            }
            return;
        }
        match (self, &mut overlay.kind) {
            (Self::Content(new), OverlayKind::Text(text)) => text.content = new,
            (Self::Content(new), OverlayKind::Shape(shape)) => shape.content = new,
            (Self::Content(new), OverlayKind::Sticker(sticker)) => sticker.content = new,
            (Self::Count { content, to }, OverlayKind::Text(text)) => {
                text.content = content;
                if let Some(counter) = &mut text.styles.counter_mode {
                    counter.to = Some(to);
                }
            }
            (Self::Captions(new), OverlayKind::Caption(captions)) => captions.captions = new,
            (Self::Effect(new), OverlayKind::Effect(effect)) => effect.content = new,
            _ => {}
        }
    }
}

/// A value for one overlay; `None` when a problem was noted.
fn read_edit(overlay: &Overlay, value: &Value, room: CaptionRoom, reader: &mut Reader) -> Option<Edit> {
    if matches!(overlay.kind, OverlayKind::Caption(_)) {
        return read_captions(value, room, reader).map(Edit::Captions);
    }
    let plain = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => plain_number(number),
        Value::Bool(flag) => flag.to_string(),
        _ => {
            let expected = match overlay.kind {
                OverlayKind::Sound(_) => "an address or a tts object",
                _ if overlay.media_src().is_some() => "an address",
                _ => "text, a number or a boolean",
            };
            return reader.refuse(ProblemKind::InvalidReplacement, value, expected);
        }
    };
    if overlay.media_src().is_some() {
        return Some(Edit::Src(plain));
    }
    if plain.len() > MOST_CONTENT && plain.chars().count() > MOST_CONTENT {
        let expected = format!("at most {MOST_CONTENT} characters");
        return reader.refuse(ProblemKind::OutOfRange, value, expected);
    }
    match &overlay.kind {
        OverlayKind::Effect(_) => match EffectName::from_name(&plain) {
            Some(name) => Some(Edit::Effect(name)),
            None => {
                let names: Vec<&str> = EffectName::ALL.iter().map(|name| name.name()).collect();
                let expected = format!("one of {}", names.join(", "));
                reader.refuse(ProblemKind::InvalidReplacement, value, expected)
            }
        },
        OverlayKind::Text(text) if text.styles.counter_mode.as_ref().is_some_and(|mode| mode.enabled) => {
            Some(match counted(&plain) {
                Some(to) => Edit::Count { content: plain, to },
                None => Edit::Content(plain),
            })
        }
        _ => Some(Edit::Content(plain)),
    }
}

/// A number a counter can count to; thousands commas are ignored.
fn counted(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', "").parse().ok()?;
    number.is_finite().then(|| number.clamp(-1e15, 1e15))
}

/// Captions as they are, out of subtitles, or out of a list of timed words.
fn read_captions(value: &Value, room: CaptionRoom, reader: &mut Reader) -> Option<Vec<Caption>> {
    const EXPECTED: &str =
        "an array of captions or of timed words, SRT or WebVTT text, or a transcribe object";
    match value {
        Value::Array(items) if items.first().is_some_and(|item| item.get("word").is_some()) => {
            let words = list(object::<CaptionWord>()).read(value, reader)?;
            Some(group_words(&words, room))
        }
        Value::Array(_) => list(object::<Caption>()).read(value, reader),
        Value::String(text) if text.trim().is_empty() => Some(Vec::new()),
        Value::String(text) => match subtitles::parse(text) {
            Some(captions) => Some(captions),
            None => reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
        },
        _ => reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
    }
}

/// The name with the fewest edits from `key`, letter case aside; the first of equals.
fn nearest<'a>(key: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    const LONGEST: usize = 100;
    let letters = |text: &str| text.to_lowercase().chars().take(LONGEST).collect::<Vec<_>>();
    let key = letters(key);
    names.min_by_key(|name| edits_between(&key, &letters(name))).cloned()
}

fn edits_between(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
