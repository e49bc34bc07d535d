//! Decoded pictures of any pixel format to premultiplied RGBA. Common 8-bit formats take the `yuv` crate's fast path,
//! everything else goes through swscale.

use std::ffi::c_int;
use std::ops::Range;

use rondo_pixels::{Plane, PlanesRef, premultiply};
use yuv::{YuvBiPlanarImage, YuvConversionMode, YuvError, YuvPlanarImage, YuvRange, YuvStandardMatrix};

use super::geometry::Geometry;
use super::pool::Pool;
use super::probe::pixel_format_flags;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Scaler, Scaling};

/// Untagged pictures at least this high are BT.709, lower ones BT.601, as browsers decide.
const HD_HEIGHT: u32 = 720;

/// Colour as tagged in the stream, holes filled.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Colour {
    matrix: YuvStandardMatrix,
    full: bool,
}

impl Colour {
    fn of(frame: &AVFrame, height: u32) -> Self {
        let matrix = match frame.colorspace {
            AVColorSpace::AVCOL_SPC_BT709 => YuvStandardMatrix::Bt709,
            AVColorSpace::AVCOL_SPC_FCC => YuvStandardMatrix::Fcc,
            AVColorSpace::AVCOL_SPC_BT470BG | AVColorSpace::AVCOL_SPC_SMPTE170M => YuvStandardMatrix::Bt601,
            AVColorSpace::AVCOL_SPC_SMPTE240M => YuvStandardMatrix::Smpte240,
            AVColorSpace::AVCOL_SPC_BT2020_NCL | AVColorSpace::AVCOL_SPC_BT2020_CL => {
                YuvStandardMatrix::Bt2020
            }
            _ if height >= HD_HEIGHT => YuvStandardMatrix::Bt709,
            _ => YuvStandardMatrix::Bt601,
        };
        let full = frame.color_range == AVColorRange::AVCOL_RANGE_JPEG || is_full_range(frame.format);
        Self { matrix, full }
    }

    fn range(self) -> YuvRange {
        if self.full { YuvRange::Full } else { YuvRange::Limited }
    }

