//! Still images as JPEG and WebP files.

use std::ffi::c_int;

use rondo_pixels::BitmapRef;

use super::Quality;
use super::frame::make_writable;
use super::rgba::straight;
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Codec, Frame, Options, frame_time_base};

/// A JPEG file; transparency is left out. `percent` is how much is kept, from 1 to 100.
pub fn jpeg(picture: &BitmapRef<'_>, percent: u8) -> Result<Vec<u8>, MediaError> {
    let rgb: Vec<u8> = picture.pixels.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut file = Vec::new();
    let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, percent);
    let encoded = encoder.encode(&rgb, picture.width, picture.height, image::ExtendedColorType::Rgb8);
    encoded.map_err(|error| refused(picture, &error.to_string()))?;
    Ok(file)
}

/// A WebP file with its transparency; without loss at high quality.
pub fn webp(picture: &BitmapRef<'_>, quality: Quality) -> Result<Vec<u8>, MediaError> {
    let refused = |reason: String| refused(picture, &reason);
    let (mut codec, description) = Codec::find(c"libwebp").map_err(refused)?;
    let ctx = codec.settings();
    (ctx.width, ctx.height) = (picture.width as c_int, picture.height as c_int);
    ctx.pix_fmt = AVPixelFormat::AV_PIX_FMT_BGRA;
    ctx.time_base = frame_time_base(1);
    ctx.flags |= AV_CODEC_FLAG_BITEXACT as c_int;
    let mut options = Options::default();
    options.set(c"lossless", if quality == Quality::High { "1" } else { "0" });
    options.set(c"quality", if quality == Quality::Draft { "70" } else { "90" });
    let mut codec = codec.open(description, options).map_err(refused)?;
    let mut frame = Frame::new();
    make_writable(&mut frame, AVPixelFormat::AV_PIX_FMT_BGRA, picture.width, picture.height)
        .map_err(refused)?;
    let width = picture.width as usize;
    for (y, pixels) in straight(picture.pixels).chunks_exact(width * 4).enumerate() {
        // SAFETY: the frame is BGRA of this size.
        let target = unsafe { frame.row::<[u8; 4]>(0, y, width) };
        for (target, [r, g, b, a]) in target.iter_mut().zip(pixels.as_chunks::<4>().0) {
            *target = [*b, *g, *r, *a];
        }
    }
    // SAFETY: the frame is ours alone.
    unsafe { (*frame.0).pts = 0 };
    codec.send(Some(&frame)).and_then(|()| codec.send(None)).map_err(refused)?;
    let packet = codec.receive().map_err(refused)?;
    packet
        .map(|packet| packet.data().to_vec())
        .ok_or_else(|| refused("the encoder returned no data".to_owned()))
}

fn refused(picture: &BitmapRef<'_>, reason: &str) -> MediaError {
    MediaError::Picture { width: picture.width, height: picture.height, reason: reason.to_owned() }
}
