//! PNG files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::RenderError;

/// Writes opaque RGBA pixels as an sRGB PNG without alpha. A file that could not be written whole is removed.
pub fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) -> Result<(), RenderError> {
    let unwritable = |reason: String| RenderError::Unwritable { path: path.to_owned(), reason };
    let file = File::create(path).map_err(|e| unwritable(crate::library::io_reason(&e)))?;
    encode_png(BufWriter::new(file), width, height, rgba).map_err(|e| {
        // The reason of the failure matters more than a failure to clean up.
        let _ = std::fs::remove_file(path);
        unwritable(e.to_string())
    })
}

/// The same, to anywhere.
pub(crate) fn encode_png(
    to: impl Write,
    width: u32,
    height: u32,
    rgba: &[u8],
) -> Result<(), png::EncodingError> {
    let mut rgb = vec![0; rgba.len() / 4 * 3];
    for (to, &[r, g, b, _]) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(rgba.as_chunks::<4>().0) {
        *to = [r, g, b];
    }
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()
}
