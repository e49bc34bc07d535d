//! Creates a render job.

use rondo_composition::{Finish, Output};
use rondo_store::{Credits, Idempotent, NewProject, NewRender, Render, StoreError, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation, stored_answer};
use crate::operations::FilmRequest;
use crate::operations::uploads::DISK_FULL;
use crate::quote::{expected_minutes, with_ai};
use crate::resolve::{Origin, Resolved, skip_ai};
use crate::speech::Asked;
use crate::words::{RenderMode, RenderState};

pub struct CreateRender;

/// A render job that was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRender {
    job_id: String,
    /// The project the job belongs to; null for a direct render that creates none.
    #[schema(required = true)]
    project_id: Option<String>,
    /// PROCESSING, or PENDING while speech is made for it or the account has as many renders under way as its plan allows.
    #[schema(value_type = RenderState)]
    status: &'static str,
    credits_used: i64,
    estimated_duration_minutes: u64,
    #[schema(value_type = RenderMode)]
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

impl Operation for CreateRender {
    const ID: &'static str = "createRender";
    const ABOUT: &'static str = "Creates a render job.";
    const RETURNS: &'static str = "The job was accepted";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Invalid,
            "The request is malformed, does not name exactly one film, or media have no source (MISSING_MEDIA_SOURCE)",
        ),
        (
            ErrorKind::InsufficientCredits,
            "Insufficient credits: details hold creditsNeeded, creditsAvailable and creditsShort",
        ),
        (
            ErrorKind::Forbidden,
            "The project belongs to another account, or the account's storage is full (STORAGE_QUOTA_EXCEEDED): details \
             hold usedBytes and allowedBytes",
        ),
        (ErrorKind::NotFound, "There is no such template or project"),
        (ErrorKind::Unprocessable, "The request is well formed but cannot be processed"),
        (ErrorKind::Unavailable, DISK_FULL),
    ];

    type Request = FilmRequest;
    type Response = CreatedRender;

    async fn run(call: Call<'_>, FilmRequest(body): FilmRequest) -> ServiceResult<CreatedRender> {
        let service = call.service;
        // A direct request is stored as its composition.
        let request = body.get("inputProps").is_none_or(Value::is_null).then(|| Value::Object(body.clone()));
        let resolved = service.resolver.resolve(call.caller, body).await?;
        if !call.caller.is_test() {
            service.speech.available(&resolved.report.ai, &resolved.ai_free)?;
        }
        require_room(&service.media.files)?;
        let minutes = expected_minutes(&resolved.recipes);
        let new = new_render(call.caller, resolved, request);
        let idempotent = call.idempotency_key.map(|key| Idempotent {
            key,
            answer: Box::new(move |render: &Render| stored_answer(&CreatedRender::of(render, minutes))),
        });
        let render = service.store.create_render(&new, idempotent).await.map_err(|error| match error {
            StoreError::InsufficientCredits { needed, available } => {
                ServiceError::insufficient_credits(needed.whole_up(), available.whole())
            }
            other => other.into(),
        })?;
        service.queue.wake_workers();
        Ok(CreatedRender::of(&render, minutes))
    }
}

/// What is stored of a film to render. `request` is its body, if it cannot be derived from the composition.
pub(crate) fn new_render(caller: &Caller, mut resolved: Resolved, request: Option<Value>) -> NewRender {
    let is_test = caller.is_test();
    if is_test {
        // Speech costs the operator.
        skip_ai(&mut resolved.composition, &resolved.report.ai);
        resolved.ai_values.clear();
    }
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
    let credits = if is_test { Credits::ZERO } else { with_ai(&quote, ai_charge) };
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
        account_id: caller.account.id.clone(),
        is_test,
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
