//! The tool that lets an agent see: frames of a film as pictures, drawn as a render would draw them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::ContentBlock;
use rondo_composition::Composition;
use rondo_render::{Film, Picture, RenderError, picture_of, sheet_of, spread};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::schema::{self, FILM};
use super::tool::{Answer, Call, Effect, Tool};
use crate::error::{ApiError, ApiResult};
use crate::pages::studio::{self, Drawn};
use crate::resolve::{resolve, skip_ai};
use crate::warnings::{PreviewWarning, warnings};

/// Frames in one answer.
const MOST_FRAMES: usize = 12;
/// Pixels of all pictures of an answer, unless the call says otherwise: about what a model looks at in full.
const PIXELS: u64 = 1_200_000;
const MOST_PIXELS: u64 = 4_000_000;
const LEAST_PIXELS: u64 = 10_000;

pub fn tools() -> Vec<Tool> {
    vec![Tool {
        name: "preview_frames",
        title: "Look at frames",
        description: "Draws frames of the film exactly as a render would and returns them as pictures, with every warning. \
                      Without frames or times it is a contact sheet across the whole film, each frame labelled with its \
                      number and time: look at it after every change. With a few frames or times they come one by one, \
                      larger. Free.",
        effect: Effect::Looks,
        input: schema::film(&json!({
            "frames": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "maxItems": MOST_FRAMES,
                "description": "Numbers of the frames to draw; the first is 0"},
            "times": {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 1, "maxItems": MOST_FRAMES,
                "description": "Instead of frames: moments in seconds"},
            "count": {"type": "integer", "minimum": 1, "maximum": MOST_FRAMES, "default": MOST_FRAMES,
                "description": "How many frames a contact sheet across the film shows"},
            "sheet": {"type": "boolean",
                "description": "true: all on one labelled sheet; false: a picture each. A sheet if neither frames nor times are given"},
            "maxPixels": {"type": "integer", "minimum": LEAST_PIXELS, "maximum": MOST_PIXELS, "default": PIXELS,
                "description": "Pixels of all pictures together; frames are scaled down to fit, never up"},
            "format": {"type": "string", "enum": ["jpeg", "png"], "default": "jpeg",
                "description": "png is exact, and larger"}
        })),
        output: schema::of::<Shown>(),
        unchecked: FILM.to_vec(),
        run: |call| Box::pin(preview_frames(call)),
    }]
}

/// What the pictures of an answer show.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Shown {
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    /// In the order of the pictures.
    pictures: Vec<ShownPicture>,
    /// What will not look as written, the most severe first.
    warnings: Vec<PreviewWarning>,
    /// Overlays that are missing from the pictures because their media cannot be used.
    left_out: Vec<LeftOut>,
}

/// One picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShownPicture {
    width: u32,
    height: u32,
    mime_type: &'static str,
    /// The frames on it, row by row.
    frames: Vec<ShownFrame>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
struct ShownFrame {
    frame: u32,
    seconds: f64,
}

/// An overlay that could not be drawn.
#[derive(Debug, Serialize, ToSchema)]
struct LeftOut {
    /// Where, as in `overlays[3].src`.
    path: String,
    reason: String,
}

/// How the pictures are to look.
#[derive(Debug, Clone, Copy)]
struct Look {
    sheet: bool,
    pixels: u64,
    png: bool,
}

/// Pictures with the frames on each.
type Pictures = Vec<(Vec<u32>, Picture)>;

async fn preview_frames(call: Call) -> ApiResult<Answer> {
    let mut resolved = resolve(&call.app, &call.caller, call.body(&FILM)).await?;
    let numbers = asked_frames(&call, &resolved.composition)?;
    let chosen = ["frames", "times"].iter().any(|name| call.arguments.contains_key(*name));
    let look = Look {
        sheet: call.flag("sheet").unwrap_or(!chosen),
        pixels: call.number("maxPixels").unwrap_or(PIXELS),
        png: call.optional_text("format") == Some("png"),
    };
    let (app, account) = (&call.app, call.caller.account.id.as_str());
    let drawing = async {
        let mut composition = resolved.composition.clone();
        skip_ai(&mut composition, &resolved.report.ai);
        let gone = call.gone.clone();
        let draw = move |film: &mut Film, in_time: &dyn Fn() -> bool| {
            paint(film, &numbers, look, &mut || in_time() && !gone.is_cancelled())
        };
        studio::draw(app, account, composition, draw).await
    };
    let (warnings, drawn) = tokio::join!(warnings(app, &resolved), drawing);
    let Drawn { drawn: pictures, left_out } = drawn?;
    let film = std::mem::take(&mut resolved.composition);
    show(&film, pictures, look, warnings?, left_out)
}

