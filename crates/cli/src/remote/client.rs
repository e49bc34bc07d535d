//! Requests to the API of a service: the envelope, errors as sentences, and repeats of what is safe to repeat.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Duration;

use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::runtime::{self, Runtime};

use super::services::Service;
use crate::download::{client_builder, reason};
use crate::interrupt;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How slow an upload may be, in bytes per second.
const SLOWEST: u64 = 10_000;
/// How often a request is sent, and the pause before the second time. The pause doubles.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// How often a pause looks for Ctrl-C.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(50);

pub struct Client {
    client: reqwest::Client,
    runtime: Runtime,
    url: String,
    key: String,
}

/// Why an attempt failed.
enum Failed {
    /// It may work later; after this time, if the service says so.
    Later(String, Option<Duration>),
    Finally(String),
}

impl Client {
    pub fn new(service: &Service) -> Result<Self, String> {
        let builder = || client_builder().redirect(reqwest::redirect::Policy::none());
        let client = builder().build().or_else(|_| builder().tls_certs_only([]).build());
        Ok(Self {
            client: client.map_err(|error| reason(&error))?,
            runtime: runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| error.to_string())?,
            url: service.url.clone(),
            key: service.key.clone(),
        })
    }

    pub fn get(&self, path: &str) -> Result<Value, String> {
        self.repeat(|| self.request(Method::GET, path))
    }

    /// Posts with an idempotency key: however often it is sent, it is done once.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        let key = idempotency_key();
        self.repeat(|| {
            let request = self.request(Method::POST, path).header("Idempotency-Key", &key);
            if body.is_null() {
                request
            } else {
                request.header(CONTENT_TYPE, "application/json").body(body.to_string())
            }
        })
    }

    /// Sends a file and returns the address that films name it by.
    pub fn upload(&self, path: &Path, content_type: &str) -> Result<String, String> {
        let wrong = |error: std::io::Error| format!("{} cannot be read: {error}.", path.display());
        let size = std::fs::metadata(path).map_err(wrong)?.len();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let body = json!({"contentType": content_type, "size": size, "name": name});
        let target = self.post("/uploads", &body).map_err(|error| format!("{}: {error}", path.display()))?;
        let field = |name: &str| {
            target[name].as_str().map(str::to_owned).ok_or_else(|| self.strange(&format!("no {name}")))
        };
        let (to, address) = (field("uploadUrl")?, field("fileUrl")?);
        let file = std::fs::File::open(path).map_err(wrong)?;
        let sent = self.runtime.block_on(async {
            let request = self.client.put(to).header(CONTENT_TYPE, content_type).header(CONTENT_LENGTH, size);
            let request = request.timeout(PATIENCE + Duration::from_secs(size / SLOWEST));
            self.answer(request.body(tokio::fs::File::from_std(file))).await
        });
        match sent {
            Ok(_) => Ok(address),
            Err(Failed::Later(why, _) | Failed::Finally(why)) => {
                Err(format!("{} was not uploaded. {why}", path.display()))
            }
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}/api/v1{path}", self.url));
        request.bearer_auth(&self.key).timeout(PATIENCE)
    }

    fn repeat(&self, request: impl Fn() -> RequestBuilder) -> Result<Value, String> {
        let (mut attempt, mut pause) = (1, PAUSE);
        loop {
            match self.runtime.block_on(self.answer(request())) {
                Ok(data) => return Ok(data),
                Err(Failed::Finally(why)) => return Err(why),
                Err(Failed::Later(why, _)) if attempt == ATTEMPTS => return Err(why),
                Err(Failed::Later(_, after)) => wait(after.unwrap_or(pause).min(LONGEST_PAUSE))?,
            }
            attempt += 1;
            pause *= 2;
        }
    }

    /// The `data` of the envelope. A bucket that took a file says nothing.
    async fn answer(&self, request: RequestBuilder) -> Result<Value, Failed> {
        let unreachable = |error: reqwest::Error| {
            Failed::Later(format!("{} cannot be reached: {}.", self.url, reason(&error)), None)
        };
        let response = request.send().await.map_err(unreachable)?;
        let (status, after) = (response.status(), retry_after(&response));
        let text = response.text().await.map_err(unreachable)?;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        if status.is_success() && (body["success"] == true || text.is_empty()) {
            return Ok(body["data"].clone());
        }
        let sentence = match body["error"].as_str() {
            Some(sentence) => sentence.to_owned(),
            None => self.strange(&format!("status {}", status.as_u16())),
        };
        Err(match status {
            StatusCode::UNAUTHORIZED => Failed::Finally(format!(
                "{sentence} To sign in with another key, run: rondo login {}",
                self.url
            )),
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => Failed::Later(sentence, after),
            _ => Failed::Finally(with_issues(sentence, &body["details"])),
        })
    }

    fn strange(&self, what: &str) -> String {
        format!("{} does not answer as Rondo does: {what}. Check the address.", self.url)
    }
}

/// The sentence with the problems of the fields that it does not name itself.
fn with_issues(sentence: String, details: &Value) -> String {
    let issues = details["issues"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages = issues.iter().filter_map(|issue| issue["message"].as_str());
    let others: Vec<&str> = messages.filter(|message| !sentence.contains(message)).collect();
    [&[sentence.as_str()], &others[..]].concat().join("\n")
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Ends early with an error after Ctrl-C.
pub fn wait(time: Duration) -> Result<(), String> {
    let until = std::time::Instant::now() + time;
    while std::time::Instant::now() < until {
        if interrupt::cancelled() {
            return Err("Cancelled.".into());
        }
        std::thread::sleep(LOOK_FOR_INTERRUPT.min(time));
    }
    Ok(())
}

/// Random, from the keys that the standard library takes from the system.
fn idempotency_key() -> String {
    format!("cli-{:016x}{:016x}", RandomState::new().hash_one(0), RandomState::new().hash_one(1))
}
