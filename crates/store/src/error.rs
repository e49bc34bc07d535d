//! Errors of the store.

use std::path::PathBuf;

use crate::Credits;

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("Insufficient credits: {needed} needed, {available} available.")]
    InsufficientCredits { needed: Credits, available: Credits },
    #[error("An account with the email {email} already exists. Choose another email.")]
    EmailTaken { email: String },
    #[error("The invitation is invalid: it is unknown, used, expired or issued for another email.")]
    NotInvited,
    #[error("This account is the only operator. Make another account an operator first.")]
    LastOperator,
    #[error("{active} of at most {limit} active webhooks are registered. Delete one first.")]
    WebhookLimit { limit: u32, active: u32 },
    #[error(
        "The lease on {id} was lost to another worker, a cancellation or a restart. The change was not saved."
    )]
    LostLease { id: String },
    #[error("A repeated request took over this idempotency key.")]
    LostIdempotencyKey,
    #[error("No such {what}: {id}.")]
    NotFound { what: &'static str, id: String },
    #[error("{reference} has already been charged.")]
    AlreadyCharged { reference: String },
    #[error("Invalid file name {name:?}. Use a–z, 0–9, `_` and `-`, with at most one extension.")]
    BadFileName { name: String },
    #[error("Unsupported database URL {url:?}. Use sqlite:PATH or postgres://USER@HOST/NAME.")]
    UnknownDatabase { url: String },
    #[error(
        "The database contains {value:?} as {what}, which this version does not support. A newer version may have written it."
    )]
    UnknownValue { what: &'static str, value: String },
    #[error(
        "The master key does not fit the database, whose secrets were encrypted with another one. Set RONDO_MASTER_KEY, or \
         restore `master.key` in the data folder, to the key that this database was used with."
    )]
    WrongMasterKey,
    #[error(
        "The secrets in the database are encrypted, but there is no master key: {path} does not exist and RONDO_MASTER_KEY \
         is not set. Restore the key that this database was used with."
    )]
    NoMasterKey { path: PathBuf },
    #[error("{path} is not a master key. It must contain 64 hexadecimal digits.")]
    MalformedMasterKey { path: PathBuf },
    #[error("The stored value {place} cannot be decrypted with the master key.")]
    Undecryptable { place: String },
    #[error("Failed to migrate the database: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    #[error("Database error: {0}")]
    Database(#[from] sqlx::Error),
    #[error("Failed to read or write stored JSON: {0}")]
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
