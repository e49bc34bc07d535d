//! A film, probed and decoded by FFmpeg. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::media(bytes));
