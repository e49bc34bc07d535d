//! A GIF, still or animated. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::image(bytes, b"GIF8"));
