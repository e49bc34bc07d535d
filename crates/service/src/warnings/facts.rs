//! Properties of a film's media without fetching them completely: availability, size and duration.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt;
use rondo_composition::{AiValue, MediaRole};
use rondo_media::image::{ImageKind, probe_image};
use rondo_scene::{ClipInfo, MediaInfo, World};
use tokio::time::{Instant, timeout, timeout_at};

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
/// Largest picture file that is read for its size.
const MOST_PICTURE: u64 = 50_000_000;

/// One source.
#[derive(Debug, Clone, Default)]
pub struct Fact {
    /// Why it cannot be read, as the end of the sentence "… cannot be read: ".
    pub problem: Option<String>,
    /// In pixels; of vector pictures and sounds none.
    pub size: Option<(u32, u32)>,
    /// Seconds of picture and of sound.
    pub seconds: Option<f64>,
}

/// The sources by role and address.
#[derive(Debug, Default)]
pub struct Facts {
    known: BTreeMap<(MediaRole, String), Fact>,
}

impl Facts {
    pub fn get(&self, role: MediaRole, address: &str) -> Option<&Fact> {
        self.known.get(&(role, address.to_owned()))
    }
}

/// Unknown sources are laid out as pictures of an assumed size; notices about their styles still apply.
impl World for Facts {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let info = |size: (u32, u32), clip| MediaInfo {
            source: 0,
            key: 0,
            width: size.0,
            height: size.1,
            scale: 1.0,
            clip,
        };
        let some = (1000, 1000);
        if let Some(video) = self.get(MediaRole::Video, src) {
            let duration = video.seconds.unwrap_or(3600.0);
            return Some(info(video.size.unwrap_or(some), Some(ClipInfo { duration, timetable: None })));
        }
        let picture = self.get(MediaRole::Image, src)?;
        Some(info(picture.size.unwrap_or(some), None))
    }
}

/// Checks every source of a film in parallel, within a few seconds.
pub async fn gather(media: &Media, resolved: &Resolved) -> Facts {
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
    let known = futures_util::stream::iter(wanted)
        .map(|(role, address)| async move {
            let fact = timeout_at(end, look(media, role, &address)).await;
            let late = || Fact { problem: Some("it did not answer in time".to_owned()), ..Fact::default() };
            ((role, address), fact.unwrap_or_else(|_| late()))
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    Facts { known }
}

async fn look(media: &Media, role: MediaRole, address: &str) -> Fact {
    match sources::target(&media.links, address) {
        Some(Target::Remote) => {
            let probe = match media.fetch.probe(address).await {
                Ok(probe) => probe,
                Err(error) => return Fact { problem: Some(error.to_string()), ..Fact::default() },
            };
            let small = probe.length.is_some_and(|length| length <= MOST_FETCHED);
            let copy = match media.cache.cached(address) {
                None if small => timeout(FETCH, media.fetched_file(address)).await.ok().flatten(),
                cached => cached,
            };
            // The probe only shows that the URL responds. Size and duration come from a copy.
            match copy {
                Some(path) => Fact { problem: None, ..measure(role, path).await },
                None => Fact::default(),
            }
        }
        _ => match media.local_file(address).await {
            Ok(path) => measure(role, path).await,
            Err(problem) => Fact { problem: Some(problem), ..Fact::default() },
        },
    }
}

/// Reads what a file on this machine says of itself.
pub async fn measure(role: MediaRole, path: PathBuf) -> Fact {
    let measured = tokio::task::spawn_blocking(move || match role {
        MediaRole::Image => picture(&path),
        MediaRole::Video | MediaRole::Sound => clip(role, &path),
    });
    let failed = |problem: String| Fact { problem: Some(problem), ..Fact::default() };
    match measured.await {
        Ok(Ok(fact)) => fact,
        Ok(Err(problem)) => failed(problem),
        Err(_) => failed("it cannot be read".to_owned()),
    }
}

fn picture(path: &std::path::Path) -> Result<Fact, String> {
    let length = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if length > MOST_PICTURE {
        return Ok(Fact::default());
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let info =
        probe_image(&bytes, "the file").map_err(|_| "it is not a picture that can be shown".to_owned())?;
    let size = (info.kind != ImageKind::Svg).then_some((info.width, info.height));
    Ok(Fact { size, ..Fact::default() })
}

fn clip(role: MediaRole, path: &std::path::Path) -> Result<Fact, String> {
    let probe =
        rondo_media::probe(path).map_err(|_| "it is not a film or a sound that can be played".to_owned())?;
    match (role, probe.video, probe.audio) {
        (MediaRole::Sound, _, Some(sound)) => Ok(Fact { seconds: Some(sound.duration), ..Fact::default() }),
        (MediaRole::Sound, _, None) => Err("it has no sound track".to_owned()),
        (_, Some(video), _) => {
            Ok(Fact { size: Some((video.width, video.height)), seconds: Some(video.duration), problem: None })
        }
        (_, None, _) => Err("it has no picture track".to_owned()),
    }
}
