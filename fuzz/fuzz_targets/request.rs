//! Sends a request to the API. The bytes contain the end of its path, a line break and its body.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::post(bytes));
