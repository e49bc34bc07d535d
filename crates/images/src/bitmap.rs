//! PNG, JPEG, WebP, GIF and BMP files to premultiplied pixels.

use std::io::Cursor;

use ::image::metadata::Orientation;
use ::image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};
use rondo_pixels::{Bitmap, Picture, premultiply};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::animation::has_sound_palette;
use super::{ImageKind, MAX_PIXELS, jpeg};

const DAMAGED: &str = "it is damaged or cut short";

/// Size as shown, orientation applied.
pub(super) fn size(bytes: &[u8], kind: ImageKind) -> Result<(u32, u32), String> {
    let mut decoder = decoder(bytes, kind)?;
    let (width, height) = decoder.dimensions();
    Ok(if swaps_sides(orientation(&mut decoder)) { (height, width) } else { (width, height) })
}

fn swaps_sides(turn: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(turn, Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH)
}

pub(super) fn load(bytes: &[u8], kind: ImageKind) -> Result<Picture, String> {
    if let (ImageKind::Jpeg, Some(photo)) = (kind, photo(bytes)) {
        return Ok(photo);
    }
    let mut decoder = decoder(bytes, kind)?;
    let orientation = orientation(&mut decoder);
    let opaque = !decoder.color_type().has_alpha();
    let picture = DynamicImage::from_decoder(decoder).map_err(reason)?.into_rgba8();
    Ok(premultiplied(turned(picture, orientation), opaque))
}

/// A baseline YCbCr JPEG whose rows can be had one after another.
pub struct PhotoRows<'a> {
    bytes: &'a [u8],
    size: (u32, u32),
    turn: Orientation,
}

impl<'a> PhotoRows<'a> {
    /// `None` for other files.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        if super::sniff_image(bytes) != Some(ImageKind::Jpeg) {
            return None;
        }
        let PhotoHeader { size, turn, .. } = PhotoHeader::read(bytes)?;
        Some(Self { bytes, size, turn })
    }

    /// Width and height as stored.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Whether width and height as shown are height and width as stored.
    pub fn swaps_sides(&self) -> bool {
        swaps_sides(self.turn)
    }

    /// Gives each row as it is stored, from the top, as opaque RGBA. `None` if the decoder of whole files is needed, maybe after
    /// some rows.
    pub fn read(&self, each: impl FnMut(&[u8])) -> Option<()> {
        jpeg::decode_rows(self.bytes, self.size, each)
    }

    /// A picture that was made from the rows, as it is shown.
    pub fn shown(&self, picture: Bitmap) -> Option<Picture> {
        let picture = RgbaImage::from_raw(picture.width, picture.height, picture.pixels)?;
        Some(premultiplied(turned(picture, self.turn), true))
    }
}

/// A baseline YCbCr JPEG. `None` for others, and for damaged ones, for which the general decoder has better errors.
fn photo(bytes: &[u8]) -> Option<Picture> {
    let PhotoHeader { mut decoder, size: (width, height), turn } = PhotoHeader::read(bytes)?;
    let pixels = jpeg::decode(bytes, (width, height)).or_else(|| {
        let mut pixels = decoder.decode().ok()?;
        // The missing part of a truncated file is filled with grey, also in the alpha channel.
        for pixel in pixels.as_chunks_mut::<4>().0.iter_mut().rev().take_while(|pixel| pixel[3] != 255) {
            pixel[3] = 255;
        }
        Some(pixels)
    })?;
    let picture = RgbaImage::from_raw(width, height, pixels)?;
    Some(premultiplied(turned(picture, turn), true))
}

/// A YCbCr JPEG, with the general decoder.
struct PhotoHeader<'a> {
    decoder: JpegDecoder<ZCursor<&'a [u8]>>,
    size: (u32, u32),
    turn: Orientation,
}

impl<'a> PhotoHeader<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let options = DecoderOptions::default()
            .set_strict_mode(false)
            .set_max_width(usize::MAX)
            .set_max_height(usize::MAX)
            .jpeg_set_out_colorspace(ColorSpace::RGBA);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
        decoder.decode_headers().ok()?;
        let size = decoder.dimensions().map(|(width, height)| (width as u32, height as u32))?;
        if decoder.input_colorspace() != Some(ColorSpace::YCbCr) || check_size(size.0, size.1).is_err() {
            return None;
        }
        let turn = decoder.exif().and_then(|exif| Orientation::from_exif_chunk(exif));
        Some(Self { decoder, size, turn: turn.unwrap_or(Orientation::NoTransforms) })
    }
}

fn turned(picture: RgbaImage, orientation: Orientation) -> RgbaImage {
    let mut picture = DynamicImage::ImageRgba8(picture);
    picture.apply_orientation(orientation);
    picture.into_rgba8()
}

/// Premultiplies alpha; `opaque` skips images without transparency.
pub fn premultiplied(picture: RgbaImage, opaque: bool) -> Picture {
    let (width, height) = picture.dimensions();
    let mut bitmap = Bitmap { width, height, pixels: picture.into_raw() };
    let opaque = opaque || premultiply(&mut bitmap.pixels);
    Picture::new(bitmap, opaque)
}

/// Rejects excessive sizes before memory is allocated.
pub fn check_size(width: u32, height: u32) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err(format!("its size is {width}×{height} pixels; width and height must be at least 1"));
    }
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!(
            "its size is {width}×{height} pixels, more than the limit of {} million; scale it down",
            MAX_PIXELS / 1_000_000
        ));
    }
    Ok(())
}

fn decoder(bytes: &[u8], kind: ImageKind) -> Result<impl ImageDecoder, String> {
    let format = match kind {
        ImageKind::Png => ImageFormat::Png,
        ImageKind::Jpeg => ImageFormat::Jpeg,
        ImageKind::WebP => ImageFormat::WebP,
        ImageKind::Gif => ImageFormat::Gif,
        ImageKind::Bmp => ImageFormat::Bmp,
        ImageKind::Avif | ImageKind::Svg => return Err("it is not a bitmap".to_owned()),
    };
    if kind == ImageKind::Png && !has_sound_palette(bytes) {
        return Err(DAMAGED.to_owned());
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    // 16 bits per channel, four channels, and the decoder's own buffers.
    limits.max_alloc = Some(MAX_PIXELS * 8 + (64 << 20));
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(reason)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    Ok(decoder)
}

/// A damaged orientation tag leaves the picture as it is stored.
fn orientation(decoder: &mut impl ImageDecoder) -> Orientation {
    decoder.orientation().unwrap_or(Orientation::NoTransforms)
}

fn reason(error: ImageError) -> String {
    match error {
        ImageError::IoError(_) => "the file ends too early".to_owned(),
        ImageError::Limits(_) => "decoding it would need too much memory; scale it down".to_owned(),
        ImageError::Unsupported(error) => format!("the file uses a feature that is not supported ({error})"),
        // The decoder's own message is technical and may span several lines.
        _ => DAMAGED.to_owned(),
    }
}
