//! The copy of a render in a destination, as its owner sees it.

use rondo_store::{CopyState, Render, RenderCopy, RenderStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::words::CopyStatus;

/// The copy of a job in the destination that its request names.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderDestination {
    /// `output.destination` of the request.
    name: String,
    /// PENDING until every file is copied, also while a failed copy is tried again.
    #[schema(value_type = CopyStatus)]
    status: &'static str,
    /// The copies that were made, such as `s3://films/2026/job_….mp4`, in the order of `outputs`.
    urls: Vec<String>,
    /// Why the last attempt failed.
    #[schema(required = true)]
    error_message: Option<String>,
}

impl RenderDestination {
    /// `None` if the request names no destination.
    pub fn of(render: &Render) -> Option<Self> {
        let name = render.destination()?.to_owned();
        let nothing = "The render made no film.".to_owned();
        let (status, urls, error_message) = match (&render.copy, render.status) {
            (Some(RenderCopy { state, urls, error }), _) => {
                let status = match state {
                    CopyState::Due | CopyState::Copying => "PENDING",
                    CopyState::Copied => "COPIED",
                    CopyState::Failed => "FAILED",
                };
                (status, urls.clone(), error.clone())
            }
            (None, RenderStatus::Failed) => ("FAILED", Vec::new(), Some(nothing)),
            (None, _) => ("PENDING", Vec::new(), None),
        };
        Some(Self { name, status, urls, error_message })
    }
}
