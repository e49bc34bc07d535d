//! Accounts, keys, credits, projects, templates, renders, tasks, uploads, previews and webhooks: SQL on SQLite and
//! PostgreSQL, and files on disk. Knows nothing of HTTP.
//!
//! Locks are taken in one order everywhere: account, task, render. One SQL text serves both databases.

mod account;
mod credits;
mod database;
mod delivery;
mod error;
mod event;
mod files;
mod finish;
pub mod id;
mod idempotency;
mod key;
mod ledger;
mod preview;
mod process;
mod project;
mod render;
mod retention;
mod row;
mod secret;
mod task;
mod template;
mod time;
mod upload;
mod usage;
mod webhook;

pub use account::{Account, NewAccount, Plan, Transaction, TransactionStatus, TransactionType};
pub use credits::Credits;
pub use database::{ConcurrentRenders, Settings, Store};
pub use delivery::{Attempt, Delivery, DeliveryState, DueDelivery, Outcome, RecordedAttempt};
pub use error::{Result, StoreError};
pub use event::{EventData, EventName};
pub use files::{Draft, Files};
pub use finish::{Cancellation, Output};
pub use idempotency::{Answer, Begin, Idempotent};
pub use key::{Authenticated, Key, NewKey};
pub use ledger::Mismatch;
pub use preview::{NewPreview, Preview};
pub use project::{NewProject, Page, Paged, Project};
pub use render::{Mode, NewRender, ProjectOfRender, Render, RenderFilter, RenderStatus, Revision};
pub use retention::OldFile;
pub use task::{Claimed, Lease, MAX_CRASHES, MAX_FAILURES, Retry};
pub use template::{ListedTemplate, NewTemplate, Template};
pub use time::{Clock, Time};
pub use upload::Upload;
pub use usage::{AiUse, DayUsage, Usage};
pub use webhook::{ACTIVE_WEBHOOKS, Webhook};
