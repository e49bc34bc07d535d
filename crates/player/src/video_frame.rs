//! A decoded video frame, converted to RGBA when that is first needed.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rondo_pixels::{Colour, Matrix, Orientation, Picture, PixelSource, Plane, YuvImage, copy_part};
use serde::Deserialize;

/// What the page knows of a decoded frame.
#[derive(Clone, Debug, Deserialize)]
pub struct FrameInfo {
    /// Size before rotation.
    pub width: usize,
    pub height: usize,
    /// `I420`, `I422` or `I444`, planes one after the other without padding.
    #[serde(default)]
    pub format: Option<String>,
    /// The matrix of the stream; `None` where it tells none.
    #[serde(default)]
    pub matrix: Option<String>,
    #[serde(default)]
    pub full: bool,
    /// Clockwise, in degrees.
    #[serde(default)]
    pub rotation: u32,
    /// Whether it is mirrored left to right, after it is rotated.
    #[serde(default)]
    pub flip: bool,
}

impl FrameInfo {
    fn colour(&self) -> Colour {
        let matrix = match self.matrix.as_deref() {
            Some("bt709") => Matrix::Bt709,
            Some("bt601" | "bt470bg" | "smpte170m") => Matrix::Bt601,
            Some("fcc") => Matrix::Fcc,
            Some("smpte240m") => Matrix::Smpte240,
            Some("bt2020" | "bt2020-ncl") => Matrix::Bt2020,
            _ => Matrix::untagged(self.height as u32),
        };
        Colour { matrix, full: self.full }
    }

    fn orientation(&self) -> Orientation {
        let turned = match self.rotation % 360 {
            90 => Orientation { transpose: true, flip_x: true, flip_y: false },
            180 => Orientation { transpose: false, flip_x: true, flip_y: true },
            270 => Orientation { transpose: true, flip_x: false, flip_y: true },
            _ => Orientation::default(),
        };
        Orientation { flip_x: turned.flip_x != self.flip, ..turned }
    }

    fn halved(&self) -> Option<(bool, bool)> {
        match self.format.as_deref().unwrap_or("I420") {
            "I420" => Some((true, true)),
            "I422" => Some((true, false)),
            "I444" => Some((false, false)),
            _ => None,
        }
    }

    /// Width and height of the planes of colour.
    fn colour_size(&self) -> Option<(usize, usize)> {
        let side = |side: usize, halved: bool| if halved { side.div_ceil(2) } else { side };
        self.halved().map(|halved| (side(self.width, halved.0), side(self.height, halved.1)))
    }

    /// Bytes of all planes.
    pub fn bytes(&self) -> Option<usize> {
        let (wide, high) = self.colour_size()?;
        self.width.checked_mul(self.height)?.checked_add(wide.checked_mul(high)?.checked_mul(2)?)
    }

    /// The planes in `bytes`; `None` if there are too few.
    pub fn image<'a>(&self, bytes: &'a [u8]) -> Option<YuvImage<'a>> {
        let (width, height, halved, (wide, high)) =
            (self.width, self.height, self.halved()?, self.colour_size()?);
        let (y, rest) = bytes.split_at_checked(width.checked_mul(height)?)?;
        let (u, v) = rest.split_at_checked(wide.checked_mul(high)?)?;
        let plane = |bytes, stride| Plane { bytes, stride };
        let (y, u, v) = (plane(y, width), plane(u, wide), plane(v, wide));
        let image = YuvImage { width, height, y, u, v, step: 1, halved, colour: self.colour() };
        image.is_complete().then_some(image)
    }
}

/// A decoded frame as it is kept.
pub struct Decoded {
    planes: Arc<Planes>,
    picture: Arc<Picture>,
}

impl Decoded {
    /// `None` if there are too few bytes.
    pub fn new(bytes: Vec<u8>, info: FrameInfo) -> Option<Self> {
        info.image(&bytes)?;
        let orientation = info.orientation();
        let planes = Arc::new(Planes { bytes, info, orientation });
        let picture = Arc::new(picture_of(&planes));
        Some(Self { planes, picture })
    }

    pub fn picture(&self) -> &Arc<Picture> {
        &self.picture
    }

    /// Frees its RGBA pixels, which need more memory than its planes. They are made again when they are needed.
    pub fn forget_rgba(&mut self) {
        self.picture = Arc::new(picture_of(&self.planes));
    }
}

fn picture_of(planes: &Arc<Planes>) -> Picture {
    let (mut width, mut height) = (planes.info.width as u32, planes.info.height as u32);
    if planes.orientation.transpose {
        (width, height) = (height, width);
    }
    let frame = VideoFrame { planes: planes.clone(), rgba: OnceLock::new() };
    Picture { width, height, pixels: Arc::new(frame), opaque: true }
}

struct Planes {
    bytes: Vec<u8>,
    info: FrameInfo,
    orientation: Orientation,
}

impl Planes {
    fn image(&self) -> Option<YuvImage<'_>> {
        self.info.image(&self.bytes)
    }
}

struct VideoFrame {
    planes: Arc<Planes>,
    rgba: OnceLock<Vec<u8>>,
}

impl PixelSource for VideoFrame {
    fn rgba(&self) -> &[u8] {
        self.rgba.get_or_init(|| {
            let Planes { info: FrameInfo { width, height, .. }, orientation, .. } = *self.planes;
            let mut upright = vec![0; self.rgba_len()];
            if let Some(image) = self.planes.image() {
                image.rgba_part(0..width, 0..height, &mut upright);
            }
            if orientation.is_identity() {
                return upright;
            }
            let mut turned = vec![0; upright.len()];
            let (from, to) = (upright.as_chunks::<4>().0, turned.as_chunks_mut::<4>().0);
            orientation.apply(from, width, height, to);
            turned
        })
    }

    fn rgba_len(&self) -> usize {
        self.planes.info.width * self.planes.info.height * 4
    }

    fn copy_part(&self, width: usize, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        match (self.rgba.get(), self.planes.image()) {
            (None, Some(image)) if self.planes.orientation.is_identity() => {
                image.rgba_part(columns, rows, out)
            }
            _ => copy_part(self.rgba(), width, columns, rows, out),
        }
    }

    fn rows<'a>(&'a self, width: usize, rows: Range<usize>, buffer: &'a mut [u8]) -> &'a [u8] {
        self.copy_part(width, 0..width, rows, buffer);
        buffer
    }
}
