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
    /// `{"format": "mp4", "codec": "h264", "quality": "draft" | "standard" | "high"}`.
    output: Option<Map<String, Value>>,
    /// Renders faster, at lower quality.
    draft: Option<bool>,
}

/// What to preview: the body of a render, and whether AI values may be generated and billed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewBody {
    #[serde(flatten)]
    render: RenderBody,
    confirm_ai_cost: Option<bool>,
}
