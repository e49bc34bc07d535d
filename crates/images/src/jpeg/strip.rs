//! One row of MCUs: from coefficients to pixels.

use super::header::Photo;
use super::transform::transform;
use super::{COEFFICIENTS, Group, LANES, Rows, SIDE};

pub struct Strip {
    parts: [Part; 3],
    /// Chroma of a row of pixels, upsampled.
    blue: Vec<u8>,
    red: Vec<u8>,
    sums: Vec<u16>,
}

/// The strip of one component.
struct Part {
    /// Groups of blocks per row.
    groups: usize,
    coefficients: Vec<Group>,
    /// The last row of the strip above, then the rows of this one.
    samples: Vec<u8>,
}

impl Part {
    fn stride(&self) -> usize {
        self.groups * LANES * SIDE
    }

    fn row(&self, number: usize) -> &[u8] {
        &self.samples[number * self.stride()..][..self.stride()]
    }
}

impl Strip {
    pub fn new(photo: &Photo<'_>) -> Self {
        let (units, _) = photo.units();
        let parts = photo.components.each_ref().map(|component| {
            let groups = (units * component.across).div_ceil(LANES);
            Part {
                groups,
                coefficients: vec![[0; (COEFFICIENTS + 1) * LANES]; groups * component.down],
                samples: vec![0; groups * LANES * SIDE * (component.down * SIDE + 1)],
            }
        });
        let [light, ..] = &parts;
        let width = light.stride();
        Self { blue: vec![0; width], red: vec![0; width], sums: vec![0; width + 2], parts }
    }

    /// Sets all coefficients to zero.
    #[inline(always)]
    pub fn clear(&mut self) {
        for part in &mut self.parts {
            part.coefficients.as_flattened_mut().fill(0);
        }
    }

    /// The group and the lane of a block.
    #[inline(always)]
    pub fn block(&mut self, component: usize, x: usize, y: usize) -> (&mut Group, usize) {
        let part = &mut self.parts[component];
        (&mut part.coefficients[y * part.groups + x / LANES], x % LANES)
    }

    /// Writes the pixels of this strip, number `row`, except the rows whose chroma depends on the next strip.
    #[inline(always)]
    pub fn finish(&mut self, photo: &Photo<'_>, row: usize, last: bool, to: &mut impl Rows) {
        for (part, component) in self.parts.iter_mut().zip(&photo.components) {
            let (stride, groups) = (part.stride(), part.groups);
            for (number, coefficients) in part.coefficients.iter().enumerate() {
                let first = (number / groups * SIDE + 1) * stride + number % groups * LANES * SIDE;
                transform(coefficients, &component.steps, &mut part.samples[first..], stride);
            }
        }
        let sharing = photo.sharing();
        let rows = SIDE * photo.components[0].down;
        let (first, lag) = (row * rows, sharing.1 - 1);
        let shown = first - lag.min(first)..if last { photo.height } else { first + rows - lag };
        for y in shown.start..shown.end.min(photo.height) {
            to.row(
                y,
                #[inline(always)]
                |line| self.paint(photo, sharing, y, first, line),
            );
        }
        for part in &mut self.parts {
            let above = part.samples.len() - part.stride();
            part.samples.copy_within(above.., 0);
        }
    }

    /// Writes a row of pixels of a strip that starts at row `first`.
    #[inline(always)]
    fn paint(
        &mut self,
        photo: &Photo<'_>,
        (across, down): (usize, usize),
        y: usize,
        first: usize,
        line: &mut [u8],
    ) {
        let Self { parts: [light, blue, red], .. } = self;
        let light = light.row(y + 1 - first);
        let (width, height) = (photo.width.div_ceil(across), photo.height.div_ceil(down));
        // The chroma row of this pixel row, and the nearest neighbouring one.
        let near = y / down;
        let far = if down == 1 { near } else { (near + 2 * (y % 2)).saturating_sub(1).min(height - 1) };
        let [near, far] = [near, far].map(|row| row + 1 - first / down);
        if (across, down) == (1, 1) {
            colored(light, blue.row(near), red.row(near), line);
            return;
        }
        for (part, colors) in [(blue, &mut self.blue), (red, &mut self.red)] {
            let (near, far) = (&part.row(near)[..width], &part.row(far)[..width]);
            if across == 1 {
                for ((to, near), far) in colors.iter_mut().zip(near).zip(far) {
                    *to = ((3 * u16::from(*near) + u16::from(*far) + 1 + (y % 2) as u16) / 4) as u8;
                }
            } else if width <= 2 {
                for (to, near) in colors.as_chunks_mut::<2>().0.iter_mut().zip(near) {
                    *to = [*near; 2];
                }
            } else if down == 1 {
                self.sums[1..].iter_mut().zip(near).for_each(|(sum, near)| *sum = u16::from(*near));
                widened(&mut self.sums[..width + 2], colors, [1, 2], 2);
            } else {
                for ((sum, near), far) in self.sums[1..].iter_mut().zip(near).zip(far) {
                    *sum = 3 * u16::from(*near) + u16::from(*far);
                }
                widened(&mut self.sums[..width + 2], colors, [8, 7], 4);
            }
        }
        colored(light, &self.blue, &self.red, line);
    }
}

/// Upsamples by two: each result is three quarters of its value and one quarter of the neighbour, rounded. The first and
/// the last element of `values` are padding and are overwritten.
#[inline(always)]
fn widened(values: &mut [u16], to: &mut [u8], round: [u16; 2], bits: u32) {
    let end = values.len() - 1;
    (values[0], values[end]) = (values[1], values[end - 1]);
    let (left, middle, right) = (&values[..end - 1], &values[1..end], &values[2..]);
    let pairs = to.as_chunks_mut::<2>().0.iter_mut();
    for (((to, left), middle), right) in pairs.zip(left).zip(middle).zip(right) {
        let beside = |neighbour: u16, round: u16| ((3 * middle + neighbour + round) >> bits) as u8;
        *to = [beside(*left, round[0]), beside(*right, round[1])];
    }
}

/// Converts YCbCr to RGBA.
#[inline(always)]
fn colored(light: &[u8], blue: &[u8], red: &[u8], line: &mut [u8]) {
    const HALF: i32 = 1 << 15;
    for (((pixel, light), blue), red) in line.as_chunks_mut::<4>().0.iter_mut().zip(light).zip(blue).zip(red)
    {
        let (light, blue, red) = (i32::from(*light), i32::from(*blue) - 128, i32::from(*red) - 128);
        let r = light + ((91_881 * red + HALF) >> 16);
        let g = light + ((-22_554 * blue - 46_802 * red + HALF) >> 16);
        let b = light + ((116_130 * blue + HALF) >> 16);
        let [r, g, b] = [r, g, b].map(|v| v.clamp(0, 255) as u32);
        *pixel = (r | g << 8 | b << 16 | 255 << 24).to_le_bytes();
    }
}
