//! Previews as players in browsers take them: the film itself, and its media for those who cannot read them where they are.
//! Anyone who has the address of a preview may ask, so only what it names is read, and only so much at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rondo_composition::Composition;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::arriving::Arriving;
use crate::disk::{full, require_room};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::file_type::{font_type, head_of, media_type};
use crate::links::Links;
use crate::media::sources::{self, Source, Target};
use crate::media::{DISK_FULL, Media, One};
use crate::opened_previews::OpenedPreview;
use crate::signature;
use crate::turns::Turns;

/// Largest file that is passed on, and the longest time to fetch it.
const MOST_BYTES: u64 = 500_000_000;
const FETCHING: Duration = Duration::from_secs(60);
/// How long a file that took longer is not fetched again: players that resume it would have it fetched without end.
const REFUSED_FOR: Duration = Duration::from_secs(60);
/// Files fetched at a time (four of one account), those of one account that may wait, and how long they do.
const AT_ONCE: usize = 5;
const MOST_WAITING: usize = 16;
const TURN: Duration = Duration::from_secs(30);
/// Files that are read again without asking where they come from, and for how long: players read films piece by piece.
const MOST_KEPT: usize = 64;
const KEPT_FOR: Duration = Duration::from_secs(300);

/// Reads the media of previews.
pub struct PreviewMedia {
    media: Arc<Media>,
    links: Links,
    signing_key: Arc<str>,
    turns: Arc<Turns>,
    /// By account and address: accounts take turns, so none answers for another.
    kept: Mutex<HashMap<(String, String), Kept>>,
}

struct Kept {
    state: watch::Receiver<State>,
    used: Instant,
}

#[derive(Debug, Clone)]
enum State {
    Begun,
    Arriving(Arc<Arriving>),
    Whole(MediaFile),
    Failed(Failure),
}

/// Why a file is not there, and until when that is the answer.
#[derive(Debug, Clone)]
struct Failure {
    error: ServiceError,
    until: Instant,
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Self { error, until: Instant::now() }
    }
}

/// A file, and what it is.
#[derive(Debug, Clone)]
pub struct MediaFile {
    pub file: Arc<One>,
    pub content_type: &'static str,
}

/// A file as far as it is here.
#[derive(Debug, Clone)]
pub enum Ready {
    Whole(MediaFile),
    Arriving(Arc<Arriving>),
}

/// The film of a preview with media that a browser can read.
#[derive(Debug, Serialize)]
pub struct OpenPreview {
    pub composition: Value,
    /// By the addresses in the composition.
    pub media: BTreeMap<String, Ways>,
}

/// How else a file can be read.
#[derive(Debug, Serialize)]
pub struct Ways {
    /// An address of this service, for browsers that may not read the file where it is.
    pub proxy: String,
}

impl PreviewMedia {
    pub fn new(media: Arc<Media>, signing_key: Arc<str>) -> Self {
        Self {
            links: media.links.clone(),
            media,
            signing_key,
            turns: Turns::new(AT_ONCE, MOST_WAITING),
            kept: Mutex::default(),
        }
    }

    /// The film as everyone may see it. An address with a name, a password or a query may open more than a preview should:
    /// the service's own stands in its place.
    pub fn open(&self, preview: &OpenedPreview) -> OpenPreview {
        let mut drawn = Composition::clone(&preview.drawn);
        let mut composition = Composition::clone(&preview.shown);
        let mut media = BTreeMap::new();
        let drawn = sources::sources(&mut drawn);
        for (source, Source { address, .. }) in sources::sources(&mut composition).into_iter().zip(drawn) {
            let Some(number) = preview.files.iter().position(|file| file == address) else { continue };
            let proxy = self.address(&preview.id, number);
            let shown = match sources::target(&self.links, address) {
                Some(Target::File(name)) => self.links.file(&name),
                Some(Target::Remote) if is_secret(address) => proxy.clone(),
                _ => address.trim().to_owned(),
            };
            *source.address = shown.clone();
            media.insert(shown, Ways { proxy });
        }
        OpenPreview { composition: composition.write(), media }
    }

    fn address(&self, id: &str, number: usize) -> String {
        let number = number.to_string();
        let signature = signature::sign_hex(self.signing_key.as_bytes(), &signed(id, &number));
        self.links.url(&format!("/preview/{id}/media/{number}-{signature}"))
    }

    /// The file behind the last part of such an address: all of it where `whole` is asked for, otherwise as soon as it begins.
    pub async fn file(
        self: &Arc<Self>,
        preview: &OpenedPreview,
        name: &str,
        whole: bool,
    ) -> ServiceResult<Ready> {
        let (number, signature) = name.split_once('-').unwrap_or_default();
        if !signature::matches_hex(self.signing_key.as_bytes(), &signed(&preview.id, number), signature) {
            let message = "The signature does not match. Use the addresses of the preview unchanged.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "INVALID_SIGNATURE", message));
        }
        let address = number.parse().ok().and_then(|number: usize| preview.files.get(number));
        let address = address.ok_or_else(|| ServiceError::not_found("file"))?;
        let mut state = self.keep(&preview.account_id, address);
        let is_ready = |state: &State| match state {
            State::Begun => false,
            State::Arriving(_) => !whole,
            State::Whole(_) | State::Failed(_) => true,
        };
        match state.wait_for(is_ready).await.map_err(ServiceError::internal)?.clone() {
            State::Whole(file) => Ok(Ready::Whole(file)),
            State::Arriving(file) => Ok(Ready::Arriving(file)),
            State::Failed(failure) => Err(failure.error),
            State::Begun => Err(ServiceError::internal("it is not ready")),
        }
    }

