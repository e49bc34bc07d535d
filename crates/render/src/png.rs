//! PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use crate::error::RenderError;

/// Writes opaque RGBA pixels as an sRGB PNG without alpha. A file that could not be written whole is removed.
pub fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) -> Result<(), RenderError> {
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let unwritable = |reason: String| RenderError::Unwritable { path: path.to_owned(), reason };
    let file = File::create(path).map_err(|e| unwritable(crate::library::io_reason(&e)))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&rgb).and_then(|()| writer.finish()));
    written.map_err(|e| {
        // The reason of the failure matters more than a failure to clean up.
        let _ = std::fs::remove_file(path);
        unwritable(e.to_string())
    })
}
