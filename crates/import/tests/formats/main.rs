//! Films of every format: what is kept, what is reported, and that nothing in a document can break the importer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod hostile;
mod kept;

use std::path::{Path, PathBuf};

use rondo_import::{Imported, Source, import};
use serde_json::Value;

/// Every film in tests/data: its format, its path and its document.
fn films() -> Vec<(Source, PathBuf, Value)> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut films = Vec::new();
    for name in Source::NAMES {
        let files = std::fs::read_dir(data.join(name)).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
        files.sort();
        assert!(files.len() >= 5, "{name} has only {} films", files.len());
        for path in files {
            let document = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            films.push((Source::named(name).unwrap(), path, document));
        }
    }
    films
}

fn imported(document: &Value) -> Imported {
    import(document, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The film with a name such as `rve/clips`.
fn film(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
