//! Films as HLS: where segments go, their names, and the playlist.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rondo_media::{KEY_FRAME_SECONDS, Segment};

use crate::error::RenderError;
use crate::partial::Partial;

/// Takes the segments of a film as they are finished: the init segment, then the others in order.
pub trait SegmentStore: Send + Sync + std::fmt::Debug {
    /// Keeps a segment, or says why it cannot.
    fn keep(&self, segment: Segment) -> Result<(), String>;
}

/// The name of a segment of a film: `film-init.mp4`, then `film-s1.m4s` and so on.
pub fn segment_name(film: &str, number: u32) -> String {
    match number {
        0 => format!("{film}-init.mp4"),
        number => format!("{film}-s{number}.m4s"),
    }
}

/// The playlist of a film, whose name is part of a URL. `frames` are those of its segments, without the init segment. A film that
/// is not finished gets more segments: players ask for the playlist again.
pub fn playlist(film: &str, fps: u32, frames: &[u32], is_finished: bool) -> String {
    let fps = fps.max(1);
    // It must stay the same while a film grows; chunks are no longer than this.
    let longest = frames.iter().map(|frames| frames.div_ceil(fps)).max().unwrap_or(0).max(KEY_FRAME_SECONDS);
    // Without a start, players begin near the end of a film that grows.
    let mut text = format!(
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{longest}\n#EXT-X-MEDIA-SEQUENCE:1\n\
         #EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=0\n\
         #EXT-X-MAP:URI=\"{}\"\n",
        segment_name(film, 0)
    );
    for (number, frames) in (1..).zip(frames) {
        let seconds = f64::from(*frames) / f64::from(fps);
        // Writing to a string cannot fail.
        let _ = write!(text, "#EXTINF:{seconds:.6},\n{}\n", segment_name(film, number));
    }
    if is_finished {
        text.push_str("#EXT-X-ENDLIST\n");
    }
    text
}

/// A file name as part of a URL.
fn percent_encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Segments in files beside the playlist. They and the playlist get their names when all of them are written.
#[derive(Debug)]
pub(crate) struct SegmentFiles {
    path: PathBuf,
    fps: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    written: Vec<Partial>,
    /// Frames of the segments after the init segment.
    frames: Vec<u32>,
}

impl SegmentFiles {
    pub fn new(path: &Path, fps: u32) -> Self {
        Self { path: path.to_owned(), fps, state: Mutex::default() }
    }

    /// The name that the segments share: that of the playlist without its ending.
    fn film(&self) -> String {
        self.path.file_stem().map_or_else(|| "film".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Writes the playlist, and gives the segments their names and then the playlist.
    pub fn finish(&self) -> Result<(), RenderError> {
        self.place()
            .map_err(|error| RenderError::Unwritable { path: self.path.clone(), reason: error.to_string() })
    }

    fn place(&self) -> io::Result<()> {
        let mut state = self.state();
        let list = Partial::new(&self.path);
        fs::write(&list.path, playlist(&percent_encoded(&self.film()), self.fps, &state.frames, true))?;
        // One of before would name segments of two films for a moment.
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for segment in state.written.drain(..) {
            segment.finish()?;
        }
        list.finish()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SegmentStore for SegmentFiles {
    fn keep(&self, segment: Segment) -> Result<(), String> {
        let path = self.path.with_file_name(segment_name(&self.film(), segment.number));
        let file = Partial::new(&path);
        fs::write(&file.path, segment.bytes).map_err(|error| error.to_string())?;
        let mut state = self.state();
        state.written.push(file);
        if segment.number > 0 {
            state.frames.push(segment.frames);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playlist_grows_at_its_end_only() {
        let growing = playlist("job_1", 30, &[150, 60], false);
        let finished = playlist("job_1", 30, &[150, 60, 7], true);
        assert!(finished.starts_with(&growing), "{finished}");
        assert_eq!(&finished[growing.len()..], "#EXTINF:0.233333,\njob_1-s3.m4s\n#EXT-X-ENDLIST\n",);
        assert!(growing.contains("#EXT-X-MAP:URI=\"job_1-init.mp4\"\n#EXTINF:5.000000,\njob_1-s1.m4s\n"));
        assert!(growing.contains("#EXT-X-TARGETDURATION:5\n"));
        // A segment of 5.5 seconds is rounded up.
        assert!(playlist("job_1", 10, &[55], false).contains("#EXT-X-TARGETDURATION:6\n"));
    }

    #[test]
    fn names_in_a_playlist_are_parts_of_urls() {
        assert_eq!(percent_encoded("film-1_a.b~"), "film-1_a.b~");
        assert_eq!(percent_encoded("#1: 100% ü"), "%231%3A%20100%25%20%C3%BC");
    }
}
