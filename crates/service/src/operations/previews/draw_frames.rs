//! Draws frames of a film as pictures, as a render would draw them.

use rondo_composition::{Composition, RenderRequest};
use rondo_fields::{choices, flag, integer, list, number, one_of, record};
use rondo_jobs::Look;
use rondo_render::spread;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation, Request};
use crate::previews::Drawn;
use crate::resolve::skip_ai;
use crate::warnings::{PreviewWarning, warnings};

/// Frames in one response.
const MOST_FRAMES: usize = 12;
/// Pixels of all pictures of a response by default: about what a model looks at in full.
const PIXELS: u32 = 1_200_000;
const MOST_PIXELS: i64 = 4_000_000;
const LEAST_PIXELS: i64 = 10_000;

/// The fields of a render request that name a film.
const FILM: [&str; 8] =
    ["inputProps", "templateId", "projectId", "replacements", "width", "height", "fps", "durationInFrames"];

choices! {
    /// Kind of picture.
    pub enum PictureFormat {
        Jpeg = "jpeg",
        Png = "png",
    }
}

record! {
    /// Which frames to draw, and how.
    pub struct FrameOptions {
        /// Numbers of the frames to draw; the first is 0.
        frames: optional Vec<u32> => "frames", list(integer(0, i64::from(u32::MAX))).at_least(1).at_most(MOST_FRAMES);
        /// Instead of frames: moments in seconds.
        times: optional Vec<f64> => "times", list(number().at_least(0.0)).at_least(1).at_most(MOST_FRAMES);
        /// How many frames a contact sheet across the film shows.
        count: default u32 => "count", integer(1, MOST_FRAMES as i64), MOST_FRAMES as u32;
        /// `true`: all on one labelled sheet; `false`: a picture each. Default: a sheet if neither frames nor times are given.
        sheet: optional bool => "sheet", flag();
        /// Pixels of all pictures together; frames are scaled down to fit, never up.
        max_pixels: default u32 => "maxPixels", integer(LEAST_PIXELS, MOST_PIXELS), PIXELS;
        /// `png` is exact, and larger.
        format: default PictureFormat => "format", one_of(), PictureFormat::Jpeg;
    }
}

/// A film, and the frames of it to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct FramesRequest {
    pub film: Map<String, Value>,
    pub options: FrameOptions,
}

impl Request for FramesRequest {
    const NAME: &'static str = "FramesBody";

    fn read(input: Value) -> ServiceResult<Self> {
        let options: FrameOptions = rondo_fields::read(&input)?;
        let film = input.as_object().into_iter().flatten();
        let film = film.filter(|(name, _)| FILM.contains(&name.as_str()));
        Ok(Self { film: film.map(|(name, value)| (name.clone(), value.clone())).collect(), options })
    }

    fn schema() -> Value {
        let mut schema = RenderRequest::schema();
        let options = rondo_fields::schema::<FrameOptions>();
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.retain(|name, _| FILM.contains(&name.as_str()));
            properties.extend(options["properties"].as_object().cloned().unwrap_or_default());
        }
        schema
    }
}

/// What the pictures of an answer show.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DrawnFrames {
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    /// In the order of the pictures.
    pub pictures: Vec<DrawnPicture>,
    /// What will not look as written, the most severe first.
    warnings: Vec<PreviewWarning>,
    /// Overlays that are missing from the pictures because their media cannot be used.
    left_out: Vec<LeftOut>,
}

/// One picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DrawnPicture {
    width: u32,
    height: u32,
    pub mime_type: &'static str,
    /// The frames on it, row by row.
    pub frames: Vec<DrawnFrame>,
    /// The encoded picture.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DrawnFrame {
    pub frame: u32,
    pub seconds: f64,
}

/// An overlay that could not be drawn.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOut {
    /// Where, as in `overlays[3].src`.
    path: String,
    reason: String,
}

pub struct DrawFrames;

impl Operation for DrawFrames {
    const ID: &'static str = "drawFrames";
    const ABOUT: &'static str = "Draws frames of a film as a render would, with every warning.";
    const RETURNS: &'static str = "The pictures";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Unprocessable, "The film cannot be drawn, or drawing takes too long")];

    type Request = FramesRequest;
    type Response = DrawnFrames;

    async fn run(call: Call<'_>, request: FramesRequest) -> ServiceResult<DrawnFrames> {
        let FramesRequest { film, options } = request;
        let service = call.service;
        let resolved = service.resolver.resolve(call.caller, film).await?;
        let numbers = asked_frames(&options, &resolved.composition)?;
        let png = options.format == PictureFormat::Png;
        let look = Look::Fitted {
            sheet: options.sheet.unwrap_or(options.frames.is_none() && options.times.is_none()),
            pixels: u64::from(options.max_pixels),
            png,
        };
        let drawing = async {
            let mut composition = resolved.composition.clone();
            skip_ai(&mut composition, &resolved.report.ai);
            tokio::select! {
                drawn = service.previews.draw(call.account_id(), &composition, numbers, look) => drawn,
                () = call.cancelled.cancelled() => Err(ServiceError::invalid("The call was cancelled.")),
            }
        };
        let warnings = warnings(&service.media, call.account_id(), &resolved);
        let (warnings, drawn) = tokio::join!(warnings, drawing);
        Ok(show(&resolved.composition, drawn?, png, warnings?))
    }
}

/// The frames a request asks for, or frames across the film.
fn asked_frames(options: &FrameOptions, film: &Composition) -> ServiceResult<Vec<u32>> {
    let last = film.duration.saturating_sub(1);
    let exist = |name: &str, i: usize, frame: f64| {
        if frame <= f64::from(last) {
            return Ok(frame as u32);
        }
        let message = format!(
            "`{name}[{i}]` is after the end: the film has {} frames, 0 to {last}, and ends at {:.2} s.",
            film.duration,
            film.seconds()
        );
        Err(ServiceError::invalid_field(&format!("{name}[{i}]"), message))
    };
    match (&options.frames, &options.times) {
        (Some(_), Some(_)) => Err(ServiceError::invalid("Give `frames` or `times`, not both.")),
        (Some(frames), None) => {
            frames.iter().enumerate().map(|(i, frame)| exist("frames", i, f64::from(*frame))).collect()
        }
        (None, Some(times)) => {
            let fps = f64::from(film.fps.max(1));
            let frame = |(i, time): (usize, &f64)| {
                // The end itself shows the last frame.
                let frame = (time * fps + 1e-6).floor();
                let frame = if (time - film.seconds()).abs() < 1e-6 { f64::from(last) } else { frame };
                exist("times", i, frame)
            };
            times.iter().enumerate().map(frame).collect()
        }
        (None, None) => Ok(spread(film.duration, options.count)),
    }
}

fn show(film: &Composition, drawn: Drawn, png: bool, warnings: Vec<PreviewWarning>) -> DrawnFrames {
    let mime_type = if png { "image/png" } else { "image/jpeg" };
    let fps = f64::from(film.fps.max(1));
    let frame = |frame: &u32| DrawnFrame { frame: *frame, seconds: f64::from(*frame) / fps };
    let pictures = drawn.pictures.into_iter().map(|(picture, bytes)| DrawnPicture {
        width: picture.width,
        height: picture.height,
        mime_type,
        frames: picture.frames.iter().map(frame).collect(),
        bytes,
    });
    DrawnFrames {
        width: film.width,
        height: film.height,
        fps: film.fps,
        duration_in_frames: film.duration,
        pictures: pictures.collect(),
        warnings,
        left_out: drawn.left_out.into_iter().map(|(path, reason)| LeftOut { path, reason }).collect(),
    }
}