/// The frames a call asks for, or frames across the film.
fn asked_frames(call: &Call, film: &Composition) -> ApiResult<Vec<u32>> {
    let last = film.duration.saturating_sub(1);
    let exist = |name: &str, i: usize, frame: f64| {
        if frame <= f64::from(last) {
            return Ok(frame as u32);
        }
        let message = format!(
            "`{name}[{i}]` lies behind the end: the film has {} frames, 0 to {last}, and ends at {:.2} s.",
            film.duration,
            film.seconds()
        );
        Err(ApiError::invalid_field(&format!("{name}[{i}]"), message))
    };
    match (call.numbers("frames"), call.numbers("times")) {
        (Some(_), Some(_)) => Err(ApiError::invalid("Give `frames` or `times`, not both.")),
        (Some(frames), None) => {
            frames.into_iter().enumerate().map(|(i, frame)| exist("frames", i, frame)).collect()
        }
        (None, Some(times)) => {
            let fps = f64::from(film.fps.max(1));
            let frame = |(i, time): (usize, f64)| {
                // The end itself shows the last frame.
                let frame = (time * fps + 1e-6).floor();
                let frame = if (time - film.seconds()).abs() < 1e-6 { f64::from(last) } else { frame };
                exist("times", i, frame)
            };
            times.into_iter().enumerate().map(frame).collect()
        }
        (None, None) => Ok(spread(film.duration, call.number("count").unwrap_or(MOST_FRAMES as u64) as u32)),
    }
}

fn paint(
    film: &mut Film,
    numbers: &[u32],
    look: Look,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Pictures, RenderError> {
    if look.sheet {
        let sheet = sheet_of(film, numbers, look.pixels, go_on)?.within(look.pixels);
        return Ok(vec![(numbers.to_vec(), sheet)]);
    }
    let pixels = look.pixels / numbers.len().max(1) as u64;
    let one = |number: &u32| match go_on() {
        true => Ok((vec![*number], picture_of(film, *number, pixels)?)),
        false => Err(RenderError::Cancelled),
    };
    numbers.iter().map(one).collect()
}

fn show(
    film: &Composition,
    pictures: Pictures,
    look: Look,
    warnings: Vec<PreviewWarning>,
    left_out: Vec<(String, String)>,
) -> ApiResult<Answer> {
    let mime_type = if look.png { "image/png" } else { "image/jpeg" };
    let seconds = |frame: u32| f64::from(frame) / f64::from(film.fps.max(1));
    let mut shown = Shown {
        width: film.width,
        height: film.height,
        fps: film.fps,
        duration_in_frames: film.duration,
        pictures: Vec::new(),
        warnings,
        left_out: left_out.into_iter().map(|(path, reason)| LeftOut { path, reason }).collect(),
    };
    let mut contents = Vec::new();
    for (frames, picture) in pictures {
        let bytes = if look.png { picture.png() } else { picture.jpeg() }.map_err(ApiError::internal)?;
        let label = match frames.as_slice() {
            [one] => format!("Frame {one}, at {:.2} s:", seconds(*one)),
            many => format!("A contact sheet of {} frames:", many.len()),
        };
        contents.extend([ContentBlock::text(label), ContentBlock::image(STANDARD.encode(bytes), mime_type)]);
        let frames = frames.into_iter().map(|frame| ShownFrame { frame, seconds: seconds(frame) }).collect();
        shown.pictures.push(ShownPicture { width: picture.width, height: picture.height, mime_type, frames });
    }
    Ok(contents.into_iter().fold(Answer::of(shown)?, Answer::with))
}
