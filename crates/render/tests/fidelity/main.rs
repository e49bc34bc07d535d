//! Every case in `fidelity/cases`, painted here and compared with the picture Chromium drew.
//!
//! `FIDELITY_ONLY=text/,shape/star` paints only cases whose name contains one of the parts;
//! `FIDELITY_REPORT=folder` writes the pictures and a page that shows them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not there")]

mod case;
mod report;
mod score;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use case::{Case, Shown};
use rondo_text::{Catalog, Dictionaries, Origin};

#[test]
fn every_case_looks_as_chromium_draws_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = wanted(case::all(&root.join("fidelity/cases")));
    assert!(!cases.is_empty(), "no case has such a name");
    let shown = paint_all(&cases, &test_fonts(&root.join("testdata/fonts")));

    if let Some(folder) = std::env::var_os("FIDELITY_REPORT") {
        report::write(&root.join(folder), &shown);
    }
    println!("{}", report::table(&shown));
    let wrong = shown.iter().filter(|shown| shown.verdict().is_err()).count();
    assert_eq!(wrong, 0, "{wrong} cases are not as expected; the table above names them");
}

fn wanted(cases: Vec<Case>) -> Vec<Case> {
    let Ok(parts) = std::env::var("FIDELITY_ONLY") else { return cases };
    cases.into_iter().filter(|case| parts.split(',').any(|part| case.name.contains(part))).collect()
}

/// The fonts the expected pictures were drawn with, and no others.
fn test_fonts(folder: &Path) -> Arc<Catalog> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ttf"));
    files.sort();
    let mut catalog = Catalog::new(Some(Arc::new(Dictionaries)));
    for file in files {
        catalog.add(std::fs::read(file).unwrap(), Origin::User).unwrap();
    }
    Arc::new(catalog)
}

/// The worst first.
fn paint_all(cases: &[Case], fonts: &Arc<Catalog>) -> Vec<Shown> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut shown = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            shown.extend(case.paint(fonts));
        }
        shown
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut shown: Vec<Shown> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    shown.sort_by(|a, b| {
        let passes = a.score.passes(a.class).cmp(&b.score.passes(b.class));
        passes
            .then(a.score.ssim.total_cmp(&b.score.ssim))
            .then_with(|| (&a.name, a.frame).cmp(&(&b.name, b.frame)))
    });
    shown
}
