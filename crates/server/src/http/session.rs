//! The session of a person in a browser: its cookie, and what keeps other sites from using it.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rondo_store::Session;
use url::{Host, Url};

use super::error::{ApiError, ApiResult};
use super::request::is_json;
use crate::app::App;

/// Browsers send a cookie of this name only to the host that set it, over HTTPS.
const GUARDED_NAME: &str = "__Host-rondo";
/// For services reached by plain http from other machines, where browsers refuse the other name.
const PLAIN_NAME: &str = "rondo";

impl App {
    /// Whether browsers treat the service's address as safe: https, or this machine.
    fn is_guarded(&self) -> bool {
        let Ok(url) = Url::parse(self.service.links.public_url()) else { return false };
        url.scheme() == "https" || is_loopback(&url)
    }

    fn cookie_name(&self) -> &'static str {
        if self.is_guarded() { GUARDED_NAME } else { PLAIN_NAME }
    }

    /// The secret in the session cookie of a request.
    pub fn session_secret<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
    }

    /// Hands a session to the browser.
    pub fn session_cookie(&self, secret: &str) -> HeaderValue {
        self.cookie(secret, Session::LIFE_SECONDS)
    }

    /// Takes the session from the browser.
    pub fn no_session_cookie(&self) -> HeaderValue {
        self.cookie("", 0)
    }

    fn cookie(&self, value: &str, seconds: i64) -> HeaderValue {
        let secure = if self.is_guarded() { "; Secure" } else { "" };
        let text = format!(
            "{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}",
            self.cookie_name()
        );
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
    }

    /// The address a request comes from: the connection's, or what the nearest trusted proxies say.
    pub fn sender(&self, headers: &HeaderMap, connection: SocketAddr) -> IpAddr {
        let steps = self.service.settings.trusted_proxies;
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let chain: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
        let forwarded = steps.checked_sub(1).and_then(|before| chain.iter().rev().nth(before));
        forwarded.and_then(|text| text.parse().ok()).unwrap_or_else(|| connection.ip())
    }

    /// Refuses what another site had a person's browser send.
    pub fn require_same_origin(&self, method: &Method, headers: &HeaderMap) -> ApiResult<()> {
        if method.is_safe() || (self.is_same_origin(headers) && is_json_or_empty(headers)) {
            return Ok(());
        }
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "CROSS_ORIGIN",
            "A session works from this service's own pages only: the request needs its Origin, and JSON as \
             Content-Type. Programs use an API key.",
        ))
    }

    /// Whether a page of this service sent the request: the browser says so, or names it as the origin.
    pub fn is_same_origin(&self, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if let Some(site) = text("sec-fetch-site") {
            return site == "same-origin";
        }
        let Some(origin) = text("origin").and_then(|origin| Url::parse(origin).ok()) else { return false };
        let ours =
            Url::parse(self.service.links.public_url()).is_ok_and(|url| url.origin() == origin.origin());
        let authority = match (origin.host_str(), origin.port()) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (host, _) => host.unwrap_or_default().to_owned(),
        };
        ours || text("host")
            .is_some_and(|host| !authority.is_empty() && host.eq_ignore_ascii_case(&authority))
    }
}

/// Whether an address names this machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Forms of other sites cannot send JSON.
fn is_json_or_empty(headers: &HeaderMap) -> bool {
    match headers.get(header::CONTENT_TYPE) {
        Some(value) => value.to_str().is_ok_and(is_json),
        None => {
            let length =
                headers.get(header::CONTENT_LENGTH).map_or("0", |value| value.to_str().unwrap_or("?"));
            length == "0" && !headers.contains_key(header::TRANSFER_ENCODING)
        }
    }
}
