//! Why an operation did not succeed: a kind that transports map to a status, a reason for programs and a sentence for
//! people.

use rondo_composition::Problem;
use rondo_store::{Outage, StoreError, redact, redact_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::words::Reason;

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request is malformed.
    Invalid,
    /// The caller is not authenticated.
    Unauthenticated,
    /// The account cannot pay for it.
    InsufficientCredits,
    /// The caller is not allowed to do it.
    Forbidden,
    NotFound,
    /// The state of the resource does not allow it.
    Conflict,
    /// The resource existed and has expired.
    Gone,
    /// The resource is no longer as the caller says.
    Stale,
    /// The request is larger than the limit.
    TooLarge,
    /// The content has the wrong media type.
    UnsupportedMediaType,
    /// The request is well formed but cannot be processed.
    Unprocessable,
    /// The caller must wait.
    TooManyRequests,
    Internal,
    /// Temporarily unavailable.
    Unavailable,
}

/// An operation that did not succeed.
#[derive(Debug, Clone)]
pub struct ServiceError {
    pub kind: ErrorKind,
    /// Machine-readable, such as INVALID_REQUEST.
    pub reason: &'static str,
    /// A sentence. URLs in it and in the details have no user names and passwords.
    pub message: String,
    /// More for programs.
    pub details: Box<Map<String, Value>>,
    /// Seconds to wait before trying again.
    pub retry_after: Option<u64>,
}

/// What an operation returns.
pub type ServiceResult<T> = Result<T, ServiceError>;

/// A problem with one field of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Issue {
    /// JSON path of the field, such as `inputProps.overlays[3].styles.opacity`.
    pub path: String,
    #[schema(value_type = Reason)]
    pub code: String,
    pub message: String,
}

impl ServiceError {
    pub fn new(kind: ErrorKind, reason: &'static str, message: impl Into<String>) -> Self {
        let message = redact(&message.into()).into_owned();
        Self { kind, reason, message, details: Box::default(), retry_after: None }
    }

    /// The request is malformed.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, "INVALID_REQUEST", message)
    }

    /// One field is malformed.
    pub fn invalid_field(path: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let issue = json!([{"path": path, "code": "INVALID_REQUEST", "message": message}]);
        Self::invalid(message).with("issues", issue)
    }

    /// The request is well formed but cannot be processed.
    pub fn unprocessable(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unprocessable, reason, message)
    }

    /// One field is well formed but cannot be processed.
    pub fn unprocessable_field(reason: &'static str, path: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let issue = json!([{"path": path, "code": reason, "message": message}]);
        Self::unprocessable(reason, message).with("issues", issue)
    }

    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unauthenticated, "UNAUTHORIZED", message)
    }

    /// Amounts are whole credits.
    pub fn insufficient_credits(needed: i64, available: i64) -> Self {
        let short = (needed - available).max(0);
        Self::new(
            ErrorKind::InsufficientCredits,
            "INSUFFICIENT_CREDITS",
            format!(
                "Insufficient credits: you need {needed} {} and have {available}.",
                if needed == 1 { "credit" } else { "credits" }
            ),
        )
        .with("creditsNeeded", needed)
        .with("creditsAvailable", available)
        .with("creditsShort", short)
    }

    /// The account keeps as many bytes as its plan allows.
    pub fn storage_quota(used: u64, allowed: u64) -> Self {
        let megabytes = |bytes: u64| bytes / 1_000_000;
        let message = format!(
            "The account's storage is full: {} of {} MB are used. Delete uploads or outputs, or wait until they expire.",
            megabytes(used),
            megabytes(allowed)
        );
        Self::new(ErrorKind::Forbidden, "STORAGE_QUOTA_EXCEEDED", message)
            .with("usedBytes", used)
            .with("allowedBytes", allowed)
    }

    /// The account has as many of something as it may.
    fn limit_reached(reason: &'static str, what: &str, limit: u64) -> Self {
        let message = format!("The account has {limit} {what}, which is the limit. Delete one first.");
        Self::new(ErrorKind::Forbidden, reason, message).with("limit", limit)
    }

    /// The resource exists and belongs to another account.
    pub fn forbidden(resource: &str) -> Self {
        let message = format!("The {resource} belongs to another account.");
        Self::new(ErrorKind::Forbidden, "FORBIDDEN", message).with("resource", resource)
    }

    pub fn not_found(resource: &str) -> Self {
        let message = format!("There is no such {resource}.");
        Self::new(ErrorKind::NotFound, "NOT_FOUND", message).with("resource", resource)
    }

    /// The cause is logged, never shown.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "internal error");
        Self::new(
            ErrorKind::Internal,
            "INTERNAL",
            "Something went wrong on our side. Try again, and quote the X-Request-Id if the error persists.",
        )
    }

    /// The account asks for more at a time than it has turns for; there may be room in a few seconds.
    pub fn busy(message: impl Into<String>, seconds: u64) -> Self {
        Self::new(ErrorKind::Unavailable, "SERVER_BUSY", message).retry_after(seconds)
    }

    /// Replaces the reason.
    pub fn reason(mut self, reason: &'static str) -> Self {
        self.reason = reason;
        self
    }

    /// Adds a field to the details.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        let mut value = value.into();
        redact_json(&mut value);
        self.details.insert(key.to_owned(), value);
        self
    }

    /// Sets when the caller may try again.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The problems of single fields; empty where the message says everything.
    pub fn issues(&self) -> Vec<Issue> {
        let issues = self.details.get("issues").cloned().unwrap_or_default();
        serde_json::from_value(issues).unwrap_or_default()
    }
}

