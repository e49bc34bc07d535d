//! Requests to a provider: retried when that can help, counted against a daily limit, and never exposing the key.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, Exchange, Hosted, Provider, Request, Response};

/// Attempts per request.
const TRIES: u32 = 3;
/// Delay before the second attempt; doubled before the third.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// If the provider asks for a longer delay, the request fails.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Longer responses are rejected: ten minutes of audio as JSON are shorter.
const MAX_ANSWER_BYTES: usize = 96 << 20;
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Characters of a provider's error message that are shown.
const MAX_SHOWN: usize = 200;

pub struct Client {
    account: Hosted,
    exchange: Arc<dyn Exchange>,
    /// The unit of the daily limit.
    unit: &'static str,
    spent: Mutex<Vec<(Instant, u64)>>,
}

impl Client {
    pub fn new(account: Hosted, exchange: Arc<dyn Exchange>, unit: &'static str) -> Self {
        Self { account, exchange, unit, spent: Mutex::new(Vec::new()) }
    }

    /// The provider's display name.
    pub fn name(&self) -> &'static str {
        match self.account.provider {
            Provider::OpenAi => "OpenAI",
            Provider::ElevenLabs => "ElevenLabs",
        }
    }

    pub fn key(&self) -> &str {
        &self.account.key
    }

    pub fn model<'a>(&'a self, usual: &'a str) -> &'a str {
        self.account.model.as_deref().filter(|model| !model.is_empty()).unwrap_or(usual)
    }

    /// An error that begins with the provider's name, with the key removed.
    pub fn error(&self, reason: &str) -> Error {
        let mut reason = reason.to_owned();
        if !self.account.key.is_empty() {
            reason = reason.replace(&self.account.key, "(key)");
        }
        Error::Engine(format!("{} {reason}", self.name()))
    }

    /// Posts a body to a path below the base URL. `cost` counts against the daily limit if the request succeeds.
    pub fn post(
        &self,
        path: &str,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        cost: u64,
    ) -> Result<Response, Error> {
        self.reserve(cost)?;
        let answer = self.tried(path, headers, body);
        if answer.is_err() {
            self.release(cost);
        }
        answer
    }

    fn tried(&self, path: &str, headers: Vec<(String, String)>, body: Vec<u8>) -> Result<Response, Error> {
        let base = self.account.base_url.trim_end_matches('/').trim_end_matches("/v1");
        let request = Request {
            method: "POST",
            url: format!("{base}{path}"),
            headers,
            body,
            timeout: self.account.timeout,
            most_answer_bytes: MAX_ANSWER_BYTES,
        };
        let mut wait = FIRST_WAIT;
        let mut tried = 1;
        loop {
            let last = tried == TRIES;
            let pause = match self.exchange.send(request.clone()) {
                Ok(answer) if (200..300).contains(&answer.status) && answer.body.len() > MAX_ANSWER_BYTES => {
                    return Err(self.error("sent a response that is too large; split the text"));
                }
                Ok(answer) if (200..300).contains(&answer.status) => return Ok(answer),
                Ok(answer) => {
                    let asked =
                        answer.header("retry-after").and_then(|value| value.trim().parse::<u64>().ok());
                    let pause = asked.map_or(wait, Duration::from_secs);
                    let again = answer.status == 429 || answer.status == 408 || answer.status >= 500;
                    if last || !again || pause > LONGEST_WAIT {
                        return Err(self.refusal(&answer));
                    }
                    pause
                }
                Err(reason) if last => return Err(self.error(&format!("is not reachable: {reason}"))),
                Err(_) => wait,
            };
            thread::sleep(pause);
            wait *= 2;
            tried += 1;
        }
    }

    /// The error for an unsuccessful status, with the provider's message.
    fn refusal(&self, answer: &Response) -> Error {
        let meaning = match answer.status {
            401 | 403 => "rejected the API key; check the settings",
            402 => "requires payment; check the account",
            404 => "does not know the URL or the model; check the settings",
            413 => "rejected the request as too large; split it",
            429 => "limits the request rate; try again later",
            500.. => "failed; try again later",
            _ => "rejected the request",
        };
        let said = said(&answer.body).map(|said| format!(" ({said})")).unwrap_or_default();
        self.error(&format!("{meaning}: status {}{said}", answer.status))
    }

    fn reserve(&self, cost: u64) -> Result<(), Error> {
        let Some(most) = self.account.most_a_day else { return Ok(()) };
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.retain(|(when, _)| when.elapsed() < DAY);
        if spent.iter().map(|(_, cost)| cost).sum::<u64>().saturating_add(cost) > most {
            return Err(Error::Budget { provider: self.name(), most, unit: self.unit });
        }
        spent.push((Instant::now(), cost));
        Ok(())
    }

    fn release(&self, cost: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = spent.iter().rposition(|(_, reserved)| *reserved == cost) {
            spent.remove(index);
        }
    }
}

/// The message in an error's JSON, wherever the provider nests it.
fn said(body: &[u8]) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(body).ok()?;
    let places = ["/error/message", "/detail/message", "/error", "/detail", "/message"];
    let sentence = places.iter().find_map(|place| json.pointer(place)?.as_str())?;
    Some(sentence.chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect())
}
