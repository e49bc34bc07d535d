//! Decoded pictures of any pixel format to premultiplied RGBA. Common 8-bit formats are converted by `rondo_pixels`, as in
//! the browser; everything else goes through swscale.

use std::ffi::c_int;
use std::ops::Range;

use rondo_pixels::{Colour, Matrix, Plane, PlanesRef, YuvImage, premultiply};

use super::geometry::Geometry;
use super::probe::pixel_format_flags;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Scaler, Scaling};

/// Colour as tagged in the stream, holes filled.
fn colour_of(frame: &AVFrame) -> Colour {
    let matrix = match frame.colorspace {
        AVColorSpace::AVCOL_SPC_BT709 => Matrix::Bt709,
        AVColorSpace::AVCOL_SPC_FCC => Matrix::Fcc,
        AVColorSpace::AVCOL_SPC_BT470BG | AVColorSpace::AVCOL_SPC_SMPTE170M => Matrix::Bt601,
        AVColorSpace::AVCOL_SPC_SMPTE240M => Matrix::Smpte240,
        AVColorSpace::AVCOL_SPC_BT2020_NCL | AVColorSpace::AVCOL_SPC_BT2020_CL => Matrix::Bt2020,
        _ => Matrix::untagged(frame.height.unsigned_abs()),
    };
    let full = frame.color_range == AVColorRange::AVCOL_RANGE_JPEG || is_full_range(frame.format);
    Colour { matrix, full }
}

/// swscale's name of a matrix.
fn sws_space(matrix: Matrix) -> c_int {
    match matrix {
        Matrix::Bt601 => SWS_CS_ITU601,
        Matrix::Bt709 => SWS_CS_ITU709,
        Matrix::Bt2020 => SWS_CS_BT2020,
        Matrix::Fcc => SWS_CS_FCC,
        Matrix::Smpte240 => SWS_CS_SMPTE240M,
    }
}

/// The formats whose name itself says full range.
fn is_full_range(format: c_int) -> bool {
    matches!(
        AVPixelFormat(format),
        AVPixelFormat::AV_PIX_FMT_YUVJ420P
            | AVPixelFormat::AV_PIX_FMT_YUVJ422P
            | AVPixelFormat::AV_PIX_FMT_YUVJ444P
            | AVPixelFormat::AV_PIX_FMT_YUVJ440P
            | AVPixelFormat::AV_PIX_FMT_YUVJ411P
    )
}

/// Converts pictures of one track to one size, keeping its working memory.
#[derive(Default)]
pub(crate) struct Converter {
    scaler: Option<Scaler>,
    /// The picture before rotation.
    upright: Vec<u8>,
}

impl Converter {
    /// Writes the shown picture's RGBA bytes to `pixels` and returns whether it is opaque.
    pub fn convert(
        &mut self,
        frame: &Frame,
        geometry: &Geometry,
        pixels: &mut Vec<u8>,
    ) -> Result<bool, String> {
        let frame = frame.get();
        let bytes = geometry.width as usize * geometry.height as usize * 4;
        pixels.resize(bytes, 0);
        if geometry.orientation.is_identity() {
            return self.rgba(frame, geometry, pixels);
        }
        let mut upright = std::mem::take(&mut self.upright);
        upright.resize(bytes, 0);
        let opaque = self.rgba(frame, geometry, &mut upright);
        let (from, to) = (upright.as_chunks::<4>().0, pixels.as_chunks_mut::<4>().0);
        geometry.orientation.apply(from, geometry.width as usize, geometry.height as usize, to);
        self.upright = upright;
        opaque
    }

    fn rgba(&mut self, frame: &AVFrame, geometry: &Geometry, pixels: &mut [u8]) -> Result<bool, String> {
        let colour = colour_of(frame);
        let (width, height) = (frame.width.unsigned_abs(), frame.height.unsigned_abs());
        if (width, height) == (geometry.width, geometry.height)
            && let Some(image) = yuv_image(frame, colour)
        {
            image.rgba_part(0..image.width, 0..image.height, pixels);
            return Ok(true);
        }
        self.scale(frame, colour, geometry, pixels)?;
        if pixel_format_flags(frame.format) & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) as u64 == 0 {
            return Ok(true);
        }
        Ok(premultiply(pixels))
    }

    fn scale(
        &mut self,
        frame: &AVFrame,
        colour: Colour,
        geometry: &Geometry,
        pixels: &mut [u8],
    ) -> Result<(), String> {
        let wanted = Scaling {
            from: frame.format,
            source: (frame.width, frame.height),
            to: AVPixelFormat::AV_PIX_FMT_RGBA,
            target: (geometry.width as c_int, geometry.height as c_int),
            matrix: sws_space(colour.matrix),
            full_range: colour.full,
        };
        let scaler = match self.scaler.take() {
            Some(scaler) if *scaler.scaling() == wanted => scaler,
            _ => Scaler::new(wanted)?,
        };
        self.scaler.insert(scaler).scale_into(frame, pixels)
    }
}

