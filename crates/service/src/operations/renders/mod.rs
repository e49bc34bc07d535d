//! Render jobs.

mod account_watch;
mod cancel_render;
mod create_render;
mod destination;
mod get_render;
mod get_render_details;
mod list_render_deliveries;
mod list_renders;
mod watch;

use rondo_composition::Composition;
use rondo_fields::{record, text};
use rondo_store::{OutputFile, ProjectOfRender, Render, RenderStatus, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

pub use account_watch::{AccountEvent, AccountUpdate, AccountWatch, ProjectEvent, RenderEvent};
pub use cancel_render::{CancelRender, DeleteRender};
pub(crate) use create_render::new_render;
pub use create_render::{CreateRender, CreatedRender};
pub use destination::RenderDestination;
pub use get_render::GetRender;
pub use get_render_details::GetRenderDetails;
pub use list_render_deliveries::ListRenderDeliveries;
pub use list_renders::{ListRenders, RenderList};
pub use watch::RenderWatch;

use crate::error::{ServiceError, ServiceResult};
use crate::links::Links;
use crate::operation::Call;
use crate::resolve::options::stored;
use crate::service::Service;
use crate::words::{self, FileFormat, Metadata, RenderMode, RenderState};

record! {
    /// Names a render job.
    pub struct RenderId {
        /// The id that POST /renders returned.
        job_id: required String => "jobId", text();
    }
}

/// A render job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderJob {
    job_id: String,
    #[schema(required = true)]
    project_id: Option<String>,
    /// The final composition; omitted in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<words::Composition>, nullable = false)]
    input_props: Option<Value>,
    #[schema(value_type = RenderMode)]
    mode: &'static str,
    #[schema(value_type = RenderState)]
    status: &'static str,
    /// 0 to 100; 100 only when completed.
    #[schema(maximum = 100)]
    progress_percentage: u32,
    /// Held until the job ends, then settled: 0 for a failed one.
    credits_used: i64,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    /// The file extension.
    #[schema(value_type = FileFormat)]
    format: &'static str,
    #[schema(format = "uri", required = true)]
    output_url: Option<String>,
    /// A picture of the film, a JPEG of at most 960 pixels on the longer side. Null for sounds.
    #[schema(format = "uri", required = true)]
    poster_url: Option<String>,
    /// Address of an HLS playlist to watch the film while it is rendered: it grows until the job has ended. Null until the first
    /// seconds are there, for outputs other than `mp4` with `h264` and `hls`, and from an hour after the end on, unless the
    /// output is `hls`.
    #[schema(format = "uri", required = true)]
    stream_url: Option<String>,
    /// When the output is deleted; null if it is kept, or is not there.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    expires_at: Option<Time>,
    /// Bytes.
    #[schema(required = true)]
    output_size: Option<u64>,
    /// Every file that was made: that of `outputUrl` first, then those of `output.also` in their order. Empty until the job
    /// has completed, and when they are deleted.
    outputs: Vec<RenderOutput>,
    /// The copy in the account's own bucket; null if the request has no `output.destination`.
    #[schema(required = true)]
    destination: Option<RenderDestination>,
    #[schema(required = true)]
    error_message: Option<String>,
    /// Seconds.
    #[schema(required = true)]
    estimated_time_remaining: Option<i64>,
    /// Render time in milliseconds.
    #[schema(required = true)]
    duration: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    completed_at: Option<Time>,
    #[schema(required = true)]
    project: Option<ProjectInfo>,
    /// The template that was rendered.
    #[schema(required = true)]
    template_id: Option<String>,
    /// As given in the request.
    #[schema(value_type = Option<Metadata>, required = true)]
    metadata: Option<Value>,
    /// The batch the job belongs to.
    #[schema(required = true)]
    batch_id: Option<String>,
    /// Made with a test key: free, with a watermark, at most 720 pixels on the shorter side.
    test: bool,
}

/// A file of a render job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderOutput {
    /// The file extension.
    #[schema(value_type = FileFormat)]
    format: String,
    #[schema(format = "uri")]
    url: String,
    /// Bytes.
    size: u64,
    /// Pixels; null for sounds.
    #[schema(required = true)]
    width: Option<u32>,
    #[schema(required = true)]
    height: Option<u32>,
}

