//! From coded to displayed geometry: sample aspect ratio, then the rotation of the display matrix.

use rondo_pixels::Orientation;

use super::input::Track;

/// Largest side of a shown picture; a wilder aspect ratio is ignored.
const MAX_SIDE: f64 = 16_384.0;

/// Sizes of a picture track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Size with square pixels, before rotation.
    pub width: u32,
    pub height: u32,
    pub orientation: Orientation,
}

impl Geometry {
    pub fn of(track: &Track<'_>) -> Self {
        let coded = (track.parameters.width.unsigned_abs(), track.parameters.height.unsigned_abs());
        let aspect = [track.stream.sample_aspect_ratio, track.parameters.sample_aspect_ratio]
            .into_iter()
            .find(|aspect| aspect.num > 0 && aspect.den > 0)
            .map_or(1.0, |aspect| f64::from(aspect.num) / f64::from(aspect.den));
        let (width, height) = square_pixels(coded, aspect);
        Self {
            width,
            height,
            orientation: track.display_matrix().as_ref().map(Orientation::from_matrix).unwrap_or_default(),
        }
    }

    /// Size after rotation.
    pub fn shown(&self) -> (u32, u32) {
        if self.orientation.transpose { (self.height, self.width) } else { (self.width, self.height) }
    }
}

/// Grows the short side so that pixels become square, as browsers do.
fn square_pixels((width, height): (u32, u32), aspect: f64) -> (u32, u32) {
    let (wide, high) = if aspect >= 1.0 {
        ((f64::from(width) * aspect).round(), f64::from(height))
    } else {
        (f64::from(width), (f64::from(height) / aspect).round())
    };
    if wide > MAX_SIDE || high > MAX_SIDE { (width, height) } else { (wide as u32, high as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anamorphic_pictures_grow_to_square_pixels() {
        assert_eq!(square_pixels((720, 576), 64.0 / 45.0), (1024, 576));
        assert_eq!(square_pixels((720, 480), 8.0 / 9.0), (720, 540));
        assert_eq!(square_pixels((16, 16), 1.0e9), (16, 16));
    }
}
