//! Parses any bytes as a composition or a render request, resolves its variables, and serializes it. Nothing may panic, and
//! the result must parse to the same composition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondo_composition::{Composition, Film, Limits, RenderRequest, read_composition_or_request};
use serde_json::{Map, Value};

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let limits = Limits::default();
    let replacements = match RenderRequest::read(&value, limits) {
        Ok(request) => {
            if let Film::Direct(film) = &request.film {
                round_trips(film, limits);
            }
            request.replacements
        }
        Err(error) => {
            assert!(!error.problems().is_empty());
            Map::new()
        }
    };
    let Ok(read) = read_composition_or_request(&value, limits) else { return };
    let mut film = read.composition;
    round_trips(&film, limits);
    resolve(&mut film, &replacements);
    // Fills every variable with some value.
    let filler: Map<String, Value> = film
        .variables()
        .into_iter()
        .zip(read.remarks.unknown_fields.into_iter().chain(std::iter::repeat_with(|| "1,200".to_owned())))
        .map(|(variable, value)| (variable.name, Value::from(value)))
        .collect();
    resolve(&mut film, &filler);
    round_trips(&film, limits);
});

fn resolve(film: &mut Composition, replacements: &Map<String, Value>) {
    let before = film.clone();
    match film.apply_replacements(replacements) {
        Ok(report) => drop(film.missing_media(&report.ai)),
        Err(_) => assert_eq!(*film, before),
    }
}

fn round_trips(film: &Composition, limits: Limits) {
    let again = Composition::read(&film.write(), limits).expect("a written composition reads");
    assert!(again.remarks.unknown_fields.is_empty());
    assert_eq!(again.composition, *film);
}