    /// A file among those that are kept, which begins to be read where it is not.
    fn keep(self: &Arc<Self>, account: &str, address: &str) -> watch::Receiver<State> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let key = (account.to_owned(), address.to_owned());
        kept.retain(|_, file| now - file.used < KEPT_FOR && file.is_answer(now));
        if kept.len() >= MOST_KEPT && !kept.contains_key(&key) {
            let oldest = kept.iter().min_by_key(|(_, file)| file.used).map(|(key, _)| key.clone());
            oldest.map(|oldest| kept.remove(&oldest));
        }
        let file = kept.entry(key).or_insert_with_key(|(account, address)| {
            let (told, state) = watch::channel(State::Begun);
            // A browser that leaves does not stop it: the next one would begin anew.
            let (this, account, address) = (self.clone(), account.clone(), address.clone());
            tokio::spawn(async move {
                let read = this.read(&account, &address, &told).await;
                told.send_replace(read.map_or_else(State::Failed, State::Whole));
            });
            Kept { state, used: now }
        });
        file.used = now;
        file.state.clone()
    }

    async fn read(
        &self,
        account: &str,
        address: &str,
        told: &watch::Sender<State>,
    ) -> Result<MediaFile, Failure> {
        let busy = || {
            let message = "Too many media of previews are being fetched. Try again in a moment.";
            ServiceError::busy(message, 3)
        };
        let _seat = match timeout(TURN, self.turns.take(account)).await {
            Ok(Ok(seat)) => seat,
            _ => return Err(busy().into()),
        };
        require_room(&self.media.files)?;
        let end = Instant::now() + FETCHING;
        let (growing, progress) = watch::channel(None);
        let fetching = async move {
            let unreachable = |reason: String| {
                if reason == DISK_FULL {
                    return full();
                }
                let message = format!("A file of this preview cannot be read: {reason}.");
                ServiceError::unprocessable("MEDIA_UNREACHABLE", message)
            };
            match timeout_at(end, self.media.one_telling(address, MOST_BYTES, &growing)).await {
                Ok(found) => found.map_err(|reason| unreachable(reason).into()),
                Err(_) => {
                    let error = unreachable(format!("it took longer than {} s", FETCHING.as_secs()));
                    Err(Failure { error, until: Instant::now() + REFUSED_FOR })
                }
            }
        };
        tokio::pin!(fetching);
        let file = tokio::select! {
            biased;
            file = &mut fetching => file,
            arriving = Arriving::begin(&self.media, address, progress, end) => {
                if let Some(arriving) = arriving? {
                    told.send_replace(State::Arriving(Arc::new(arriving)));
                }
                fetching.await
            }
        };
        let file = file?;
        let path = file.path().to_owned();
        let head =
            tokio::task::spawn_blocking(move || head_of(&path)).await.map_err(ServiceError::internal)?;
        let content_type = browser_type(&head.map_err(ServiceError::internal)?)?;
        Ok(MediaFile { file: Arc::new(file), content_type })
    }
}

impl Kept {
    /// Whether those who ask now need no new one.
    fn is_answer(&self, now: Instant) -> bool {
        match &*self.state.borrow() {
            State::Whole(_) => true,
            State::Failed(failure) => now < failure.until,
            // Nobody reads it any more after a panic.
            State::Begun | State::Arriving(_) => self.state.has_changed().is_ok(),
        }
    }
}

/// The type of a file that begins like this, if browsers may read it.
pub fn browser_type(head: &[u8]) -> ServiceResult<&'static str> {
    media_type(head).or_else(|| font_type(head)).ok_or_else(|| {
        let message = "The file is neither a picture nor a video, sound or font that browsers know.";
        ServiceError::new(ErrorKind::UnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", message)
    })
}

/// The different addresses of a film that lead to files, in the order of its overlays, then of its font files.
pub(crate) fn files_of(composition: &mut Composition) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for Source { address, .. } in sources::sources(composition) {
        let is_inside =
            address.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        if !is_inside && !address.trim().is_empty() && !files.contains(address) {
            files.push(address.clone());
        }
    }
    files
}

fn is_secret(address: &str) -> bool {
    Url::parse(address.trim())
        .is_ok_and(|url| url.query().is_some() || !url.username().is_empty() || url.password().is_some())
}

fn signed<'a>(id: &'a str, number: &'a str) -> [&'a [u8]; 5] {
    ["GET", "\npreview media\n", id, "\n", number].map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_the_answer_for_as_long_as_it_says() {
        let (now, error) = (Instant::now(), ServiceError::not_found("file"));
        let kept = |failure| Kept { state: watch::channel(State::Failed(failure)).1, used: now };
        let late = kept(Failure { error: error.clone(), until: now + REFUSED_FOR });
        assert!(late.is_answer(now));
        assert!(!late.is_answer(now + REFUSED_FOR));
        assert!(!kept(error.into()).is_answer(Instant::now()), "others may pass at once");
    }

    #[test]
    fn addresses_that_may_open_more_are_secret() {
        for secret in
            ["https://a.example/b.mp4?X-Amz-Signature=1", "https://me@a.example/b", "https://:p@a.example/"]
        {
            assert!(is_secret(secret), "{secret}");
        }
        for plain in ["https://a.example/b.mp4", "https://a.example/b@c.mp4#t=1"] {
            assert!(!is_secret(plain), "{plain}");
        }
    }
}
