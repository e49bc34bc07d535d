//! What an operator may set: one table, read from flags, then `RONDO_*` variables, then `rondo.toml`, then the defaults.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use rondo_composition::limits::MOST_MINUTES;
use rondo_render::bundled_folder;
use rondo_speech::{Hosted, Provider};
use rondo_store::{BucketSettings, ConcurrentRenders, MasterKey, StorageLimits};
use url::Url;

use crate::email::is_email;
use crate::file_type::describe;
use crate::fonts::{FontPackage, FontRegistry, font_packages};
use crate::stock::{self, StockKey, StockSettings};

/// One row of the table. A setting `public-url` is the flag `--public-url`, the variable `RONDO_PUBLIC_URL` and the
/// key `public-url` in `rondo.toml`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    /// What the value looks like; empty for a switch.
    pub value: &'static str,
    /// Empty if there is none, or if the help describes it.
    pub default: &'static str,
    pub help: &'static str,
}

const fn row(name: &'static str, value: &'static str, default: &'static str, help: &'static str) -> Setting {
    Setting { name, value, default, help }
}

/// Every setting.
pub const SETTINGS: &[Setting] = &[
    row("listen", "ADDRESS", "127.0.0.1:8080", "Address and port to listen on"),
    row("data", "DIR", "rondo-data", "Folder for the database, files and caches; created if missing"),
    row(
        "public-url",
        "URL",
        "",
        "URL under which clients reach the service; used in all links, and kept in the database. Default: the one that was set last, or `http://` and the listen address",
    ),
    row(
        "files-url",
        "URL",
        "",
        "URL of a separate host name for `/files/`, which serves nothing else. Default: files are served under `public-url`",
    ),
    row(
        "files",
        "URL",
        "",
        "S3 bucket for outputs, uploads, narrations and template pictures, as in `s3://bucket/prefix`; region, endpoint and credentials come from the `AWS_*` variables. Default: the data folder",
    ),
    row(
        "proxy-files",
        "",
        "false",
        "Send and receive the files of a bucket through the service, instead of at signed addresses of the bucket",
    ),
    row(
        "role",
        "all|api|worker",
        "all",
        "Role of this process: handle requests (`api`), render (`worker`), or both (`all`)",
    ),
    row("workers", "N", "1", "Number of renders this process runs concurrently"),
    row(
        "database-url",
        "URL",
        "",
        "PostgreSQL URL (`postgres://…`). Default: a SQLite file in the data folder",
    ),
    row(
        "allow-private-network",
        "",
        "false",
        "Allow media, webhooks, callbacks and destinations to use private and loopback addresses",
    ),
    row(
        "master-key",
        "KEY",
        "",
        "Key that encrypts stored secrets, 64 hexadecimal digits; set it as `RONDO_MASTER_KEY`, not as a flag. Default: the file `master.key` in the data folder",
    ),
    row(
        "metrics-listen",
        "ADDRESS",
        "",
        "Address for Prometheus metrics at `/metrics`, and for `/healthz` and `/readyz`. Default: no metrics",
    ),
    row(
        "sign-up",
        "open|invite|closed",
        "invite",
        "Who can sign up: everyone (`open`), invited people (`invite`) or no one (`closed`). The first account can always be created",
    ),
    row(
        "sign-up-credits",
        "N",
        "0",
        "Credits that a new account starts with, unless its invitation says otherwise",
    ),
    row(
        "publish",
        "operators|everyone",
        "operators",
        "Who can publish templates for all accounts. Everyone can make private ones",
    ),
    row(
        "contact",
        "ADDRESS",
        "",
        "Email address or URL shown to people who need credits. Default: they are told to ask the operator",
    ),
    row(
        "smtp-url",
        "URL",
        "",
        "SMTP server, for example `smtps://user:password@mail.example.com`. Default: no mail is sent",
    ),
    row(
        "mail-from",
        "ADDRESS",
        "",
        "Sender of mail, for example `Rondo <video@example.com>`; required with `smtp-url`",
    ),
    row(
        "trusted-proxies",
        "N",
        "0",
        "Number of reverse proxies in front of the service. The client address is read that many entries from the end of `X-Forwarded-For`",
    ),
    row("max-connections", "N", "4096", "Maximum number of open connections"),
    row(
        "max-connections-per-address",
        "N",
        "256",
        "Maximum number of open connections from one IPv4 address or IPv6 /64 network. Not applied behind trusted proxies",
    ),
    row("log", "text|json", "text", "Format of the log lines on standard error: `text` or `json`"),
    row(
        "log-level",
        "error|warn|info|debug",
        "info",
        "Minimum log level: `error`, `warn`, `info` or `debug`",
    ),
    row("max-minutes", "N", "60", "Maximum film length in minutes, up to 180"),
    row(
        "concurrency-none",
        "N",
        "2",
        "Concurrent renders of an account without a plan; further renders wait",
    ),
    row("concurrency-creator", "N", "5", "Concurrent renders of an account on the Creator plan"),
    row("concurrency-business", "N", "20", "Concurrent renders of an account on the Business plan"),
    row(
        "storage-mb-none",
        "N",
        "10000",
        "Megabytes of uploads, outputs and narrations kept for an account without a plan; 0 means no limit",
    ),
    row("storage-mb-creator", "N", "100000", "The same for an account on the Creator plan"),
    row("storage-mb-business", "N", "1000000", "The same for an account on the Business plan"),
    row(
        "max-output-mb",
        "N",
        "10000",
        "Maximum size of an output in megabytes; a render that exceeds it fails",
    ),
    row(
        "min-free-disk-mb",
        "N",
        "1024",
        "While the disk of the data folder has fewer megabytes free, uploads and new renders are refused; 0 turns this off",
    ),
    row("render-timeout-minutes", "N", "360", "Maximum time for a render; a render that takes longer fails"),
    row("keep-outputs-days", "N", "30", "Days until outputs and unused narrations are deleted; 0 keeps them"),
    row("keep-uploads-days", "N", "90", "Days until uploads are deleted; 0 keeps them"),
    row("keep-deliveries-days", "N", "30", "Days until webhook delivery records are deleted; 0 keeps them"),
    row("keep-audit-days", "N", "365", "Days until events of the audit log are deleted; 0 keeps them"),
    row(
        "speech-dir",
        "DIR",
        "",
        "Folder of the transcription model and its libraries. Default: `assets/speech` of the installation",
    ),
    row(
        "whisper-model",
        "FILE",
        "",
        "whisper.cpp model file for local transcription, for example `ggml-base.bin`. Default: Moonshine",
    ),
    row(
        "narrator",
        "openai|elevenlabs",
        "",
        "API of a hosted text-to-speech provider: `openai` or `elevenlabs`. Default: the local engines",
    ),
    row("narrator-url", "URL", "", "Base URL without `/v1`. Default: the provider's API"),
    row("narrator-key", "KEY", "", "API key"),
    row("narrator-model", "NAME", "", "Model. Default: the provider's default model"),
    row("narrator-limit", "N", "0", "Maximum number of characters sent in 24 hours; 0 means no limit"),
    row(
        "transcriber",
        "openai|elevenlabs",
        "",
        "API of a hosted transcription provider: `openai` or `elevenlabs`. Default: a local engine",
    ),
    row("transcriber-url", "URL", "", "Base URL without `/v1`. Default: the provider's API"),
    row("transcriber-key", "KEY", "", "API key"),
    row("transcriber-model", "NAME", "", "Model. Default: the provider's default model"),
    row(
        "transcriber-limit",
        "N",
        "0",
        "Maximum number of seconds of audio sent in 24 hours; 0 means no limit",
    ),
    row(
        "pexels-key",
        "KEY",
        "",
        "API key of Pexels, for stock photos and videos in the editor; set it as `RONDO_PEXELS_KEY`, not as a flag. Default: no Pexels",
    ),
    row("pixabay-key", "KEY", "", "The same for Pixabay"),
    row("unsplash-key", "KEY", "", "Access key of Unsplash, for stock photos in the editor"),
    row(
        "encode-every-frame",
        "",
        "false",
        "Encode every H.264 frame, including frames equal to the previous one. Slower; films look the same",
    ),
    row(
        "sandbox",
        "required|auto|off",
        "auto",
        "Isolation of the processes that read media: every layer or no start (`required`), every layer that the kernel grants (`auto`), or resource limits only (`off`)",
    ),
    row("job-memory-mb", "N", "2048", "Maximum memory of the process of one render or preview, in megabytes"),
    row(
        "cpu-per-gigapixel",
        "N",
        "500",
        "Processor time of a render, in seconds per 1,000 megapixels (frames × pixels), beyond the first five minutes; a render that needs more fails",
    ),
    row(
        "font-registry",
        "npm|URL|off",
        "npm",
        "npm registry from which font families are fetched when a film first names them: the one that npm is configured with (`npm`), a URL, or none (`off`)",
    ),
    row(
        "gallery",
        "on|off",
        "on",
        "Make the pictures and preview films of the included templates in the background: `on` or `off`",
    ),
    row("chunk-cache-mb", "N", "10000", "Maximum size of the chunk cache in megabytes"),
    row("media-cache-mb", "N", "10000", "Maximum size of the cache of downloaded media in megabytes"),
];

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

