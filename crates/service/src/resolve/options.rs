//! What a request says about the files to be made.

use rondo_composition::{Composition, Output, RenderRequest};
use rondo_render::{Format, Recipe, Refusal, Wanted};
use serde_json::Value;

use crate::error::{ServiceError, ServiceResult};

/// The files that a request asks for, the first one first. What cannot be made is refused rather than left out; what depends
/// on the composition is checked by [`recipes`].
pub fn wanted(request: &RenderRequest) -> ServiceResult<Vec<Wanted>> {
    let files = Wanted::all(request.output.as_ref(), request.draft);
    for (number, wanted) in files.iter().enumerate() {
        wanted.check().map_err(|refusal| refused(number, refusal))?;
        if number > 0 && wanted.format == Format::Hls {
            let reason = "an hls film must be the first file; list the others in output.also".to_owned();
            return Err(refused(number, Refusal { field: "format", reason }));
        }
    }
    Ok(files)
}

/// How the files of a film are made.
pub fn recipes(files: &[Wanted], composition: &Composition) -> ServiceResult<Vec<Recipe>> {
    let made = files.iter().enumerate();
    made.map(|(number, wanted)| wanted.recipe(composition).map_err(|refusal| refused(number, refusal)))
        .collect()
}

/// The first file that a stored render asks for. It was checked when it was made.
pub fn stored(output: Option<&Value>, draft: bool) -> Wanted {
    let output = output.and_then(|output| Output::read(output).ok());
    Wanted::of(output.as_ref(), draft)
}

/// How the files of a stored render are made, the first one first.
pub fn stored_recipes(
    output: Option<&Value>,
    draft: bool,
    composition: &Composition,
) -> Result<Vec<Recipe>, Refusal> {
    let output = output.and_then(|output| Output::read(output).ok());
    Wanted::all(output.as_ref(), draft).iter().map(|wanted| wanted.recipe(composition)).collect()
}

/// A wish for a file that cannot be granted, as an answer.
fn refused(number: usize, Refusal { field, reason }: Refusal) -> ServiceError {
    let path = match number {
        0 => format!("output.{field}"),
        _ => format!("output.also[{}].{field}", number - 1),
    };
    let code = if field == "codec" { "INVALID_ENUM_VALUE" } else { "VALUE_OUT_OF_RANGE" };
    ServiceError::unprocessable_field(code, &path, format!("`{path}` cannot be used: {reason}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use rondo_composition::Limits;
    use rondo_render::{PictureCodec, Quality, Scale};
    use serde_json::json;

    fn asked(extra: &Value) -> ServiceResult<Wanted> {
        asked_files(extra).map(|files| files[0].clone())
    }

    fn asked_files(extra: &Value) -> ServiceResult<Vec<Wanted>> {
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
    fn every_file_is_read_and_a_draft_is_one_in_all() {
        let output = json!({"also": [{"format": "gif", "scale": 0.5}, {"format": "png", "quality": "high"}]});
        let files = asked_files(&json!({"output": output, "draft": true})).unwrap();
        let formats: Vec<Format> = files.iter().map(|file| file.format).collect();
        assert_eq!(formats, [Format::Mp4, Format::Gif, Format::Png]);
        assert!(files.iter().all(|file| file.quality == Quality::Draft));
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
            (json!({"also": [{}, {"codec": "vp9"}]}), "INVALID_ENUM_VALUE", "output.also[1].codec"),
            (json!({"also": [{"format": "hls"}]}), "VALUE_OUT_OF_RANGE", "output.also[0].format"),
            (json!({"also": [{"frame": 1}]}), "VALUE_OUT_OF_RANGE", "output.also[0].frame"),
            (json!({"also": [{}, {}, {}, {}, {}]}), "VALUE_OUT_OF_RANGE", "output.also"),
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
