//! Readers of untrusted files. Nothing may panic.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rondo_composition::subtitles;
use rondo_media::image::{Animation, Still, SvgFonts, load_image, probe_image};
use rondo_text::{Catalog, Origin, TextEngine, TextStyle};

/// Larger pictures take seconds each and find nothing that smaller ones do not.
const MOST_PIXELS: u64 = 1 << 20;

/// Frames of an animation or a video that are decoded.
const FRAMES: usize = 4;

/// Reads a picture that starts with `magic`.
pub fn image(bytes: &[u8], magic: &[u8]) {
    static FONTS: OnceLock<SvgFonts> = OnceLock::new();
    if !bytes.starts_with(magic) {
        return;
    }
    let Ok(info) = probe_image(bytes, "fuzz") else { return };
    if u64::from(info.width) * u64::from(info.height) > MOST_PIXELS {
        return;
    }
    match load_image(bytes, "fuzz", FONTS.get_or_init(|| SvgFonts::new([]))) {
        // A size that differs from the one in the header is refused by those who show it.
        Ok(Still::Bitmap(picture)) => {
            let pixels = picture.pixels.rgba().len() as u64;
            assert_eq!(pixels, u64::from(picture.width) * u64::from(picture.height) * 4);
        }
        Ok(Still::Svg(svg)) => drop(svg.render(64, 48)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(Some(mut animation)) = Animation::open(bytes, "fuzz") {
        let frames = animation.delays().len();
        // Out of order: earlier frames are composed again.
        for index in (0..frames.min(FRAMES)).rev() {
            drop(animation.frame(index));
        }
    }
}

/// Reads a font file and lays out text with it.
pub fn font(bytes: &[u8]) {
    let mut catalog = Catalog::new(None);
    if catalog.add(bytes.to_vec(), Origin::User).is_err() {
        return;
    }
    let families = catalog.families();
    let mut engine = TextEngine::new(Arc::new(catalog));
    for family in families {
        let style = TextStyle { families: family.name, size: 20.0, ..TextStyle::default() };
        let text = "aZ 1éßאعक日👍\u{301}";
        let layout = engine.layout_part(text, 0..text.len(), &style);
        assert!(layout.width.is_finite() && layout.height.is_finite());
    }
}

/// Reads SRT or WebVTT. What is read can be written, and reads to as many captions.
pub fn subtitles(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(captions) = subtitles::parse(text) else { return };
    for written in [subtitles::srt(&captions), subtitles::webvtt(&captions)] {
        let again = subtitles::parse(&written).map_or(0, |captions| captions.len());
        assert_eq!(again, captions.len(), "{written}");
    }
}

/// Reads the sound of a file.
pub fn sound(bytes: &[u8]) {
    with_file(bytes, |path| {
        if let Ok(Some(samples)) = rondo_media::read_mono(path, 0.0, 48_000) {
            assert!(samples.len() <= 48_000);
        }
        drop(rondo_media::read_mono(path, 0.25, 4_800));
    });
}

/// Probes a media file and decodes a few frames.
pub fn media(bytes: &[u8]) {
    with_file(bytes, |path| {
        let Ok(probe) = rondo_media::probe(path) else { return };
        assert!(probe.duration.is_finite() && probe.duration >= 0.0, "{probe:?}");
        let Some(video) = probe.video else { return };
        if u64::from(video.width) * u64::from(video.height) > MOST_PIXELS {
            return;
        }
        if let Ok(mut decoder) = rondo_media::VideoDecoder::open(path) {
            for index in 0..FRAMES {
                drop(decoder.frame_at(index as f64 / 10.0));
            }
        }
    });
}

fn with_file(bytes: &[u8], read: impl FnOnce(&Path)) {
    let mut file = tempfile::NamedTempFile::new_in("/dev/shm").expect("a file in memory");
    file.write_all(bytes).expect("room in memory");
    read(file.path());
}
