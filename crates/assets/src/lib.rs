//! The media of a composition, wherever they come from: how large images are kept, animated images by time, and the tracks
//! of the mix. Renders and the player share it, so that both paint and play the same.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod animation;
mod shown;
mod tracks;

pub use animation::AnimatedPicture;
pub use shown::Shown;
pub use tracks::{mixer, tracks};

use rondo_images::{ImageKind, PhotoRows, Still};
use rondo_paint::{RowScaler, scale_bitmap};
use rondo_pixels::Picture;

/// The size a still image is kept at: vector images at the size they are shown, bitmaps reduced if they are far larger.
pub fn kept_size(kind: ImageKind, (width, height): (u32, u32), shown: &Shown) -> (u32, u32) {
    if kind != ImageKind::Svg {
        return shown.reduced((width, height));
    }
    let scale = (shown.size.0 / f64::from(width)).max(shown.size.1 / f64::from(height)).clamp(0.01, 4096.0);
    let side = |v: u32| (f64::from(v) * scale).ceil().clamp(1.0, 8192.0) as u32;
    (side(width), side(height))
}

/// A photo at the size it is kept at, if that is smaller than its file: reduced row by row, without memory for all of its pixels.
/// `None` for files that have to be decoded whole.
pub fn reduced_photo(bytes: &[u8], file_size: (u32, u32), size: (u32, u32)) -> Option<Picture> {
    if size == file_size {
        return None;
    }
    let photo = PhotoRows::open(bytes)?;
    let as_stored = |(width, height)| if photo.swaps_sides() { (height, width) } else { (width, height) };
    if photo.size() != as_stored(file_size) {
        return None;
    }
    let mut scaler = RowScaler::new(photo.size(), as_stored(size));
    photo.read(|row| scaler.push(row))?;
    photo.shown(scaler.finish()?)
}

/// The pixels of a still image at the size it is kept at. `file_size` is the size that its header tells.
pub fn kept_picture(
    still: Still,
    file_size: (u32, u32),
    (width, height): (u32, u32),
) -> Result<Picture, String> {
    match still {
        Still::Svg(svg) => svg.render(width, height).map_err(|error| error.reason),
        Still::Bitmap(picture) if (picture.width, picture.height) != file_size => {
            Err("its size differs from the one in its header".into())
        }
        Still::Bitmap(picture) if (width, height) == file_size => Ok(picture),
        Still::Bitmap(picture) => {
            Ok(Picture::new(scale_bitmap(picture.as_bitmap(), width, height), picture.opaque))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rondo_images::{SvgFonts, load_image};

    use super::*;

    /// A photo of 4:2:0 with the EXIF orientation put into it.
    fn photo(orientation: u8) -> Vec<u8> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../images/tests/photos/420.jpg");
        let plain = std::fs::read(path).unwrap();
        let mut exif = vec![0xFF, 0xE1, 0, 34];
        exif.extend(b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0");
        exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
        [&plain[..2], &exif, &plain[2..]].concat()
    }

    fn whole(bytes: &[u8]) -> Picture {
        let Still::Bitmap(picture) = load_image(bytes, "photo", &SvgFonts::default()).unwrap() else {
            panic!("not a bitmap");
        };
        picture
    }

    #[test]
    fn a_photo_that_is_reduced_row_by_row_has_the_pixels_of_one_that_is_decoded_whole() {
        for orientation in 1..=8 {
            let bytes = photo(orientation);
            let picture = whole(&bytes);
            let file_size = (picture.width, picture.height);
            for halvings in 1..=4 {
                let size = (file_size.0 >> halvings, file_size.1 >> halvings);
                let by_rows = reduced_photo(&bytes, file_size, size).unwrap();
                let expected = kept_picture(Still::Bitmap(picture.clone()), file_size, size).unwrap();
                assert_eq!((by_rows.width, by_rows.height, by_rows.opaque), (size.0, size.1, true));
                let (a, b) = (by_rows.as_bitmap(), expected.as_bitmap());
                let rows = (0..size.1 as usize).flat_map(|y| a.row(y).iter().zip(b.row(y)));
                // A quarter turn swaps the passes, which round in between.
                let most = if orientation >= 5 { 1 } else { 0 };
                let off = rows.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
                assert!(off <= most, "orientation {orientation}, {halvings} halvings: {off} levels");
            }
        }
    }

    #[test]
    fn other_files_and_damaged_photos_are_decoded_whole() {
        let bytes = photo(1);
        let Picture { width, height, .. } = whole(&bytes);
        assert!(reduced_photo(&bytes, (width, height), (width, height)).is_none());
        assert!(reduced_photo(&bytes, (width + 1, height), (width / 2, height / 2)).is_none());
        assert!(reduced_photo(&bytes[..bytes.len() / 2], (width, height), (width / 2, height / 2)).is_none());
        assert!(reduced_photo(b"GIF89a", (width, height), (width / 2, height / 2)).is_none());
    }
}
