//! What can go wrong in the store.

use std::path::PathBuf;

use crate::Credits;

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("Insufficient credits: {needed} needed, {available} available.")]
    InsufficientCredits { needed: Credits, available: Credits },
    #[error("There is already an account with the email {email}. Choose another email.")]
    EmailTaken { email: String },
    #[error("The invitation is unknown, was used, has expired, or is meant for another email.")]
    NotInvited,
    #[error("This is the only operator. Make another account an operator first.")]
    LastOperator,
    #[error("{active} of at most {limit} active webhooks are registered. Delete one first.")]
    WebhookLimit { limit: u32, active: u32 },
    #[error(
        "Another worker, a cancellation or a restart has taken {id} over; what was done for it no longer counts."
    )]
    LostLease { id: String },
    #[error("The request with this idempotency key was taken over by a repetition of it.")]
    LostIdempotencyKey,
    #[error("There is no {what} {id}.")]
    NotFound { what: &'static str, id: String },
    #[error("{reference} has already been charged.")]
    AlreadyCharged { reference: String },
    #[error("{name:?} cannot name a file: only a–z, 0–9, '_' and one extension are allowed.")]
    BadFileName { name: String },
    #[error("{url:?} is not a database this service knows. Use sqlite:PATH or postgres://USER@HOST/NAME.")]
    UnknownDatabase { url: String },
    #[error(
        "The database holds {value:?} as {what}, which this version does not know. Was it written by a newer one?"
    )]
    UnknownValue { what: &'static str, value: String },
    #[error("The database could not be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    #[error("The database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("Stored JSON could not be read or written: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
}

impl StoreError {
    pub(crate) fn not_found(what: &'static str, id: &str) -> Self {
        Self::NotFound { what, id: id.to_owned() }
    }

    pub(crate) fn lost(id: &str) -> Self {
        Self::LostLease { id: id.to_owned() }
    }
}
