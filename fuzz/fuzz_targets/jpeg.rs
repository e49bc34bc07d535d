//! A JPEG, by our decoder or the general one. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::image(bytes, &[0xFF, 0xD8]));
