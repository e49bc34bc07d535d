//! What a request says about the file to be made: the formats and qualities there are today.

use rondo_composition::RenderRequest;
use rondo_render::Quality;
use serde_json::{Map, Value};

use crate::error::{ApiError, ApiResult};

/// The quality a request asks for. What cannot be made yet is refused rather than left out.
pub fn quality(request: &RenderRequest) -> ApiResult<Quality> {
    if let Some(audio) = &request.audio {
        for key in ["loudness", "ducking"] {
            refuse(audio, "audio", key, "leave it out: sound is mixed as it is written in the film")?;
        }
    }
    let none = Map::new();
    let output = request.output.as_ref().unwrap_or(&none);
    choice(output, "format", &["mp4"])?;
    choice(output, "codec", &["h264"])?;
    let quality = choice(output, "quality", &["draft", "standard", "high"])?;
    for (key, way_out) in [
        ("frame", "leave it out: single frames are drawn by previews"),
        ("range", "leave it out: films are rendered whole"),
    ] {
        refuse(output, "output", key, way_out)?;
    }
    match given(output, "alpha") {
        None | Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => {
            return Err(out_of_range(
                "output.alpha",
                "only false is supported: mp4 films have no transparency",
            ));
        }
        Some(_) => {
            return Err(ApiError::invalid_field("output.alpha", "`output.alpha` must be true or false."));
        }
    }
    match given(output, "scale") {
        None => {}
        Some(Value::Number(scale)) if scale.as_f64() == Some(1.0) => {}
        Some(Value::Number(_)) => {
            return Err(out_of_range("output.scale", "only 1 is supported: set width and height instead"));
        }
        Some(_) => return Err(ApiError::invalid_field("output.scale", "`output.scale` must be a number.")),
    }
    Ok(if request.draft { Quality::Draft } else { quality_named(quality) })
}

/// The quality of a stored render.
pub fn stored_quality(output: Option<&Value>, draft: bool) -> Quality {
    let name = output.and_then(|output| output.get("quality")).and_then(Value::as_str);
    if draft { Quality::Draft } else { quality_named(name) }
}

fn quality_named(name: Option<&str>) -> Quality {
    match name {
        Some("draft") => Quality::Draft,
        Some("high") => Quality::High,
        _ => Quality::Standard,
    }
}

fn given<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|value| !value.is_null())
}

fn choice<'a>(output: &'a Map<String, Value>, key: &str, choices: &[&str]) -> ApiResult<Option<&'a str>> {
    let path = format!("output.{key}");
    match given(output, key) {
        None => Ok(None),
        Some(Value::String(name)) if choices.contains(&name.as_str()) => Ok(Some(name)),
        Some(Value::String(name)) => {
            let message =
                format!("`{path}` is \"{name}\", but what is supported is: {}.", choices.join(", "));
            Err(ApiError::unprocessable_field("INVALID_ENUM_VALUE", &path, message))
        }
        Some(_) => Err(ApiError::invalid_field(&path, format!("`{path}` must be a text."))),
    }
}

fn refuse(object: &Map<String, Value>, name: &str, key: &str, way_out: &str) -> ApiResult<()> {
    match given(object, key) {
        None => Ok(()),
        Some(_) => Err(out_of_range(&format!("{name}.{key}"), &format!("it is not supported; {way_out}"))),
    }
}

fn out_of_range(path: &str, why: &str) -> ApiError {
    ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", path, format!("`{path}` cannot be used: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use rondo_composition::Limits;
    use serde_json::json;

    fn read(extra: &Value) -> ApiResult<Quality> {
        let mut body = json!({"inputProps": {"durationInFrames": 1, "overlays": []}});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        quality(&RenderRequest::read(&body, Limits::default()).unwrap())
    }

    #[test]
    fn draft_and_quality_choose_how_the_film_is_encoded() {
        assert_eq!(read(&json!({})).unwrap(), Quality::Standard);
        assert_eq!(
            read(&json!({"output": {"quality": "high", "format": "mp4", "scale": 1}})).unwrap(),
            Quality::High
        );
        assert_eq!(read(&json!({"draft": true, "output": {"quality": "high"}})).unwrap(), Quality::Draft);
        assert_eq!(stored_quality(Some(&json!({"quality": "high"})), false), Quality::High);
    }

    #[test]
    fn what_cannot_be_made_is_refused_with_what_can() {
        let gif = read(&json!({"output": {"format": "gif"}})).unwrap_err();
        assert_eq!((gif.status, gif.reason), (StatusCode::UNPROCESSABLE_ENTITY, "INVALID_ENUM_VALUE"));
        assert!(gif.message.contains("mp4"), "{}", gif.message);
        for extra in [
            json!({"output": {"range": [0, 1]}}),
            json!({"output": {"scale": 0.5}}),
            json!({"output": {"alpha": true}}),
            json!({"audio": {"loudness": -14}}),
        ] {
            assert_eq!(read(&extra).unwrap_err().reason, "VALUE_OUT_OF_RANGE");
        }
        assert_eq!(read(&json!({"output": {"format": 4}})).unwrap_err().status, StatusCode::BAD_REQUEST);
    }
}
