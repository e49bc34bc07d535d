//! Sends any bytes to POST /ai/voiceover.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| rondo_fuzz::post("/api/v1/ai/voiceover", body));
