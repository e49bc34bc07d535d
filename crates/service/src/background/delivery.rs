//! Sending events: deliveries are taken from the store's outbox under a lease, posted side by side, and every attempt is
//! written down. One that was under way when the process ended is sent again under the same id.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use rondo_store::{Attempt, DueDelivery, Outcome, StoreError, Time, id};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::fetch::{self, FetchError};
use crate::service::Service;
use crate::signature::{sign, sign_hex};

/// A receiver acknowledges within this time.
const ACKNOWLEDGE: Duration = Duration::from_secs(10);
/// Waits between attempts, each from the end of the attempt before: one more attempt than there are waits.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// Longer than an attempt can take.
const LEASE: Duration = Duration::from_secs(30);
/// Deliveries under way at a time: many, since most of the time is waiting for receivers.
const AT_ONCE: usize = 256;
/// Time between two looks into the outbox where nothing rings.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Time for attempts under way when the service ends.
const END_WITHIN: Duration = Duration::from_secs(5);

/// Sends what is due until the service ends.
pub async fn run(service: Arc<Service>) {
    // Signs one-off callbacks, whose receivers hold no secret: it keeps the form and proves nothing.
    let callback_key: Arc<str> = id::secret(43).into();
    let mut under_way = JoinSet::new();
    while !service.queue.stopping.is_cancelled() {
        while under_way.try_join_next().is_some() {}
        let room = AT_ONCE.saturating_sub(under_way.len());
        let due = match service.store.claim_deliveries(room.try_into().unwrap_or(u32::MAX), LEASE).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "failed to claim deliveries");
                Vec::new()
            }
        };
        for delivery in due {
            under_way.spawn(deliver(service.clone(), callback_key.clone(), delivery));
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => {}
            () = service.queue.delivery_due() => {}
            () = sleep(LOOK_EVERY) => {}
            Some(_) = under_way.join_next() => {}
        }
    }
    // What is not done by then is taken up at the next start.
    let _ = timeout(END_WITHIN, async { while under_way.join_next().await.is_some() {} }).await;
}

/// One attempt. The bell is rung when the next one is due.
async fn deliver(service: Arc<Service>, callback_key: Arc<str>, delivery: DueDelivery) {
    let started = Instant::now();
    let at = service.store.now();
    let key = delivery.secret.as_deref().unwrap_or(&callback_key);
    let headers = headers(&delivery, key, at.seconds());
    let body = Bytes::from(delivery.body.clone());
    let answer = service.media.fetch.post(&delivery.url, headers, body, ACKNOWLEDGE).await;
    let verdict = judge(&answer);
    let wait =
        WAITS.get(delivery.attempt.saturating_sub(1) as usize).filter(|_| verdict == Verdict::TryAgain);
    let outcome = match (verdict, wait) {
        (Verdict::Delivered, _) => Outcome::Delivered,
        (_, Some(wait)) => Outcome::RetryAt(service.store.now().plus(*wait)),
        _ => Outcome::Failed,
    };
    match outcome {
        Outcome::Delivered => service.metrics.deliveries_succeeded.fetch_add(1, Ordering::Relaxed),
        Outcome::Failed => service.metrics.deliveries_failed.fetch_add(1, Ordering::Relaxed),
        Outcome::RetryAt(_) => 0,
    };
    tracing::debug!(delivery = delivery.id, attempt = delivery.attempt, ?outcome, "delivery attempted");
    if let Err(error) = service.store.record_attempt(&delivery, &attempt(at, started, answer), outcome).await
    {
        match error {
            StoreError::LostLease { .. } => {
                tracing::info!(delivery = delivery.id, "the webhook was removed, or another process delivers")
            }
            error => {
                tracing::error!(delivery = delivery.id, %error, "failed to save delivery result")
            }
        }
        return;
    }
    if let Outcome::RetryAt(due) = outcome {
        let left = due.millis().saturating_sub(service.store.now().millis()).max(0);
        sleep(Duration::from_millis(left.unsigned_abs())).await;
        service.queue.wake_deliveries();
    }
}

fn attempt(at: Time, started: Instant, answer: Result<fetch::Answer, FetchError>) -> Attempt {
    let ms = started.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
    match answer {
        Ok(answer) => {
            let response = Some(answer.body).filter(|body| !body.is_empty());
            Attempt { at, status: Some(answer.status), error: None, ms, response }
        }
        Err(error) => Attempt { at, status: None, error: Some(error.to_string()), ms, response: None },
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Delivered,
    TryAgain,
    /// The receiver means it, or the address is not allowed: trying again would end the same way.
    GiveUp,
}

/// Any 2xx acknowledges. Redirects are not followed and count as failures.
fn judge(answer: &Result<fetch::Answer, FetchError>) -> Verdict {
    match answer {
        Ok(answer) => match answer.status {
            200..300 => Verdict::Delivered,
            408 | 425 | 429 | 500.. => Verdict::TryAgain,
            _ => Verdict::GiveUp,
        },
        Err(error) if error.is_refusal() => Verdict::GiveUp,
        Err(_) => Verdict::TryAgain,
    }
}

/// Signature and time; for registered webhooks also the delivery, and the same once more as Standard Webhooks writes it.
/// A secret that was replaced lately signs there too. `X-Rondo-Signature` has room for one signature: the current one.
fn headers(delivery: &DueDelivery, key: &str, seconds: i64) -> HeaderMap {
    let body = delivery.body.as_bytes();
    let mut fields = vec![
        ("x-rondo-signature", sign_hex(key.as_bytes(), &[body])),
        ("x-rondo-timestamp", seconds.to_string()),
    ];
    if delivery.webhook_id.is_some() {
        let keys = [Some(key), delivery.old_secret.as_deref()];
        let signatures: Vec<String> = keys
            .into_iter()
            .flatten()
            .map(|key| standard_signature(key, &delivery.id, seconds, body))
            .collect();
        fields.extend([
            ("x-rondo-delivery", delivery.id.clone()),
            ("webhook-id", delivery.id.clone()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", signatures.join(" ")),
        ]);
    }
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, text) in fields {
        // Ids, digits and base64 are fit for headers.
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    headers
}

/// The signature of the Standard Webhooks specification: its key is what stands behind `whsec_`, read as base64, or
/// taken as it is where it is none.
fn standard_signature(secret: &str, id: &str, seconds: i64, body: &[u8]) -> String {
    let text = secret.strip_prefix("whsec_").unwrap_or(secret);
    let key = STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    let seconds = seconds.to_string();
    let signature = sign(&key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body]);
    format!("v1,{}", STANDARD.encode(signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_signatures_are_those_of_the_specification() {
        // The example of the specification's reference libraries.
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let signature = standard_signature(
            secret,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let status = |status| judge(&Ok(fetch::Answer { status, body: String::new() }));
        for code in [200, 201, 204, 299] {
            assert_eq!(status(code), Verdict::Delivered, "{code}");
        }
        for code in [408, 425, 429, 500, 502, 503, 599] {
            assert_eq!(status(code), Verdict::TryAgain, "{code}");
        }
        for code in [301, 302, 307, 400, 401, 404, 410, 422] {
            assert_eq!(status(code), Verdict::GiveUp, "{code}");
        }
        let failed = |error| judge(&Err(error));
        let timed_out = FetchError::TimedOut { host: "example.com".into(), seconds: 10 };
        assert_eq!(failed(timed_out), Verdict::TryAgain);
        assert_eq!(failed(FetchError::Unresolved("example.com".into())), Verdict::TryAgain);
        assert_eq!(failed(FetchError::Private("10.0.0.1".into())), Verdict::GiveUp);
    }
}