/// A decoded frame that is already what films are encoded in.
pub(crate) struct FilmPlanes(Frame);

// SAFETY: the frame's buffers are only read from here on.
unsafe impl Sync for FilmPlanes {}

impl FilmPlanes {
    /// Shares the frame's memory; `None` when it is anything but 8-bit 4:2:0, BT.709, limited range, shown as it is, with
    /// even sides.
    pub fn of(frame: &Frame, geometry: &Geometry) -> Option<Self> {
        let picture = frame.get();
        let (width, height) = (picture.width.unsigned_abs(), picture.height.unsigned_abs());
        let fits = picture.format == AVPixelFormat::AV_PIX_FMT_YUV420P.0
            && colour_of(picture) == Colour { matrix: Matrix::Bt709, full: false }
            && geometry.orientation.is_identity()
            && (width, height) == (geometry.width, geometry.height)
            && width.is_multiple_of(2)
            && height.is_multiple_of(2);
        let shared = Self(fits.then(|| frame.share())?);
        shared.planes().is_some().then_some(shared)
    }

    /// Y, U and V, and the bytes from row to row.
    pub fn planes(&self) -> Option<PlanesRef<'_>> {
        let frame = self.0.get();
        let (width, height) = (frame.width.unsigned_abs(), frame.height.unsigned_abs());
        let plane = |index: usize, width, height| {
            let bytes = plane(frame, index, width, height)?;
            Some(Plane { bytes, stride: frame.linesize[index] as usize })
        };
        Some(PlanesRef {
            y: plane(0, width, height)?,
            u: plane(1, width / 2, height / 2)?,
            v: plane(2, width / 2, height / 2)?,
        })
    }

    /// RGBA of a part, equal to that of the whole picture.
    pub fn rgba_part(&self, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        let frame = self.0.get();
        if let Some(image) = yuv_image(frame, colour_of(frame)) {
            image.rgba_part(columns, rows, out);
        }
    }
}

/// A picture in one of the common 8-bit formats; `None` for others.
pub(crate) fn yuv_image(frame: &AVFrame, colour: Colour) -> Option<YuvImage<'_>> {
    let (halved, step) = match AVPixelFormat(frame.format) {
        AVPixelFormat::AV_PIX_FMT_YUV420P | AVPixelFormat::AV_PIX_FMT_YUVJ420P => ((true, true), 1),
        AVPixelFormat::AV_PIX_FMT_YUV422P | AVPixelFormat::AV_PIX_FMT_YUVJ422P => ((true, false), 1),
        AVPixelFormat::AV_PIX_FMT_YUV444P | AVPixelFormat::AV_PIX_FMT_YUVJ444P => ((false, false), 1),
        AVPixelFormat::AV_PIX_FMT_NV12 => ((true, true), 2),
        _ => return None,
    };
    let (width, height) = (frame.width.unsigned_abs(), frame.height.unsigned_abs());
    let side = |side: u32, halved: bool| if halved { side.div_ceil(2) } else { side };
    let (wide, high) = (side(width, halved.0), side(height, halved.1));
    let plane = |index: usize, width: u32, rows: u32| {
        let bytes = plane(frame, index, width, rows)?;
        Some(Plane { bytes, stride: frame.linesize[index] as usize })
    };
    let y = plane(0, width, height)?;
    let (u, v) = if step == 1 {
        (plane(1, wide, high)?, plane(2, wide, high)?)
    } else {
        let both = plane(1, wide * 2, high)?;
        (both, Plane { bytes: &both.bytes[1..], ..both })
    };
    let image = YuvImage { width: width as usize, height: height as usize, y, u, v, step, halved, colour };
    image.is_complete().then_some(image)
}

/// A plane of `rows` rows that begin `linesize` apart; `None` for planes stored upside down.
fn plane(frame: &AVFrame, index: usize, width: u32, rows: u32) -> Option<&[u8]> {
    let stride = u32::try_from(frame.linesize[index]).ok().filter(|&stride| stride >= width)? as usize;
    let data = frame.data[index];
    if data.is_null() || rows == 0 {
        return None;
    }
    // SAFETY: a decoded plane holds `rows` rows of at least `width` bytes, `linesize` apart.
    Some(unsafe { std::slice::from_raw_parts(data, stride * (rows as usize - 1) + width as usize) })
}
