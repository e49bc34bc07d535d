//! Requests to a provider: tried again where that helps, counted against what may be spent a day, and never showing the key.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, Exchange, Hosted, Provider, Request, Response};

/// A request is made at most so often.
const TRIES: u32 = 3;
/// Before the second try; twice as long before the third.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// A provider that asks for more time is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Answers longer than this are refused: ten minutes of sound as text take less.
const MOST_ANSWER_BYTES: usize = 96 << 20;
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Of what a provider says about an error, so much is shown.
const MOST_SHOWN: usize = 200;

pub struct Client {
    account: Hosted,
    exchange: Arc<dyn Exchange>,
    /// What is counted a day.
    unit: &'static str,
    spent: Mutex<Vec<(Instant, u64)>>,
}

impl Client {
    pub fn new(account: Hosted, exchange: Arc<dyn Exchange>, unit: &'static str) -> Self {
        Self { account, exchange, unit, spent: Mutex::new(Vec::new()) }
    }

    /// The provider as people write it.
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

    /// An error with the provider's name in front, and without the key.
    pub fn error(&self, reason: &str) -> Error {
        let mut reason = reason.to_owned();
        if !self.account.key.is_empty() {
            reason = reason.replace(&self.account.key, "(key)");
        }
        Error::Engine(format!("{} {reason}", self.name()))
    }

    /// Posts a body to a path below the base address. `cost` counts against the limit of a day, and only where it succeeds.
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
            most_answer_bytes: MOST_ANSWER_BYTES,
        };
        let mut wait = FIRST_WAIT;
        let mut tried = 1;
        loop {
            let last = tried == TRIES;
            let pause = match self.exchange.send(request.clone()) {
                Ok(answer)
                    if (200..300).contains(&answer.status) && answer.body.len() > MOST_ANSWER_BYTES =>
                {
                    return Err(self.error("answered with more than can be read; divide the text"));
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
                Err(reason) if last => return Err(self.error(&format!("could not be reached: {reason}"))),
                Err(_) => wait,
            };
            thread::sleep(pause);
            wait *= 2;
            tried += 1;
        }
    }

    /// What a status other than success means, with what the provider says itself.
    fn refusal(&self, answer: &Response) -> Error {
        let meaning = match answer.status {
            401 | 403 => "does not accept the key; check the settings",
            402 => "wants to be paid; check the account there",
            404 => "does not know the address or the model; check the settings",
            413 => "finds the request too large; divide it",
            429 => "is asked too often; try again later",
            500.. => "has a problem; try again later",
            _ => "refused the request",
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

/// The sentence in the JSON of an error, as the providers nest it.
fn said(body: &[u8]) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(body).ok()?;
    let places = ["/error/message", "/detail/message", "/error", "/detail", "/message"];
    let sentence = places.iter().find_map(|place| json.pointer(place)?.as_str())?;
    Some(sentence.chars().filter(|c| !c.is_control()).take(MOST_SHOWN).collect())
}
