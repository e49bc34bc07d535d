//! FFmpeg's own names: what `build.rs` makes of the headers, and the few macros that it cannot read.

mod types {
    #![allow(
        clippy::all,
        clippy::undocumented_unsafe_blocks,
        dead_code,
        non_camel_case_types,
        non_snake_case,
        non_upper_case_globals,
        unused_qualifications,
        reason = "generated from C headers"
    )]
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}

use std::ffi::c_int;

pub(crate) use types::*;

/// A timestamp that is not known.
pub(crate) const AV_NOPTS_VALUE: i64 = i64::MIN;
pub(crate) const AVERROR_EOF: c_int = error_tag(*b"EOF ");
pub(crate) const AVERROR_EXIT: c_int = error_tag(*b"EXIT");
pub(crate) const AVERROR_INVALIDDATA: c_int = error_tag(*b"INDA");

/// The error code for one of the system's.
pub(crate) const fn av_error(code: c_int) -> c_int {
    -code
}

const fn error_tag(tag: [u8; 4]) -> c_int {
    -i32::from_le_bytes(tag)
}
