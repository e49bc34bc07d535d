//! An SVG. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::image(bytes, b"<"));
