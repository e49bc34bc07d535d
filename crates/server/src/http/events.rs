//! GET /renders/{jobId}/events: progress as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use rondo_service::operations::renders::{RenderJob, RenderWatch};
use rondo_service::{Call, Service};
use rondo_store::{Render, RenderStatus};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::auth::Authenticated;
use super::endpoint::{Components, failure};
use super::error::ApiResult;
use super::request::PathFields;
use crate::app::App;

pub const PATH: &str = "/renders/{jobId}/events";

/// Follows a render job: a `progress` event at once and after every change, then `completed` or `failed`. The data of
/// each event is the job without its `inputProps`.
pub async fn follow(
    State(app): State<Arc<App>>,
    Authenticated(caller): Authenticated,
    path: PathFields,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let cancelled = CancellationToken::new();
    let call = Call { service: &app.service, caller: &caller, idempotency_key: None, cancelled: &cancelled };
    let render = call.own_render(path.get("jobId")).await?;
    let service = app.service.clone();
    let watch = RenderWatch::new(service.clone(), render);
    let stream = futures_util::stream::unfold((watch, service), |(mut watch, service)| async {
        let render = watch.change().await?;
        let event = event(&service, render);
        Some((Ok(event), (watch, service)))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

fn event(service: &Service, mut render: Render) -> Event {
    render.input_props = None;
    let name = match render.status {
        RenderStatus::Completed => "completed",
        RenderStatus::Failed => "failed",
        RenderStatus::Pending | RenderStatus::Processing => "progress",
    };
    Event::default().event(name).json_data(RenderJob::of(service, render)).unwrap_or_default()
}

/// The operation object of OpenAPI.
pub fn operation(components: &mut Components) -> Value {
    let event = json!({
        "type": "object",
        "description": "An event of a render job: what happened, and the job without its `inputProps`.",
        "required": ["event", "data"],
        "properties": {
            "event": {"type": "string", "enum": ["progress", "completed", "failed"]},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": "#/components/schemas/RenderJob"},
            },
        },
    });
    components.0.insert("RenderProgress".to_owned(), event);
    json!({
        "tags": ["Renders"],
        "operationId": "followRender",
        "summary": "Follows a render job",
        "description": "Sends a `progress` event at once and after every change, then `completed` or `failed`, and ends. The \
                        data of each event is the job without its `inputProps`.",
        "parameters": [{
            "name": "jobId", "in": "path", "required": true, "description": "The id that POST /renders returned.",
            "schema": {"type": "string"},
        }],
        "responses": {
            "200": {
                "description": "Events until the job has ended",
                "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/RenderProgress"}}},
            },
            "403": failure("The job belongs to another account"),
            "404": failure("There is no such job"),
        },
    })
}
