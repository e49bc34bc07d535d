//! The media of a composition, wherever they come from: how large images are kept, animated images by time, and the tracks
//! of the mix. Renders and the player share it, so that both paint and play the same.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod animation;
mod shown;
mod tracks;

pub use animation::AnimatedPicture;
pub use shown::Shown;
pub use tracks::{mixer, tracks};

use rondo_images::{ImageKind, Still};
use rondo_paint::scale_bitmap;
use rondo_pixels::Picture;

/// The size a still image is kept at: vector images at the size they are shown, bitmaps reduced if they are far larger.
pub fn kept_size(kind: ImageKind, (width, height): (u32, u32), shown: &Shown) -> (u32, u32) {
    if kind != ImageKind::Svg {
        return shown.reduced((width, height));
    }
    let scale = (shown.size.0 / f64::from(width)).max(shown.size.1 / f64::from(height)).clamp(0.01, 4096.0);
    let side = |v: u32| (f64::from(v) * scale).ceil().clamp(1.0, 8192.0) as u32;
    (side(width), side(height))
}

/// The pixels of a still image at the size it is kept at. `file_size` is the size that its header tells.
pub fn kept_picture(
    still: Still,
    file_size: (u32, u32),
    (width, height): (u32, u32),
) -> Result<Picture, String> {
    match still {
        Still::Svg(svg) => svg.render(width, height).map_err(|error| error.reason),
        Still::Bitmap(picture) if (picture.width, picture.height) != file_size => {
            Err("its size differs from the one in its header".into())
        }
        Still::Bitmap(picture) if (width, height) == file_size => Ok(picture),
        Still::Bitmap(picture) => {
            Ok(Picture::new(scale_bitmap(picture.as_bitmap(), width, height), picture.opaque))
        }
    }
}
