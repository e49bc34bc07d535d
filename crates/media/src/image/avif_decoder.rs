//! The AV1 picture inside an AVIF file, decoded by FFmpeg.

use std::ptr;

use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Packet, error_text, ready};
use rondo_images::{MAX_PIXELS, check_size};

pub(super) fn decode(data: &[u8]) -> Result<Frame, String> {
    ready()?;
    let decoder = Decoder::open()?;
    let packet =
        Packet::of_picture(data, &[], 0, 0, true).ok_or("there is not enough memory to decode it")?;
    let picture = Frame::new();
    // SAFETY: decoder, packet and frame are valid. A packet of null ends the stream.
    unsafe {
        checked(avcodec_send_packet(decoder.0, packet.0))?;
        checked(avcodec_send_packet(decoder.0, ptr::null()))?;
        checked(avcodec_receive_frame(decoder.0, picture.0))?;
    }
    check_size(picture.get().width.unsigned_abs(), picture.get().height.unsigned_abs())?;
    Ok(picture)
}

fn checked(code: i32) -> Result<(), String> {
    if code < 0 { Err(format!("the AVIF is damaged ({})", error_text(code))) } else { Ok(()) }
}

/// An open decoder of AV1, never null.
struct Decoder(*mut AVCodecContext);

impl Decoder {
    fn open() -> Result<Self, String> {
        // SAFETY: looks decoders up; each is null or lives as long as the program. The context is checked, and `Drop`
        // frees it on every way out.
        unsafe {
            let codec = [c"libdav1d", c"libaom-av1"]
                .into_iter()
                .map(|name| avcodec_find_decoder_by_name(name.as_ptr()))
                .find(|codec| !codec.is_null())
                .unwrap_or_else(|| avcodec_find_decoder(AVCodecID::AV_CODEC_ID_AV1));
            if codec.is_null() {
                return Err(
                    "this machine's FFmpeg cannot decode AVIF; save the picture as PNG, JPEG or WebP".into(),
                );
            }
            let decoder = Self(avcodec_alloc_context3(codec));
            if decoder.0.is_null() {
                return Err("there is not enough memory to decode it".into());
            }
            (*decoder.0).max_pixels = MAX_PIXELS as i64;
            checked(avcodec_open2(decoder.0, codec, ptr::null_mut()))?;
            Ok(decoder)
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: frees what `open` allocated; null is allowed.
        unsafe { avcodec_free_context(&mut self.0) };
    }
}