    /// swscale's name of the matrix.
    fn sws_space(self) -> c_int {
        match self.matrix {
            YuvStandardMatrix::Bt709 => SWS_CS_ITU709,
            YuvStandardMatrix::Fcc => SWS_CS_FCC,
            YuvStandardMatrix::Smpte240 => SWS_CS_SMPTE240M,
            YuvStandardMatrix::Bt2020 => SWS_CS_BT2020,
            _ => SWS_CS_ITU601,
        }
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
        let colour = Colour::of(frame, frame.height.unsigned_abs());
        let same_size =
            frame.width.unsigned_abs() == geometry.width && frame.height.unsigned_abs() == geometry.height;
        if same_size && let Some(done) = fast(frame, colour, pixels) {
            return done.map(|()| true).map_err(|error| error.to_string());
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
            matrix: colour.sws_space(),
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
        let colour = Colour::of(picture, height);
        let fits = picture.format == AVPixelFormat::AV_PIX_FMT_YUV420P.0
            && colour == Colour { matrix: YuvStandardMatrix::Bt709, full: false }
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

    /// RGBA of a part, equal to that of the whole picture. `pool` has room for what is around it.
    pub fn rgba_part(&self, columns: Range<usize>, rows: Range<usize>, out: &mut [u8], pool: &Pool) {
        let frame = self.0.get();
        let (width, height) = (frame.width.unsigned_abs() as usize, frame.height.unsigned_abs() as usize);
        let Some(PlanesRef { y, u, v }) = self.planes() else { return };
        // Colour is interpolated, so it takes the neighbours on all sides.
        let around = |part: &Range<usize>, length: usize| {
            (part.start & !1).saturating_sub(2)..(part.end.next_multiple_of(2) + 2).min(length)
        };
        let (wide_columns, wide_rows) = (around(&columns, width), around(&rows, height));
        let (x, row) = (wide_columns.start, wide_rows.start);
        let image = YuvPlanarImage {
            y_plane: &y.bytes[row * y.stride + x..],
            y_stride: y.stride as u32,
            u_plane: &u.bytes[row / 2 * u.stride + x / 2..],
            u_stride: u.stride as u32,
            v_plane: &v.bytes[row / 2 * v.stride + x / 2..],
            v_stride: v.stride as u32,
            width: wide_columns.len() as u32,
            height: wide_rows.len() as u32,
        };
        let stride = wide_columns.len() * 4;
        let convert = |out: &mut [u8]| {
            let (range, matrix) = (YuvRange::Limited, YuvStandardMatrix::Bt709);
            let done = yuv::yuv420_to_rgba_bilinear(&image, out, stride as u32, range, matrix);
            debug_assert!(done.is_ok(), "{done:?}");
            if done.is_err() {
                out.fill(0);
            }
        };
        if (&wide_columns, &wide_rows) == (&columns, &rows) {
            convert(out);
            return;
        }
        let mut wide = pool.take();
        wide.resize(wide_rows.len() * stride, 0);
        convert(&mut wide);
        let inner = wide.chunks_exact(stride).skip(rows.start - row);
        for (out, wide) in out.chunks_exact_mut(columns.len().max(1) * 4).zip(inner) {
            let start = (columns.start - x) * 4;
            out.copy_from_slice(&wide[start..start + out.len()]);
        }
        pool.give(wide);
    }
}

/// The `yuv` crate's conversions; `None` when the format has none.
fn fast(frame: &AVFrame, colour: Colour, pixels: &mut [u8]) -> Option<Result<(), YuvError>> {
    let (width, height) = (frame.width.unsigned_abs(), frame.height.unsigned_abs());
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let stride = width * 4;
    let (range, matrix) = (colour.range(), colour.matrix);
    let planar = |chroma_width, chroma_height| {
        Some(YuvPlanarImage {
            y_plane: plane(frame, 0, width, height)?,
            y_stride: frame.linesize[0] as u32,
            u_plane: plane(frame, 1, chroma_width, chroma_height)?,
            u_stride: frame.linesize[1] as u32,
            v_plane: plane(frame, 2, chroma_width, chroma_height)?,
            v_stride: frame.linesize[2] as u32,
            width,
            height,
        })
    };
    match AVPixelFormat(frame.format) {
        AVPixelFormat::AV_PIX_FMT_YUV420P | AVPixelFormat::AV_PIX_FMT_YUVJ420P => {
            let image = planar(half_width, half_height)?;
            Some(yuv::yuv420_to_rgba_bilinear(&image, pixels, stride, range, matrix))
        }
        AVPixelFormat::AV_PIX_FMT_YUV422P | AVPixelFormat::AV_PIX_FMT_YUVJ422P => {
            let image = planar(half_width, height)?;
            Some(yuv::yuv422_to_rgba_bilinear(&image, pixels, stride, range, matrix))
        }
        AVPixelFormat::AV_PIX_FMT_YUV444P | AVPixelFormat::AV_PIX_FMT_YUVJ444P => {
            let image = planar(width, height)?;
            Some(yuv::yuv444_to_rgba(&image, pixels, stride, range, matrix))
        }
        AVPixelFormat::AV_PIX_FMT_NV12 => {
            let image = YuvBiPlanarImage {
                y_plane: plane(frame, 0, width, height)?,
                y_stride: frame.linesize[0] as u32,
                uv_plane: plane(frame, 1, half_width * 2, half_height)?,
                uv_stride: frame.linesize[1] as u32,
                width,
                height,
            };
            Some(yuv::yuv_nv12_to_rgba(&image, pixels, stride, range, matrix, YuvConversionMode::Balanced))
        }
        _ => None,
    }
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
