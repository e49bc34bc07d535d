//! GIF files with one palette for the whole film and a dither pattern that does not move between frames.

use std::ffi::c_int;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rondo_pixels::BitmapRef;

use super::muxer::{Container, Muxer, Tracks};
use crate::encode::frame::make_writable;
use crate::encode::gif::{Dither, Palette};
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Codec, Frame, Options, frame_time_base};

/// Highest frame rate players keep up with: times in GIF files are hundredths of a second, and many players take less
/// than two of them for ten.
pub const GIF_MAX_FPS: u32 = 34;

/// Writes a GIF film under a temporary name and renames it at the end.
pub struct GifWriter {
    path: PathBuf,
    width: u32,
    height: u32,
    /// Ticks per second.
    rate: u32,
    codec: Codec,
    muxer: Muxer,
    frame: Frame,
    dither: Dither,
}

impl GifWriter {
    /// `rate` is in ticks per second, `last` when the last frame begins and ends.
    pub fn create(
        path: &Path,
        width: u32,
        height: u32,
        rate: u32,
        last: Range<u32>,
        palette: Palette,
    ) -> Result<Self, MediaError> {
        let unwritable = |reason| MediaError::unwritable(path, reason);
        let (mut codec, description) = Codec::find(c"gif").map_err(unwritable)?;
        let ctx = codec.settings();
        (ctx.width, ctx.height) = (width as c_int, height as c_int);
        ctx.pix_fmt = AVPixelFormat::AV_PIX_FMT_PAL8;
        ctx.time_base = frame_time_base(rate);
        ctx.flags |= AV_CODEC_FLAG_BITEXACT as c_int;
        let codec = codec.open(description, Options::default()).map_err(unwritable)?;
        let hundredths = |tick: u32| (u64::from(tick) * 200 + u64::from(rate)) / (2 * u64::from(rate));
        let last_hundredths = (hundredths(last.end) - hundredths(last.start)) as u32;
        let tracks = Tracks { picture: Some((&codec, rate)), alpha: false, sound: None, last_hundredths };
        let muxer = Muxer::create(path, Container::Gif, &tracks)?;
        let (path, frame) = (path.to_owned(), Frame::new());
        Ok(Self { path, width, height, rate, codec, muxer, frame, dither: Dither::new(palette) })
    }

    /// Adds a picture that is shown from tick `at` until the next one.
    pub fn push(&mut self, picture: &BitmapRef<'_>, at: u32) -> Result<(), MediaError> {
        if (picture.width, picture.height) != (self.width, self.height) {
            return Err(self.unwritable("got a picture of another size".to_owned()));
        }
        self.fill(picture, i64::from(at)).map_err(|reason| self.unwritable(reason))?;
        self.codec.send(Some(&self.frame)).map_err(|reason| self.unwritable(reason))?;
        self.collect()
    }

    fn fill(&mut self, picture: &BitmapRef<'_>, at: i64) -> Result<(), String> {
        make_writable(&mut self.frame, AVPixelFormat::AV_PIX_FMT_PAL8, self.width, self.height)?;
        let width = self.width as usize;
        for (y, pixels) in picture.pixels.chunks_exact(width * 4).enumerate() {
            // SAFETY: the frame is PAL8 of this size.
            let target = unsafe { self.frame.row::<u8>(0, y, width) };
            for (x, (index, pixel)) in target.iter_mut().zip(pixels.as_chunks::<4>().0).enumerate() {
                *index = self.dither.index(*pixel, x, y);
            }
        }
        // SAFETY: a PAL8 frame has its 256 colours in the second plane; the frame is ours alone.
        unsafe {
            self.frame.row::<u32>(1, 0, 256).copy_from_slice(&self.dither.palette().entries());
            (*self.frame.0).pts = at;
        }
        Ok(())
    }

    fn collect(&mut self) -> Result<(), MediaError> {
        while let Some(packet) = self.codec.receive().map_err(|reason| self.unwritable(reason))? {
            let written = self.muxer.write(packet, 0, frame_time_base(self.rate));
            written.map_err(|reason| self.unwritable(reason))?;
        }
        Ok(())
    }

    /// Completes the file, renames it and returns its length in bytes.
    pub fn finish(mut self) -> Result<u64, MediaError> {
        self.codec.send(None).map_err(|reason| self.unwritable(reason))?;
        self.collect()?;
        self.muxer.finish()
    }

    fn unwritable(&self, reason: String) -> MediaError {
        MediaError::unwritable(&self.path, reason)
    }
}
