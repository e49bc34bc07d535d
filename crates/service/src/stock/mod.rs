//! Stock photos and videos: the providers that the operator has keys for, searched through one shape.

mod adapters;
mod answers;
mod item;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use rondo_fields::choices;
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

use adapters::{Adapter, Login};
use answers::Answers;
pub use item::{StockAuthor, StockItem, StockSize};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::{Fetch, FetchError};

/// Items on a page.
pub const PAGE: usize = 24;
/// Pages that can be asked for.
pub const MOST_PAGES: u32 = 50;
/// Characters of a search at most: what every provider takes.
pub const LONGEST_SEARCH: usize = 100;
/// Characters of an id at most.
pub const LONGEST_ID: usize = 64;
/// How long a provider may take, and bytes of its answer at most.
const PATIENCE: Duration = Duration::from_secs(15);
const MOST_ANSWER: usize = 2_000_000;
/// Seconds that a caller waits at least and at most before asking a provider again that took no more requests.
const WAITS: (u64, u64) = (1, 3600);

choices! {
    /// Who has the photos and videos.
    pub enum Provider {
        Pexels = "pexels",
        Pixabay = "pixabay",
        Unsplash = "unsplash",
    }
}

impl Provider {
    /// As people write it.
    pub fn title(self) -> &'static str {
        adapters::of(self).name
    }

    pub fn kinds(self) -> &'static [StockKind] {
        adapters::of(self).kinds
    }

    /// Whether files are copied into the account rather than shown from where they are.
    pub fn is_copied(self) -> bool {
        adapters::of(self).is_copied
    }
}

choices! {
    /// What to search for.
    pub enum StockKind {
        Photo = "photo",
        Video = "video",
    }
}

/// An API key. It is sent to its provider only.
#[derive(Clone)]
pub struct StockKey(Arc<str>);

impl StockKey {
    pub fn new(key: &str) -> Self {
        Self(key.into())
    }
}

impl std::fmt::Debug for StockKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StockKey(***)")
    }
}

/// The providers that can be used.
#[derive(Debug, Clone, Default)]
pub struct StockSettings {
    pub keys: Vec<(Provider, StockKey)>,
    /// An address in place of those of the providers, with the name of the provider behind it.
    pub url: Option<String>,
}

/// A page of what a search found.
#[derive(Debug, Clone)]
pub struct StockPage {
    pub items: Vec<StockItem>,
    /// On all pages, as the provider counts.
    pub total: u64,
    pub has_more: bool,
}

/// A provider with its key.
struct Access {
    adapter: &'static Adapter,
    key: StockKey,
    base: String,
}

/// Searches the providers.
pub struct Stock {
    providers: Vec<Access>,
    /// For the addresses of the providers, which an operator may set.
    client: Fetch,
    /// Tells which addresses in their answers may be used.
    guard: Fetch,
    answers: Answers,
}

impl Stock {
    /// `guard` is the client that fetches media.
    pub fn new(settings: &StockSettings, guard: Fetch) -> Result<Self, reqwest::Error> {
        let access = |(provider, key): &(Provider, StockKey)| {
            let adapter = adapters::of(*provider);
            let base = match &settings.url {
                Some(url) => format!("{url}/{}", provider.name()),
                None => adapter.api.to_owned(),
            };
            Access { adapter, key: key.clone(), base }
        };
        Ok(Self {
            providers: settings.keys.iter().map(access).collect(),
            client: Fetch::new(true)?,
            guard,
            answers: Answers::default(),
        })
    }

