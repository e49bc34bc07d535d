//! Tools that check, price, render and follow films.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, State};
use rondo_composition::limits::LOUDNESS;
use rondo_store::Render;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::catalog::params;
use super::schema::{self, FILM};
use super::tool::{Answer, Call, Effect, Tool};
use crate::api::previews::{self, Outlook, PreviewAnswer, QuoteInfo, ResolvedFilm, outlook};
use crate::api::renders::cancel::cancel;
use crate::api::renders::create::{self, CreatedRender};
use crate::api::renders::events::Watch;
use crate::api::renders::list::{self, RenderList};
use crate::api::renders::{RenderJob, own_render};
use crate::envelope::Issue;
use crate::error::{ApiError, ApiResult};
use crate::idempotency::{Claimed, claim};
use crate::request::JsonObject;
use crate::resolve::resolve;
use crate::warnings::PreviewWarning;

/// Longest wait for a render in one call, in seconds.
const LONGEST_WAIT: u64 = 120;

pub fn tools() -> Vec<Tool> {
    let job = |about: &str| json!({"type": "string", "description": about});
    vec![
        Tool {
            name: "check_composition",
            title: "Check a composition",
            description: "Tells everything wrong with a film, each with its path, and everything that will not look as \
                          written: text that may clip, unknown names and fields, fonts and media that cannot be had, \
                          overlays nobody sees. Free, draws nothing. Fix until `valid` is true and `warnings` is empty.",
            effect: Effect::Looks,
            input: schema::film(&json!({})),
            output: schema::of::<Checked>(),
            unchecked: FILM.to_vec(),
            run: |call| Box::pin(check_composition(call)),
        },
        Tool {
            name: "preview",
            title: "Make a preview page",
            description: "A public page for people that plays the film for 24 hours, with its price and its warnings. Free. To \
                          see the film yourself use preview_frames.",
            effect: Effect::Adds,
            input: schema::film(&json!({})),
            output: schema::of::<PreviewAnswer>(),
            unchecked: FILM.to_vec(),
            run: |call| Box::pin(preview(call)),
        },
        Tool {
            name: "render",
            title: "Render a film",
            description: "Renders the film to an MP4 file. Spends credits: check_composition tells the price as `quote`. Answers \
                          at once with a jobId; wait for it with get_render. A failed render gives its credits back.",
            effect: Effect::Adds,
            input: schema::film(&render_options()),
            output: schema::of::<CreatedRender>(),
            unchecked: [&FILM[..], &RENDER_OPTIONS[..]].concat(),
            run: |call| Box::pin(render(call)),
        },
        Tool {
            name: "get_render",
            title: "Get a render",
            description: "The state of a render, and its outputUrl once it is COMPLETED. With waitSeconds the answer comes when \
                          the render has ended or the time is over, whichever is first; progress is reported meanwhile to \
                          clients that ask for it.",
            effect: Effect::Reads,
            input: schema::arguments(
                &json!({
                    "jobId": job("The id render answered with"),
                    "waitSeconds": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0,
                        "description": "Wait up to so many seconds for the end"},
                    "includeComposition": {"type": "boolean", "default": false,
                        "description": "Also give the composition that was rendered, as inputProps"}
                }),
                &["jobId"],
            ),
            output: schema::of::<RenderJob>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(get_render(call)),
        },
        Tool {
            name: "list_renders",
            title: "List renders",
            description: "Your renders, newest first, 20 on a page unless `limit` says otherwise.",
            effect: Effect::Reads,
            input: schema::page(&json!({
                "status": {"type": "string", "enum": ["PENDING", "PROCESSING", "COMPLETED", "FAILED"],
                    "description": "Only renders in this state"},
                "mode": {"type": "string", "enum": ["direct", "template", "project"],
                    "description": "Only renders made this way"},
                "projectId": {"type": "string", "description": "Only renders of this project"},
                "createdAfter": {"type": "string", "format": "date-time", "description": "Only renders created after this moment"},
                "createdBefore": {"type": "string", "format": "date-time", "description": "Only renders created before this moment"}
            })),
            output: schema::of::<RenderList>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(list_renders(call)),
        },
        Tool {
            name: "cancel_render",
            title: "Cancel a render",
            description: "Ends a render that has not ended yet; its credits are given back. One that has ended stays as it is.",
            effect: Effect::Ends,
            input: schema::arguments(&json!({"jobId": job("The id render answered with")}), &["jobId"]),
            output: schema::of::<RenderJob>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(cancel_render(call)),
        },
    ]
}

/// What `render` takes beside a film. Like the film, it is read as the body of a render.
const RENDER_OPTIONS: [&str; 7] =
    ["output", "audio", "draft", "createProject", "projectName", "webhookUrl", "metadata"];

