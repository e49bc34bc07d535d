//! Deterministic randomness: the same seed gives the same number on every machine, in any order of calls.

/// A number in 0..1 for a numeric seed.
pub fn from_number(seed: f64) -> f64 {
    mulberry32(seed * 1e10)
}

/// A number in 0..1 for a text seed.
pub fn from_text(seed: &str) -> f64 {
    let hash = seed.encode_utf16().fold(0i32, |h, unit| h.wrapping_mul(31).wrapping_add(i32::from(unit)));
    mulberry32(f64::from(hash))
}

/// The generator's first output; the state is a JavaScript number until the first bit operation.
fn mulberry32(a: f64) -> f64 {
    let mut t = to_u32(a + f64::from(0x6d2b_79f5));
    t = (t ^ (t >> 15)).wrapping_mul(t | 1);
    t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
    f64::from(t ^ (t >> 14)) / 4_294_967_296.0
}

/// A JavaScript number as 32 bits: truncated, then wrapped.
fn to_u32(x: f64) -> u32 {
    if x.is_finite() { x.trunc().rem_euclid(4_294_967_296.0) as u32 } else { 0 }
}
