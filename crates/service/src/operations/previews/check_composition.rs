//! Checks a film without creating anything.

use serde::Serialize;
use utoipa::ToSchema;

use super::outlook::{Outlook, QuoteInfo, ResolvedFilm, outlook};
use crate::error::{ErrorKind, Issue, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::FilmRequest;
use crate::warnings::PreviewWarning;

pub struct CheckComposition;

/// What a check found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checked {
    /// Whether the film can be rendered as it is.
    valid: bool,
    /// What keeps it from being rendered.
    problems: Vec<Issue>,
    /// What will not look as written, the most severe first.
    warnings: Vec<PreviewWarning>,
    /// The film as it would be rendered, once it is valid.
    #[schema(required = true)]
    resolved: Option<ResolvedFilm>,
    /// What a render would cost, once it is valid.
    #[schema(required = true)]
    quote: Option<QuoteInfo>,
}

impl Operation for CheckComposition {
    const ID: &'static str = "checkComposition";
    const ABOUT: &'static str = "Reports every problem and every warning of a film, free of charge.";
    const RETURNS: &'static str = "The problems, the warnings and the price";

    type Request = FilmRequest;
    type Response = Checked;

    async fn run(call: Call<'_>, FilmRequest(body): FilmRequest) -> ServiceResult<Checked> {
        match call.service.resolver.resolve(call.caller, body).await {
            Ok(resolved) => {
                let Outlook { resolved, quote, warnings, .. } = outlook(call, &resolved).await?;
                let valid = warnings.iter().all(|warning| warning.severity != "error");
                let (resolved, quote) = (Some(resolved), Some(quote));
                Ok(Checked { valid, problems: Vec::new(), warnings, resolved, quote })
            }
            Err(error) => {
                let problems = problems(error)?;
                Ok(Checked { valid: false, problems, warnings: Vec::new(), resolved: None, quote: None })
            }
        }
    }
}

/// What is wrong with the film itself; anything else is an error of the call.
fn problems(error: ServiceError) -> ServiceResult<Vec<Issue>> {
    if !matches!(error.kind, ErrorKind::Invalid | ErrorKind::Unprocessable) {
        return Err(error);
    }
    let issues = error.issues();
    if !issues.is_empty() {
        return Ok(issues);
    }
    Ok(vec![Issue { path: String::new(), code: error.reason.to_owned(), message: error.message }])
}
