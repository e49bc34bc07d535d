//! Idempotency keys: a repeated request returns the first response instead of doing the work again. They belong to an account
//! and a kind of credentials: a live key is never answered with a test render, nor a key that can only read with a secret.

use std::sync::Arc;

use rondo_store::{Answer, Begin, StoreError, id};

use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::service::Service;

/// Longest key in characters.
const LONGEST: usize = 255;

/// What a key stands for.
pub enum Claimed {
    /// A first request: do the work.
    Fresh(Claim),
    /// A repeated request: return this response.
    Replay(Answer),
}

/// Claims a key for a request, which is identified by its route and its body.
pub async fn claim(
    service: &Arc<Service>,
    caller: &Caller,
    key: &str,
    route: &str,
    body: &[u8],
) -> ServiceResult<Claimed> {
    let key = format!("{}{}", kind(caller), read_key(key)?);
    let account = &caller.account.id;
    let fingerprint = id::sha256_hex(&[route.as_bytes(), body].concat());
    match service.store.begin_idempotent(account, &key, &fingerprint).await? {
        Begin::Fresh => Ok(Claimed::Fresh(Claim {
            service: service.clone(),
            account: account.to_owned(),
            key,
            settled: false,
        })),
        Begin::Running => Err(ServiceError::new(
            ErrorKind::Conflict,
            "IDEMPOTENCY_IN_PROGRESS",
            "The first request with this Idempotency-Key is still in progress. Try again in a moment.",
        )
        .retry_after(1)),
        Begin::Replay(answer) => Ok(Claimed::Replay(answer)),
        Begin::Reused => Err(ServiceError::unprocessable(
            "IDEMPOTENCY_KEY_REUSED",
            "This Idempotency-Key was used for another request. Use a new key for each request.",
        )),
    }
}

/// A prefix that no key of a request has: those have no line breaks.
fn kind(caller: &Caller) -> &'static str {
    match (caller.is_test(), caller.require_writing().is_ok()) {
        (false, true) => "",
        (true, true) => "test\n",
        (false, false) => "read\n",
        (true, false) => "test read\n",
    }
}

fn read_key(key: &str) -> ServiceResult<String> {
    let plain = |text: &&str| {
        (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    Some(key.trim()).filter(plain).map(str::to_owned).ok_or_else(|| {
        ServiceError::invalid(format!(
            "The Idempotency-Key must be 1 to {LONGEST} printable ASCII characters, such as a UUID."
        ))
    })
}

/// A claimed key. Unless it is settled, it is released when dropped, also when the caller hangs up or the operation
/// panics.
pub struct Claim {
    service: Arc<Service>,
    account: String,
    key: String,
    settled: bool,
}

impl Claim {
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The operation stored its response itself.
    pub fn settle(mut self) {
        self.settled = true;
    }

    /// Stores the response, unless the operation did.
    pub async fn store(mut self, answer: &Answer) {
        match self.service.store.finish_idempotent(&self.account, &self.key, answer).await {
            Ok(()) | Err(StoreError::LostIdempotencyKey) => self.settled = true,
            Err(error) => tracing::warn!(%error, "failed to store a response for repeated requests"),
        }
    }

    /// Makes the key usable again.
    pub async fn release(mut self) {
        self.settled = true;
        release(&self.service, &self.account, &self.key).await;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.settled {
            let (service, account, key) = (self.service.clone(), self.account.clone(), self.key.clone());
            tokio::spawn(async move { release(&service, &account, &key).await });
        }
    }
}

async fn release(service: &Service, account: &str, key: &str) {
    if let Err(error) = service.store.abandon_idempotent(account, key).await {
        tracing::warn!(%error, "failed to release an idempotency key");
    }
}
