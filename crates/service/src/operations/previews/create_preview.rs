//! Creates a preview.

use std::time::Duration;

use rondo_store::id::{self, Kind};
use rondo_store::{Kept, NewPreview, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::outlook::{AiSkipped, Outlook, QuoteInfo, ResolvedFilm, charge, outlook};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation, stored_answer};
use crate::operations::FilmRequest;
use crate::resolve::skip_ai;
use crate::speech::{Held, SpeechError};
use crate::warnings::PreviewWarning;

/// How long a preview is available.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// How often a film whose speech was made is looked at again while the service is busy.
const MOST_RETRIES: usize = 20;

pub struct CreatePreview;

/// A request resolved without rendering.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewAnswer {
    preview_id: String,
    /// A public page that plays the film; with `?mode=grid` a contact sheet, with `?frame=N` one frame.
    #[schema(format = "uri")]
    preview_url: String,
    /// Opens a copy in the editor, for the account that made the preview.
    #[schema(format = "uri")]
    edit_url: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    resolved: ResolvedFilm,
    quote: QuoteInfo,
    /// The most severe first.
    warnings: Vec<PreviewWarning>,
    #[schema(required = true)]
    ai_skipped: Option<AiSkipped>,
}

impl Operation for CreatePreview {
    const ID: &'static str = "createPreview";
    const ABOUT: &'static str = "Resolves a request as a render would, without rendering and free of charge. With \
                                 `confirmAiCost`, AI values are generated and charged.";
    const RETURNS: &'static str = "The film, its price and its warnings";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Invalid,
            "The request is malformed, does not name exactly one film, or media have no source (MISSING_MEDIA_SOURCE)",
        ),
        (ErrorKind::InsufficientCredits, "Insufficient credits for AI values that were confirmed"),
        (ErrorKind::Forbidden, "The project belongs to another account"),
        (ErrorKind::NotFound, "There is no such template or project"),
        (ErrorKind::Unprocessable, "The request is well formed but cannot be processed"),
    ];

    type Request = FilmRequest;
    type Response = PreviewAnswer;

    async fn run(call: Call<'_>, FilmRequest(body): FilmRequest) -> ServiceResult<PreviewAnswer> {
        let service = call.service;
        let mut resolved = service.resolver.resolve(call.caller, body).await?;
        let held = match resolved.options.confirm_ai_cost && !resolved.report.ai.is_empty() {
            true => Some(service.resolver.speak(call.caller, &mut resolved).await?),
            false => None,
        };
        let charge = charge(&resolved);
        let mut looked = outlook(call, &resolved).await;
        // What was spoken is not thrown away because others are served at the moment.
        for _ in 0..if held.is_some() { MOST_RETRIES } else { 0 } {
            let Some(seconds) = looked.as_ref().err().and_then(|error| error.retry_after) else { break };
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            looked = outlook(call, &resolved).await;
        }
        let Outlook { resolved: film, quote, warnings, ai_skipped } = looked?;
        let used = resolved.ai_used.take().unwrap_or_else(|| {
            skip_ai(&mut resolved.composition, &resolved.report.ai);
            Vec::new()
        });
        let composition = resolved.composition.write();
        let expires_at = Time::now().plus(LIFETIME);
        let id = id::new(Kind::Preview);
        let answer = PreviewAnswer {
            preview_url: service.links.url(&format!("/preview/{id}")),
            edit_url: service.links.url(&format!("/edit/{id}")),
            preview_id: id.clone(),
            expires_at,
            resolved: film,
            quote,
            warnings,
            ai_skipped,
        };
        let kept = stored_answer(&answer);
        let new = NewPreview {
            id: &id,
            account_id: call.account_id(),
            composition: &composition,
            expires_at,
            hold: held.as_ref().and_then(Held::hold),
            charge,
            used: &used,
            kept: call.idempotency_key.map(|key| Kept { key, answer: &kept }),
        };
        service.store.create_preview(new).await.map_err(SpeechError::from)?;
        if let Some(held) = held {
            held.settled();
        }
        Ok(answer)
    }
}
