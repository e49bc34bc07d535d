//! The inverse discrete cosine transform with the integer arithmetic of libjpeg-turbo, which browsers use. It wraps
//! intermediate values to 16 bits in the same places, so that out-of-range coefficients give the same pixels.

use super::{COEFFICIENTS, Group, LANES, SIDE};

/// Fraction bits of the factors, and of the values between the two passes.
const FACTOR: u32 = 13;
const BETWEEN: u32 = 2;

/// Transforms the coefficients of a group of blocks into eight rows of samples, `stride` apart.
#[expect(
    clippy::needless_range_loop,
    reason = "the arrays have different layouts, and the inner loop over lanes is vectorized"
)]
#[inline(always)]
pub fn transform(coefficients: &Group, steps: &[i16; COEFFICIENTS], samples: &mut [u8], stride: usize) {
    let mut between = [[[0; LANES]; SIDE]; SIDE];
    let (lanes, _) = coefficients.as_chunks::<LANES>();
    for x in 0..SIDE {
        for lane in 0..LANES {
            let mut column = [0; SIDE];
            for (y, value) in column.iter_mut().enumerate() {
                let place = y * SIDE + x;
                *value = i32::from(lanes[place][lane].wrapping_mul(steps[place]));
            }
            let column = waves(column);
            for y in 0..SIDE {
                between[y][x][lane] =
                    rounded(column[y], FACTOR - BETWEEN).clamp(i16::MIN.into(), i16::MAX.into());
            }
        }
    }
    for (row, samples) in between.iter().zip(samples.chunks_mut(stride)) {
        // Four samples per integer, so that the lanes are stored whole.
        let mut bytes = [[0u32; 2]; LANES];
        for lane in 0..LANES {
            let mut line = [0; SIDE];
            for (x, value) in line.iter_mut().enumerate() {
                *value = row[x][lane];
            }
            let [a, b, c, d, e, f, g, h] =
                waves(line).map(|v| (rounded(v, FACTOR + BETWEEN + 3) + 128).clamp(0, 255) as u32);
            bytes[lane] = [a | b << 8 | c << 16 | d << 24, e | f << 8 | g << 16 | h << 24];
        }
        for (to, bytes) in samples.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_flattened()) {
            *to = bytes.to_le_bytes();
        }
    }
}

#[inline(always)]
fn rounded(value: i32, bits: u32) -> i32 {
    value.wrapping_add(1 << (bits - 1)) >> bits
}

/// One-dimensional transform of eight frequencies; the result is scaled by 2¹³ √8.
#[inline(always)]
fn waves(f: [i32; SIDE]) -> [i32; SIDE] {
    let short = |v: i32| i32::from(v as i16);
    let add = i32::wrapping_add;
    let sub = i32::wrapping_sub;
    let mul = i32::wrapping_mul;
    // Even frequencies: a rotation of 2 and 6, sum and difference of 0 and 4.
    let turn = mul(add(f[2], f[6]), 4433);
    let (low, high) = (add(turn, mul(f[2], 6270)), sub(turn, mul(f[6], 15137)));
    let (sum, difference) = (short(f[0] + f[4]) << FACTOR, short(f[0] - f[4]) << FACTOR);
    let even = [add(sum, low), add(difference, high), sub(difference, high), sub(sum, low)];
    // Odd frequencies.
    let (downs, ups) = (short(f[7] + f[3]), short(f[5] + f[1]));
    let both = mul(downs + ups, 9633);
    let outer = mul(add(f[7], f[1]), -7373);
    let inner = mul(add(f[5], f[3]), -20995);
    let third = add(mul(downs, -16069), both);
    let fourth = add(mul(ups, -3196), both);
    let odd = [
        add(mul(f[1], 12299), add(outer, fourth)),
        add(mul(f[3], 25172), add(inner, third)),
        add(mul(f[5], 16819), add(inner, fourth)),
        add(mul(f[7], 2446), add(outer, third)),
    ];
    [
        add(even[0], odd[0]),
        add(even[1], odd[1]),
        add(even[2], odd[2]),
        add(even[3], odd[3]),
        sub(even[3], odd[3]),
        sub(even[2], odd[2]),
        sub(even[1], odd[1]),
        sub(even[0], odd[0]),
    ]
}
