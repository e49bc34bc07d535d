//! The rate limit of attempts to sign in, sign up or set a password.

use std::net::IpAddr;

use crate::email::LONGEST_EMAIL;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::limit::Sender;
use crate::service::Service;

/// Attempts for one email in 15 minutes.
const EMAIL_LIMIT: u32 = 10;
/// Attempts from one address in 15 minutes.
const ADDRESS_LIMIT: u32 = 50;

/// An attempt. It counts unless it succeeds.
pub struct Attempt<'a> {
    service: &'a Service,
    senders: Vec<Sender>,
}

impl<'a> Attempt<'a> {
    /// Counts an attempt, and refuses it beyond the limit. Each `kind` of attempt for an email has its own limit.
    pub fn begin(
        service: &'a Service,
        address: IpAddr,
        kind: &str,
        email: Option<&str>,
    ) -> ServiceResult<Self> {
        let mut senders = vec![Sender::Address(address)];
        if let Some(email) = email {
            let email: String = email.trim().to_lowercase().chars().take(LONGEST_EMAIL).collect();
            senders.push(Sender::Email(format!("{kind} {email}")));
        }
        let mut wait = None;
        for sender in &senders {
            let limit = if matches!(sender, Sender::Address(_)) { ADDRESS_LIMIT } else { EMAIL_LIMIT };
            let standing = service.attempts.count(sender.clone(), limit);
            if standing.exceeded {
                wait = wait.max(Some(standing.reset));
            }
        }
        match wait {
            None => Ok(Self { service, senders }),
            Some(seconds) => Err(ServiceError::new(
                ErrorKind::TooManyRequests,
                "TOO_MANY_ATTEMPTS",
                format!("Too many attempts. Try again in {} min.", seconds.div_ceil(60)),
            )
            .with("retryAfter", seconds)
            .retry_after(seconds)),
        }
    }

    /// The attempt succeeded and does not count.
    pub fn succeed(self) {
        for sender in &self.senders {
            self.service.attempts.forgive(sender);
        }
    }
}