/// The project a job belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectInfo {
    id: String,
    name: String,
    #[schema(required = true)]
    template_id: Option<String>,
}

impl RenderJob {
    pub fn of(service: &Service, render: Render) -> Self {
        let links = &service.links;
        let kept = service.settings.keep_outputs.filter(|_| render.output_file.is_some());
        Self {
            format: stored(render.output.as_ref(), render.draft).ending(),
            poster_url: render.poster_file.as_ref().map(|file| links.file(file)),
            stream_url: render.stream_file.as_ref().map(|file| links.file(file)),
            expires_at: render.completed_at.zip(kept).map(|(at, kept)| at.plus(kept)),

            mode: render.mode.as_str(),
            status: render.status.as_str(),
            progress_percentage: render.progress,
            credits_used: render.credits.whole_up(),
            width: render.width,
            height: render.height,
            fps: render.fps,
            duration_in_frames: render.duration_in_frames,
            output_url: render.output_file.as_ref().map(|file| links.file(file)),
            output_size: render.output_size,
            outputs: outputs(links, &render),
            destination: RenderDestination::of(&render),
            estimated_time_remaining: seconds_left(&render, Time::now()),
            duration: render.duration_ms(),
            created_at: render.created_at,
            updated_at: render.updated_at,
            completed_at: render.completed_at,
            error_message: render.error_message,
            project: render.project.map(|ProjectOfRender { id, name, template_id }| ProjectInfo {
                id,
                name,
                template_id,
            }),
            template_id: render.template_id,
            metadata: render.metadata,
            batch_id: render.batch_id,
            test: render.is_test,
            input_props: render.input_props,
            project_id: render.project_id,
            job_id: render.id,
        }
    }
}

/// The files of a render.
fn outputs(links: &Links, render: &Render) -> Vec<RenderOutput> {
    let output = |file: &OutputFile| RenderOutput {
        format: file.ending().to_owned(),
        url: links.file(&file.file),
        size: file.size,
        width: file.dimensions.map(|(width, _)| width),
        height: file.dimensions.map(|(_, height)| height),
    };
    match &render.output_file {
        // A render of an earlier version lists no files.
        Some(file) if render.outputs.is_empty() => vec![output(&OutputFile {
            file: file.clone(),
            size: render.output_size.unwrap_or_default(),
            dimensions: dimensions(render),
        })],
        _ => render.outputs.iter().map(output).collect(),
    }
}

/// The size of the pictures of a render, by its request.
fn dimensions(render: &Render) -> Option<(u32, u32)> {
    let Render { width, height, duration_in_frames, .. } = *render;
    let composition = Composition { width, height, duration: duration_in_frames, ..Composition::default() };
    let recipe = stored(render.output.as_ref(), render.draft).recipe(&composition).ok()?;
    (recipe.pixels() > 0).then_some((recipe.width, recipe.height))
}

/// Extrapolates from the frames that are done.
fn seconds_left(render: &Render, now: Time) -> Option<i64> {
    if render.status != RenderStatus::Processing || render.progress == 0 {
        return None;
    }
    let elapsed = (now.millis() - render.started_at?.millis()).max(0);
    let done = i64::from(render.progress);
    Some((elapsed * (100 - done) / done + 999) / 1000)
}

impl Call<'_> {
    /// A job of the caller's account.
    pub async fn own_render(&self, id: &str) -> ServiceResult<Render> {
        self.own(self.service.store.render(id).await?)
    }

    /// A job of the caller's account, without its composition and request.
    async fn own_render_summary(&self, id: &str) -> ServiceResult<Render> {
        self.own(self.service.store.render_summary(id).await?)
    }

    fn own(&self, render: Option<Render>) -> ServiceResult<Render> {
        let render = render.ok_or_else(|| ServiceError::not_found("render job"))?;
        match render.account_id == self.account_id() {
            true => Ok(render),
            false => Err(ServiceError::forbidden("render job")),
        }
    }
}
