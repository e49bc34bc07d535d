//! Accounts, keys, credits, projects, templates, renders, tasks, uploads, previews and webhooks: SQL on SQLite and
//! PostgreSQL, and files on disk. Knows nothing of HTTP.
//!
//! Locks are taken in one order everywhere: account, task, render. One SQL text serves both databases.

mod account;
mod client;
mod credits;
mod database;
mod delivery;
mod error;
mod event;
mod files;
mod finish;
mod grant;
pub mod id;
mod idempotency;
mod invite;
mod key;
mod ledger;
mod operator;
mod preview;
mod process;
mod project;
mod render;
mod retention;
mod row;
mod secret;
mod session;
mod task;
mod template;
mod time;
mod token;
mod upload;
mod usage;
mod used;
mod voiceover;
mod webhook;

pub use account::{Account, NewAccount, Plan, Transaction, TransactionStatus, TransactionType};
pub use client::{AuthMethod, Client, NewClient};
pub use credits::Credits;
pub use database::{ConcurrentRenders, Settings, Store};
pub use delivery::{Attempt, Delivery, DeliveryState, DueDelivery, Outcome, RecordedAttempt};
pub use error::{Result, StoreError};
pub use event::{EventData, EventName};
pub use files::{Draft, Files};
pub use finish::{Cancellation, Output};
pub use grant::{App, Exchange, Grant, NewGrant};
pub use idempotency::{Answer, Begin, Idempotent, Kept};
pub use invite::{Invite, NewInvite, SignUp};
pub use key::{Authenticated, Key, NewKey};
pub use ledger::Mismatch;
pub use operator::{ListedAccount, Queue, RunningRender, Worker};
pub use preview::{NewPreview, Preview};
pub use project::{NewProject, Page, Paged, Project};
pub use render::{Mode, NewRender, ProjectOfRender, Render, RenderFilter, RenderStatus, Revision};
pub use retention::OldFile;
pub use session::{NewSession, Session, SignedIn};
pub use task::{Claimed, Lease, MAX_CRASHES, MAX_FAILURES, Retry};
pub use template::{ListedTemplate, NewTemplate, Template};
pub use time::{Clock, Time};
pub use token::{IssuedTokens, Token, TokenHolder, TokenKind};
pub use upload::Upload;
pub use usage::{AiUse, AiUsed, DayUsage, Usage};
pub use used::Used;
pub use voiceover::{NewVoiceover, Voiceover};
pub use webhook::{ACTIVE_WEBHOOKS, Webhook};
