//! How attempts to sign in, sign up or set a password are slowed down.
//!
//! An attempt counts for the network it comes from and for the email it names, unless it succeeds. After a few, each
//! further one has to wait, at first a second, then twice as long each time, up to a minute. Attempts for an account from a
//! network that its owner has signed in from count only there: guesses from elsewhere do not hold up the owner.

use std::net::IpAddr;
use std::time::Duration;

use rondo_store::AttemptRule;

use crate::email::LONGEST_EMAIL;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::limit::network;
use crate::service::Service;

/// Attempts without a wait for one email, and from one network.
const FREE_FOR_EMAIL: u32 = 5;
const FREE_FROM_NETWORK: u32 = 20;
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Attempts are forgotten this long after the last one.
const MEMORY: Duration = Duration::from_secs(15 * 60);

/// What is attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    SignIn,
    SignUp,
    ChangePassword,
    /// Each one sends a mail.
    ForgotPassword,
    ResetPassword,
}

/// An attempt. It counts unless it succeeds.
pub struct Attempt<'a> {
    service: &'a Service,
    rules: Vec<AttemptRule>,
}

impl<'a> Attempt<'a> {
    /// Counts an attempt, or refuses it if it has to wait. `account_id` is the account with the email, if there is one.
    pub async fn begin(
        service: &'a Service,
        address: IpAddr,
        kind: Kind,
        email: Option<&str>,
        account_id: Option<&str>,
    ) -> ServiceResult<Self> {
        let network = network(address).to_string();
        let longest = if kind == Kind::ForgotPassword { MEMORY } else { LONGEST_WAIT };
        let rule = |subject: &str, free| AttemptRule {
            sender: format!("attempt {kind:?} {subject}"),
            free,
            longest,
            memory: MEMORY,
        };
        // Asked also where there is no account: the time must not show it.
        let is_known = service.store.knows_network(account_id.unwrap_or_default(), &network).await?;
        let email: Option<String> =
            email.map(|email| email.trim().to_lowercase().chars().take(LONGEST_EMAIL).collect());
        let rules = match &email {
            Some(email) if is_known => vec![rule(&format!("email {email} at {network}"), FREE_FOR_EMAIL)],
            Some(email) => vec![
                rule(&format!("email {email}"), FREE_FOR_EMAIL),
                rule(&format!("network {network}"), FREE_FROM_NETWORK),
            ],
            None => vec![rule(&format!("network {network}"), FREE_FROM_NETWORK)],
        };
        match service.store.begin_attempt(&rules).await? {
            None => Ok(Self { service, rules }),
            Some(wait) => {
                let seconds = wait.as_millis().div_ceil(1000).max(1) as u64;
                Err(ServiceError::new(
                    ErrorKind::TooManyRequests,
                    "TOO_MANY_ATTEMPTS",
                    format!("Too many attempts. Try again in {seconds} s."),
                )
                .with("retryAfter", seconds)
                .retry_after(seconds))
            }
        }
    }

    /// The attempt succeeded and does not count.
    pub async fn succeed(self) -> ServiceResult<()> {
        Ok(self.service.store.forgive_attempt(&self.rules).await?)
    }
}
