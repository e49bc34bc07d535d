//! How the sound of a film is finished: the `audio` of a request.

use rondo_fields::{
    Codec, Definitions, Error, ProblemKind, Reader, flag, list, number, object, record, text,
};
use serde_json::Value;

use crate::composition::Composition;
use crate::limits::LOUDNESS;

record! {
    /// How the sound of a film is finished. Nothing of it is done unless it is asked for.
    pub struct Finish {
        /// Loudness of the whole film in LUFS.
        loudness: optional f64 => "loudness", number().within(LOUDNESS.0, LOUDNESS.1);
        /// Whether everything else is turned down while narration is heard, and how.
        ducking: default Option<Ducking> => "ducking", DuckingOrFlag, None;
    }
}

record! {
    /// How everything else is turned down while narration is heard.
    pub struct Ducking {
        /// Decibels by which it is turned down.
        amount: default f64 => "amount", number().within(0.0, 40.0), 12.0;
        /// Milliseconds it takes to turn down, before narration begins.
        attack: default f64 => "attack", number().within(1.0, 2000.0), 150.0;
        /// Milliseconds it takes to come back, after narration.
        release: default f64 => "release", number().within(10.0, 5000.0), 400.0;
        /// Names of the overlays that narrate. When omitted: those that speak a text of the request.
        narration: optional Vec<String> => "narration", list(text());
    }
}

impl Finish {
    /// Reads a finish that was written before.
    pub fn read(value: &Value) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let finish = reader.at_key("audio", |reader| object::<Self>().read(value, reader));
        reader.finish(finish)
    }

    pub fn write(&self) -> Value {
        object::<Self>().write(self)
    }

    /// Refuses names of narration that no sound or video of the film has.
    pub fn check(&self, composition: &Composition) -> Result<(), Error> {
        let mut reader = Reader::default();
        for (index, name) in self.narration().iter().enumerate() {
            if !composition.overlays.iter().any(|overlay| overlay.is_audible_as(name)) {
                let path = format!("audio.ducking.narration[{index}]");
                reader.at_key(path, |reader| {
                    let expected = "the name of a sound or video overlay of this film";
                    reader.refuse::<()>(ProblemKind::InvalidEnumValue, &Value::from(name.as_str()), expected)
                });
            }
        }
        reader.finish(Some(()))
    }

    /// Makes these overlays the narration, unless the request names others.
    pub fn narrated_by(&mut self, names: Vec<String>) {
        if let Some(Ducking { narration: narration @ None, .. }) = &mut self.ducking
            && !names.is_empty()
        {
            *narration = Some(names);
        }
    }

    /// Names of the overlays that others are ducked under.
    pub fn narration(&self) -> &[String] {
        self.ducking.as_ref().and_then(|ducking| ducking.narration.as_deref()).unwrap_or_default()
    }
}

/// `true` for ducking as it usually is, `false` for none, or an object.
#[derive(Debug, Clone, Copy)]
struct DuckingOrFlag;

impl Codec for DuckingOrFlag {
    type Out = Option<Ducking>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        match value {
            Value::Bool(wanted) => Some(wanted.then(Ducking::default)),
            Value::Object(_) => object::<Ducking>().read(value, reader).map(Some),
            other => reader.refuse(ProblemKind::WrongType, other, self.expected()),
        }
    }

    fn write(&self, out: &Self::Out) -> Value {
        out.as_ref().map_or(Value::Bool(false), |ducking| object::<Ducking>().write(ducking))
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        let choices = [flag().schema(definitions), object::<Ducking>().schema(definitions)];
        serde_json::json!({"anyOf": choices})
    }

    fn expected(&self) -> String {
        "true, false or an object".to_owned()
    }
}