fn render_options() -> Value {
    json!({
        "draft": {"type": "boolean", "description": "Renders faster, at lower quality"},
        "output": {
            "type": "object",
            "description": "The file to make",
            "properties": {"quality": {"type": "string", "enum": ["draft", "standard", "high"], "default": "standard"}}
        },
        "audio": {
            "type": "object",
            "description": "How the sound is finished",
            "properties": {
                "loudness": {"type": "number", "minimum": LOUDNESS.0, "maximum": LOUDNESS.1,
                    "description": "Loudness of the film in LUFS; -14 suits most places films are shown"},
                "ducking": {"type": ["boolean", "object"], "description":
                    "true turns everything else down while a text of the request is spoken; {\"narration\": [names]} \
                     while those sound or video overlays are heard"}
            }
        },
        "createProject": {"type": "boolean",
            "description": "Saves the film as a project; if not given: no for inputProps, yes for templates"},
        "projectName": {"type": "string", "description": "The name of that project"},
        "webhookUrl": {"type": "string", "format": "uri", "description": "Called once when the render has ended"},
        "metadata": {"type": "object", "description": "Up to 50 keys of your own, shown on the render"},
        "idempotencyKey": {"type": "string", "description":
            "Any text of yours. Repeating the call with it gives the first answer instead of a second film, for 24 hours"}
    })
}

/// What check_composition found.
#[derive(Debug, Serialize, ToSchema)]
struct Checked {
    /// Whether the film can be rendered as it is.
    valid: bool,
    /// What keeps it from being rendered.
    problems: Vec<Issue>,
    /// What will not look as written, the most severe first.
    warnings: Vec<PreviewWarning>,
    /// The film as it would be rendered, once it is valid.
    resolved: Option<ResolvedFilm>,
    /// What a render would cost, once it is valid.
    quote: Option<QuoteInfo>,
}

async fn check_composition(call: Call) -> ApiResult<Answer> {
    match resolve(&call.app, &call.caller, call.body(&FILM)).await {
        Ok(resolved) => {
            let Outlook { resolved, quote, warnings, .. } =
                outlook(&call.app, &call.caller, &resolved).await?;
            let valid = warnings.iter().all(|warning| warning.severity != "error");
            let (resolved, quote) = (Some(resolved), Some(quote));
            Answer::of(Checked { valid, problems: Vec::new(), warnings, resolved, quote })
        }
        Err(error) => {
            let problems = problems(error)?;
            Answer::of(Checked { valid: false, problems, warnings: Vec::new(), resolved: None, quote: None })
        }
    }
}

/// What is wrong with the film itself; anything else is an error of the call.
fn problems(error: ApiError) -> ApiResult<Vec<Issue>> {
    if !matches!(error.status.as_u16(), 400 | 422) {
        return Err(error);
    }
    let issues = error.issues();
    if !issues.is_empty() {
        return Ok(issues);
    }
    Ok(vec![Issue { path: String::new(), code: error.reason.to_owned(), message: error.message }])
}

async fn preview(call: Call) -> ApiResult<Answer> {
    let body = call.body(&FILM);
    Answer::of(previews::create(State(call.app), call.caller, None, JsonObject(body)).await?.0)
}

async fn render(call: Call) -> ApiResult<Answer> {
    let body = call.body(&[&FILM[..], &RENDER_OPTIONS[..]].concat());
    let key = call.optional_text("idempotencyKey").map(str::to_owned);
    let Call { app, caller, .. } = call;
    let Some(key) = key else {
        return Answer::of(create::create(State(app), caller, None, JsonObject(body)).await?.0);
    };
    let text = Value::Object(body.clone()).to_string();
    let account = caller.account.id.clone();
    match claim(app.clone(), account, &key, "MCP render\n", text.as_bytes()).await? {
        Claimed::Replay(answer) => {
            let answer: Value = serde_json::from_str(&answer.body).map_err(ApiError::internal)?;
            Answer::of(&answer["data"])
        }
        Claimed::Fresh(mut claim) => {
            let key = Some(Extension(claim.key()));
            match create::create(State(app), caller, key, JsonObject(body)).await {
                Ok(created) => {
                    claim.settle();
                    Answer::of(created.0)
                }
                Err(error) => {
                    claim.release().await;
                    Err(error)
                }
            }
        }
    }
}

async fn get_render(call: Call) -> ApiResult<Answer> {
    let first = own_render(&call.app, &call.caller, call.text("jobId")).await?;
    let wait = Duration::from_secs(call.number("waitSeconds").unwrap_or(0).min(LONGEST_WAIT));
    let latest = follow(&call, first, wait).await;
    let with_composition = call.flag("includeComposition") == Some(true);
    let answer = Answer::of(RenderJob::of(&call.app, latest))?;
    Ok(if with_composition { answer } else { answer.without("inputProps") })
}

/// Waits for the end of a render, or of the time for it. Gives the render as it is then.
async fn follow(call: &Call, first: Render, wait: Duration) -> Render {
    let end = tokio::time::Instant::now() + wait;
    let mut latest = first.clone();
    let mut watch = Watch::new(call.app.clone(), first);
    while !wait.is_zero() && !latest.status.is_final() {
        let change = tokio::select! {
            change = watch.change() => change,
            () = tokio::time::sleep_until(end) => None,
            () = call.gone.cancelled() => None,
        };
        let Some(render) = change else { break };
        call.progress(render.progress, &format!("The render is {}.", render.status.as_str())).await;
        latest = render;
    }
    latest
}

async fn list_renders(call: Call) -> ApiResult<Answer> {
    let params = params(&call);
    Answer::of(list::list(State(call.app), call.caller, params).await?.0)
}

async fn cancel_render(call: Call) -> ApiResult<Answer> {
    let id = call.text("jobId").to_owned();
    Ok(Answer::of(cancel(State(call.app), call.caller, Path(id)).await?.0)?.without("inputProps"))
}
