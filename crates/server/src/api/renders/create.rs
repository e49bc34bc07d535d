//! POST /renders.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use rondo_composition::{Finish, Output};
use rondo_store::{Idempotent, NewProject, NewRender, Render, StoreError, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::idempotency::Key;
use crate::quote::{expected_minutes, with_ai};
use crate::request::JsonObject;
use crate::resolve::{Origin, Resolved, resolve};
use crate::speech::{self, Asked};

/// A render job that was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRender {
    job_id: String,
    /// The project the job belongs to; null for a direct render that creates none.
    project_id: Option<String>,
    /// PROCESSING, or PENDING while speech is made for it or the account has as many renders under way as its plan allows.
    status: &'static str,
    credits_used: i64,
    estimated_duration_minutes: u64,
    /// `direct`, `template` or `project`.
    mode: &'static str,
}

impl CreatedRender {
    fn of(render: &Render, estimated_duration_minutes: u64) -> Self {
        Self {
            job_id: render.id.clone(),
            project_id: render.project_id.clone(),
            status: render.status.as_str(),
            credits_used: render.credits.whole_up(),
            estimated_duration_minutes,
            mode: render.mode.as_str(),
        }
    }
}

/// Creates a render job.
#[utoipa::path(
    post, path = "/renders", tag = "Renders", operation_id = "createRender",
    request_body(content = crate::api::schema::RenderBody, content_type = "application/json"),
    params(("Idempotency-Key" = Option<String>, Header, description = "A repetition with the same key gets the first answer")),
    responses(
        (status = 200, description = "The job was accepted", body = inline(Answer<CreatedRender>)),
        (status = 400, description = "The body is malformed, does not name exactly one film, or media have no source (MISSING_MEDIA_SOURCE)", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 402, description = "Insufficient credits: details hold creditsNeeded, creditsAvailable and creditsShort", body = Failure),
        (status = 403, description = "The project belongs to another account", body = Failure),
        (status = 404, description = "There is no such template or project", body = Failure),
        (status = 409, description = "A request with the same Idempotency-Key is still being answered", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 415, description = "The body is not JSON", body = Failure),
        (status = 422, description = "Well formed, but cannot be processed", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
        (status = 503, description = "The service is about to restart", body = Failure),
    )
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: Option<Extension<Key>>,
    JsonObject(body): JsonObject,
) -> ApiResult<Data<CreatedRender>> {
    // A direct request is told by its composition.
    let request = body.get("inputProps").is_none_or(Value::is_null).then(|| Value::Object(body.clone()));
    let resolved = resolve(&app, &caller, body).await?;
    speech::available(&app, &resolved.report.ai, &resolved.ai_free)?;
    let minutes = expected_minutes(&resolved.recipe);
    let new = new_render(caller.account.id, resolved, request);
    let idempotent = key.as_ref().map(|Extension(Key(key))| Idempotent {
        key,
        answer: Box::new(move |render: &Render| Data(CreatedRender::of(render, minutes)).kept()),
    });
    let render = app.store.create_render(&new, idempotent).await.map_err(|error| match error {
        StoreError::InsufficientCredits { needed, available } => {
            ApiError::insufficient_credits(needed.whole_up(), available.whole())
        }
        other => other.into(),
    })?;
    app.work.notify_one();
    Ok(Data(CreatedRender::of(&render, minutes)))
}

fn new_render(account_id: String, resolved: Resolved, request: Option<Value>) -> NewRender {
    let Resolved {
        composition,
        origin,
        credits_per_minute,
        options,
        output,
        finish,
        quote,
        metadata,
        draft,
        ai_values,
        ai_charge,
        ..
    } = resolved;
    let credits = with_ai(&quote, ai_charge);
    let speech = (!ai_values.is_empty())
        .then(|| Asked { credits_per_minute, values: ai_values })
        .map(Asked::into_json);
    let input_props = composition.write();
    let create_project = options.create_project.unwrap_or(matches!(origin, Origin::Template { .. }));
    let named = options.project_name.filter(|name| !name.trim().is_empty());
    let mode = origin.mode();
    let (project_id, template_id, invented) = match origin {
        Origin::Direct => (None, None, untitled(Time::now())),
        Origin::Template { id, name } => (None, Some(id), name),
        Origin::Project { id } => (Some(id), None, String::new()),
    };
    let new_project = (create_project && project_id.is_none()).then(|| NewProject {
        name: named.unwrap_or(invented),
        description: None,
        composition: input_props.clone(),
        template_id: template_id.clone(),
        credits_per_minute,
    });
    NewRender {
        account_id,
        mode,
        project_id,
        new_project,
        template_id,
        width: composition.width,
        height: composition.height,
        fps: composition.fps,
        duration_in_frames: composition.duration,
        credits,
        speech,
        output: output.as_ref().map(Output::write),
        audio: (finish != Finish::default()).then(|| finish.write()),
        metadata: metadata.map(Value::Object),
        webhook_url: options.webhook_url,
        draft,
        request,
        input_props,
    }
}

/// `Untitled 2026-11-14 09:30`, in UTC.
fn untitled(now: Time) -> String {
    let moment = now.rfc3339();
    format!(
        "Untitled {}",
        moment.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invented_name_tells_when() {
        assert_eq!(untitled(Time(1_794_648_600_007)), "Untitled 2026-11-14 09:30");
    }
}