/// Errors of the store that no operation handles.
impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::StorageQuota { used, allowed } => return Self::storage_quota(used, allowed),
            StoreError::ProjectLimit { limit } => {
                return Self::limit_reached("PROJECT_LIMIT", "projects", limit);
            }
            StoreError::TestLimit { limit } => {
                let message = format!("{limit} test renders a day are free. Use a live key, or wait.");
                return Self::new(ErrorKind::TooManyRequests, "TEST_LIMIT_REACHED", message)
                    .with("limit", limit)
                    .retry_after(3600);
            }
            StoreError::TemplateLimit { limit } => {
                return Self::limit_reached("TEMPLATE_LIMIT", "templates", limit);
            }
            _ => {}
        }
        let (reason, message, seconds) = match error.outage() {
            Some(Outage::DiskFull) => {
                ("DISK_FULL", "The server's disk is full. Nothing was changed. Try again later.", 60)
            }
            Some(Outage::DatabaseAway) => {
                ("DATABASE_UNAVAILABLE", "The server's database does not answer. Try again in a moment.", 5)
            }
            Some(Outage::FilesAway) => (
                "FILES_UNAVAILABLE",
                "The server's storage of files does not answer. Try again in a moment.",
                5,
            ),
            None => return Self::internal(error),
        };
        tracing::error!(%error, "the store is unavailable");
        Self::new(ErrorKind::Unavailable, reason, message).retry_after(seconds)
    }
}

/// Problems of a composition or a request: `Invalid` for the wrong shape, `Unprocessable` for the wrong meaning.
impl From<rondo_composition::Error> for ServiceError {
    fn from(error: rondo_composition::Error) -> Self {
        let problems = error.problems();
        let first = problems.first().map_or_else(|| error.to_string(), Problem::to_string);
        let message = match problems.len() {
            0 | 1 => first,
            n => format!("{first} ({} more in details.issues.)", n - 1),
        };
        let kind = if error.is_malformed() { ErrorKind::Invalid } else { ErrorKind::Unprocessable };
        let issues: Vec<Value> = problems
            .iter()
            .map(|p| json!({"path": p.path, "code": p.kind.reason(), "message": p.to_string()}))
            .collect();
        Self::new(kind, error.reason(), message).with("issues", issues)
    }
}
