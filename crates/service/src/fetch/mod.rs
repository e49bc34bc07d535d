//! The one client for everything the server fetches or calls. Every address is checked before it is connected to:
//! literal ones in the URL, resolved ones by the resolver the connections are made with, and again after a redirect.

mod address;
mod execute;
mod names;
mod part;

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::pin::pin;
use std::sync::Once;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, redirect};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout, timeout_at};
use url::{Host, Url};

use crate::disk::{NO_SPACE, is_full};
use address::{is_metadata, is_private_name, is_public};
use names::Names;

/// Redirects followed from one address.
const MOST_REDIRECTS: usize = 5;
/// From the first connection to the first byte, redirects included.
const FIRST_BYTE: Duration = Duration::from_secs(60);
/// A transfer that stands still for so long is given up.
const STALL: Duration = Duration::from_secs(30);
/// Bytes that are stored at most before it is told how far a download is.
const TOLD_EVERY: u64 = 1 << 18;
/// How long a check may wait for names to be resolved, and a probe for answers.
const RESOLVE: Duration = Duration::from_secs(3);
const PROBE: Duration = Duration::from_secs(5);
/// Bytes of an answer to a POST that are kept.
const MOST_ANSWER: usize = 1024;
/// What calls itself.
pub const USER_AGENT: &str = concat!("Rondo/", env!("CARGO_PKG_VERSION"));

/// Why something was not fetched. The sentences are shown to users.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum FetchError {
    #[error("\"{0}\" is not a URL; write it as https://example.com/film.mp4")]
    Malformed(String),
    #[error("{0}: addresses are not fetched; only http and https are")]
    Scheme(String),
    #[error("{0} is a private address, and the server only calls public ones")]
    Private(String),
    #[error(
        "{0} is an address of a cloud provider's metadata service or of the local link, which are never called"
    )]
    Metadata(String),
    #[error("the name {0} cannot be resolved")]
    Unresolved(String),
    #[error("{host} cannot be reached: {reason}")]
    Unreachable { host: String, reason: String },
    #[error("{host} did not answer within {seconds} s")]
    TimedOut { host: String, seconds: u64 },
    #[error("{host} answered with status {status}")]
    Status { host: String, status: u16 },
    #[error("{0} redirects more than {MOST_REDIRECTS} times")]
    TooManyRedirects(String),
    #[error("{0} redirects to an invalid URL")]
    BadRedirect(String),
    #[error("{host} sends a file of more than {}", size(*limit))]
    TooLarge { host: String, limit: u64 },
    #[error("{host} sends the file with Content-Encoding {encoding}, which is not supported")]
    Packed { host: String, encoding: String },
    #[error("{host} sends the file too slowly: less than {} in {} s", size(*least), window.as_secs())]
    TooSlow { host: String, least: u64, window: Duration },
    #[error("failed to store the file: {0}")]
    Unwritable(String),
    /// The disk is full, or whoever keeps the file takes no more of it.
    #[error("failed to store the file: {NO_SPACE}")]
    NoRoom,
}

fn size(bytes: u64) -> String {
    if bytes < 1_000_000 { format!("{} kB", bytes / 1000) } else { format!("{} MB", bytes / 1_000_000) }
}

impl FetchError {
    /// The server must not go there, as opposed to: it could not.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Malformed(_) | Self::Scheme(_) | Self::Private(_) | Self::Metadata(_))
    }
}

/// What a server says about a file without sending it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub status: u16,
    pub content_type: Option<String>,
    pub length: Option<u64>,
    pub validator: Option<String>,
}

/// What a download may cost.
#[derive(Debug, Clone, Copy)]
pub struct DownloadLimits {
    pub bytes: u64,
    /// For the whole transfer.
    pub time: Duration,
}

/// The least that a server must send of a file: bytes per second over a window of the time that is spent waiting for it.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub window: Duration,
    pub bytes_per_second: u64,
}

impl Pace {
    /// Slower than any server of media that can be used.
    pub const USUAL: Self = Self { window: Duration::from_secs(30), bytes_per_second: 16_000 };

    fn bytes_per_window(self) -> u64 {
        let ms = u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX);
        ms.saturating_mul(self.bytes_per_second) / 1000
    }
}

