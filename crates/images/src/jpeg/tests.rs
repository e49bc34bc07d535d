#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use super::*;

/// A JPEG of every supported kind, each with a PNG of its pixels in Chromium.
const PHOTOS: [&str; 9] =
    ["444", "422", "440", "420", "420-narrow", "420-restarts", "444-wide-steps", "444-strong", "422-noise"];

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/photos").join(name)).unwrap()
}

/// A JPEG and its pixels in Chromium.
fn photo(name: &str) -> (Vec<u8>, ::image::RgbaImage) {
    let shown = ::image::load_from_memory(&file(&format!("{name}.png"))).unwrap().into_rgba8();
    (file(&format!("{name}.jpg")), shown)
}

#[test]
fn photos_have_the_very_pixels_that_a_browser_shows_whatever_the_processor() {
    let level = Level::try_detect().unwrap_or(Level::baseline());
    let mut levels = vec![level, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(
        [level.as_avx2().map(Level::Avx2), level.as_sse4_2().map(Level::Sse4_2)].into_iter().flatten(),
    );
    for name in PHOTOS {
        let (file, shown) = photo(name);
        for level in &levels {
            let pixels = decode_with(*level, &file, shown.dimensions()).unwrap();
            let off = pixels.iter().zip(shown.as_raw()).filter(|(a, b)| a != b).count();
            assert_eq!(off, 0, "{name} with {level:?}");
        }
    }
}

#[test]
fn truncated_photos_fall_back_to_the_general_decoder() {
    for name in PHOTOS {
        let (file, shown) = photo(name);
        let scan = file.len() - Photo::read(&file).unwrap().scan.len();
        for end in (0..file.len() - 4).step_by(7) {
            assert!(
                decode(&file[..end], shown.dimensions()).is_none(),
                "{name} cut at {end}, begun at {scan}"
            );
        }
    }
}

#[test]
fn unsupported_jpegs_fall_back_to_the_general_decoder() {
    let (file, shown) = photo("444");
    let (width, height) = shown.dimensions();
    assert!(decode(&file, (width, height + 1)).is_none());
    let frame = file.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    // Progressive, 12-bit, arithmetic coding; one component; four luma samples per chroma sample.
    for (at, value) in [(1, 0xC2), (4, 12), (1, 0xC9), (9, 1), (11, 0x41), (14, 0x21)] {
        let mut other = file.clone();
        other[frame + at] = value;
        assert!(decode(&other, (width, height)).is_none(), "{value:#x} at {at}");
    }
}

#[test]
fn damaged_photos_never_panic() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for name in PHOTOS {
        let (file, shown) = photo(name);
        let mut decoded = 0;
        for _ in 0..300 {
            let mut damaged = file.clone();
            for _ in 0..1 + next(4) {
                let at = next(damaged.len());
                damaged[at] = [0, 0xFF, next(256) as u8][next(3)];
            }
            let size = Photo::read(&damaged).map(|photo| (photo.width as u32, photo.height as u32));
            let small = size.filter(|(width, height)| width * height < 1 << 20);
            decoded += usize::from(decode(&damaged, small.unwrap_or(shown.dimensions())).is_some());
        }
        assert!(decoded > 10, "{name}: most damage is seen as other colours");
    }
}
