//! AVIF files: the container is read here, its AV1 picture is decoded by FFmpeg's libraries.

mod container;

use ::image::{GrayImage, RgbaImage, imageops};
use ffmpeg_next as ffmpeg;
use ffmpeg_next::codec::Id;
use ffmpeg_next::color::{Range, Space};
use ffmpeg_next::ffi;
use ffmpeg_next::format::Pixel;
use ffmpeg_next::frame;
use ffmpeg_next::software::scaling::{Context as Scaler, Flags};

use self::container::{Container, Turn};
use super::bitmap::{check_size, premultiplied};
use super::{Bitmap, MAX_PIXELS};

/// Size as shown.
pub(super) fn size(bytes: &[u8]) -> Result<(u32, u32), String> {
    let Container { width, height, turns, .. } = container::read(bytes)?;
    check_size(width, height)?;
    let lies = turns.iter().filter(|turn| matches!(turn, Turn::Rotate(1 | 3))).count() % 2 == 1;
    Ok(if lies { (height, width) } else { (width, height) })
}

pub(super) fn load(bytes: &[u8]) -> Result<Bitmap, String> {
    let container = container::read(bytes)?;
    check_size(container.width, container.height)?;
    let mut picture = color(&decode(&container.color)?)?;
    let opaque = container.alpha.is_none();
    if let Some(alpha) = &container.alpha {
        let alpha = coverage(&decode(alpha)?, picture.width(), picture.height())?;
        for (pixel, alpha) in picture.chunks_exact_mut(4).zip(alpha.as_raw()) {
            pixel[3] = *alpha;
        }
    }
    for turn in container.turns {
        picture = match turn {
            Turn::Rotate(0) => picture,
            Turn::Rotate(1) => imageops::rotate270(&picture),
            Turn::Rotate(2) => imageops::rotate180(&picture),
            Turn::Rotate(_) => imageops::rotate90(&picture),
            Turn::FlipVertical => imageops::flip_vertical(&picture),
            Turn::FlipHorizontal => imageops::flip_horizontal(&picture),
        };
    }
    Ok(premultiplied(picture, opaque))
}

fn decode(data: &[u8]) -> Result<frame::Video, String> {
    crate::ffi::ready()?;
    let codec = ["libdav1d", "libaom-av1"]
        .into_iter()
        .find_map(ffmpeg::decoder::find_by_name)
        .or_else(|| ffmpeg::decoder::find(Id::AV1))
        .ok_or("this machine's FFmpeg cannot decode AVIF; save the picture as PNG, JPEG or WebP")?;
    let damaged = |error: ffmpeg::Error| format!("the AVIF is damaged ({error})");
    let mut context = ffmpeg::codec::Context::new_with_codec(codec);
    // SAFETY: the context is allocated and not yet opened; `max_pixels` is a plain number that decoders respect.
    unsafe { (*context.as_mut_ptr()).max_pixels = MAX_PIXELS as i64 };
    let mut decoder = context.decoder().open_as(codec).and_then(|opened| opened.video()).map_err(damaged)?;
    decoder.send_packet(&ffmpeg::Packet::copy(data)).map_err(damaged)?;
    decoder.send_eof().map_err(damaged)?;
    let mut picture = frame::Video::empty();
    decoder.receive_frame(&mut picture).map_err(damaged)?;
    check_size(picture.width(), picture.height())?;
    Ok(picture)
}

fn color(picture: &frame::Video) -> Result<RgbaImage, String> {
    let (width, height) = (picture.width(), picture.height());
    let pixels = convert(picture, Pixel::RGBA, width, height, picture.color_range() == Range::JPEG)?;
    RgbaImage::from_raw(width, height, pixels).ok_or_else(|| "the AVIF is damaged".to_owned())
}

fn coverage(picture: &frame::Video, width: u32, height: u32) -> Result<GrayImage, String> {
    let full_range = picture.color_range() != Range::MPEG;
    let pixels = convert(picture, Pixel::GRAY8, width, height, full_range)?;
    GrayImage::from_raw(width, height, pixels).ok_or_else(|| "the AVIF is damaged".to_owned())
}

/// The picture's rows without gaps, in `format` and full range.
fn convert(
    picture: &frame::Video,
    format: Pixel,
    width: u32,
    height: u32,
    full_range: bool,
) -> Result<Vec<u8>, String> {
    let unusable = |error: ffmpeg::Error| format!("the AVIF's colours cannot be converted ({error})");
    let flags = Flags::BILINEAR | Flags::FULL_CHR_H_INT | Flags::ACCURATE_RND;
    let mut scaler =
        Scaler::get(picture.format(), picture.width(), picture.height(), format, width, height, flags)
            .map_err(unusable)?;
    let matrix = match picture.color_space() {
        Space::BT709 => ffi::SWS_CS_ITU709,
        Space::BT2020NCL | Space::BT2020CL => ffi::SWS_CS_BT2020,
        _ => ffi::SWS_CS_ITU601,
    };
    // SAFETY: the scaler is initialised, and the coefficient tables are static.
    unsafe {
        let table = ffi::sws_getCoefficients(matrix);
        let unit = 1 << 16;
        ffi::sws_setColorspaceDetails(
            scaler.as_mut_ptr(),
            table,
            i32::from(full_range),
            table,
            1,
            0,
            unit,
            unit,
        );
    }
    let mut converted = frame::Video::empty();
    scaler.run(picture, &mut converted).map_err(unusable)?;
    let row = width as usize * if format == Pixel::RGBA { 4 } else { 1 };
    let rows = converted.data(0).chunks(converted.stride(0)).take(height as usize);
    let mut pixels = Vec::with_capacity(row * height as usize);
    for line in rows {
        pixels.extend_from_slice(&line[..row]);
    }
    Ok(pixels)
}
