//! A font: TrueType, OpenType, WOFF or WOFF2. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::font(bytes));
