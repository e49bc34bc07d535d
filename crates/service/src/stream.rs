//! Films that are watched while they are rendered: their segments as they arrive, their playlists, and their removal.

use rondo_jobs::{ReceivedSegment, SegmentError, SegmentLimits, SegmentReceiver};
use rondo_render::{playlist, segment_name};
use rondo_store::{Draft, Files, Store, StoreError, Stream};
use tokio::sync::mpsc::UnboundedSender;

use crate::links::Links;

/// The ending of playlists.
const ENDING: &str = ".m3u8";
/// Segments of a film whose files are kept at the same time. Of those, none is noted before the ones before it are.
pub const AT_ONCE: u32 = 3;

/// A segment of a film that is being rendered, in a file of its own.
#[derive(Debug)]
pub struct NewSegment {
    /// 0 for the init segment.
    pub number: u32,
    pub frames: u32,
    pub size: u64,
    pub draft: Draft,
}

/// Why a segment did not arrive.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    #[error(transparent)]
    Refused(#[from] SegmentError),
    #[error("a segment cannot be written: {0}")]
    Unwritten(std::io::Error),
}

/// What a render process hands over, in order.
pub type Arrived = Result<NewSegment, Lacking>;

/// Takes the segments of a render process, copies them to drafts and sends them on.
pub fn receiver(files: Files, limits: SegmentLimits, to: UnboundedSender<Arrived>) -> SegmentReceiver {
    SegmentReceiver::new(limits, move |received| {
        // Nobody waits for it if the render has ended.
        let _ = to.send(received.map_err(Lacking::from).and_then(|segment| written(&files, segment)));
    })
}

fn written(files: &Files, segment: ReceivedSegment) -> Arrived {
    let draft = files.draft();
    let ReceivedSegment { number, frames, bytes: size, .. } = segment;
    segment.write_to(draft.path()).map_err(Lacking::Unwritten)?;
    Ok(NewSegment { number, frames, size, draft })
}

/// The name of a render's playlist.
pub fn playlist_name(render_id: &str) -> String {
    format!("{render_id}{ENDING}")
}

/// A playlist as it is now.
#[derive(Debug)]
pub struct Playlist {
    pub text: String,
    /// Whether it stays as it is.
    pub is_finished: bool,
}

/// The playlist with this name, if there is one.
pub async fn read_playlist(store: &Store, links: &Links, name: &str) -> Result<Option<Playlist>, StoreError> {
    let Some(render_id) = name.strip_suffix(ENDING) else { return Ok(None) };
    let Some(stream) = store.stream(render_id).await? else { return Ok(None) };
    // Files of another host are named in full: the playlist itself is written here.
    let base = links.files_origin().map_or_else(String::new, |_| links.file(""));
    let text = playlist_text(&format!("{base}{render_id}"), &stream);
    Ok(Some(Playlist { text, is_finished: stream.is_finished }))
}

/// Whether a file of a render is a playlist, which is written when it is asked for.
pub fn is_playlist(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// The playlist of a stream. The names of its segments begin with `film`.
pub fn playlist_text(film: &str, stream: &Stream) -> String {
    let frames: Vec<u32> = stream.segments.iter().skip(1).map(|segment| segment.frames).collect();
    playlist(film, stream.fps, &frames, stream.is_finished)
}

/// Whether nobody can watch the segments of a render: it has ended without a playlist.
pub async fn is_unwanted(store: &Store, render_id: &str) -> Result<bool, StoreError> {
    let render = store.render_summary(render_id).await?;
    Ok(render.is_none_or(|render| render.status.is_final() && render.stream_file.is_none()))
}

/// Removes the segments of a render that has ended, if it has any.
pub async fn remove(files: &Files, store: &Store, render_id: &str) -> Result<(), StoreError> {
    let segments = store.segments(render_id).await?;
    let Some(last) = segments.last() else { return Ok(()) };
    // A worker that was killed may have kept some that it did not note.
    for number in 0..=last.number + AT_ONCE {
        files.remove(&segment_name(render_id, number)).await?;
    }
    store.forget_stream(render_id).await
}
