//! Fonts for the tests.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part, and test data is there")]

use std::path::PathBuf;
use std::sync::Arc;

use rondo_text::{Catalog, Origin, TextEngine, TextStyle};

pub fn testdata() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

pub fn font(name: &str) -> Vec<u8> {
    std::fs::read(testdata().join("fonts").join(name)).unwrap()
}

pub fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    let mut files: Vec<_> =
        std::fs::read_dir(testdata().join("fonts")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ext| ext == "ttf")) {
        catalog.add(std::fs::read(file).unwrap(), Origin::Bundled).unwrap();
    }
    catalog
}

pub fn engine() -> TextEngine {
    TextEngine::new(Arc::new(catalog()))
}

pub fn style(families: &str, size: f32) -> TextStyle {
    TextStyle { families: families.into(), size, ..TextStyle::default() }
}
