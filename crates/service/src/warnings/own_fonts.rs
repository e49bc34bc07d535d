//! Lays out films with font files of their own. The files may be anyone's, so a child process reads them.

use std::time::Duration;

use futures_util::future::join_all;
use rondo_composition::Composition;
use rondo_jobs::{Facts, Finding, LayOutJob, MediaFiles};
use rondo_render::MOST_FONT_BYTES;
use rondo_scene::{Notice, Severity};
use tokio::time::timeout;

use crate::media::Media;
use crate::words::WARNING_CODES;

/// Time to fetch the font files.
const PATIENCE: Duration = Duration::from_secs(8);

/// What shows when a film is laid out with its font files. Nothing where that fails: a guess with other fonts would be wrong.
pub async fn lay_out(media: &Media, composition: &Composition, facts: &Facts) -> Vec<Notice> {
    let files = join_all(composition.font_faces.iter().map(|face| async {
        let found = timeout(PATIENCE, media.one_up_to(&face.src, MOST_FONT_BYTES)).await;
        (face.src.clone(), found.unwrap_or_else(|_| Err("it did not answer in time".to_owned())))
    }))
    .await;
    let paths = files.iter().map(|(src, file)| {
        let path = file.as_ref().map(|file| file.path().to_owned());
        (src.clone(), path.map_err(Clone::clone))
    });
    let job = LayOutJob {
        composition: composition.write(),
        fonts: MediaFiles(paths.collect()),
        facts: facts.clone(),
    };
    let found = media.isolation.lay_out(job).await;
    // The files stay as long as the child reads them.
    drop(files);
    found.unwrap_or_default().into_iter().filter_map(notice).collect()
}

/// A finding of a child. One with a code that nobody knows is no finding.
fn notice(finding: Finding) -> Option<Notice> {
    let Finding { code, severity, path, message, hint, available, paths } = finding;
    let severity = [Severity::Error, Severity::Warning, Severity::Info]
        .into_iter()
        .find(|known| known.name() == severity)?;
    let code = WARNING_CODES.iter().find(|known| **known == code)?;
    Some(Notice { hint, available, paths, ..Notice::new(code, severity, path, message) })
}