/// The variables that say how an S3 bucket is reached: `access_key_id` is `AWS_ACCESS_KEY_ID`.
const AWS_VARIABLES: [&str; 16] = [
    "access_key_id",
    "secret_access_key",
    "session_token",
    "region",
    "default_region",
    "endpoint",
    "endpoint_url",
    "endpoint_url_s3",
    "virtual_hosted_style_request",
    "container_credentials_relative_uri",
    "container_credentials_full_uri",
    "container_authorization_token_file",
    "web_identity_token_file",
    "role_arn",
    "role_session_name",
    "checksum_algorithm",
];

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
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("{from} is \"{value}\", but {expected}.")]
    Value { from: String, value: String, expected: String },
    #[error("{path} cannot be read: {reason}.")]
    File { path: String, reason: String },
}

/// Where values come from, the strongest first.
pub struct Sources<'a> {
    pub flag: &'a dyn Fn(&str) -> Option<String>,
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub file: toml::Table,
}

impl Sources<'_> {
    /// Reads `rondo.toml`, or an empty table where the file is not there and was not asked for by name.
    pub fn file(named: Option<&Path>) -> Result<toml::Table, SettingError> {
        let path = named.unwrap_or(Path::new("rondo.toml"));
        let wrong = |reason: String| SettingError::File { path: path.display().to_string(), reason };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
                return Ok(toml::Table::new());
            }
            Err(e) => return Err(wrong(e.to_string())),
        };
        let table: toml::Table = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        match table.keys().find(|key| !SETTINGS.iter().any(|s| s.name == *key)) {
            Some(key) => Err(wrong(format!("there is no setting \"{key}\""))),
            None => Ok(table),
        }
    }

    /// The text of a setting and where it was written.
    fn find(&self, name: &str) -> (String, String) {
        let variable = format!("RONDO_{}", name.to_ascii_uppercase().replace('-', "_"));
        if let Some(value) = (self.flag)(name) {
            return (value, format!("--{name}"));
        }
        if let Some(value) = (self.variable)(&variable).filter(|value| !value.is_empty()) {
            return (value, variable);
        }
        if let Some(value) = self.file.get(name) {
            return (plain(value), format!("{name} in rondo.toml"));
        }
        let default = SETTINGS.iter().find(|s| s.name == name).map_or("", |s| s.default);
        (default.to_owned(), format!("the default of {name}"))
    }

    fn read<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SettingError> {
        let (value, from) = self.find(name);
        parse(value.trim()).ok_or_else(|| SettingError::Value { from, value, expected: expected.to_owned() })
    }

    fn number<T: FromStr + PartialOrd>(
        &self,
        name: &str,
        least: T,
        expected: &str,
    ) -> Result<T, SettingError> {
        self.read(name, expected, |text| text.parse::<T>().ok().filter(|number| *number >= least))
    }

    fn optional<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingError> {
        self.read(name, expected, |text| if text.is_empty() { Some(None) } else { parse(text).map(Some) })
    }

    fn speech(&self) -> Result<rondo_speech::Settings, SettingError> {
        let folder = self
            .optional("speech-dir", "the name of a folder is expected", |text| Some(PathBuf::from(text)))?;
        let whisper_model = self
            .optional("whisper-model", "the name of a file is expected", |text| Some(PathBuf::from(text)))?;
        Ok(rondo_speech::Settings {
            whisper_model,
            folder: folder.or_else(|| bundled_folder("assets/speech")),
            narrator: self.hosted("narrator")?,
            transcriber: self.hosted("transcriber")?,
        })
    }

    /// A hosted engine, by the settings whose names begin with `part`.
    fn hosted(&self, part: &str) -> Result<Option<Hosted>, SettingError> {
        let provider = self.optional(part, "openai or elevenlabs is expected", |text| {
            [Provider::OpenAi, Provider::ElevenLabs].into_iter().find(|known| provider_name(*known) == text)
        })?;
        let Some(provider) = provider else { return Ok(None) };
        let text = |name: &str| {
            self.optional(&format!("{part}-{name}"), "a text is expected", |text| Some(text.to_owned()))
        };
        let base_url = self.optional(
            &format!("{part}-url"),
            "an http or https address without query is expected",
            public_url,
        )?;
        let limit: u64 = self.number(&format!("{part}-limit"), 0, "a whole number is expected")?;
        Ok(Some(Hosted {
            provider,
            base_url: base_url.unwrap_or_else(|| provider_address(provider).to_owned()),
            key: text("key")?.unwrap_or_default(),
            model: text("model")?,
            timeout: PROVIDER_PATIENCE,
            most_a_day: (limit > 0).then_some(limit),
        }))
    }

    /// An error does not show a key.
    fn stock(&self) -> Result<StockSettings, SettingError> {
        let mut keys = Vec::new();
        for provider in stock::Provider::ALL {
            let (key, from) = self.find(&format!("{}-key", provider.name()));
            match key.trim() {
                "" => {}
                key if key.len() <= LONGEST_KEY && key.bytes().all(|byte| byte.is_ascii_graphic()) => {
                    keys.push((*provider, StockKey::new(key)));
                }
                _ => {
                    let expected = "an API key, without blanks, is expected".to_owned();
                    return Err(SettingError::Value { from, value: "***".to_owned(), expected });
                }
            }
        }
        // Not among the settings: only tests have another address.
        let url =
            self.optional("stock-url", "an http or https address without query is expected", public_url)?;
        Ok(StockSettings { keys, url })
    }

    /// The bucket with the `AWS_*` variables that are set.
    fn bucket(&self) -> Result<Option<BucketSettings>, SettingError> {
        self.optional("files", "an address s3://bucket or s3://bucket/prefix is expected", |text| {
            let (bucket, prefix) =
                text.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
            let plain = |part: &str| {
                part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
            };
            let prefix = prefix.trim_matches('/');
            let is_plain =
                !bucket.is_empty() && plain(bucket) && prefix.split('/').all(plain) && !prefix.contains("..");
            let variable = |name: &&str| {
                let name = format!("AWS_{}", name.to_ascii_uppercase());
                let value = (self.variable)(&name).filter(|value| !value.is_empty())?;
                Some((name, value))
            };
            is_plain.then(|| BucketSettings {
                bucket: bucket.to_owned(),
                prefix: prefix.to_owned(),
                variables: AWS_VARIABLES.iter().filter_map(variable).collect(),
                describe,
            })
        })
    }

    /// An error does not show the value.
    fn master_key(&self) -> Result<Option<MasterKey>, SettingError> {
        let (value, from) = self.find("master-key");
        if value.trim().is_empty() {
            return Ok(None);
        }
        let expected = "64 hexadecimal digits are expected".to_owned();
        let wrong = || SettingError::Value { from, value: "***".to_owned(), expected };
        MasterKey::from_hex(&value).map(Some).ok_or_else(wrong)
    }

    fn days(&self, name: &str) -> Result<Option<Duration>, SettingError> {
        let days: u32 = self.number(name, 0, "a whole number of days, 0 for ever, is expected")?;
        Ok((days > 0).then(|| Duration::from_secs(u64::from(days) * 86_400)))
    }
}