    /// The providers that there is a key for.
    pub fn providers(&self) -> impl Iterator<Item = Provider> + '_ {
        self.providers.iter().map(|access| access.adapter.provider)
    }

    /// What a provider has of a kind. Answers are kept for as long as the provider wants or allows.
    pub async fn search(
        &self,
        provider: Provider,
        kind: StockKind,
        words: &str,
        page: u32,
    ) -> ServiceResult<Arc<StockPage>> {
        let access = self.access(provider, kind)?;
        let words = words.trim().to_lowercase();
        let name = format!("{}\n{}\n{page}\n{words}", provider.name(), kind.name());
        if let Some(known) = self.answers.get(&name, access.adapter.keep) {
            return Ok(known);
        }
        let query: String = byte_serialize(words.as_bytes()).collect();
        let path = (access.adapter.search)(kind, &query, page);
        let answer = self.ask(access, &path).await?.ok_or_else(|| access.away("it has no such page"))?;
        let (list, total) = (access.adapter.list)(kind, &answer);
        let found = list.and_then(Value::as_array);
        let found = found.ok_or_else(|| access.away("its answer is not what was expected"))?;
        let items = found.iter().take(PAGE).filter_map(|value| self.item(access, kind, value)).collect();
        let total = total.and_then(Value::as_u64).unwrap_or_default();
        let has_more = page < MOST_PAGES && u64::from(page) * (PAGE as u64) < total && !found.is_empty();
        let found = Arc::new(StockPage { items, total, has_more });
        self.answers.keep(name, found.clone());
        Ok(found)
    }

    /// One item to be used, as its provider has it now. A provider that counts uses is told.
    pub async fn take(&self, provider: Provider, kind: StockKind, id: &str) -> ServiceResult<StockItem> {
        let access = self.access(provider, kind)?;
        let missing = || ServiceError::not_found("stock item");
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(plain) {
            return Err(missing());
        }
        let answer = self.ask(access, &(access.adapter.one)(kind, id)).await?.ok_or_else(missing)?;
        let value = access.adapter.first(&answer).ok_or_else(missing)?;
        let item = self.item(access, kind, value).filter(|item| item.id == id).ok_or_else(missing)?;
        if let Some(field) = access.adapter.counts {
            let address = value.pointer(field).and_then(Value::as_str).unwrap_or_default();
            // The key must not go anywhere else.
            let path = address.strip_prefix(&access.base).filter(|path| path.starts_with('/'));
            let path = path.ok_or_else(|| access.away("its answer is not what was expected"))?;
            self.ask(access, path).await?;
        }
        Ok(item)
    }

    fn access(&self, provider: Provider, kind: StockKind) -> ServiceResult<&Access> {
        let adapter = adapters::of(provider);
        let known = self.providers.iter().find(|access| access.adapter.provider == provider);
        let known = known.ok_or_else(|| {
            let message = format!("This service has no key for {}.", adapter.name);
            ServiceError::new(ErrorKind::NotFound, "NOT_FOUND", message).with("resource", "stock provider")
        })?;
        if !adapter.kinds.contains(&kind) {
            let message = format!("{} has no {}s.", adapter.name, kind.name());
            return Err(ServiceError::invalid_field("kind", message));
        }
        Ok(known)
    }

    fn item(&self, access: &Access, kind: StockKind, value: &Value) -> Option<StockItem> {
        let allowed = |address: &str| self.guard.check_literal(address).is_ok();
        item::read(access.adapter, kind, value, &allowed)
    }

    /// Asks a provider; `None` where it has no such thing.
    async fn ask(&self, access: &Access, path: &str) -> ServiceResult<Option<Value>> {
        let mut address = format!("{}{path}", access.base);
        let mut headers = HeaderMap::new();
        match access.adapter.login {
            Login::Header(prefix) => {
                let value = HeaderValue::try_from(format!("{prefix}{}", access.key.0));
                let mut value = value.map_err(ServiceError::internal)?;
                value.set_sensitive(true);
                headers.insert(AUTHORIZATION, value);
            }
            Login::Query => {
                let key: String = byte_serialize(access.key.0.as_bytes()).collect();
                let joint = if address.contains('?') { '&' } else { '?' };
                address.push_str(&format!("{joint}key={key}"));
            }
        }
        let answer = self.client.ask(&address, headers, PATIENCE, MOST_ANSWER).await;
        let answer = answer.map_err(|error| match error {
            FetchError::TooLarge { .. } => access.away("its answer is too large"),
            // What else went wrong names the host, never the whole address, which may hold the key.
            error => access.away(&error.to_string()),
        })?;
        match answer.status {
            200..=299 => match serde_json::from_slice(&answer.body) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(access.away("its answer is not JSON")),
            },
            404 => Ok(None),
            // Pixabay answers so to ids and pages that it does not have.
            400 if access.adapter.provider == Provider::Pixabay => Ok(None),
            401 | 403 => {
                tracing::warn!(provider = access.adapter.name, "the key of a stock provider is refused");
                Err(access.away("it refuses the key of this service"))
            }
            429 => {
                let seconds = waiting_time(&answer.headers);
                Err(access.away("it takes no more requests from this service for now").retry_after(seconds))
            }
            status => Err(access.away(&format!("it answered with status {status}"))),
        }
    }
}

impl Access {
    fn away(&self, why: &str) -> ServiceError {
        let Adapter { name, provider, .. } = self.adapter;
        let message = format!("{name} cannot be searched: {why}. Try again later.");
        ServiceError::new(ErrorKind::Unavailable, "STOCK_UNAVAILABLE", message)
            .with("provider", provider.name())
            .retry_after(30)
    }
}

/// Seconds until a provider takes requests again.
fn waiting_time(headers: &HeaderMap) -> u64 {
    let pixabay = HeaderName::from_static("x-ratelimit-reset");
    let number = |name: HeaderName| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    // Other providers tell a moment there, which is far beyond the bound.
    let told = number(RETRY_AFTER).or_else(|| number(pixabay).filter(|seconds| *seconds <= WAITS.1));
    told.unwrap_or(60).clamp(WAITS.0, WAITS.1)
}
