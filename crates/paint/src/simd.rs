//! Vectors for the painter's loops, and roundings that vectors can do.

use fearless_simd::Level;
pub use rondo_pixels::simd::{level, widest};

/// The widest level at which a multiplication and an addition are never fused, so that results are those of a browser. On
/// ARM there is none, and results may differ in the last bit.
pub fn unfused() -> Level {
    #[cfg(target_arch = "x86_64")]
    if let Some(sse) = level().as_sse4_2() {
        return Level::Sse4_2(sse);
    }
    Level::baseline()
}

/// Prefetches a byte and its neighbours, if the processor can.
#[inline(always)]
pub fn fetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: nothing is read as far as the program can see, and the byte is there.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

/// All SIMD levels of this processor, for tests that compare them.
#[cfg(test)]
pub fn levels() -> Vec<Level> {
    let level = level();
    #[cfg(target_arch = "x86_64")]
    let less = [level.as_avx2().map(Level::Avx2), level.as_sse4_2().map(Level::Sse4_2)];
    #[cfg(not(target_arch = "x86_64"))]
    let less = [];
    [level, Level::baseline()].into_iter().chain(less.into_iter().flatten()).collect()
}

/// The byte nearest to a value of at least 0 and less than 256, halves upwards. Written as an addition because vectors have
/// no conversion that Rust's casts could use: above 2²³ neighbouring numbers are 1 apart.
#[inline(always)]
pub fn nearest(v: f32) -> u8 {
    const HALVES_UP: f32 = 1.0 / 4096.0;
    ((v + HALVES_UP) + 8_388_608.0).to_bits() as u8
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn values_are_rounded_to_nearest() {
        for byte in 0..=255u8 {
            for part in [-0.5, -0.49, -0.1, 0.0, 0.1, 0.49] {
                let v = f32::from(byte) + part;
                if v >= 0.0 {
                    assert_eq!(nearest(v), byte, "{v}");
                }
            }
        }
    }
}