impl Settings {
    pub fn read(sources: &Sources<'_>) -> Result<Self, SettingError> {
        let address = |text: &str| text.parse::<SocketAddr>().ok();
        const AN_ADDRESS: &str = "an address with a port, as in 127.0.0.1:8080, is expected";
        const A_COUNT: &str = "a whole number, 1 or more, is expected";
        let megabytes = |name| -> Result<u64, SettingError> {
            let count: u32 = sources.number(name, 0, "a whole number of megabytes is expected")?;
            Ok(u64::from(count) * 1_000_000)
        };
        let quota = |name| -> Result<Option<u64>, SettingError> {
            Ok(Some(megabytes(name)?).filter(|bytes| *bytes > 0))
        };
        Ok(Self {
            listen: sources.read("listen", AN_ADDRESS, address)?,
            data: sources.read("data", "the name of a folder is expected", |text| {
                (!text.is_empty()).then(|| PathBuf::from(text))
            })?,
            public_url: sources.optional(
                "public-url",
                "an http or https address without query, as in https://video.example.com, is expected",
                public_url,
            )?,
            files_url: sources.optional(
                "files-url",
                "an http or https address without path, as in https://files.example.com, is expected",
                |text| public_url(text).filter(|url| url.matches('/').count() == 2),
            )?,
            files: sources.bucket()?,
            proxy_files: sources.read("proxy-files", "true or false is expected", flag)?,
            role: sources.read("role", "all, api or worker is expected", |text| {
                [Role::All, Role::Api, Role::Worker].into_iter().find(|known| known.name() == text)
            })?,
            workers: sources.number("workers", 1, A_COUNT)?,
            database_url: sources.optional(
                "database-url",
                "an address postgres://… is expected",
                |text| {
                    let postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
                    postgres.then(|| text.to_owned())
                },
            )?,
            master_key: sources.master_key()?,
            allow_private_network: sources.read(
                "allow-private-network",
                "true or false is expected",
                flag,
            )?,
            sign_up: sources.read("sign-up", "open, invite or closed is expected", |text| {
                [SignUp::Open, SignUp::Invite, SignUp::Closed].into_iter().find(|known| known.name() == text)
            })?,
            sign_up_credits: sources.number("sign-up-credits", 0, "a whole number is expected")?,
            publish: sources.read("publish", "operators or everyone is expected", |text| match text {
                "operators" => Some(Publish::Operators),
                "everyone" => Some(Publish::Everyone),
                _ => None,
            })?,
            contact: sources.optional(
                "contact",
                "an email address or an http or https address is expected",
                |text| (is_email(text) || public_url(text).is_some()).then(|| text.to_owned()),
            )?,
            smtp_url: sources.optional(
                "smtp-url",
                "an address smtps://… or smtp://… is expected",
                |text| {
                    let smtp = text.starts_with("smtps://") || text.starts_with("smtp://");
                    smtp.then(|| text.to_owned())
                },
            )?,
            mail_from: sources.optional(
                "mail-from",
                "an email address, with a name before it or not, is expected",
                |text| text.contains('@').then(|| text.to_owned()),
            )?,
            trusted_proxies: sources.number("trusted-proxies", 0, "a whole number is expected")?,
            metrics_listen: sources.optional("metrics-listen", AN_ADDRESS, address)?,
            max_connections: sources.number("max-connections", 1, A_COUNT)?,
            max_connections_per_address: sources.number("max-connections-per-address", 1, A_COUNT)?,
            log: sources.read("log", "text or json is expected", |text| match text {
                "text" => Some(LogForm::Text),
                "json" => Some(LogForm::Json),
                _ => None,
            })?,
            log_level: sources
                .read("log-level", "error, warn, info or debug is expected", |text| text.parse().ok())?,
            max_minutes: sources.read("max-minutes", "a whole number from 1 to 180 is expected", |text| {
                text.parse().ok().filter(|minutes| (1..=MOST_MINUTES).contains(minutes))
            })?,
            concurrency: ConcurrentRenders {
                none: sources.number("concurrency-none", 1, A_COUNT)?,
                creator: sources.number("concurrency-creator", 1, A_COUNT)?,
                business: sources.number("concurrency-business", 1, A_COUNT)?,
            },
            storage: StorageLimits {
                none: quota("storage-mb-none")?,
                creator: quota("storage-mb-creator")?,
                business: quota("storage-mb-business")?,
            },
            max_output_bytes: sources.number::<u32>("max-output-mb", 1, A_COUNT).map(u64::from)? * 1_000_000,
            min_free_disk_bytes: megabytes("min-free-disk-mb")?,
            render_timeout: Duration::from_secs(
                60 * sources.number::<u32>("render-timeout-minutes", 1, A_COUNT).map(u64::from)?,
            ),
            keep_outputs: sources.days("keep-outputs-days")?,
            keep_uploads: sources.days("keep-uploads-days")?,
            keep_deliveries: sources.days("keep-deliveries-days")?,
            keep_audit: sources.days("keep-audit-days")?,
            speech: sources.speech()?,
            stock: sources.stock()?,
            encode_every_frame: sources.read("encode-every-frame", "true or false is expected", flag)?,
            builds_gallery: sources.read("gallery", "on or off is expected", flag)?,
            chunk_cache_bytes: megabytes("chunk-cache-mb")?,
            media_cache_bytes: megabytes("media-cache-mb")?,
            sandbox: sources
                .read("sandbox", "required, auto or off is expected", |text| text.parse().ok())?,
            job_memory: sources
                .number::<u32>("job-memory-mb", 256, "a whole number, 256 or more, is expected")
                .map(u64::from)?
                * 1_000_000,
            cpu_per_gigapixel: sources.number("cpu-per-gigapixel", 1, A_COUNT)?,
            font_registry: sources.read(
                "font-registry",
                "npm, off or an http or https address without query is expected",
                FontRegistry::parse,
            )?,
            font_packages: font_packages(),
            fork_server: None,
        })
    }
}

