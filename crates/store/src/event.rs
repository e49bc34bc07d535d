//! Bodies of webhook events. Fields that do not apply are omitted, never null.

use serde::Serialize;
use serde_json::Value;

use crate::row::text_enum;
use crate::{Batch, BatchState, NewOutput, Render, RenderStatus, Result, Time};

text_enum!(EventName, "an event", {
    RenderCompleted = "render.completed",
    RenderFailed = "render.failed",
    BatchCompleted = "batch.completed",
});

impl EventName {
    pub const ALL: [Self; 3] = [Self::RenderCompleted, Self::RenderFailed, Self::BatchCompleted];
    /// What a webhook gets that asks for nothing in particular.
    pub const DEFAULT: [Self; 2] = [Self::RenderCompleted, Self::RenderFailed];
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventData {
    pub job_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    pub status: RenderStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_size: Option<u64>,
    /// Every file that was made, the first one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<EventOutput>,
    pub duration_in_frames: u32,
    pub width: u32,
    pub height: u32,
    pub fps: u32,
    pub credits_used: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// The batch the render belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
    /// `true` if the render was made with a test key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
}

/// A file in an event.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventOutput {
    /// The file extension.
    pub format: String,
    pub url: String,
    pub size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

impl EventOutput {
    fn of(output: &NewOutput) -> Self {
        let made = &output.made;
        Self {
            format: made.ending().to_owned(),
            url: output.url.clone(),
            size: made.size,
            width: made.dimensions.map(|(width, _)| width),
            height: made.dimensions.map(|(_, height)| height),
        }
    }
}

/// The data of `batch.completed`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchEventData {
    pub batch_id: String,
    pub total: u32,
    pub completed: u32,
    pub failed: u32,
    pub credits_used: i64,
    pub created_at: Time,
    pub completed_at: Time,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
}

impl BatchEventData {
    pub(crate) fn of(batch: &Batch, state: BatchState, completed_at: Time) -> Self {
        Self {
            batch_id: batch.id.clone(),
            total: batch.total,
            completed: state.completed,
            failed: state.failed,
            credits_used: state.credits.whole_up(),
            created_at: batch.created_at,
            completed_at,
            metadata: batch.metadata.clone(),
        }
    }
}

impl EventData {
    /// `files` are those that were made, the first one first.
    pub(crate) fn of(render: &Render, files: &[&NewOutput]) -> Self {
        Self {
            job_id: render.id.clone(),
            project_id: render.project_id.clone(),
            status: render.status,
            output_url: files.first().map(|file| file.url.clone()),
            output_size: render.output_size,
            outputs: files.iter().map(|file| EventOutput::of(file)).collect(),
            duration_in_frames: render.duration_in_frames,
            width: render.width,
            height: render.height,
            fps: render.fps,
            credits_used: render.credits.whole_up(),
            duration: render.duration_ms(),
            completed_at: render.completed_at,
            error_message: render.error_message.clone(),
            metadata: render.metadata.clone(),
            batch_id: render.batch_id.clone(),
            test: render.is_test,
        }
    }
}

/// The body that is sent and signed. One-off callbacks have no delivery id.
pub(crate) fn body(
    event: EventName,
    delivery_id: Option<&str>,
    timestamp: Time,
    data: &impl Serialize,
) -> Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a, T> {
        event: EventName,
        #[serde(skip_serializing_if = "Option::is_none")]
        delivery_id: Option<&'a str>,
        timestamp: Time,
        data: &'a T,
    }
    Ok(serde_json::to_string(&Body { event, delivery_id, timestamp, data })?)
}
