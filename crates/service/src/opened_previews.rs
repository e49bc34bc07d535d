//! Previews as visitors see them, read once for all that ask at about the same time. Anyone may ask, and a preview has up to
//! 5 MB: reading it for every request would keep the processors busy.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use rondo_composition::Composition;
use rondo_store::{Preview, Store, Time};
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::Instant;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::preview_media::files_of;
use crate::resolve::stored;

/// Previews that are kept, the bytes of their compositions, and for how long.
const MOST_KEPT: usize = 32;
const MOST_BYTES: u64 = 20_000_000;
const KEPT_FOR: Duration = Duration::from_secs(60);
/// Previews read at a time.
const AT_ONCE: usize = 2;

/// A preview that was read.
#[derive(Debug)]
pub struct OpenedPreview {
    pub id: String,
    pub account_id: String,
    pub expires_at: Time,
    /// As everyone may see it, without user names and passwords in URLs.
    pub shown: Arc<Composition>,
    /// With them.
    pub drawn: Arc<Composition>,
    /// The different addresses in it that lead to files.
    pub files: Vec<String>,
    /// What players get.
    answer: OnceCell<Bytes>,
    bytes: u64,
}

impl OpenedPreview {
    /// What players get, written once.
    pub async fn answer(
        self: &Arc<Self>,
        write: impl FnOnce(&Self) -> ServiceResult<Vec<u8>> + Send + 'static,
    ) -> ServiceResult<Bytes> {
        let this = self.clone();
        let writing = || async move {
            let written = tokio::task::spawn_blocking(move || write(&this)).await;
            written.map_err(ServiceError::internal)?.map(Bytes::from)
        };
        self.answer.get_or_try_init(writing).await.cloned()
    }

    fn read(preview: &Preview) -> ServiceResult<Self> {
        let shown = Arc::new(stored(&preview.composition)?);
        let to_draw = preview.composition_to_draw();
        let drawn = match to_draw == preview.composition {
            true => shown.clone(),
            false => Arc::new(stored(&to_draw)?),
        };
        Ok(Self {
            id: preview.id.clone(),
            account_id: preview.account_id.clone(),
            expires_at: preview.expires_at,
            files: files_of(&mut Composition::clone(&drawn)),
            shown,
            drawn,
            answer: OnceCell::new(),
            bytes: preview.size,
        })
    }
}

/// Reads previews, and keeps the last ones.
pub struct OpenedPreviews {
    store: Store,
    kept: Mutex<HashMap<String, Kept>>,
    turns: Semaphore,
}

#[derive(Debug, Clone)]
struct Kept {
    preview: Arc<OnceCell<Arc<OpenedPreview>>>,
    opened: Instant,
    used: Instant,
}

impl Kept {
    fn bytes(&self) -> u64 {
        self.preview.get().map_or(0, |preview| preview.bytes)
    }
}

impl OpenedPreviews {
    pub fn new(store: Store) -> Self {
        Self { store, kept: Mutex::default(), turns: Semaphore::new(AT_ONCE) }
    }

    /// A preview that has not expired.
    pub async fn open(&self, id: &str) -> ServiceResult<Arc<OpenedPreview>> {
        // It may have ended early since it was read.
        let end = self.store.preview_end(id).await?.ok_or_else(|| ServiceError::not_found("preview"))?;
        self.require_open(end)?;
        let reading = self.keep(id);
        let preview = reading.get_or_try_init(|| self.read(id)).await?.clone();
        self.make_room(id);
        Ok(preview)
    }

    fn require_open(&self, end: Time) -> ServiceResult<()> {
        if self.store.now() < end {
            return Ok(());
        }
        let message = "This preview has expired: previews last 24 hours, or less when the account creates very many. \
             Ask its author for a new one, or render the film to keep it.";
        Err(ServiceError::new(ErrorKind::Gone, "PREVIEW_EXPIRED", message).with("expiredAt", end.rfc3339()))
    }

    async fn read(&self, id: &str) -> ServiceResult<Arc<OpenedPreview>> {
        let _turn = self.turns.acquire().await.map_err(ServiceError::internal)?;
        let preview = self.store.preview(id).await?.ok_or_else(|| ServiceError::not_found("preview"))?;
        self.require_open(preview.expires_at)?;
        let reading = tokio::task::spawn_blocking(move || OpenedPreview::read(&preview));
        Ok(Arc::new(reading.await.map_err(ServiceError::internal)??))
    }

    /// The place of a preview among those that are kept.
    fn keep(&self, id: &str) -> Arc<OnceCell<Arc<OpenedPreview>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        kept.retain(|_, place| now - place.opened < KEPT_FOR);
        let new = || Kept { preview: Arc::default(), opened: now, used: now };
        let place = kept.entry(id.to_owned()).or_insert_with(new);
        place.used = now;
        place.preview.clone()
    }

    /// Forgets those that were used least recently, but not `id`, until the others are within the limits.
    fn make_room(&self, id: &str) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.len() > MOST_KEPT || kept.values().map(Kept::bytes).sum::<u64>() > MOST_BYTES {
            let others = kept.iter().filter(|(other, _)| *other != id);
            let Some(oldest) = others.min_by_key(|(_, place)| place.used).map(|(other, _)| other.clone())
            else {
                return;
            };
            kept.remove(&oldest);
        }
    }
}
