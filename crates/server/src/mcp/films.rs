//! Tools that check, price, render and follow films.

use std::time::Duration;

use rondo_service::idempotency::{Claimed, claim};
use rondo_service::operation::Request;
use rondo_service::operations::imports::CreateImport;
use rondo_service::operations::previews::{CheckComposition, CreatePreview};
use rondo_service::operations::renders::{
    CancelRender, CreateRender, GetRender, ListRenders, RenderId, RenderJob, RenderWatch,
};
use rondo_service::{Call, ServiceError};
use rondo_store::Render;
use serde_json::{Value, json};

use super::schema;
use super::tool::{Answer, Effect, Tool, ToolCall};
use crate::http::error::{ApiError, ApiResult};

/// Longest wait for a render in one call, in seconds.
const LONGEST_WAIT: u64 = 120;

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::of::<CheckComposition>(
            "check_composition",
            "Check a composition",
            Effect::Looks,
            "Reports every problem of a film with its path, and everything that will not look as written: text that may \
             clip, unknown names and fields, fonts and media that are not available, overlays that never show. Free, \
             draws nothing. Fix until `valid` is true and `warnings` is empty.",
        ),
        Tool::of::<CreateImport>(
            "import_film",
            "Import a film",
            Effect::Reads,
            "Makes a composition of a film of Shotstack, Creatomate, JSON2Video or React Video Editor. Free, stores and \
             fetches nothing. `warnings` names, by its path in the document, everything that is not supported or only \
             looks similar. Check the composition with check_composition afterwards.",
        ),
        Tool::of::<CreatePreview>(
            "preview",
            "Create a preview page",
            Effect::Adds,
            "A public page that plays the film for 24 hours, with its price and its warnings. Free. To see the film \
             yourself use preview_frames.",
        ),
        Tool {
            input: schema::with(schema::arguments::<CreateRender>(), &idempotency_key()),
            run: |call| Box::pin(render(call)),
            ..Tool::of::<CreateRender>(
                "render",
                "Render a film",
                Effect::Adds,
                "Renders the film to a file: MP4, or what `output` names. Spends credits: check_composition returns the \
                 price as `quote`. Returns a jobId at once; wait for it with get_render. A failed render refunds its \
                 credits.",
            )
        },
        Tool {
            input: schema::with(schema::arguments_of::<RenderId>(), &waiting()),
            run: |call| Box::pin(get_render(call)),
            ..Tool::of::<GetRender>(
                "get_render",
                "Get a render",
                Effect::Reads,
                "The state of a render, and its outputUrl once it is COMPLETED. With waitSeconds the call returns when \
                 the render has ended or the time is over, whichever is first; progress is reported meanwhile to \
                 clients that ask for it.",
            )
        },
        Tool::of::<ListRenders>(
            "list_renders",
            "List renders",
            Effect::Reads,
            "Your renders, newest first, 20 on a page by default.",
        ),
        Tool {
            run: |call| Box::pin(cancel_render(call)),
            ..Tool::of::<CancelRender>(
                "cancel_render",
                "Cancel a render",
                Effect::Ends,
                "Cancels a render that has not ended yet; its credits are refunded. One that has ended stays as it is.",
            )
        },
    ]
}

fn idempotency_key() -> Value {
    json!({"idempotencyKey": {"type": "string", "description":
        "Any text of yours. Repeating the call with it returns the first result instead of a second film, for 24 hours"}})
}

fn waiting() -> Value {
    json!({
        "waitSeconds": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0,
            "description": "Wait up to so many seconds for the end"},
        "includeComposition": {"type": "boolean", "default": false,
            "description": "Also return the composition that was rendered, as inputProps"}
    })
}

async fn render(mut call: ToolCall) -> ApiResult<Answer> {
    let Some(key) = call.take("idempotencyKey") else {
        return Answer::of(call.run::<CreateRender>().await?);
    };
    let key = key.as_str().unwrap_or_default().to_owned();
    let input = Value::Object(call.arguments.clone());
    let text = input.to_string();
    let service = &call.app.service;
    match claim(service, &call.caller, &key, "MCP render\n", text.as_bytes()).await? {
        Claimed::Replay(answer) => {
            let answer: Value = serde_json::from_str(&answer.body).map_err(ApiError::internal)?;
            Answer::of(&answer["data"])
        }
        Claimed::Fresh(claim) => {
            let keyed = Call { idempotency_key: Some(claim.key()), ..call.call() };
            match keyed.run::<CreateRender>(input).await {
                Ok(created) => {
                    claim.settle();
                    Answer::of(created)
                }
                Err(error) => {
                    claim.release().await;
                    Err(error.into())
                }
            }
        }
    }
}

async fn get_render(mut call: ToolCall) -> ApiResult<Answer> {
    let wait = match call.take("waitSeconds") {
        None => 0.0,
        Some(value) => {
            value.as_f64().filter(|wait| (0.0..=LONGEST_WAIT as f64).contains(wait)).ok_or_else(|| {
                let message = format!("`waitSeconds` is {value}, but must be from 0 to {LONGEST_WAIT}.");
                ServiceError::invalid_field("waitSeconds", message).reason("INVALID_ARGUMENT")
            })?
        }
    };
    let with_composition = call.take("includeComposition") == Some(Value::Bool(true));
    let RenderId { job_id } = RenderId::read(Value::Object(call.arguments.clone()))?;
    let first = call.call().own_render(&job_id).await?;
    let mut latest = follow(&call, first, Duration::from_secs_f64(wait)).await;
    if with_composition && latest.input_props.is_none() {
        latest = call.call().own_render(&job_id).await?;
    }
    let answer = Answer::of(RenderJob::of(&call.app.service, latest))?;
    Ok(if with_composition { answer } else { answer.without("inputProps") })
}

/// Waits for the end of a render, at most as long as `wait`. Returns the render as it is then.
async fn follow(call: &ToolCall, first: Render, wait: Duration) -> Render {
    let end = tokio::time::Instant::now() + wait;
    let mut latest = first.clone();
    let mut watch = RenderWatch::new(call.app.service.clone(), first);
    while !wait.is_zero() && !latest.status.is_final() {
        let change = tokio::select! {
            change = watch.change() => change,
            () = tokio::time::sleep_until(end) => None,
            () = call.cancelled.cancelled() => None,
        };
        let Some(render) = change else { break };
        call.progress(render.progress, &format!("The render is {}.", render.status.as_str())).await;
        latest = render;
    }
    latest
}

async fn cancel_render(call: ToolCall) -> ApiResult<Answer> {
    Ok(Answer::of(call.run::<CancelRender>().await?)?.without("inputProps"))
}
