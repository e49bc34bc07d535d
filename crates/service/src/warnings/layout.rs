//! Lays out films for their warnings. Texts and fonts may be anyone's, and a small body may take long to lay out, so a child
//! process does it, within limits.

use std::time::Duration;

use futures_util::future::join_all;
use rondo_composition::Composition;
use rondo_jobs::{Facts, Failure, Finding, LayOutJob, MediaFiles};
use rondo_render::MOST_FONT_BYTES;
use rondo_scene::{Notice, Severity};
use tokio::time::timeout;

use crate::error::{ServiceError, ServiceResult};
use crate::media::Media;
use crate::words::WARNING_CODES;

/// Time to fetch the font files.
const PATIENCE: Duration = Duration::from_secs(8);

/// What shows when a film is laid out, with its font files if it has some. Where that fails, a notice that says so.
pub async fn lay_out(
    media: &Media,
    account: &str,
    composition: &Composition,
    facts: &Facts,
) -> ServiceResult<Vec<Notice>> {
    let files = join_all(composition.font_faces.iter().map(|face| async {
        let found = timeout(PATIENCE, media.one_up_to(&face.src, MOST_FONT_BYTES)).await;
        (face.src.clone(), found.unwrap_or_else(|_| Err("it did not answer in time".to_owned())))
    }))
    .await;
    let paths = files.iter().map(|(src, file)| {
        let path = file.as_ref().map(|file| file.path().to_owned());
        (src.clone(), path.map_err(Clone::clone))
    });
    let fonts = MediaFiles(paths.collect());
    let (composition, facts) = (composition.clone(), facts.clone());
    let written = tokio::task::spawn_blocking(move || composition.write());
    let composition = written.await.map_err(ServiceError::internal)?;
    let found = media.isolation.lay_out(account, LayOutJob { composition, fonts, facts }).await?;
    // The files stay as long as the child reads them.
    drop(files);
    Ok(match found {
        Ok(findings) => findings.into_iter().filter_map(notice).collect(),
        Err(failure) => vec![not_checked(&failure)],
    })
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

/// Why nothing is known of how a film looks. A guess would be wrong.
fn not_checked(failure: &Failure) -> Notice {
    let (message, hint) = match failure {
        Failure::TooSlow | Failure::OutOfMemory => (
            "The film takes more than 10 seconds or 512 MB to lay out: warnings about its texts and styles may be missing, and a \
             render may fail.",
            "Shorten texts that are typed or animated letter by letter, or use fewer of them.",
        ),
        Failure::Machine(reason) => {
            tracing::error!(reason, "failed to lay out a film");
            (
                "The film could not be laid out this time: warnings about its texts and styles may be missing.",
                "Try again in a moment.",
            )
        }
        _ => (
            "The film cannot be laid out: warnings about its texts and styles may be missing, and a render may fail.",
            "Remove overlays one by one to find the one that causes this.",
        ),
    };
    Notice::new("LAYOUT_NOT_CHECKED", Severity::Warning, String::new(), message.to_owned()).hint(hint)
}
