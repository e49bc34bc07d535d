//! Runs plain loops with the widest vectors the processor has. Results are the same at every width: kernels count in
//! integers, and floating-point operations are never fused.

use fearless_simd::{Level, dispatch};

/// Runs `kernel` compiled for this processor. Only what is inlined into it gains.
#[inline(always)]
pub fn widest<R>(kernel: impl FnOnce() -> R) -> R {
    dispatch!(level(), _ => kernel())
}

/// The SIMD level of this processor.
pub fn level() -> Level {
    Level::try_detect().unwrap_or(Level::baseline())
}
