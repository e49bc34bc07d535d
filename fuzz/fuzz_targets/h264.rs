//! Reads any bytes as H.264: parameter sets, packets of a clip, and pictures to add repeats to. Nothing may panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_media::fuzz_h264(bytes));
