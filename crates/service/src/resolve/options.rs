//! What a request says about the file to be made.

use rondo_composition::{Output, RenderRequest};
use rondo_render::{Refusal, Wanted};
use serde_json::Value;

use crate::error::{ServiceError, ServiceResult};

/// What a request asks for. What cannot be made is refused rather than left out; what depends on the composition is
/// checked later.
pub fn wanted(request: &RenderRequest) -> ServiceResult<Wanted> {
    let wanted = Wanted::of(request.output.as_ref(), request.draft);
    wanted.check().map_err(refused)?;
    Ok(wanted)
}

/// What a stored render asks for. It was checked when it was made.
pub fn stored(output: Option<&Value>, draft: bool) -> Wanted {
    let output = output.and_then(|output| Output::read(output).ok());
    Wanted::of(output.as_ref(), draft)
}

/// A wish that cannot be granted, as an answer.
pub fn refused(Refusal { field, reason }: Refusal) -> ServiceError {
    let path = format!("output.{field}");
    let code = if field == "codec" { "INVALID_ENUM_VALUE" } else { "VALUE_OUT_OF_RANGE" };
    ServiceError::unprocessable_field(code, &path, format!("`{path}` cannot be used: {reason}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use rondo_composition::Limits;
    use rondo_render::{Format, PictureCodec, Quality, Scale};
    use serde_json::json;

    fn asked(extra: &Value) -> ServiceResult<Wanted> {
        let mut body = json!({"inputProps": {"durationInFrames": 1, "overlays": []}});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        wanted(&RenderRequest::read(&body, Limits::default())?)
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
            assert_eq!((error.kind, error.reason), (ErrorKind::Unprocessable, reason), "{output}");
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
            assert_eq!(refused(output.clone()).kind, ErrorKind::Invalid, "{output}");
        }
    }
}
