//! Frames for the encoder: converted to its pixel format, or borrowed without a copy.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use rondo_pixels::{BitmapRef, Planes};

use super::rgba::{Spread, chroma, mean};
use super::settings::PictureSettings;
use super::video_codec::{PictureCodec, pixel_format};
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, error_text};

/// The frame type the encoder is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameType {
    /// The encoder decides.
    Auto,
    P,
    Idr,
}

/// The frame that is handed to the encoder, filled anew for every picture.
pub(crate) struct PictureFrame {
    frame: Frame,
    /// Whether the pixels are borrowed.
    lent: bool,
}

impl PictureFrame {
    pub fn new() -> Self {
        Self { frame: Frame::new(), lent: false }
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Releases borrowed pixels. The encoder holds its own reference to those it still needs.
    pub fn let_go(&mut self) {
        if self.lent {
            // SAFETY: the frame is ours.
            unsafe { av_frame_unref(self.frame.0) };
            self.lent = false;
        }
    }

    /// Copies a picture in. The caller has checked that it fits the settings.
    pub fn fill(
        &mut self,
        picture: &BitmapRef<'_>,
        settings: &PictureSettings,
        pts: i64,
        frame_type: FrameType,
    ) -> Result<(), String> {
        make_writable(&mut self.frame, pixel_format(settings), settings.width, settings.height)?;
        self.describe(pts, frame_type);
        let (width, height) = (settings.width as usize, settings.height as usize);
        match settings.codec {
            PictureCodec::ProRes => deep(&mut self.frame, picture, width, height, settings.alpha),
            _ => translucent(&mut self.frame, picture, width, height),
        }
        Ok(())
    }

    /// Points at planes, which live until the last reference to the frame is dropped. Otherwise as [`Self::fill`].
    pub fn lend(
        &mut self,
        picture: Arc<Planes>,
        settings: &PictureSettings,
        pts: i64,
        frame_type: FrameType,
    ) -> Result<(), String> {
        let data = [&picture.y, &picture.u, &picture.v].map(|plane| plane.as_ptr());
        let (length, width) = (picture.y.len(), picture.width as usize);
        let strides = [width, width / 2, width / 2];
        let owner = Box::into_raw(Box::new(picture));
        // SAFETY: the frame is ours. FFmpeg only reads from a buffer marked so, and frees the owner with the last hold on
        // it; the planes do not move as long as their owner lives.
        unsafe {
            let frame = self.frame.0;
            av_frame_unref(frame);
            let flags = AV_BUFFER_FLAG_READONLY;
            let held = av_buffer_create(data[0].cast_mut(), length, Some(release), owner.cast(), flags);
            if held.is_null() {
                drop(Box::from_raw(owner));
                return Err("there is not enough memory".to_owned());
            }
            (*frame).buf[0] = held;
            (*frame).format = pixel_format(settings).0;
            (*frame).width = settings.width as c_int;
            (*frame).height = settings.height as c_int;
            for plane in 0..3 {
                (*frame).data[plane] = data[plane].cast_mut();
                (*frame).linesize[plane] = strides[plane] as c_int;
            }
        }
        self.lent = true;
        self.describe(pts, frame_type);
        Ok(())
    }

    fn describe(&mut self, pts: i64, frame_type: FrameType) {
        // SAFETY: the frame is ours alone.
        unsafe {
            let frame = &mut *self.frame.0;
            frame.pts = pts;
            // ProRes pictures say each for themselves what their colours are.
            frame.color_primaries = AVColorPrimaries::AVCOL_PRI_BT709;
            frame.color_trc = AVColorTransferCharacteristic::AVCOL_TRC_BT709;
            frame.colorspace = AVColorSpace::AVCOL_SPC_BT709;
            frame.color_range = AVColorRange::AVCOL_RANGE_MPEG;
            frame.pict_type = match frame_type {
                FrameType::Auto => AVPictureType::AV_PICTURE_TYPE_NONE,
                FrameType::P => AVPictureType::AV_PICTURE_TYPE_P,
                FrameType::Idr => AVPictureType::AV_PICTURE_TYPE_I,
            };
        }
    }
}

/// Frees the owner of lent planes.
unsafe extern "C" fn release(owner: *mut c_void, _: *mut u8) {
    // SAFETY: `lend` made this pointer of a box, and FFmpeg calls once.
    drop(unsafe { Box::from_raw(owner.cast::<Arc<Planes>>()) });
}

/// Gives a frame buffers of its own; those still held by the encoder are left to it.
pub(crate) fn make_writable(
    frame: &mut Frame,
    format: AVPixelFormat,
    width: u32,
    height: u32,
) -> Result<(), String> {
    // SAFETY: the frame is ours.
    unsafe {
        let frame = frame.0;
        if av_frame_is_writable(frame) == 0 {
            av_frame_unref(frame);
            (*frame).format = format.0;
            (*frame).width = width as c_int;
            (*frame).height = height as c_int;
            let code = av_frame_get_buffer(frame, 0);
            if code < 0 {
                return Err(error_text(code));
            }
        }
    }
    Ok(())
}

/// Eight bits, 4:2:0, with alpha.
fn translucent(frame: &mut Frame, picture: &BitmapRef<'_>, width: usize, height: usize) {
    let spread = Spread::new(picture, width, height);
    let whole = |value: f32| (value + 0.5) as u8;
    for (y, pixels) in spread.pixels.chunks_exact(width).enumerate() {
        // SAFETY: the frame is yuva420p of this size.
        let luma = unsafe { frame.row::<u8>(0, y, width) };
        luma.iter_mut().zip(pixels).for_each(|(luma, pixel)| *luma = whole(spread.luma(*pixel, 1.0)));
        // SAFETY: as above.
        let alpha = unsafe { frame.row::<u8>(3, y, width) };
        alpha.iter_mut().zip(pixels).for_each(|(alpha, pixel)| *alpha = pixel[3]);
    }
    for (y, rows) in spread.pixels.chunks_exact(width * 2).enumerate() {
        let (upper, lower) = rows.split_at(width);
        for plane in 0..2 {
            // SAFETY: the frame is yuva420p of this size.
            let target = unsafe { frame.row::<u8>(1 + plane, y, width / 2) };
            for ((target, a), b) in target.iter_mut().zip(upper.chunks_exact(2)).zip(lower.chunks_exact(2)) {
                *target = whole(chroma(mean([a[0], a[1], b[0], b[1]]), 1.0)[plane]);
            }
        }
    }
}

/// Ten bits, 4:4:4, with or without alpha.
fn deep(frame: &mut Frame, picture: &BitmapRef<'_>, width: usize, height: usize, alpha: bool) {
    let spread = Spread::new(picture, width, height);
    let whole = |value: f32| (value + 0.5) as u16;
    for (y, pixels) in spread.pixels.chunks_exact(width).enumerate() {
        // SAFETY: the frame is yuv444p10 or yuva444p10 of this size.
        let luma = unsafe { frame.row::<u16>(0, y, width) };
        for (luma, pixel) in luma.iter_mut().zip(pixels) {
            *luma = whole(spread.luma(*pixel, 4.0));
        }
        for plane in 0..2 {
            // SAFETY: as above.
            let target = unsafe { frame.row::<u16>(1 + plane, y, width) };
            for (target, pixel) in target.iter_mut().zip(pixels) {
                *target = whole(chroma(pixel.map(f32::from), 4.0)[plane]);
            }
        }
        if alpha {
            // SAFETY: as above; with alpha the frame has a fourth plane.
            let target = unsafe { frame.row::<u16>(3, y, width) };
            for (target, pixel) in target.iter_mut().zip(pixels) {
                *target = ((u32::from(pixel[3]) * 1023 + 127) / 255) as u16;
            }
        }
    }
}
