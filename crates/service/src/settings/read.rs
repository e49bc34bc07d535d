//! Reads the settings: what each value means, and what is expected of it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use rondo_composition::limits::MOST_MINUTES;
use rondo_render::bundled_folder;
use rondo_speech::{Hosted, Provider};
use rondo_store::{BucketSettings, ConcurrentRenders, MasterKey, StorageLimits};
use url::Url;

use super::{LogForm, Publish, Role, SettingError, Settings, SignUp, Sources};
use crate::email::is_email;
use crate::fetch::Pace;
use crate::file_type::describe;
use crate::fonts::{FontRegistry, font_packages};
use crate::stock::{self, StockKey, StockSettings};

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

/// Characters of an API key at most.
const LONGEST_KEY: usize = 200;

/// Processor time of every render in seconds, beside that for its pixels.
const CPU_BASE: u64 = 300;
/// Longest time for drawing pictures of a preview.
const DRAWING_TIME: Duration = Duration::from_secs(20);
/// How long the media of a film may take, beside a second for each MB.
const FETCH_PATIENCE: Duration = Duration::from_secs(600);

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
            stuck_after: rondo_jobs::STUCK_AFTER,
            cpu_base: CPU_BASE,
            drawing_time: DRAWING_TIME,
            fetch_pace: Pace::USUAL,
            fetch_patience: FETCH_PATIENCE,
        })
    }
}

impl Sources<'_> {
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
