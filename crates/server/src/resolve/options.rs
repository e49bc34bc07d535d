//! What a request says about the file to be made.

use rondo_composition::RenderRequest;
use rondo_render::{Format, Quality, Refusal, Scale, Wanted, codec_named, codec_names};
use serde_json::{Map, Value};

use crate::error::{ApiError, ApiResult};

/// What a request asks for. What cannot be made is refused rather than left out; what depends on the composition is
/// checked later.
pub fn wanted(request: &RenderRequest) -> ApiResult<Wanted> {
    let wanted = read(request.output.as_ref(), request.draft)?;
    wanted.check().map_err(refused)?;
    Ok(wanted)
}

/// What a stored render asks for. It was checked when it was made.
pub fn stored(output: Option<&Value>, draft: bool) -> Wanted {
    read(output.and_then(Value::as_object), draft).unwrap_or_default()
}

/// A wish that cannot be granted, as an answer.
pub fn refused(Refusal { field, reason }: Refusal) -> ApiError {
    let path = format!("output.{field}");
    let code = if field == "codec" { "INVALID_ENUM_VALUE" } else { "VALUE_OUT_OF_RANGE" };
    ApiError::unprocessable_field(code, &path, format!("`{path}` cannot be used: {reason}."))
}

fn read(output: Option<&Map<String, Value>>, draft: bool) -> ApiResult<Wanted> {
    let none = Map::new();
    let output = output.unwrap_or(&none);
    let quality = match choice(output, "quality", &["draft", "standard", "high"])? {
        _ if draft => Quality::Draft,
        Some("draft") => Quality::Draft,
        Some("high") => Quality::High,
        _ => Quality::Standard,
    };
    Ok(Wanted {
        format: choice(output, "format", &Format::names())?.and_then(Format::named).unwrap_or_default(),
        codec: choice(output, "codec", &codec_names())?.and_then(codec_named),
        quality,
        alpha: match given(output, "alpha") {
            None => None,
            Some(Value::Bool(alpha)) => Some(*alpha),
            Some(_) => {
                return Err(ApiError::invalid_field("output.alpha", "`output.alpha` must be true or false."));
            }
        },
        frame: given(output, "frame").map(|frame| number("output.frame", frame)).transpose()?,
        range: given(output, "range").map(range).transpose()?,
        scale: match given(output, "scale").map(|scale| scale.as_f64()) {
            None => Scale::Whole,
            Some(Some(scale)) => Scale::By(scale),
            Some(None) => {
                return Err(ApiError::invalid_field("output.scale", "`output.scale` must be a number."));
            }
        },
    })
}

/// The first and the last frame.
fn range(value: &Value) -> ApiResult<(u32, u32)> {
    match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => Ok((number("output.range[0]", first)?, number("output.range[1]", last)?)),
        _ => Err(ApiError::invalid_field(
            "output.range",
            "`output.range` must be an array of two numbers, the first and the last frame.",
        )),
    }
}

/// The number of a frame.
fn number(path: &str, value: &Value) -> ApiResult<u32> {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => {
            Ok(number as u32)
        }
        Some(number) if number.fract() == 0.0 => {
            Err(out_of_range(path, &format!("{number} is no frame; they are numbered from 0")))
        }
        _ => Err(ApiError::invalid_field(path, format!("`{path}` must be a whole number."))),
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

fn out_of_range(path: &str, why: &str) -> ApiError {
    ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", path, format!("`{path}` cannot be used: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use rondo_composition::Limits;
    use rondo_render::PictureCodec;
    use serde_json::json;

    fn asked(extra: &Value) -> ApiResult<Wanted> {
        let mut body = json!({"inputProps": {"durationInFrames": 1, "overlays": []}});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        wanted(&RenderRequest::read(&body, Limits::default()).unwrap())
    }

    #[test]
    fn everything_about_the_output_is_read_and_comes_back_from_the_store() {
        let output = json!({"format": "webm", "codec": "av1", "quality": "high", "alpha": false,
            "range": [10, 20.0], "scale": 0.5, "frame": null});
        let wanted = Wanted {
            format: Format::WebM,
            codec: Some(PictureCodec::Av1),
            quality: Quality::High,
            alpha: Some(false),
            frame: None,
            range: Some((10, 20)),
            scale: Scale::By(0.5),
        };
        assert_eq!(asked(&json!({"output": output})).unwrap(), wanted);
        assert_eq!(stored(Some(&output), false), wanted);
        assert_eq!(asked(&json!({})).unwrap(), Wanted::default());
        assert_eq!(stored(None, true).quality, Quality::Draft);
        assert_eq!(
            asked(&json!({"draft": true, "output": {"quality": "high"}})).unwrap().quality,
            Quality::Draft
        );
    }

    #[test]
    fn what_cannot_be_made_is_refused_with_its_path() {
        let refused = |output: Value| asked(&json!({"output": output})).unwrap_err();
        for (output, reason, words) in [
            (json!({"format": "avi"}), "INVALID_ENUM_VALUE", "webm"),
            (json!({"codec": "vp9"}), "INVALID_ENUM_VALUE", "output.codec"),
            (json!({"alpha": true}), "VALUE_OUT_OF_RANGE", "output.alpha"),
            (json!({"frame": 3}), "VALUE_OUT_OF_RANGE", "output.frame"),
            (json!({"frame": -3, "format": "png"}), "VALUE_OUT_OF_RANGE", "output.frame"),
            (json!({"scale": 0}), "VALUE_OUT_OF_RANGE", "output.scale"),
        ] {
            let error = refused(output.clone());
            assert_eq!((error.status, error.reason), (StatusCode::UNPROCESSABLE_ENTITY, reason), "{output}");
            assert!(error.message.contains(words), "{}", error.message);
        }
        for output in [
            json!({"format": 4}),
            json!({"range": [1]}),
            json!({"range": "0-1"}),
            json!({"range": [0, 1.5]}),
            json!({"alpha": "yes"}),
            json!({"scale": "2"}),
        ] {
            assert_eq!(refused(output.clone()).status, StatusCode::BAD_REQUEST, "{output}");
        }
    }
}
