//! What an operator may set: the table, where values come from, and how they are read. This file is the result: the settings in
//! force.

mod read;
mod sources;
mod table;

pub use sources::{SettingError, Sources};
pub use table::{SETTINGS, Setting};

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use rondo_store::{BucketSettings, ConcurrentRenders, MasterKey, StorageLimits};

use crate::fetch::Pace;
use crate::fonts::{FontPackage, FontRegistry};
use crate::stock::StockSettings;

/// What this process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    All,
    Api,
    Worker,
}

impl Role {
    pub fn answers(self) -> bool {
        self != Self::Worker
    }

    pub fn renders(self) -> bool {
        self != Self::Api
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Api => "api",
            Self::Worker => "worker",
        }
    }
}

/// Who may make an account of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignUp {
    Open,
    Invite,
    Closed,
}

impl SignUp {
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invite => "invite",
            Self::Closed => "closed",
        }
    }
}

/// Who may publish templates for all accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publish {
    Operators,
    Everyone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogForm {
    Text,
    Json,
}

/// The settings in force.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    pub data: PathBuf,
    /// Without a slash at the end; `None` stands for the address listened on.
    pub public_url: Option<String>,
    /// An origin of its own for files, without a slash at the end.
    pub files_url: Option<String>,
    /// `None` stands for the data folder.
    pub files: Option<BucketSettings>,
    pub proxy_files: bool,
    pub role: Role,
    pub workers: usize,
    pub database_url: Option<String>,
    /// `None` stands for the file in the data folder.
    pub master_key: Option<MasterKey>,
    pub allow_private_network: bool,
    pub sign_up: SignUp,
    /// Whole credits of a new account.
    pub sign_up_credits: u32,
    pub publish: Publish,
    /// An email address, or an http or https URL.
    pub contact: Option<String>,
    pub smtp_url: Option<String>,
    pub mail_from: Option<String>,
    pub trusted_proxies: usize,
    pub metrics_listen: Option<SocketAddr>,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    pub log: LogForm,
    pub log_level: tracing::Level,
    pub max_minutes: u32,
    /// Renders at a time, by plan.
    pub concurrency: ConcurrentRenders,
    /// Bytes kept for an account, by plan.
    pub storage: StorageLimits,
    pub max_output_bytes: u64,
    pub min_free_disk_bytes: u64,
    pub render_timeout: Duration,
    /// `None` keeps them indefinitely, here and below.
    pub keep_outputs: Option<Duration>,
    pub keep_uploads: Option<Duration>,
    pub keep_deliveries: Option<Duration>,
    pub keep_audit: Option<Duration>,
    /// Who speaks and listens.
    pub speech: rondo_speech::Settings,
    /// Providers of stock photos and videos.
    pub stock: StockSettings,
    /// Encode frames that are equal to the previous one instead of repeating it.
    pub encode_every_frame: bool,
    /// Makes the pictures and films of the shipped templates.
    pub builds_gallery: bool,
    pub chunk_cache_bytes: u64,
    pub media_cache_bytes: u64,
    pub sandbox: rondo_jobs::Mode,
    /// Memory of a job in bytes.
    pub job_memory: u64,
    pub cpu_per_gigapixel: u64,
    /// Where font families are fetched from, and which.
    pub font_registry: FontRegistry,
    pub font_packages: Vec<FontPackage>,
    /// The program that makes child processes, and its arguments. Default: this one.
    pub fork_server: Option<(PathBuf, Vec<String>)>,
    /// When a child process that stands still is ended.
    pub stuck_after: Duration,
    /// Processor time of every render in seconds, beside that for its pixels.
    pub cpu_base: u64,
    /// Longest time for drawing pictures of a preview.
    pub drawing_time: Duration,
    /// The least that servers of media must send.
    pub fetch_pace: Pace,
    /// How long the media of a film may take, beside the time for their bytes.
    pub fetch_patience: Duration,
}
