//! Sends any bytes to POST /renders.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| rondo_fuzz::post("/api/v1/renders", body));
