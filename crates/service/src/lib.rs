//! The application layer: what Rondo does, without HTTP. Operations take one request type and return one response type;
//! render workers, deliveries and retention run beside them.

pub mod background;
pub mod blocking;
pub mod caller;
mod credential_uses;
pub mod email;
pub mod error;
pub mod fetch;
mod film;
pub mod idempotency;
pub mod limit;
pub mod links;
pub mod mail;
pub mod media;
pub mod metrics;
pub mod open_files;
pub mod operation;
pub mod operations;
pub mod password;
pub mod previews;
pub mod queue;
pub mod quote;
mod render_progress;
pub mod resolve;
mod service;
pub mod settings;
pub mod signature;
pub mod speech;
mod template_variables;
pub mod templates;
pub mod uploads;
pub mod warnings;

pub use caller::{Caller, Credential};
pub use error::{ErrorKind, Issue, ServiceError, ServiceResult};
pub use operation::{Call, Operation, PublicOperation, Visit};
pub use service::{OpenError, Service, open_store, speech_engines};
