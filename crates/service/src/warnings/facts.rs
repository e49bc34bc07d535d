//! Properties of a film's media without fetching them completely: availability, size and duration.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt;
use rondo_composition::{AiValue, MediaRole};
use rondo_jobs::{Fact, Facts};
use tokio::time::{Instant, timeout, timeout_at};

use crate::error::{ServiceError, ServiceResult};
use crate::isolation::Busy;
use crate::media::Media;
use crate::media::sources::{self, Target};
use crate::resolve::Resolved;

/// Addresses asked at a time.
const AT_ONCE: usize = 8;
/// Time for all of them together.
const PATIENCE: Duration = Duration::from_secs(8);
/// Largest file that is fetched to learn its size and length, and the time for it.
const MOST_FETCHED: u64 = 20_000_000;
const FETCH: Duration = Duration::from_secs(2);
/// How long the files wait to be read.
const READING_TURN: Duration = Duration::from_secs(10);

/// Checks every source of a film in parallel, within a few seconds. Fails while too many files are read.
pub async fn gather(media: &Media, account: &str, resolved: &Resolved) -> ServiceResult<Facts> {
    let narrated = |name: Option<String>| {
        let mut ai = resolved.report.ai.iter();
        ai.any(|ai| Some(&ai.name) == name.as_ref() && matches!(ai.value, AiValue::Narration(_)))
    };
    let composition = &resolved.composition;
    let is_made = |overlay: usize, role| {
        role == MediaRole::Sound && narrated(composition.overlays[overlay].variable_name())
    };
    let mut wanted: Vec<(MediaRole, String)> = composition
        .media_sources()
        .filter(|(overlay, source)| !is_made(*overlay, source.role))
        .map(|(_, source)| (source.role, source.address.to_owned()))
        .filter(|(_, address)| !address.trim().is_empty())
        .collect();
    wanted.sort();
    wanted.dedup();
    let end = Instant::now() + PATIENCE;
    let found: Vec<_> = futures_util::stream::iter(wanted)
        .map(|(role, address)| async move {
            let found = timeout_at(end, look(media, &address)).await;
            let late = || {
                Found::Fact(Fact { problem: Some("it did not answer in time".to_owned()), ..Fact::default() })
            };
            (role, address, found.unwrap_or_else(|_| late()))
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let files = found.iter().filter_map(|(role, _, found)| match found {
        Found::File { path, .. } => Some((*role, path.clone())),
        Found::Fact(_) => None,
    });
    let measured = media.isolation.probe(account, files.collect(), READING_TURN).await;
    // Nothing is known of the files, which is no fault of theirs.
    let busy = |_: Busy| ServiceError::busy("Too many files are being read. Try again in a moment.", 3);
    let mut measured = measured.map_err(busy)?.into_iter();
    let known = found.into_iter().map(|(role, address, found)| {
        let fact = match found {
            Found::Fact(fact) => fact,
            Found::File { remote, .. } => {
                let fact = measured.next().unwrap_or_default();
                // A remote file need not be intact, only available: a copy shows the size and the length.
                if remote { Fact { problem: None, ..fact } } else { fact }
            }
        };
        ((role, address), fact)
    });
    Ok(known.collect())
}

/// What is known of a source before a file is read.
enum Found {
    Fact(Fact),
    File { path: PathBuf, remote: bool },
}

async fn look(media: &Media, address: &str) -> Found {
    let unreachable = |problem: String| Found::Fact(Fact { problem: Some(problem), ..Fact::default() });
    match sources::target(&media.links, address) {
        Some(Target::Remote) => {
            let probe = match media.fetch.probe(address).await {
                Ok(probe) => probe,
                Err(error) => return unreachable(error.to_string()),
            };
            let small = probe.length.is_some_and(|length| length <= MOST_FETCHED);
            let copy = match media.cache.cached(address) {
                None if small => timeout(FETCH, media.fetched_file(address)).await.ok().flatten(),
                cached => cached,
            };
            match copy {
                Some(path) => Found::File { path, remote: true },
                None => Found::Fact(Fact::default()),
            }
        }
        // Large files stay in the bucket until they are rendered.
        Some(Target::File(name))
            if media.files.uses_bucket()
                && media.files.size(&name).await.is_ok_and(|size| size > Some(MOST_FETCHED)) =>
        {
            Found::Fact(Fact::default())
        }
        _ => match media.local_file(address).await {
            Ok(path) => Found::File { path, remote: false },
            Err(problem) => unreachable(problem),
        },
    }
}