/// A downloaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    pub bytes: u64,
    pub content_type: Option<String>,
    /// Changes when the file does: its entity tag, or its date and length.
    pub validator: Option<String>,
    /// Where the file was found after redirects.
    pub url: Url,
}

/// A download that goes on.
#[derive(Debug, Clone, Copy)]
pub struct Downloading<'a> {
    /// Bytes that are in the file.
    pub bytes: u64,
    /// Of the whole file, where the server told.
    pub length: Option<u64>,
    pub validator: Option<&'a str>,
}

/// The answer to a POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// The beginning of the body.
    pub body: String,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Exchanged {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// The guarded client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Fetch {
    client: Client,
    names: GuardedNames,
    pace: Pace,
}

impl Fetch {
    /// With `allow_private_network` every address may be called, except those of metadata services.
    pub fn new(allow_private_network: bool) -> Result<Self, reqwest::Error> {
        Self::guarded(if allow_private_network { Guard::OPEN } else { Guard::PUBLIC }, Names::of_system())
    }

    fn guarded(guard: Guard, names: Names) -> Result<Self, reqwest::Error> {
        let names = GuardedNames { guard, names };
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // Fails only if a provider is installed already, which serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let builder = || {
            Client::builder()
                .user_agent(USER_AGENT)
                .redirect(redirect::Policy::none())
                .retry(reqwest::retry::never())
                .referer(false)
                .no_gzip()
                .no_proxy()
                .dns_resolver(names.clone())
                .pool_max_idle_per_host(0)
        };
        let client = builder().build().or_else(|error| {
            tracing::warn!(%error, "no certificates of authorities were found: nothing can be fetched by https");
            builder().tls_certs_only([]).build()
        })?;
        Ok(Self { client, names, pace: Pace::USUAL })
    }

    /// The same with another pace for downloads.
    pub fn with_pace(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// Parses a URL and checks that the server may fetch it. A name that cannot be resolved now passes: it is
    /// unreachable, not refused, and checked again when it is connected to.
    pub async fn check_url(&self, text: &str) -> Result<Url, FetchError> {
        let url = self.check_literal(text)?;
        if let Some(Host::Domain(name)) = url.host() {
            self.check_host(name).await?;
        }
        Ok(url)
    }

    /// Reads an address and tells whether the server may go there, without resolving its name.
    pub fn check_literal(&self, text: &str) -> Result<Url, FetchError> {
        let url = parse(text)?;
        self.names.guard.check_literal(&url)?;
        Ok(url)
    }

    /// Whether the server may go to the addresses of a name. One that cannot be resolved now passes.
    pub async fn check_host(&self, name: &str) -> Result<(), FetchError> {
        match timeout(RESOLVE, self.names.resolve(name)).await {
            Ok(Err(error)) if error.is_refusal() => Err(error),
            _ => Ok(()),
        }
    }

    /// Asks for a file without fetching it. Any answer but 2xx is an error.
    pub async fn probe(&self, text: &str) -> Result<Probe, FetchError> {
        let url = parse(text)?;
        let end = Instant::now() + PROBE;
        let late = FetchError::TimedOut { host: host_of(&url), seconds: PROBE.as_secs() };
        let head = timeout_at(end, self.follow(Method::HEAD, &url, None)).await.map_err(|_| late.clone())?;
        let response = match head {
            Ok((response, _)) if response.status().is_success() => response,
            Err(error) if error.is_refusal() => return Err(error),
            // Many servers do not know HEAD, or answer it wrongly.
            _ => {
                timeout_at(end, self.follow(Method::GET, &url, Some("bytes=0-0"))).await.map_err(|_| late)??.0
            }
        };
        let status = response.status().as_u16();
        if !response.status().is_success() {
            return Err(FetchError::Status { host: host_of(&url), status });
        }
        Ok(Probe {
            status,
            content_type: content_type(&response),
            length: whole_length(&response),
            validator: validator(&response),
        })
    }

    /// Streams a file to `to`, which is left incomplete or missing when something goes wrong. From a blocking thread call
    /// it with `tokio::runtime::Handle::block_on`.
    pub async fn download(
        &self,
        text: &str,
        to: &Path,
        limits: DownloadLimits,
    ) -> Result<Downloaded, FetchError> {
        self.download_telling(text, to, limits, |_| Ok(())).await
    }

    /// The same, telling how far it is whenever it has to wait for more, from time to time, and at the end. It ends when that is
    /// answered with an error.
    pub async fn download_telling(
        &self,
        text: &str,
        to: &Path,
        limits: DownloadLimits,
        mut tell: impl FnMut(Downloading) -> Result<(), FetchError>,
    ) -> Result<Downloaded, FetchError> {
        let start = parse(text)?;
        let host = host_of(&start);
        let late = |time: Duration| FetchError::TimedOut { host: host.clone(), seconds: time.as_secs() };
        let end = Instant::now() + limits.time;
        let first_byte = FIRST_BYTE.min(limits.time);
        let answer = timeout(first_byte, self.follow(Method::GET, &start, None)).await;
        let (mut response, url) = answer.map_err(|_| late(first_byte))??;
        let host = host_of(&url);
        if !response.status().is_success() {
            return Err(FetchError::Status { host, status: response.status().as_u16() });
        }
        if let Some(encoding) = packing(&response) {
            return Err(FetchError::Packed { host, encoding });
        }
        let too_large = || FetchError::TooLarge { host: host.clone(), limit: limits.bytes };
        let lengths = [whole_length(&response), response.content_length()];
        if lengths.into_iter().flatten().any(|length| length > limits.bytes) {
            return Err(too_large());
        }
        let (content_type, validator) = (content_type(&response), validator(&response));
        // An answer with a part of the file does not tell how much of it comes.
        let length = (response.status() == StatusCode::OK).then(|| response.content_length()).flatten();
        let mut file = tokio::fs::File::create(to).await.map_err(unwritable)?;
        let (mut bytes, mut due) = (0, TOLD_EVERY);
        let (mut waited, mut begun) = (Duration::ZERO, 0);
        loop {
            let patience = STALL.min(end.saturating_duration_since(Instant::now()));
            let mut coming = pin!(timeout(patience, response.chunk()));
            let chunk = coming.as_mut().now_or_never();
            if chunk.is_none() || bytes >= due {
                file.flush().await.map_err(unwritable)?;
                tell(Downloading { bytes, length, validator: validator.as_deref() })?;
                due = bytes + TOLD_EVERY;
            }
            let chunk = match chunk {
                Some(chunk) => chunk,
                None => {
                    let since = Instant::now();
                    let chunk = coming.await;
                    waited += since.elapsed();
                    chunk
                }
            };
            let chunk = chunk.map_err(|_| if patience < STALL { late(limits.time) } else { late(STALL) })?;
            let Some(chunk) = chunk.map_err(|error| problem(&url, &error))? else { break };
            bytes += chunk.len() as u64;
            if bytes > limits.bytes {
                return Err(too_large());
            }
            if waited >= self.pace.window && length != Some(bytes) {
                let least = self.pace.bytes_per_window();
                if bytes - begun < least {
                    return Err(FetchError::TooSlow { host: host.clone(), least, window: self.pace.window });
                }
                (waited, begun) = (Duration::ZERO, bytes);
            }
            file.write_all(&chunk).await.map_err(unwritable)?;
        }
        file.flush().await.map_err(unwritable)?;
        tell(Downloading { bytes, length, validator: validator.as_deref() })?;
        Ok(Downloaded { bytes, content_type, validator, url })
    }

    /// Reads a small document. Redirects are not followed: they are an error like any answer but 2xx.
    pub async fn read(&self, text: &str, most: usize, patience: Duration) -> Result<Vec<u8>, FetchError> {
        let url = parse(text)?;
        self.names.guard.check_literal(&url)?;
        let host = host_of(&url);
        let late = |_| FetchError::TimedOut { host: host.clone(), seconds: patience.as_secs() };
        let end = Instant::now() + patience;
        let request = self.client.get(url.clone()).header(header::ACCEPT, "application/json").send();
        let mut response =
            timeout_at(end, request).await.map_err(late)?.map_err(|error| problem(&url, &error))?;
        if !response.status().is_success() {
            return Err(FetchError::Status { host, status: response.status().as_u16() });
        }
        read_whole(&mut response, &url, end, most, late).await
    }

    /// Sends a body and reads the whole answer, up to `most` bytes. Redirects are an answer like any other.
    pub async fn exchange(
        &self,
        text: &str,
        headers: HeaderMap,
        body: Bytes,
        patience: Duration,
        most: usize,
    ) -> Result<Exchanged, FetchError> {
        let url = parse(text)?;
        let request = self.client.post(url.clone()).headers(headers).body(body);
        self.exchanged(&url, request, patience, most).await
    }

    /// The same without a body.
    pub async fn ask(
        &self,
        text: &str,
        headers: HeaderMap,
        patience: Duration,
        most: usize,
    ) -> Result<Exchanged, FetchError> {
        let url = parse(text)?;
        let request = self.client.get(url.clone()).headers(headers);
        self.exchanged(&url, request, patience, most).await
    }

    async fn exchanged(
        &self,
        url: &Url,
        request: RequestBuilder,
        patience: Duration,
        most: usize,
    ) -> Result<Exchanged, FetchError> {
        self.names.guard.check_literal(url)?;
        let host = host_of(url);
        let late = |_| FetchError::TimedOut { host: host.clone(), seconds: patience.as_secs() };
        let end = Instant::now() + patience;
        let mut response =
            timeout_at(end, request.send()).await.map_err(late)?.map_err(|error| problem(url, &error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = read_whole(&mut response, url, end, most, late).await?;
        Ok(Exchanged { status, headers, body })
    }

    /// Sends a body. Redirects are not followed: they are an answer like any other.
    pub async fn post(
        &self,
        text: &str,
        headers: HeaderMap,
        body: Bytes,
        patience: Duration,
    ) -> Result<Answer, FetchError> {
        let url = parse(text)?;
        self.names.guard.check_literal(&url)?;
        let end = Instant::now() + patience;
        let request = self.client.post(url.clone()).headers(headers).body(body).send();
        let late = |_| FetchError::TimedOut { host: host_of(&url), seconds: patience.as_secs() };
        let mut response =
            timeout_at(end, request).await.map_err(late)?.map_err(|error| problem(&url, &error))?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while body.len() < MOST_ANSWER
            && let Ok(Ok(Some(chunk))) = timeout_at(end.min(Instant::now() + RESOLVE), response.chunk()).await
        {
            body.extend_from_slice(&chunk);
        }
        body.truncate(MOST_ANSWER);
        Ok(Answer { status, body: String::from_utf8_lossy(&body).replace('\0', "") })
    }

    /// Asks, and goes where redirects lead. Credentials in the first address go to that address only.
    async fn follow(
        &self,
        method: Method,
        start: &Url,
        range: Option<&str>,
    ) -> Result<(Response, Url), FetchError> {
        let mut url = start.clone();
        for _ in 0..=MOST_REDIRECTS {
            self.names.guard.check_literal(&url)?;
            let mut request = self.client.request(method.clone(), url.clone());
            request = request.header(header::ACCEPT_ENCODING, "identity");
            if let Some(range) = range {
                request = request.header(header::RANGE, range);
            }
            let response = request.send().await.map_err(|error| problem(&url, &error))?;
            if !is_redirect(response.status()) {
                return Ok((response, url));
            }
            let target = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            let target = target.and_then(|target| url.join(target).ok());
            let mut next = target.ok_or_else(|| FetchError::BadRedirect(host_of(&url)))?;
            if !matches!(next.scheme(), "http" | "https") {
                return Err(FetchError::Scheme(next.scheme().to_owned()));
            }
            // Fails only for addresses without a host, which http addresses have.
            let _ = next.set_username("");
            let _ = next.set_password(None);
            url = next;
        }
        Err(FetchError::TooManyRedirects(host_of(start)))
    }
}

/// The body of an answer, refused when it is longer than `most`.
async fn read_whole(
    response: &mut Response,
    url: &Url,
    end: Instant,
    most: usize,
    late: impl Fn(tokio::time::error::Elapsed) -> FetchError,
) -> Result<Vec<u8>, FetchError> {
    let mut body = Vec::new();
    while let Some(chunk) =
        timeout_at(end, response.chunk()).await.map_err(&late)?.map_err(|error| problem(url, &error))?
    {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            return Err(FetchError::TooLarge { host: host_of(url), limit: most as u64 });
        }
    }
    Ok(body)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Reads an address. The parser brings every notation of an IP address (octal, hexadecimal, short) to its usual form.
fn parse(text: &str) -> Result<Url, FetchError> {
    let short = || text.chars().take(200).collect::<String>();
    let url = Url::parse(text.trim()).map_err(|_| FetchError::Malformed(short()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::Scheme(url.scheme().to_owned()));
    }
    if !url.has_host() {
        return Err(FetchError::Malformed(short()));
    }
    Ok(url)
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

fn content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// The size of the whole file, also where a part was asked for.
fn whole_length(response: &Response) -> Option<u64> {
    let number = |name: header::HeaderName| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    match number(header::CONTENT_RANGE) {
        Some(range) => range.rsplit_once('/')?.1.parse().ok(),
        None => number(header::CONTENT_LENGTH)?.parse().ok(),
    }
}

fn validator(response: &Response) -> Option<String> {
    let text = |name: header::HeaderName| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    let strong = text(header::ETAG).filter(|tag| !tag.starts_with("W/"));
    strong.or_else(|| Some(format!("{} {}", text(header::LAST_MODIFIED)?, whole_length(response)?)))
}

fn packing(response: &Response) -> Option<String> {
    let value = response.headers().get(header::CONTENT_ENCODING)?;
    let encoding = String::from_utf8_lossy(HeaderValue::as_bytes(value)).trim().to_ascii_lowercase();
    (!encoding.is_empty() && encoding != "identity").then_some(encoding)
}

fn unwritable(error: std::io::Error) -> FetchError {
    if is_full(&error) { FetchError::NoRoom } else { FetchError::Unwritable(error.to_string()) }
}

/// What went wrong, taken from the causes of a client's error.
fn problem(url: &Url, error: &reqwest::Error) -> FetchError {
    let mut cause: &(dyn std::error::Error + 'static) = error;
    loop {
        if let Some(error) = cause.downcast_ref::<FetchError>() {
            return error.clone();
        }
        match cause.source() {
            Some(source) => cause = source,
            None => return FetchError::Unreachable { host: host_of(url), reason: cause.to_string() },
        }
    }
}

/// Decides where connections may go.
#[derive(Debug, Clone, Copy)]
struct Guard {
    permits: fn(IpAddr) -> bool,
    /// Names kept for private networks are resolved like others.
    private_names: bool,
}

impl Guard {
    const PUBLIC: Self = Self { permits: is_public, private_names: false };
    const OPEN: Self = Self { permits: |_| true, private_names: true };

    /// Literal addresses never reach the resolver.
    fn check_literal(self, url: &Url) -> Result<(), FetchError> {
        match url.host() {
            Some(Host::Domain(name)) if self.private_names || !is_private_name(name) => Ok(()),
            Some(Host::Ipv4(address)) => self.check(address.into(), &host_of(url)),
            Some(Host::Ipv6(address)) => self.check(address.into(), &host_of(url)),
            Some(Host::Domain(_)) | None => Err(FetchError::Private(host_of(url))),
        }
    }

    fn check(self, address: IpAddr, host: &str) -> Result<(), FetchError> {
        if !(self.permits)(address) {
            return Err(FetchError::Private(host.to_owned()));
        }
        if is_metadata(address) { Err(FetchError::Metadata(host.to_owned())) } else { Ok(()) }
    }
}

/// Names, with the addresses that may be connected to.
#[derive(Debug, Clone)]
struct GuardedNames {
    guard: Guard,
    names: Names,
}

impl GuardedNames {
    async fn resolve(&self, name: &str) -> Result<Vec<SocketAddr>, FetchError> {
        let mut refusal = FetchError::Unresolved(name.to_owned());
        let mut allowed = Vec::new();
        for address in self.names.lookup(name).await {
            match self.guard.check(address, name) {
                Ok(()) => allowed.push(SocketAddr::new(address, 0)),
                Err(error) => refusal = error,
            }
        }
        if allowed.is_empty() { Err(refusal) } else { Ok(allowed) }
    }
}

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.clone();
        Box::pin(async move {
            let addresses = GuardedNames::resolve(&names, name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
