//! AVIF images: the page decodes their AV1 pictures, which decoders agree on to the bit; the rest is done here.

use rondo_images::ImageInfo;
use rondo_images::avif::{self, Container, Sequence};
use rondo_pixels::Picture;
use rondo_scene::Digest;

use crate::video_frame::FrameInfo;

/// An image whose pictures are not decoded yet.
pub struct Coded {
    pub key: Digest,
    pub info: ImageInfo,
    container: Container,
    color: Sequence,
    alpha: Option<Sequence>,
}

/// A picture to be decoded.
pub struct Part<'a> {
    /// The name of the codec as browsers know it.
    pub codec: String,
    pub data: &'a [u8],
}

impl Coded {
    pub fn new(bytes: &[u8], key: Digest, info: ImageInfo) -> Result<Self, String> {
        let container = avif::read(bytes)?;
        let header = |data: &[u8]| Sequence::read(data).ok_or("the AVIF is damaged");
        let (color, alpha) = (header(&container.color)?, container.alpha.as_deref().map(header).transpose()?);
        Ok(Self { key, info, container, color, alpha })
    }

    /// Its colour, and its alpha if it has one.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let color = Part { codec: self.color.codec(), data: &self.container.color };
        let alpha = self.alpha.iter().zip(&self.container.alpha);
        let alpha = alpha.map(|(header, data)| Part { codec: header.codec(), data });
        std::iter::once(color).chain(alpha).collect()
    }

    /// The image, from its decoded parts.
    pub fn picture(&self, pictures: Vec<(Vec<u8>, FrameInfo)>) -> Result<Picture, String> {
        let mut pictures = pictures.into_iter();
        let (planes, info) = pictures.next().ok_or("it was not decoded")?;
        let image = info.image(&planes).ok_or("its pixels cannot be read")?;
        let size = (info.width as u32, info.height as u32);
        let rgba = if info.matrix.is_some() {
            // The browser gives other planes than the stream's, and tells their colour.
            let mut pixels = vec![0; image.width * image.height * 4];
            image.rgba_part(0..image.width, 0..image.height, &mut pixels);
            pixels
        } else {
            avif::rgba(&image, self.color.matrix, self.color.full)
        };
        let alpha = match &self.alpha {
            Some(header) => {
                let (planes, info) = pictures.next().ok_or("its alpha was not decoded")?;
                if (info.width as u32, info.height as u32) != size {
                    return Err("its alpha has another size than its colour".to_owned());
                }
                Some(coverage(planes, info.width * info.height, header.full))
            }
            None => None,
        };
        avif::assemble(size, rgba, alpha.as_deref(), &self.container.turns)
    }
}

/// The luma of a picture as alpha.
fn coverage(mut planes: Vec<u8>, pixels: usize, full: bool) -> Vec<u8> {
    planes.truncate(pixels);
    if !full {
        for value in &mut planes {
            let above = i32::from(*value) - 16;
            *value = ((above * 255 + 109) / 219).clamp(0, 255) as u8;
        }
    }
    planes
}
