//! The application layer: what Rondo does, without HTTP. Operations take one request type and return one response type;
//! render workers, deliveries, retention and the gallery run beside them.

pub mod arriving;
pub mod audit;
pub mod background;
pub mod backup;
pub mod blocking;
pub mod browser_fonts;
pub mod caller;
mod chunk_arrivals;
mod chunk_board;
mod credential_uses;
pub mod destinations;
pub mod disk;
pub mod edits;
pub mod email;
pub mod error;
pub mod fetch;
pub mod file_type;
mod film;
pub mod fonts;
pub mod gallery;
pub mod idempotency;
pub mod in_flight;
pub mod isolation;
pub mod limit;
pub mod links;
pub mod mail;
pub mod media;
pub mod metrics;
pub mod move_files;
pub mod open_files;
pub mod opened_previews;
pub mod operation;
pub mod operations;
mod own_fonts;
pub mod password;
pub mod preview_media;
pub mod previews;
pub mod queue;
pub mod quote;
mod readiness;
mod render_progress;
pub mod resolve;
mod service;
pub mod settings;
pub mod signature;
pub mod speech;
pub mod stock;
pub mod stream;
mod template_films;
pub mod templates;
mod turns;
pub mod uploads;
mod waiting;
pub mod warnings;
mod watermark;
pub mod words;

pub use caller::{Caller, Credential};
pub use error::{ErrorKind, Issue, ServiceError, ServiceResult};
pub use operation::{Call, Operation, PublicOperation, Visit};
pub use readiness::Unready;
pub use service::{
    FORK_SERVER, OpenError, Service, files_of, font_folder, jobs_settings, open_store, sandbox_in,
    speech_engines,
};
