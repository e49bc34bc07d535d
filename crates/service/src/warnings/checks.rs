//! Checks a preview makes beside laying the film out: overlays that never show, and media that do not fit their overlay.

use rondo_composition::{Composition, MediaSource, Overlay, Playback};
use rondo_jobs::{Fact, Facts};
use rondo_render::starts_past_end;
use rondo_scene::Severity;

use super::Finding;
use crate::media::sources::shortened;

/// An image enlarged by more than this looks soft.
const MOST_ENLARGED: f64 = 2.0;
/// Media may be shorter than their overlay by this many seconds without a warning.
const SHORT_BY: f64 = 0.1;

/// Overlays outside the time of the film.
pub fn timeline(composition: &Composition) -> impl Iterator<Item = Finding> {
    let length = i64::from(composition.duration);
    composition.overlays.iter().enumerate().filter_map(move |(index, overlay)| {
        let shows = overlay.base.from < length && overlay.end() > 0 && overlay.base.duration > 0;
        let message = format!(
            "The overlay runs from frame {} to {}, outside the film's {length} frames: it never shows.",
            overlay.base.from,
            overlay.end()
        );
        let finding = Finding::new(
            "OVERLAY_OUTSIDE_TIMELINE",
            Severity::Warning,
            format!("overlays[{index}].from"),
            message,
        );
        (!shows).then(|| finding.hint("Move the overlay into the film, or make the film longer."))
    })
}

/// Overlays outside the canvas.
pub fn canvas(composition: &Composition) -> impl Iterator<Item = Finding> {
    let (width, height) = (f64::from(composition.width), f64::from(composition.height));
    composition.overlays.iter().enumerate().filter_map(move |(index, overlay)| {
        let base = &overlay.base;
        // Bounds of the box turned about its centre.
        let (sin, cos) = base.rotation.to_radians().sin_cos();
        let half_width = (base.width * cos.abs() + base.height * sin.abs()) / 2.0;
        let half_height = (base.width * sin.abs() + base.height * cos.abs()) / 2.0;
        let (x, y) = (base.left + base.width / 2.0, base.top + base.height / 2.0);
        let beside = x + half_width <= 0.0
            || x - half_width >= width
            || y + half_height <= 0.0
            || y - half_height >= height;
        // A transform may bring an overlay back onto the canvas.
        (beside && overlay.is_visible() && overlay.transform().is_none()).then(|| {
            let message = format!("The overlay is outside the {width} × {height} canvas.");
            Finding::new("OVERLAY_OFF_CANVAS", Severity::Warning, format!("overlays[{index}].left"), message)
                .hint("Change left and top, or the size of the film.")
        })
    })
}

/// Media that are unreachable, too small for their box or too short for their overlay.
pub fn media(composition: &Composition, facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, source) in composition.media_sources() {
        let overlay = &composition.overlays[index];
        let Some(fact) = facts.get(source.role, source.address) else { continue };
        let path = format!("overlays[{index}].{}", source.field);
        if let Some(problem) = &fact.problem {
            let address = shortened(source.address);
            let finding = Finding::new(
                "MEDIA_UNREACHABLE",
                Severity::Error,
                path,
                format!("{address} cannot be read: {problem}."),
            );
            findings.push(
                finding
                    .hint("Check the address, or upload the file and use its fileUrl.")
                    .detail("url", address),
            );
            continue;
        }
        if source.field == "src" {
            findings.extend(small(overlay, fact, &path));
            findings.extend(short(composition, overlay, fact, &path));
        }
    }
    let seconds = |source: &MediaSource<'_>| facts.get(source.role, source.address)?.seconds;
    findings.extend(starts_past_end(composition, seconds).into_iter().map(Finding::from));
    findings
}

fn small(overlay: &Overlay, fact: &Fact, path: &str) -> Option<Finding> {
    let (width, height) = fact.size.filter(|(width, height)| *width > 0 && *height > 0)?;
    let base = &overlay.base;
    let enlarged = (base.width / f64::from(width)).min(base.height / f64::from(height));
    let message = format!(
        "The source has {width} × {height} pixels and is shown at {} × {}: it will look soft.",
        base.width, base.height
    );
    (enlarged > MOST_ENLARGED).then(|| {
        Finding::new("LOW_RESOLUTION_MEDIA", Severity::Warning, path, message)
            .hint("Use a larger source, or a smaller overlay.")
            .detail("width", width)
            .detail("height", height)
    })
}

fn short(composition: &Composition, overlay: &Overlay, fact: &Fact, path: &str) -> Option<Finding> {
    let Playback { start, speed, .. } = overlay.playback().filter(|playback| playback.segments.is_empty())?;
    let then = if overlay.is_visible() { "its last picture stays" } else { "silence follows" };
    // One that never starts is told as such.
    let played = fact.seconds.map(|seconds| seconds - start).filter(|left| *left > 0.0)? / speed.max(1e-6);
    let wanted = f64::from(overlay.base.duration) / f64::from(composition.fps.max(1));
    (played + SHORT_BY < wanted).then(|| {
        let message = format!("The source lasts {played:.1} s of the overlay's {wanted:.1} s, then {then}.");
        Finding::new("MEDIA_SHORTER_THAN_OVERLAY", Severity::Warning, path, message)
            .hint("Shorten the overlay, or use a longer source.")
            .detail("sourceSeconds", played)
            .detail("overlaySeconds", wanted)
    })
}
