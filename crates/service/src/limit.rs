//! Rate limits: fixed windows, kept in memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Length of the window for requests.
pub const MINUTE: Duration = Duration::from_secs(60);
/// Requests an address may send without valid credentials.
pub const ANONYMOUS_LIMIT: u32 = 60;
/// Windows kept before those that ended are dropped.
const MOST_WINDOWS: usize = 10_000;

/// The network that stands for a client: an IPv4 address, or the /64 of an IPv6 address, of which a client has all.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

/// Who a window belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Sender {
    /// An account, by its keys and apps.
    Account(String),
    /// An account, by the pages its person has open.
    Person(String),
    Address(IpAddr),
    /// Attempts for one email.
    Email(String),
}

#[derive(Debug)]
pub struct Limiter {
    window: Duration,
    windows: Mutex<HashMap<Sender, Window>>,
}

#[derive(Debug, Clone, Copy)]
struct Window {
    started: Instant,
    requests: u32,
}

/// Where a sender stands in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the window ends, at least 1.
    pub reset: u64,
    /// This request is one too many.
    pub exceeded: bool,
}

impl Limiter {
    pub fn new(window: Duration) -> Self {
        Self { window, windows: Mutex::default() }
    }

    /// Counts a request. Refused requests count too.
    pub fn count(&self, sender: Sender, limit: u32) -> Standing {
        self.count_at(sender, limit, Instant::now())
    }

    /// Where a sender stands, without counting.
    pub fn peek(&self, sender: &Sender, limit: u32) -> Standing {
        let now = Instant::now();
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.get(sender).copied().filter(|w| now - w.started < self.window);
        self.standing(window.unwrap_or(Window { started: now, requests: 0 }), limit, now)
    }

    /// Takes back what was counted once.
    pub fn forgive(&self, sender: &Sender) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(window) = windows.get_mut(sender) {
            window.requests = window.requests.saturating_sub(1);
        }
    }

    fn count_at(&self, sender: Sender, limit: u32, now: Instant) -> Standing {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST_WINDOWS && !windows.contains_key(&sender) {
            windows.retain(|_, window| now - window.started < self.window);
        }
        let window = windows.entry(sender).or_insert(Window { started: now, requests: 0 });
        if now - window.started >= self.window {
            *window = Window { started: now, requests: 0 };
        }
        window.requests = window.requests.saturating_add(1);
        let window = *window;
        self.standing(window, limit, now)
    }

    fn standing(&self, window: Window, limit: u32, now: Instant) -> Standing {
        let left = self.window.saturating_sub(now - window.started);
        Standing {
            limit,
            remaining: limit.saturating_sub(window.requests),
            reset: left.as_secs_f64().ceil().max(1.0) as u64,
            exceeded: window.requests > limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_after_the_limit_is_refused_until_the_window_ends() {
        let limiter = Limiter::new(MINUTE);
        let account = Sender::Account("usr_1".into());
        let start = Instant::now();
        for n in 1..=60 {
            let standing = limiter.count_at(account.clone(), 60, start);
            assert_eq!((standing.remaining, standing.exceeded), (60 - n, false));
        }
        let refused = limiter.count_at(account.clone(), 60, start + Duration::from_secs(20));
        assert_eq!(refused, Standing { limit: 60, remaining: 0, reset: 40, exceeded: true });
        let next = limiter.count_at(account, 60, start + MINUTE);
        assert_eq!(next, Standing { limit: 60, remaining: 59, reset: 60, exceeded: false });
    }

    #[test]
    fn senders_do_not_share_windows() {
        let limiter = Limiter::new(MINUTE);
        limiter.count(Sender::Account("usr_1".into()), 1);
        assert!(limiter.count(Sender::Account("usr_1".into()), 1).exceeded);
        assert!(!limiter.count(Sender::Account("usr_2".into()), 1).exceeded);
    }
}
