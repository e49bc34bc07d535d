//! How a picture lies: turned in quarters, mirrored or both.

/// One of the eight ways to lay a picture: mirrored along the diagonal first, then flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Orientation {
    pub transpose: bool,
    pub flip_x: bool,
    pub flip_y: bool,
}

impl Orientation {
    /// The orientation nearest to a display matrix (16.16 fixed point, `x' = a·x + c·y`, `y' = b·x + d·y`).
    pub fn from_matrix(matrix: &[i32; 9]) -> Self {
        let [a, b, c, d] = [matrix[0], matrix[1], matrix[3], matrix[4]].map(f64::from);
        let determinant = a * d - b * c;
        if determinant == 0.0 {
            return Self::default();
        }
        let quarter = (libm::atan2(b, a) / std::f64::consts::FRAC_PI_2).round() as i32;
        let (a, b) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter.rem_euclid(4) as usize];
        let (c, d) = if determinant > 0.0 { (-b, a) } else { (b, -a) };
        if a == 0 {
            Self { transpose: true, flip_x: c < 0, flip_y: b < 0 }
        } else {
            Self { transpose: false, flip_x: a < 0, flip_y: d < 0 }
        }
    }

    /// Clockwise; mirroring is left out.
    pub fn degrees(self) -> u32 {
        match (self.transpose, self.flip_x, self.flip_y) {
            (true, true, _) => 90,
            (true, false, _) => 270,
            (false, true, true) => 180,
            _ => 0,
        }
    }

    pub fn is_identity(self) -> bool {
        self == Self::default()
    }

    /// Lays `source` (`width` × `height` pixels) into `target`, which has room for as many.
    pub fn apply<P: Copy>(self, source: &[P], width: usize, height: usize, target: &mut [P]) {
        const BLOCK: usize = 32;
        let (out_width, out_height) = if self.transpose { (height, width) } else { (width, height) };
        for block_y in (0..out_height).step_by(BLOCK) {
            for block_x in (0..out_width).step_by(BLOCK) {
                for y in block_y..(block_y + BLOCK).min(out_height) {
                    let from_y = if self.flip_y { out_height - 1 - y } else { y };
                    for x in block_x..(block_x + BLOCK).min(out_width) {
                        let from_x = if self.flip_x { out_width - 1 - x } else { x };
                        let (sx, sy) = if self.transpose { (from_y, from_x) } else { (from_x, from_y) };
                        target[y * out_width + x] = source[sy * width + sx];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i32 = 1 << 16;

    #[test]
    fn quarter_turn_moves_the_top_left_pixel_to_the_top_right() {
        let orientation = Orientation::from_matrix(&[0, ONE, 0, -ONE, 0, 0, 0, 0, 1 << 30]);
        assert_eq!(orientation.degrees(), 90);
        let mut turned = [0; 6];
        orientation.apply(&[1, 2, 3, 4, 5, 6], 3, 2, &mut turned);
        assert_eq!(turned, [4, 1, 5, 2, 6, 3]);
    }

    #[test]
    fn mirror_flips_left_and_right_only() {
        let orientation = Orientation::from_matrix(&[-ONE, 0, 0, 0, ONE, 0, 0, 0, 1 << 30]);
        let mut turned = [0; 4];
        orientation.apply(&[1, 2, 3, 4], 2, 2, &mut turned);
        assert_eq!(turned, [2, 1, 4, 3]);
    }
}
