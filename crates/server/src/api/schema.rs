//! Request bodies as the API description shows them. They are read by `composition`, which also knows the whole format.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What to render. Exactly one of inputProps, templateId and projectId is given. Any other key at top level counts as a
/// replacement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderBody {
    /// A whole composition: overlays, durationInFrames, fps, width, height, backgroundColor.
    input_props: Option<Map<String, Value>>,
    /// A template that is public, your own or granted to you.
    template_id: Option<String>,
    /// One of your projects.
    project_id: Option<String>,
    /// Values for variables by name, in template and project mode.
    replacements: Option<Map<String, Value>>,
    /// Replaces the width of the film.
    #[schema(minimum = 16, maximum = 4096)]
    width: Option<u32>,
    #[schema(minimum = 16, maximum = 4096)]
    height: Option<u32>,
    #[schema(minimum = 1, maximum = 120)]
    fps: Option<u32>,
    #[schema(minimum = 1, maximum = 648000)]
    duration_in_frames: Option<u32>,
    /// Saves the film as a project; if not given: no for direct renders, yes for templates.
    create_project: Option<bool>,
    project_name: Option<String>,
    /// Called once when the job has ended.
    #[schema(format = "uri")]
    webhook_url: Option<String>,
    /// Up to 50 keys of your own, shown on the job and in events.
    metadata: Option<Map<String, Value>>,
    output: Option<OutputBody>,
    audio: Option<AudioBody>,
    /// Renders faster, at lower quality.
    draft: Option<bool>,
}

/// What file to make; an MP4 film if not given.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputBody {
    /// `mp4` (if not given), `webm`, `mov`; `gif`; `png`, `jpg` or `webp` for a picture, or with `range` a ZIP archive of
    /// them; `mp3`, `wav`, `aac` or `m4a` for the sound alone.
    #[schema(pattern = "^(mp4|webm|mov|gif|png|jpg|webp|mp3|wav|aac|m4a)$")]
    format: Option<String>,
    /// `h264`, `hevc` or `av1` in mp4; `vp9` or `av1` in webm; `prores`, `h264` or `hevc` in mov. The first one of each
    /// if not given.
    #[schema(pattern = "^(h264|hevc|av1|vp9|prores)$")]
    codec: Option<String>,
    /// `draft`, `standard` (if not given) or `high`.
    #[schema(pattern = "^(draft|standard|high)$")]
    quality: Option<String>,
    /// Whether transparency is kept. If not given: where the format can (webm with vp9, mov with prores, gif, png, webp)
    /// and the composition's backgroundColor is not opaque.
    alpha: Option<bool>,
    /// The frame a picture shows, counted from 0; the first if not given.
    frame: Option<u32>,
    /// The first and the last frame of what is made, both counted. With a picture format, one picture for each.
    #[schema(min_items = 2, max_items = 2)]
    range: Option<Vec<u32>>,
    /// Size compared with the composition's: 0.5 is half as wide and high. Everything is drawn at that size.
    #[schema(exclusive_minimum = 0.0)]
    scale: Option<f64>,
}

/// How the sound is finished. Without it sound is mixed as the film says, and only its peaks are limited.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AudioBody {
    /// Loudness of the whole film in LUFS, as EBU R 128 measures it. Peaks stay below −1 dBTP.
    #[schema(minimum = -36, maximum = -8)]
    loudness: Option<f64>,
    /// `true` turns everything else down while narration is heard; an object also says how.
    ducking: Option<DuckingChoice>,
}

/// Ducking as it usually is (`true`), none (`false`), or as described.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described, never made")]
pub enum DuckingChoice {
    Usual(bool),
    As(DuckingBody),
}

/// How everything else is turned down while narration is heard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DuckingBody {
    /// Decibels; 12 if not given.
    #[schema(minimum = 0, maximum = 40)]
    amount: Option<f64>,
    /// Milliseconds it takes to turn down, before narration begins; 150 if not given.
    #[schema(minimum = 1, maximum = 2000)]
    attack: Option<f64>,
    /// Milliseconds it takes to come back; 400 if not given.
    #[schema(minimum = 10, maximum = 5000)]
    release: Option<f64>,
    /// Names of the sound and video overlays that narrate; if not given, those that speak a text of this request.
    narration: Option<Vec<String>>,
}

/// What to preview: the body of a render, and whether AI values may be generated and billed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewBody {
    #[serde(flatten)]
    render: RenderBody,
    confirm_ai_cost: Option<bool>,
}
