//! Filling the variables of a composition with values. Values that ask for speech are recognised and returned, not
//! carried out.

use rondo_fields::{Codec, Definitions, Error, ProblemKind, Reader, edit_distance, list, object};
use serde_json::{Map, Value, json};

use crate::ai::{AiReplacement, AiValue, NarrationValue, TranscriptionValue, ai_kind, check_ai_count};
use crate::caption::{Caption, CaptionWord};
use crate::colors::Swap;
use crate::composition::Composition;
use crate::fonts::FontSwap;
use crate::grouping::CaptionRoom;
use crate::limits::{MOST_CAPTION_WORDS, MOST_REPLACEMENTS};
use crate::overlay::{MediaSource, Overlay, OverlayKind};

/// The result of applying replacements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Names of variables that received a value.
    pub applied: Vec<String>,
    /// Keys that match no variable; the authored values stay.
    pub unknown: Vec<UnknownReplacement>,
    /// Values that ask for speech to be generated or transcribed. Their overlays stay as authored.
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
        let value = json!({
            "description": "The value of a variable: text, an address, speech to generate or to transcribe, captions or \
                            their words. `null` leaves the variable alone.",
            "anyOf": [
                {"type": ["string", "number", "boolean", "null"]},
                object::<NarrationValue>().schema(definitions),
                object::<TranscriptionValue>().schema(definitions),
                list(object::<Caption>()).schema(definitions),
                list(object::<CaptionWord>()).schema(definitions),
            ],
        });
        definitions.insert("ReplacementValue".to_owned(), value);
        let value = json!({"$ref": "#/$defs/ReplacementValue"});
        json!({"type": "object", "maxProperties": MOST_REPLACEMENTS, "additionalProperties": value})
    }

    fn expected(&self) -> String {
        "an object of values by variable name".to_owned()
    }
}

impl Composition {
    /// Fills every variable that a key names, by exact name. `null` leaves a variable alone. When any value is
    /// refused the composition stays as it was.
    pub fn apply_replacements(&mut self, values: &Map<String, Value>) -> Result<Report, Error> {
        let mut reader = Reader::default();
        let mut report = Report::default();
        let mut filled: Vec<(usize, OverlayKind)> = Vec::new();
        let mut swaps: Vec<Swap> = Vec::new();
        let mut font_swaps: Vec<FontSwap> = Vec::new();
        let room = CaptionRoom::on_canvas(f64::from(self.width), f64::from(self.height));
        let names: Vec<Option<String>> = self.overlays.iter().map(Overlay::variable_name).collect();

        reader.at_key("replacements", |reader| {
            for (key, value) in values.iter().filter(|(_, value)| !value.is_null()) {
                let targets: Vec<usize> =
                    (0..names.len()).filter(|index| names[*index].as_deref() == Some(key)).collect();
                if targets.is_empty()
                    && let Some(index) = self.color_named(key)
                {
                    let swap = reader.at_key(key.clone(), |reader| Swap::read(index, value, reader));
                    swaps.extend(swap);
                    report.applied.push(key.clone());
                    continue;
                }
                if targets.is_empty()
                    && let Some(index) = self.font_named(key)
                {
                    let swap = reader.at_key(key.clone(), |reader| FontSwap::read(index, value, reader));
                    font_swaps.extend(swap);
                    report.applied.push(key.clone());
                    continue;
                }
                if targets.is_empty() {
                    let colors = self.colors.iter().map(|color| &color.name);
                    let fonts = self.fonts.iter().map(|font| &font.name);
                    let nearest = nearest(key, names.iter().flatten().chain(colors).chain(fonts));
                    report.unknown.push(UnknownReplacement { key: key.clone(), nearest });
                    continue;
                }
                reader.at_key(key.clone(), |reader| {
                    if let Some(ai) = ai_kind(value) {
                        let value = self.read_ai(ai, value, &targets, reader);
                        report.ai.extend(value.map(|value| AiReplacement { name: key.clone(), value }));
                    } else {
                        for index in targets {
                            let mut kind = self.overlays[index].kind.clone();
                            if kind.fill(value, room, reader).is_some() {
                                filled.push((index, kind));
                            }
                        }
                        report.applied.push(key.clone());
                    }
                });
            }
            check_ai_count(&report.ai, reader);
        });

        if !reader.has_problems() {
            self.check_caption_words(&filled, &mut reader);
        }
        reader.finish(Some(()))?;
        for (index, kind) in filled {
            self.overlays[index].kind = kind;
        }
        self.swap_colors(&swaps)?;
        self.swap_fonts(&font_swaps)?;
        Ok(report)
    }

    /// Names of overlays with an empty media address, also among the pictures of effects. A sound that is to be narrated
    /// has none yet.
    pub fn missing_media(&self, ai: &[AiReplacement]) -> Vec<String> {
        let narrated = |overlay: &Overlay| {
            overlay.variable_name().is_some_and(|name| {
                ai.iter().any(|ai| ai.name == name && matches!(ai.value, AiValue::Narration(_)))
            })
        };
        let mut missing: Vec<String> = Vec::new();
        for overlay in &self.overlays {
            let name = overlay.display_name();
            let is_missing = |source: &MediaSource<'_>| source.used && source.address.trim().is_empty();
            if overlay.media().iter().any(is_missing) && !narrated(overlay) && !missing.contains(&name) {
                missing.push(name);
            }
        }
        missing
    }

    fn check_caption_words(&self, filled: &[(usize, OverlayKind)], reader: &mut Reader) {
        let mut words = self.caption_words();
        for (index, kind) in filled {
            words += kind.caption_words();
            words -= self.overlays[*index].kind.caption_words();
        }
        if words > MOST_CAPTION_WORDS {
            reader.at_key("replacements", |reader| {
                reader.note(
                    ProblemKind::CompositionTooLarge,
                    Some(format!("{words} caption words")),
                    format!("a set with at most {MOST_CAPTION_WORDS} caption words in total"),
                );
            });
        }
    }
}

/// The name with the fewest edits from `key`, letter case aside; the first of equals.
fn nearest<'a>(key: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    const LONGEST: usize = 100;
    let letters = |text: &str| text.to_lowercase().chars().take(LONGEST).collect::<Vec<_>>();
    let key = letters(key);
    names.min_by_key(|name| edit_distance(&key, &letters(name))).cloned()
}
