//! The service's persistent state: accounts, credits, projects, templates, renders, tasks, uploads, previews and
//! webhooks in SQLite or PostgreSQL, and files on disk. Contains no HTTP.
//!
//! The same SQL runs on both databases. Locks are taken in one order: account, task, chunk task, render, batch, webhook, delivery,
//! destination, copy.

#![forbid(unsafe_code)]

mod account;
mod ai_hold;
mod audit;
mod author;
mod batch;
mod bound_url;
mod brand;
mod bucket;
mod chunk_task;
mod client;
mod connection;
mod credentials;
mod credits;
mod database;
mod delivery;
mod deployment;
mod destination;
mod error;
mod event;
mod exchange;
mod file_parts;
mod files;
mod finish;
mod grant;
pub mod id;
mod idempotency;
mod invite;
mod kept_chunk;
mod key;
mod lease;
mod ledger;
pub mod master_key;
mod media;
mod migrate;
mod operator;
mod outbox;
mod page;
mod password;
pub mod permissions;
mod plan;
mod preview;
mod process;
mod progress;
mod project;
mod rate;
mod release;
mod render;
mod render_copy;
mod retention;
mod row;
mod seal;
mod secret;
mod send_file;
mod session;
mod signal;
mod statement;
mod storage;
mod stream;
mod task;
mod template;
mod time;
mod token;
mod turn;
mod upload;
mod usage;
mod used;
mod version;
mod voiceover;
mod webhook;

pub use account::{Account, NewAccount, Transaction, TransactionStatus, TransactionType};
pub use ai_hold::{AI_HOLD_LEASE, AiHold};
pub use audit::{AuditAction, AuditEvent, NewAuditEvent, Place};
pub use author::{Author, AuthorKind};
pub use batch::{Batch, BatchState, NewBatch, new_batch_id};
pub use brand::{Brand, BrandColor};
pub use bucket::{Bucket, BucketSettings, Description, Listed};
pub use chunk_task::{ChunkTask, Hand, Taken};
pub use client::{AuthMethod, Client, NewClient};
pub use credentials::{redact, redact_json, redact_url};
pub use credits::Credits;
pub use database::{Settings, Store};
pub use delivery::{Attempt, Delivery, DeliveryState, RecordedAttempt};
pub use destination::{Destination, MOST_DESTINATIONS, NewDestination};
pub use error::{Outage, Result, StoreError};
pub use event::{BatchEventData, EventData, EventName, EventOutput};
pub use exchange::Exchange;
pub use file_parts::FileParts;
pub use files::{Draft, Files, free_disk};
pub use finish::{Cancellation, NewOutput, Output};
pub use grant::{App, Grant, NewGrant};
pub use idempotency::{Answer, Begin, Kept};
pub use invite::{Invite, NewInvite, SignUp, Start};
pub use key::{Access, Authenticated, Key, KeyMode, KeyOptions, NewKey};
pub use lease::Lease;
pub use ledger::Mismatch;
pub use master_key::KeySource;
pub use media::{MediaFile, MediaFilter, MediaKind, MediaUser, MediaUses};
pub use operator::{ListedAccount, Queue, RunningRender, Worker};
pub use outbox::{DueDelivery, Outcome};
pub use page::{Page, Paged};
pub use password::Revoke;
pub use plan::{ConcurrentRenders, Plan, StorageLimits};
pub use preview::{NewPreview, Preview};
pub use progress::{RenderChange, RenderProgress};
pub use project::{ChangedProject, MOST_PROJECTS, NewProject, Project, ProjectChange};
pub use rate::{AttemptRule, RateWindow};
pub use render::{
    Idempotent, Mode, NewRender, OutputFile, PreparedRender, ProjectOfRender, Render, RenderFilter,
    RenderStatus, Revision, TEST_RENDERS,
};
pub use render_copy::{COPY_PATIENCE, CopyOutcome, CopyState, DueCopy, RenderCopy};
pub use retention::{OldFile, OldOutput};
pub use seal::MasterKey;
pub use send_file::{SendError, send_file};
pub use session::{NewSession, Session, SignedIn};
pub use signal::{Signal, Signals};
pub use statement::{Cause, Entry};
pub use stream::{Stream, StreamSegment};
pub use task::{
    Claimed, MAX_CHILD_CRASHES_IN_ALL, MAX_CRASHES, MAX_FAILURES, QueueDepth, Retry, SUSPECT_PATIENCE,
};
pub use template::{ListedTemplate, MOST_TEMPLATES, NewTemplate, Template};
pub use time::{Clock, Time};
pub use token::{IssuedTokens, Token, TokenHolder, TokenKind};
pub use upload::{Upload, UploadFace};
pub use usage::{AiUse, AiUsed, DayUsage, Usage};
pub use used::Used;
pub use version::{MOST_VERSIONS, Version, VersionFilm};
pub use voiceover::{NewVoiceover, Voiceover};
pub use webhook::{ACTIVE_WEBHOOKS, Webhook, WebhookChange};
