//! Image files of every kind: those of `rondo_images`, and AVIF, which FFmpeg decodes.

mod avif;
mod avif_decoder;

use std::path::Path;

pub use rondo_images::{
    Animation, ImageError, ImageInfo, ImageKind, Still, SvgFonts, SvgImage, probe_image, sniff_image,
};

use crate::MediaFile;

/// Bytes that the file of a picture may have. It is read whole.
pub const MAX_FILE_BYTES: u64 = 500_000_000;

/// Reads the file of a picture whole.
pub fn read_image_file(path: &Path) -> std::io::Result<Vec<u8>> {
    MediaFile::open(path)?.read_all(MAX_FILE_BYTES)
}

/// Decodes a picture: the first frame where there are several, orientation applied. `fonts` serve text inside SVG files.
pub fn load_image(bytes: &[u8], name: &str, fonts: &SvgFonts) -> Result<Still, ImageError> {
    match sniff_image(bytes) {
        Some(ImageKind::Avif) => avif::load(bytes)
            .map(Still::Bitmap)
            .map_err(|reason| ImageError { name: name.to_owned(), reason }),
        _ => rondo_images::load_image(bytes, name, fonts),
    }
}
