//! Planar YUV 4:2:0 as video is encoded: 8 bits per sample, BT.709, limited range, both sides even.

/// Owned planes, rows without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    pub width: u32,
    pub height: u32,
    /// `width * height` bytes.
    pub y: Vec<u8>,
    /// `width / 2 * height / 2` bytes.
    pub u: Vec<u8>,
    pub v: Vec<u8>,
}

/// Borrowed planes.
#[derive(Clone, Copy, Debug)]
pub struct PlanesRef<'a> {
    pub y: Plane<'a>,
    pub u: Plane<'a>,
    pub v: Plane<'a>,
}

/// One channel. Rows start `stride` bytes apart.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    pub bytes: &'a [u8],
    pub stride: usize,
}

impl Planes {
    /// Black planes for a picture of this size, rounded up to even sides.
    pub fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let luma = width as usize * height as usize;
        Self { width, height, y: vec![16; luma], u: vec![128; luma / 4], v: vec![128; luma / 4] }
    }

    /// Whether every plane is as long as the size requires.
    pub fn is_complete(&self) -> bool {
        let luma = self.width as usize * self.height as usize;
        self.y.len() == luma && self.u.len() == luma / 4 && self.v.len() == luma / 4
    }

    /// Copies planes of the same size.
    pub fn copy_from(&mut self, source: PlanesRef<'_>) {
        let width = self.width as usize;
        let planes = [
            (&mut self.y, width, source.y),
            (&mut self.u, width / 2, source.u),
            (&mut self.v, width / 2, source.v),
        ];
        for (to, width, plane) in planes {
            for (to, from) in to.chunks_exact_mut(width).zip(plane.bytes.chunks(plane.stride)) {
                to.copy_from_slice(&from[..width]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_rows_without_their_padding() {
        let padded = |width: usize, rows: usize, stride: usize| {
            let mut bytes = vec![0xee; stride * (rows - 1) + width];
            (0..rows).for_each(|row| bytes[row * stride..row * stride + width].fill(row as u8));
            bytes
        };
        let (y, uv) = (padded(4, 4, 7), padded(2, 2, 3));
        let plane = |bytes, stride| Plane { bytes, stride };
        let mut planes = Planes::new(3, 4);
        assert!(planes.is_complete());
        planes.copy_from(PlanesRef { y: plane(&y, 7), u: plane(&uv, 3), v: plane(&uv, 3) });
        assert_eq!(planes.y, [[0; 4], [1; 4], [2; 4], [3; 4]].concat());
        assert_eq!((planes.u.as_slice(), planes.v.as_slice()), (&[0, 0, 1, 1][..], &[0, 0, 1, 1][..]));
    }

    #[test]
    fn a_plane_of_the_wrong_length_is_incomplete() {
        assert!(!Planes { v: vec![0; 3], ..Planes::new(4, 4) }.is_complete());
        assert!(!Planes { width: 6, ..Planes::new(4, 4) }.is_complete());
    }
}
