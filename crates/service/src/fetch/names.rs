//! Resolving host names without threads: a name server that does not answer holds up only those who ask for its names.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Time for one name, with the wait for its turn.
const LOOKUP: Duration = Duration::from_secs(5);
/// Time for one question to a name server, which is asked twice.
const QUESTION: Duration = Duration::from_secs(2);
/// Names resolved at a time. Each question has a socket of its own.
const AT_ONCE: usize = 512;
/// Addresses of one name that are tried.
const MOST_ADDRESSES: usize = 16;
/// How long an answer is kept: a request that uses a host a hundred times resolves it once.
const SHORTEST_LIFE: Duration = Duration::from_secs(30);
const LONGEST_LIFE: Duration = Duration::from_secs(300);
/// Answers kept.
const MOST_ANSWERS: u64 = 1000;

/// The name servers of this machine, and its hosts file. Clones share the cache.
#[derive(Clone)]
pub struct Names {
    resolver: Arc<Option<TokioResolver>>,
    turns: Arc<Semaphore>,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Names")
    }
}

impl Names {
    pub fn of_system() -> Self {
        match hickory_resolver::system_conf::read_system_conf() {
            Ok((config, options)) => Self::new(config, options),
            Err(error) => {
                tracing::warn!(%error, "failed to read the name servers of this machine: only its hosts file is used");
                Self::new(ResolverConfig::default(), ResolverOpts::default())
            }
        }
    }

    pub(super) fn new(config: ResolverConfig, mut options: ResolverOpts) -> Self {
        options.timeout = QUESTION;
        options.attempts = 1;
        options.cache_size = MOST_ANSWERS;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.max_active_requests = AT_ONCE;
        options.positive_min_ttl = Some(SHORTEST_LIFE);
        options.negative_min_ttl = Some(SHORTEST_LIFE);
        options.positive_max_ttl = Some(LONGEST_LIFE);
        options.negative_max_ttl = Some(LONGEST_LIFE);
        let provider = TokioRuntimeProvider::default();
        let resolver = TokioResolver::builder_with_config(config, provider).with_options(options).build();
        let resolver = resolver
            .inspect_err(
                |error| tracing::error!(%error, "failed to set up the resolver: no name can be resolved"),
            )
            .ok();
        Self { resolver: Arc::new(resolver), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// The addresses of a name, none if it has none or its name servers do not answer in time.
    pub async fn lookup(&self, name: &str) -> Vec<IpAddr> {
        let Some(resolver) = self.resolver.as_ref() else { return Vec::new() };
        let found = timeout(LOOKUP, async {
            let _turn = self.turns.acquire().await.ok()?;
            resolver.lookup_ip(name).await.ok()
        });
        let found = found.await.ok().flatten();
        found.map(|found| found.iter().take(MOST_ADDRESSES).collect()).unwrap_or_default()
    }
}
