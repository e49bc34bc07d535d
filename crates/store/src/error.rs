//! Errors of the store.

use std::io::ErrorKind;
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
    #[error("The account has a destination named {name} already.")]
    DestinationExists { name: String },
    #[error("The account has {limit} destinations, which is the limit. Delete one first.")]
    DestinationLimit { limit: u32 },
    #[error("The account keeps {used} of at most {allowed} bytes. Delete uploads or outputs.")]
    StorageQuota { used: u64, allowed: u64 },
    #[error("The account has {limit} projects, which is the limit. Delete one first.")]
    ProjectLimit { limit: u64 },
    #[error("The account has {limit} templates, which is the limit. Delete one first.")]
    TemplateLimit { limit: u64 },
    #[error("The account has started {limit} test renders in 24 hours, which is the limit.")]
    TestLimit { limit: u64 },
    #[error("It was changed in the meantime. The change was not saved.")]
    Stale { revision: i64 },
    #[error("The upload already has its file.")]
    UploadComplete,
    #[error(
        "The lease on {id} was lost to another worker, a cancellation or a restart. The change was not saved."
    )]
    LostLease { id: String },
    #[error("A repeated request took over this idempotency key.")]
    LostIdempotencyKey,
    #[error("The credits held for this work were released, because its process did not answer.")]
    LostHold,
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
    #[error("The database server cannot be reached: {cause}.")]
    Unreachable { cause: String },
    #[error("The bucket of files does not answer: {cause}.")]
    Bucket { cause: String },
    #[error("{name} did not arrive in the bucket as it was sent. Try again.")]
    NotCopied { name: String },
    #[error("The database is damaged: {problem}. Restore it from a backup.")]
    Damaged { problem: String },
    #[error(
        "The database has schema version {found}, which needs a program of schema version {oldest} or newer. This program has \
         {known}. Use a newer version of the program, or restore a backup."
    )]
    NewerSchema { found: i64, oldest: i64, known: i64 },
    #[error(
        "The database has schema version {found}, and this program needs {known}. Start the program again to migrate the database."
    )]
    OlderSchema { found: i64, known: i64 },
    #[error("Failed to migrate the database: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    #[error("Database error: {0}")]
    Database(#[from] sqlx::Error),
    #[error("Failed to read or write stored JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
}

/// What keeps the store from working until it passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    DiskFull,
    DatabaseAway,
    FilesAway,
}

/// Primary result codes of SQLite.
mod sqlite {
    pub const BUSY: u32 = 5;
    pub const LOCKED: u32 = 6;
    pub const INPUT_OUTPUT: u32 = 10;
    pub const CORRUPT: u32 = 11;
    pub const FULL: u32 = 13;
    pub const CANNOT_OPEN: u32 = 14;
    pub const NOT_A_DATABASE: u32 = 26;
}

/// Why a statement failed.
enum Code {
    Sqlite(u32),
    Postgres(String),
}

impl Code {
    fn of(error: &dyn sqlx::error::DatabaseError) -> Option<Self> {
        let code = error.code()?;
        // SQLSTATE has five letters and digits. SQLite's extended codes carry the primary one in their lowest byte.
        match code.len() {
            5 => Some(Self::Postgres(code.into_owned())),
            _ => code.parse().ok().map(|code: u32| Self::Sqlite(code & 0xff)),
        }
    }

    fn outage(&self) -> Option<Outage> {
        match self {
            Self::Sqlite(sqlite::FULL) => Some(Outage::DiskFull),
            Self::Sqlite(sqlite::BUSY | sqlite::LOCKED | sqlite::INPUT_OUTPUT | sqlite::CANNOT_OPEN) => {
                Some(Outage::DatabaseAway)
            }
            Self::Sqlite(_) => None,
            Self::Postgres(code) => match code.get(..2)? {
                "53" if code == "53100" => Some(Outage::DiskFull),
                // Connections, resources, and a server that starts or stops.
                "08" | "53" => Some(Outage::DatabaseAway),
                // A conflict with another transaction, such as a deadlock.
                "40" => Some(Outage::DatabaseAway),
                "57" if code.starts_with("57P") => Some(Outage::DatabaseAway),
                _ => None,
            },
        }
    }
}

impl StoreError {
    /// Whether the operation can succeed later without any change to the request.
    pub fn outage(&self) -> Option<Outage> {
        match self {
            Self::Database(sqlx::Error::Database(error)) => Code::of(&**error)?.outage(),
            Self::Database(
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed,
            )
            | Self::Unreachable { .. }
            | Self::LostHold => Some(Outage::DatabaseAway),
            Self::Bucket { .. } => Some(Outage::FilesAway),
            Self::File { source, .. } => {
                let is_full = matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
                is_full.then_some(Outage::DiskFull)
            }
            _ => None,
        }
    }

    /// A file that SQLite cannot read as a database is damaged.
    pub(crate) fn or_damaged(self) -> Self {
        match &self {
            Self::Database(sqlx::Error::Database(error)) => match Code::of(&**error) {
                Some(Code::Sqlite(sqlite::CORRUPT | sqlite::NOT_A_DATABASE)) => {
                    Self::Damaged { problem: error.message().to_owned() }
                }
                _ => self,
            },
            _ => self,
        }
    }

    pub(crate) fn not_found(what: &'static str, id: &str) -> Self {
        Self::NotFound { what, id: id.to_owned() }
    }

    pub(crate) fn lost(id: &str) -> Self {
        Self::LostLease { id: id.to_owned() }
    }
}
