//! Imports any bytes as a film of each format. Nothing may panic, and the result must be a valid composition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondo_composition::{Composition, Limits};
use rondo_import::{Source, import};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = serde_json::from_slice::<Value>(bytes) else { return };
    let formats = Source::NAMES.into_iter().map(Source::named).chain([None]);
    for source in formats {
        match import(&document, source) {
            Ok(imported) => {
                let read = Composition::read(&imported.composition.write(), Limits::WIDEST).expect("a valid film");
                assert_eq!(read.composition, imported.composition);
            }
            Err(error) => assert!(!error.problems().is_empty()),
        }
    }
});
