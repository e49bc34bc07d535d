//! Bodies of webhook events. Fields that do not apply are omitted, never null.

use serde::Serialize;
use serde_json::Value;

use crate::row::text_enum;
use crate::{Render, RenderStatus, Result, Time};

text_enum!(EventName, "an event", { RenderCompleted = "render.completed", RenderFailed = "render.failed" });

impl EventName {
    pub const ALL: [Self; 2] = [Self::RenderCompleted, Self::RenderFailed];
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
}

impl EventData {
    pub(crate) fn of(render: &Render, output_url: Option<&str>) -> Self {
        Self {
            job_id: render.id.clone(),
            project_id: render.project_id.clone(),
            status: render.status,
            output_url: output_url.map(str::to_owned),
            output_size: render.output_size,
            duration_in_frames: render.duration_in_frames,
            width: render.width,
            height: render.height,
            fps: render.fps,
            credits_used: render.credits.whole_up(),
            duration: render.duration_ms(),
            completed_at: render.completed_at,
            error_message: render.error_message.clone(),
            metadata: render.metadata.clone(),
        }
    }
}

/// The body that is sent and signed. One-off callbacks have no delivery id.
pub(crate) fn body(
    event: EventName,
    delivery_id: Option<&str>,
    timestamp: Time,
    data: &EventData,
) -> Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        event: EventName,
        #[serde(skip_serializing_if = "Option::is_none")]
        delivery_id: Option<&'a str>,
        timestamp: Time,
        data: &'a EventData,
    }
    Ok(serde_json::to_string(&Body { event, delivery_id, timestamp, data })?)
}