/// Characters of an API key at most.
const LONGEST_KEY: usize = 200;

/// How long a provider of speech may take to answer.
const PROVIDER_PATIENCE: Duration = Duration::from_secs(120);

fn provider_name(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "openai",
        Provider::ElevenLabs => "elevenlabs",
    }
}

fn provider_address(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "https://api.openai.com",
        Provider::ElevenLabs => "https://api.elevenlabs.io",
    }
}

/// A value of the file as a flag would write it.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        other => other.type_str().to_owned(),
    }
}

fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

fn public_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.query().is_none()
        && url.fragment().is_none();
    plain.then(|| url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        flags: &[(&str, &str)],
        variables: &[(&str, &str)],
        file: &str,
    ) -> Result<Settings, SettingError> {
        let find = |list: &[(&str, &str)], name: &str| {
            list.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        Settings::read(&Sources {
            flag: &|name| find(flags, name),
            variable: &|name| find(variables, name),
            file: toml::from_str(file).unwrap(),
        })
    }

    #[test]
    fn every_default_can_be_read() {
        let settings = read(&[], &[], "").unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(settings.max_minutes, 60);
        assert!(settings.public_url.is_none() && !settings.allow_private_network);
    }

    #[test]
    fn flags_win_over_variables_and_those_over_the_file() {
        let file = "workers = 4\nmax-minutes = 5\nrole = \"api\"";
        let variables = [("RONDO_WORKERS", "3"), ("RONDO_MAX_MINUTES", "6"), ("RONDO_UNHEARD_OF", "x")];
        let settings = read(&[("workers", "2")], &variables, file).unwrap();
        assert_eq!((settings.workers, settings.max_minutes, settings.role), (2, 6, Role::Api));
    }

    #[test]
    fn a_value_that_cannot_be_used_is_named_with_its_place() {
        let error = read(&[], &[("RONDO_LISTEN", "here")], "").unwrap_err().to_string();
        assert!(error.starts_with("RONDO_LISTEN is \"here\", but an address with a port"), "{error}");
        assert!(read(&[("public-url", "ftp://x")], &[], "").is_err());
        assert!(read(&[("max-minutes", "181")], &[], "").is_err());
        assert!(read(&[("files-url", "https://files.example.com/media")], &[], "").is_err());
        let files = read(&[("files-url", "https://files.example.com/")], &[], "").unwrap().files_url;
        assert_eq!(files.as_deref(), Some("https://files.example.com"));
    }

    #[test]
    fn a_master_key_has_64_digits_and_is_never_shown() {
        let key = "0f".repeat(32);
        let settings = read(&[], &[("RONDO_MASTER_KEY", &key)], "").unwrap();
        assert!(settings.master_key.is_some() && !format!("{settings:?}").contains(&key));
        let error = read(&[], &[("RONDO_MASTER_KEY", "0f0f")], "").unwrap_err().to_string();
        assert!(error.contains("64 hexadecimal digits") && !error.contains("0f0f"), "{error}");
    }

    #[test]
    fn keys_of_stock_providers_are_optional_and_never_shown() {
        assert!(read(&[], &[], "").unwrap().stock.keys.is_empty());
        let settings = read(&[], &[("RONDO_PIXABAY_KEY", " 4711-secret ")], "").unwrap();
        assert_eq!(settings.stock.keys.len(), 1);
        assert!(!format!("{settings:?}").contains("4711-secret"), "{settings:?}");
        let error = read(&[("pexels-key", "4711 secret")], &[], "").unwrap_err().to_string();
        assert!(error.starts_with("--pexels-key") && !error.contains("4711 secret"), "{error}");
    }

    #[test]
    fn a_public_url_loses_its_last_slash() {
        let settings = read(&[("public-url", "https://video.example.com/")], &[], "").unwrap();
        assert_eq!(settings.public_url.as_deref(), Some("https://video.example.com"));
    }
}
