//! Whether this version understands a render that a newer version made.

use rondo_composition::{Composition, Finish, Limits, Output, tolerance};
use rondo_jobs::{Facts, Failure, Finding, LayOutJob, MediaFiles};
use rondo_store::Render;
use serde_json::Value;

use crate::error::ServiceResult;
use crate::resolve::options::stored_recipes;
use crate::service::Service;
use crate::speech::Asked;

/// Whether this version can make what a render asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Understood {
    Yes,
    No,
    /// It could not be looked at just now.
    NotKnown,
}

/// Whether everything that a render asks for is known. What is stored was written by the process that made the render, so every
/// unknown field is one that this version would leave out of the film.
pub async fn understands(service: &Service, render: &Render) -> Understood {
    let stored = Stored {
        composition: render.input_props.as_ref(),
        output: render.output.as_ref(),
        audio: render.audio.as_ref(),
        speech: render.speech.as_ref(),
        draft: render.draft,
    };
    let Some(composition) = stored.read() else { return Understood::No };
    let job =
        LayOutJob { composition: composition.write(), fonts: MediaFiles::default(), facts: Facts::default() };
    understood(&service.media.isolation.lay_out(&render.account_id, job).await)
}

/// What is stored of a render.
#[derive(Clone, Copy, Default)]
struct Stored<'a> {
    composition: Option<&'a Value>,
    output: Option<&'a Value>,
    audio: Option<&'a Value>,
    speech: Option<&'a Value>,
    draft: bool,
}

impl Stored<'_> {
    /// The composition, if all of the render can be read.
    fn read(self) -> Option<Composition> {
        let read = Composition::read(self.composition?, Limits::WIDEST).ok()?;
        let ignored = read.remarks.tolerated.iter().any(|value| value.code == tolerance::ANIMATION_IGNORED);
        if ignored || !read.remarks.unknown_fields.is_empty() {
            return None;
        }
        // Written again, what is known comes out as it was stored.
        let output = |stored: &Value| Output::read(stored).ok().map(|output| output.write());
        let audio = |stored: &Value| Finish::read(stored).ok().map(|finish| finish.write());
        let speech = |stored: &Value| Asked::read(stored).map(Asked::into_json);
        let is_known = is_same(self.output, output)
            && is_same(self.audio, audio)
            && is_same(self.speech, speech)
            && stored_recipes(self.output, self.draft, &read.composition).is_ok();
        is_known.then_some(read.composition)
    }
}

/// Whether a value, if there is one, comes out as it was stored.
fn is_same(stored: Option<&Value>, written: impl Fn(&Value) -> Option<Value>) -> bool {
    stored.is_none_or(|stored| written(stored).as_ref() == Some(stored))
}

/// What laying the film out showed. A render that is left to a newer version is never taken by this one again, so a shortage of
/// processes does not decide.
fn understood(found: &ServiceResult<Result<Vec<Finding>, Failure>>) -> Understood {
    match found {
        Ok(Ok(findings)) if findings.iter().any(is_unknown) => Understood::No,
        // The render has larger limits.
        Ok(Ok(_) | Err(Failure::TooSlow | Failure::OutOfMemory)) => Understood::Yes,
        Ok(Err(Failure::Machine(_))) | Err(_) => Understood::NotKnown,
        Ok(Err(_)) => Understood::No,
    }
}

/// A name, such as that of a preset, or a style that this version does not know.
fn is_unknown(finding: &Finding) -> bool {
    finding.code.starts_with("UNKNOWN_") || finding.code == "INVALID_CSS_VALUE"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::ServiceError;

    /// The value with a field that is new or has another value.
    fn with(value: &Value, place: &str, field: &str, new: Value) -> Value {
        let mut value = value.clone();
        value.pointer_mut(place).unwrap()[field] = new;
        value
    }

    #[test]
    fn a_render_with_a_field_or_a_value_of_a_newer_version_is_not_understood() {
        let film = json!({"durationInFrames": 30, "overlays": [
            {"id": 1, "type": "text", "content": "Hi", "row": 0, "from": 0, "durationInFrames": 30, "left": 0,
             "top": 0, "width": 90, "height": 90, "styles": {"animation": {"enter": "fade"}}}]});
        let film = Composition::read(&film, Limits::WIDEST).unwrap().composition.write();
        let output = Output::read(&json!({"format": "webm", "scale": 0.5})).unwrap().write();
        let audio = Finish::read(&json!({"loudness": -14.0})).unwrap().write();
        let is_read = |film: &Value, output: &Value, audio: &Value| {
            let (composition, output, audio) = (Some(film), Some(output), Some(audio));
            Stored { composition, output, audio, ..Stored::default() }.read().is_some()
        };
        assert!(is_read(&film, &output, &audio));
        for newer in [
            with(&film, "", "grain", json!(0.5)),
            with(&film, "/overlays/0", "type", json!("hologram")),
            with(&film, "/overlays/0/styles", "depthOfField", json!(3)),
            with(&film, "/overlays/0/styles", "animation", json!(["fade", "spin"])),
        ] {
            assert!(!is_read(&newer, &output, &audio), "{newer}");
        }
        for newer in [with(&output, "", "format", json!("jxl")), with(&output, "", "hdr", json!(true))] {
            assert!(!is_read(&film, &newer, &audio), "{newer}");
        }
        assert!(!is_read(&film, &output, &with(&audio, "", "room", json!("hall"))));
    }

    #[test]
    fn a_render_that_shows_something_unknown_or_crashes_is_left_to_a_newer_version() {
        let finding = |code: &str| Finding {
            code: code.to_owned(),
            severity: "warning".to_owned(),
            path: String::new(),
            message: String::new(),
            hint: None,
            available: Vec::new(),
            paths: Vec::new(),
        };
        let found = |codes: &[&str]| Ok(Ok(codes.iter().map(|code| finding(code)).collect()));
        for codes in [["FONT_NOT_RESOLVED", "UNKNOWN_PRESET"], ["INVALID_CSS_VALUE", "FONT_NOT_RESOLVED"]] {
            assert_eq!(understood(&found(&codes)), Understood::No, "{codes:?}");
        }
        assert_eq!(understood(&Ok(Err(Failure::Panic("at a new overlay".to_owned())))), Understood::No);
        assert_eq!(understood(&found(&["FONT_NOT_RESOLVED"])), Understood::Yes);
        for failure in [Failure::TooSlow, Failure::OutOfMemory] {
            assert_eq!(understood(&Ok(Err(failure))), Understood::Yes, "a render has larger limits");
        }
        let busy = Err(ServiceError::busy("Too many films are being checked.", 3));
        for shortage in [Ok(Err(Failure::Machine("no process".to_owned()))), busy] {
            assert_eq!(understood(&shortage), Understood::NotKnown, "it passes");
        }
    }
}
