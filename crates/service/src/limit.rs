//! Rate limits: fixed windows. They are kept in memory, and in the database where other processes answer requests too.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rondo_store::Store;

/// Length of the window for requests.
pub const MINUTE: Duration = Duration::from_secs(60);
/// Requests an address may send without valid credentials.
pub const ANONYMOUS_LIMIT: u32 = 60;
/// Windows kept in memory.
const MOST_WINDOWS: usize = 50_000;

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
    /// A network, see [`network`].
    Network(IpAddr),
}

impl Sender {
    /// The network of an address.
    pub fn at(address: IpAddr) -> Self {
        Self::Network(network(address))
    }

    fn key(&self) -> String {
        match self {
            Self::Account(id) => format!("account {id}"),
            Self::Person(id) => format!("person {id}"),
            Self::Network(network) => format!("network {network}"),
        }
    }
}

/// Counts what senders do.
pub struct Limiter {
    /// What is counted.
    name: &'static str,
    window: Duration,
    windows: Mutex<HashMap<Sender, Window>>,
    store: Store,
    /// Other processes answer requests too.
    shared: Arc<AtomicBool>,
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
    pub fn new(name: &'static str, window: Duration, store: Store, shared: Arc<AtomicBool>) -> Self {
        Self { name, window, windows: Mutex::default(), store, shared }
    }

    /// Counts a request. Refused requests count too.
    pub async fn count(&self, sender: Sender, limit: u32) -> Standing {
        if self.shared.load(Ordering::Relaxed) {
            match self.store.count_request(&self.key(&sender), self.window).await {
                Ok(window) => return standing(window.requests, window.left, limit),
                Err(error) => tracing::warn!(%error, "failed to count a request, counting it in memory"),
            }
        }
        self.count_at(sender, limit, Instant::now())
    }

    /// Where a sender stands, without counting.
    pub async fn peek(&self, sender: &Sender, limit: u32) -> Standing {
        if self.shared.load(Ordering::Relaxed)
            && let Ok(found) = self.store.requests_of(&self.key(sender)).await
        {
            return found.map_or_else(
                || standing(0, self.window, limit),
                |window| standing(window.requests, window.left, limit),
            );
        }
        self.peek_here(sender, limit)
    }

    /// Where a sender stands by what this process knows.
    pub fn peek_here(&self, sender: &Sender, limit: u32) -> Standing {
        let now = Instant::now();
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.get(sender).copied().filter(|w| now - w.started < self.window);
        self.standing(window.unwrap_or(Window { started: now, requests: 0 }), limit, now)
    }

    fn key(&self, sender: &Sender) -> String {
        format!("{} {}", self.name, sender.key())
    }

    fn count_at(&self, sender: Sender, limit: u32, now: Instant) -> Standing {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST_WINDOWS && !windows.contains_key(&sender) {
            windows.retain(|_, window| now - window.started < self.window);
            if windows.len() >= MOST_WINDOWS {
                keep_busiest(&mut windows);
            }
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
        standing(window.requests, self.window.saturating_sub(now - window.started), limit)
    }
}

fn standing(requests: u32, left: Duration, limit: u32) -> Standing {
    Standing {
        limit,
        remaining: limit.saturating_sub(requests),
        reset: left.as_secs_f64().ceil().max(1.0) as u64,
        exceeded: requests > limit,
    }
}

/// Drops the half with the fewest requests, so that many new senders do not free those near their limit.
fn keep_busiest(windows: &mut HashMap<Sender, Window>) {
    let mut counts: Vec<u32> = windows.values().map(|window| window.requests).collect();
    let middle = counts.len() / 2;
    let (_, &mut median, _) = counts.select_nth_unstable(middle);
    let mut equal = middle / 2;
    windows.retain(|_, window| {
        let is_equal = window.requests == median && equal > 0;
        equal -= usize::from(is_equal);
        window.requests > median || is_equal
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn limiter(shared: bool) -> (Limiter, Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_folder(folder.path(), rondo_store::Settings::default()).await.unwrap();
        let limiter = Limiter::new("requests", MINUTE, store.clone(), Arc::new(shared.into()));
        (limiter, store, folder)
    }

    #[tokio::test]
    async fn the_request_after_the_limit_is_refused_until_the_window_ends() {
        let (limiter, ..) = limiter(false).await;
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

    #[tokio::test]
    async fn senders_do_not_share_windows() {
        let (limiter, ..) = limiter(false).await;
        limiter.count(Sender::Account("usr_1".into()), 1).await;
        assert!(limiter.count(Sender::Account("usr_1".into()), 1).await.exceeded);
        assert!(!limiter.count(Sender::Account("usr_2".into()), 1).await.exceeded);
        assert!(!limiter.count(Sender::Person("usr_1".into()), 1).await.exceeded);
    }

    #[tokio::test]
    async fn addresses_of_one_ipv6_network_share_a_window() {
        let (limiter, ..) = limiter(false).await;
        let at = |text: &str| Sender::at(text.parse().unwrap());
        limiter.count(at("2001:db8:1:2::1"), 1).await;
        assert!(limiter.count(at("2001:db8:1:2:3:4:5:6"), 1).await.exceeded);
        assert!(!limiter.count(at("2001:db8:1:3::1"), 1).await.exceeded);
        limiter.count(at("192.0.2.1"), 1).await;
        assert!(limiter.count(at("::ffff:192.0.2.1"), 1).await.exceeded);
        assert!(!limiter.count(at("192.0.2.2"), 1).await.exceeded);
    }

    #[tokio::test]
    async fn limiters_that_share_a_database_count_together() {
        let (first, store, _folder) = limiter(true).await;
        let second = Limiter::new("requests", MINUTE, store, Arc::new(true.into()));
        let sender = Sender::Account("usr_1".into());
        for remaining in [1, 0] {
            let standing = first.count(sender.clone(), 2).await;
            assert_eq!((standing.remaining, standing.exceeded), (remaining, false));
        }
        assert!(second.count(sender.clone(), 2).await.exceeded);
        assert!(first.peek(&sender, 2).await.exceeded);
    }

    #[tokio::test]
    async fn memory_holds_a_limited_number_of_windows_and_keeps_the_busiest() {
        let (limiter, ..) = limiter(false).await;
        let now = Instant::now();
        let busy = Sender::Account("usr_busy".into());
        for _ in 0..10 {
            limiter.count_at(busy.clone(), 5, now);
        }
        for n in 0..3 * u32::try_from(MOST_WINDOWS).unwrap() {
            limiter.count_at(Sender::Network(IpAddr::from(n.to_be_bytes())), 5, now);
        }
        assert!(limiter.windows.lock().unwrap().len() <= MOST_WINDOWS);
        assert!(limiter.count_at(busy, 5, now).exceeded);
    }
}
