//! PNG files.

use std::path::Path;

use rondo_media::MediaError;

use crate::error::RenderError;

/// Whether the alpha channel is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alpha {
    Kept,
    LeftOut,
}

/// Writes opaque RGBA pixels as an sRGB PNG without alpha. An incomplete file is removed.
pub fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) -> Result<(), RenderError> {
    let file = encode(width, height, rgba, Alpha::LeftOut)?;
    std::fs::write(path, file).map_err(|e| {
        // Report the first error, not a failure to clean up.
        let _ = std::fs::remove_file(path);
        RenderError::Unwritable { path: path.to_owned(), reason: crate::media::io_reason(&e) }
    })
}

/// An sRGB PNG of straight (not premultiplied) RGBA pixels.
pub(crate) fn encode(width: u32, height: u32, rgba: &[u8], alpha: Alpha) -> Result<Vec<u8>, MediaError> {
    let mut rgb = Vec::new();
    let (pixels, colours) = match alpha {
        Alpha::Kept => (rgba, png::ColorType::Rgba),
        Alpha::LeftOut => {
            rgb.resize(rgba.len() / 4 * 3, 0);
            for (to, &[r, g, b, _]) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(rgba.as_chunks::<4>().0) {
                *to = [r, g, b];
            }
            (&rgb[..], png::ColorType::Rgb)
        }
    };
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(pixels).and_then(|()| writer.finish()))
        .map_err(|error| MediaError::Picture { width, height, reason: error.to_string() })?;
    Ok(file)
}
