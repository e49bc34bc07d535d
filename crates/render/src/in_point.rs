//! In-points of clips and sounds that lie behind the end of their source.

use rondo_composition::{Composition, MediaRole, MediaSource};
use rondo_scene::{Notice, Severity};

/// A notice for every overlay that starts behind the end of its source. `seconds` is the length of a source, where it
/// is known.
pub fn starts_past_end(
    composition: &Composition,
    seconds: impl Fn(&MediaSource<'_>) -> Option<f64>,
) -> Vec<Notice> {
    let sources = composition.media_sources().filter(|(_, source)| source.field == "src");
    let late = sources.filter_map(|(index, source)| {
        let playback =
            composition.overlays[index].playback().filter(|playback| playback.segments.is_empty())?;
        let (field, then) = match source.role {
            MediaRole::Video => ("videoStartTime", "only its last picture is shown"),
            MediaRole::Sound => ("startFromSound", "nothing is heard"),
            MediaRole::Image => return None,
        };
        let (start, length) = (playback.start, seconds(&source).filter(|length| *length > 0.0)?);
        let message = format!("{field} is {start} s and the source lasts {length:.1} s, so {then}.");
        let in_frames = start / f64::from(composition.fps.max(1));
        let hint = if in_frames < length {
            format!("{field} is in seconds. If {start} is a number of frames, write {in_frames:.3}.")
        } else {
            format!("Write a number of seconds below {length:.1}.")
        };
        let path = format!("overlays[{index}].{field}");
        (start >= length)
            .then(|| Notice::new("MEDIA_START_PAST_END", Severity::Warning, path, message).hint(hint))
    });
    late.collect()
}
