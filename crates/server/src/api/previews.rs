//! POST /previews.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::routing::post;
use axum::{Extension, Router};
use rondo_store::id::{self, Kind};
use rondo_store::{Credits, Kept, NewPreview, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::ApiResult;
use crate::idempotency::Key;
use crate::request::JsonObject;
use crate::resolve::{Resolved, resolve, skip_ai, speak};
use crate::speech::SpeechError;
use crate::warnings::{PreviewWarning, number, warnings};

/// How long a preview can be looked at.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/previews", post(create))
}

/// A request resolved without rendering.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewAnswer {
    preview_id: String,
    /// A public page that plays the film; with `?mode=grid` a contact sheet, with `?frame=N` one frame.
    preview_url: String,
    /// Opens a copy in the editor, for the account that made the preview.
    edit_url: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    resolved: ResolvedFilm,
    quote: QuoteInfo,
    /// The most severe first.
    warnings: Vec<PreviewWarning>,
    ai_skipped: Option<AiSkipped>,
}

/// What can be said of a film before it is rendered.
#[derive(Debug)]
pub struct Outlook {
    pub resolved: ResolvedFilm,
    pub quote: QuoteInfo,
    /// The most severe first.
    pub warnings: Vec<PreviewWarning>,
    pub ai_skipped: Option<AiSkipped>,
}

/// Looks at a film without drawing it.
pub async fn outlook(app: &App, caller: &Caller, resolved: &Resolved) -> ApiResult<Outlook> {
    let quote = &resolved.quote;
    let credits_available = (caller.account.credits - charge(resolved)).whole();
    Ok(Outlook {
        resolved: describe(resolved),
        quote: QuoteInfo {
            credits: quote.credits,
            credits_per_minute: quote.credits_per_minute,
            duration_seconds: quote.duration_seconds,
            resolution_multiplier: quote.resolution_multiplier,
            credits_available,
            sufficient: quote.credits <= credits_available,
        },
        warnings: warnings(app, resolved).await?,
        ai_skipped: skipped(resolved),
    })
}

/// The film as it would be rendered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedFilm {
    mode: &'static str,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    duration_seconds: f64,
    variables: Vec<ResolvedVariable>,
}

/// What landed on a variable.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedVariable {
    name: String,
    overlay_id: Value,
    overlay_type: &'static str,
    field: &'static str,
    value: String,
    /// `replacement`, `default` or `ai`.
    source: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

/// What a render would cost, AI values aside.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteInfo {
    credits: i64,
    credits_per_minute: u32,
    duration_seconds: f64,
    resolution_multiplier: u32,
    credits_available: i64,
    sufficient: bool,
}

/// AI values that were left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiSkipped {
    keys: Vec<String>,
    reason: &'static str,
    estimated_credits: f64,
    hint: &'static str,
}

/// Resolves a request as a render would, without rendering and for free. With `confirmAiCost` AI values are made, and
/// charged.
#[utoipa::path(
    post, path = "/previews", tag = "Previews", operation_id = "createPreview",
    request_body(content = crate::api::schema::PreviewBody, content_type = "application/json"),
    params(("Idempotency-Key" = Option<String>, Header, description = "A repetition with the same key gets the first answer")),
    responses(
        (status = 200, description = "The film, its price and everything worth a warning", body = inline(Answer<PreviewAnswer>)),
        (status = 400, description = "The body is malformed, does not name exactly one film, or media have no source (MISSING_MEDIA_SOURCE)", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 402, description = "Insufficient credits for AI values that were confirmed", body = Failure),
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
) -> ApiResult<Data<PreviewAnswer>> {
    let mut resolved = resolve(&app, &caller, body).await?;
    if resolved.options.confirm_ai_cost && !resolved.report.ai.is_empty() {
        speak(&app, &caller, &mut resolved).await?;
    }
    let (charge, outlook) = (charge(&resolved), outlook(&app, &caller, &resolved).await?);
    let used = resolved.ai_used.take().unwrap_or_else(|| {
        skip_ai(&mut resolved.composition, &resolved.report.ai);
        Vec::new()
    });
    let composition = resolved.composition.write();
    let expires_at = Time::now().plus(LIFETIME);
    let id = id::new(Kind::Preview);
    let answer = Data(PreviewAnswer {
        preview_url: app.url(&format!("/preview/{id}")),
        edit_url: app.url(&format!("/edit/{id}")),
        preview_id: id.clone(),
        expires_at,
        resolved: outlook.resolved,
        quote: outlook.quote,
        warnings: outlook.warnings,
        ai_skipped: outlook.ai_skipped,
    });
    let kept = answer.kept();
    let new = NewPreview {
        id: &id,
        account_id: &caller.account.id,
        composition: &composition,
        expires_at,
        charge,
        used: &used,
        kept: key.as_ref().map(|Extension(Key(key))| Kept { key, answer: &kept }),
    };
    app.store.create_preview(new).await.map_err(SpeechError::from)?;
    Ok(answer)
}

/// What is taken for speech that was made.
fn charge(resolved: &Resolved) -> Credits {
    match &resolved.ai_used {
        Some(_) => Credits::from_whole(resolved.ai_charge.whole_up()),
        None => Credits::ZERO,
    }
}

fn describe(resolved: &Resolved) -> ResolvedFilm {
    let Resolved { composition, report, origin, .. } = resolved;
    let mut variables: Vec<ResolvedVariable> = Vec::new();
    for overlay in &composition.overlays {
        let Some(name) = overlay.variable_name() else { continue };
        // A name on several overlays is one variable.
        if variables.iter().any(|variable| variable.name == name) {
            continue;
        }
        let ai = report.ai.iter().any(|ai| ai.name == name);
        let to_be_made = ai && resolved.ai_used.is_none();
        let source = match ai {
            true => "ai",
            false if report.applied.contains(&name) => "replacement",
            false => "default",
        };
        variables.push(ResolvedVariable {
            overlay_id: number(&overlay.base.id.to_string()),
            overlay_type: overlay.type_name(),
            field: overlay.variable_field(),
            value: if to_be_made { String::new() } else { overlay.variable_value() },
            source,
            kind: if overlay.media_src().is_some() { "url" } else { "text" },
            name,
        });
    }
    ResolvedFilm {
        mode: origin.mode().as_str(),
        width: composition.width,
        height: composition.height,
        fps: composition.fps,
        duration_in_frames: composition.duration,
        duration_seconds: composition.seconds(),
        variables,
    }
}

fn skipped(resolved: &Resolved) -> Option<AiSkipped> {
    let ai = &resolved.report.ai;
    (!ai.is_empty() && resolved.ai_used.is_none()).then(|| AiSkipped {
        keys: ai.iter().map(|ai| ai.name.clone()).collect(),
        reason: "Speech is not generated for a preview: narrations are silent and captions are empty.",
        estimated_credits: resolved.ai_charge.thousandths() as f64 / 1000.0,
        hint: "A render generates it at this extra cost; set confirmAiCost to true to generate it for the preview.",
    })
}
