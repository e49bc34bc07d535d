//! What a preview warns of: everything that will not look as written, or not work at all.

mod checks;
pub mod facts;
mod layout;

use rondo_composition::{Composition, OverlayKind, overlay_at};
use rondo_fields::nearest_name;
use rondo_jobs::Facts;
use rondo_render::{lacking_narration, odd_size};
use rondo_scene::{Notice, Severity, reading_notices};
use serde::Serialize;
use serde_json::{Map, Value, json};
use unicode_segmentation::UnicodeSegmentation;
use utoipa::ToSchema;

use crate::blocking::heavy;
use crate::error::ServiceResult;
use crate::media::Media;
use crate::media::sources::shortened;
use crate::resolve::Resolved;
use crate::words::{WarningCode, WarningSeverity};

/// One warning. Fields that do not apply are left out.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PreviewWarning {
    /// Such as UNKNOWN_REPLACEMENT or MEDIA_UNREACHABLE.
    #[schema(value_type = WarningCode)]
    pub code: &'static str,
    #[schema(value_type = WarningSeverity)]
    pub severity: &'static str,
    pub message: String,
    /// The replacement key concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<Map<String, Value>>,
}

/// A warning before it is put in order.
struct Finding {
    code: &'static str,
    severity: Severity,
    /// Where, as in `overlays[3].src`; empty for the whole film.
    path: String,
    message: String,
    variable: Option<String>,
    hint: Option<String>,
    detail: Map<String, Value>,
}

impl Finding {
    fn new(
        code: &'static str,
        severity: Severity,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            path: path.into(),
            message: message.into(),
            variable: None,
            hint: None,
            detail: Map::new(),
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(key.to_owned(), value.into());
        self
    }
}

impl From<Notice> for Finding {
    fn from(notice: Notice) -> Self {
        let within = |path: &str| path.strip_prefix("inputProps.").unwrap_or(path).to_owned();
        let mut finding = Self::new(notice.code, notice.severity, within(&notice.path), notice.message);
        if !notice.paths.is_empty() {
            let paths: Vec<String> = notice.paths.iter().map(|path| within(path)).collect();
            finding = finding.detail("paths", paths);
        }
        finding.hint = notice.hint;
        if !notice.available.is_empty() {
            // "400", "700 italic"
            let mut weights: Vec<u16> = notice
                .available
                .iter()
                .filter_map(|face| face.split_whitespace().next()?.parse().ok())
                .collect();
            weights.dedup();
            finding = finding.detail("availableWeights", weights).detail("available", notice.available);
        }
        if finding.code == "FONT_NOT_RESOLVED" {
            let hint = "GET /registry/fonts lists the families that can be used. Upload the font to use it by this name.";
            finding.hint = Some(hint.to_owned());
        }
        finding
    }
}

/// Everything worth a warning, the most severe first, then in the order of the overlays.
pub async fn warnings(
    media: &Media,
    account: &str,
    resolved: &Resolved,
) -> ServiceResult<Vec<PreviewWarning>> {
    let fonts = media.fonts.fetch_for(&resolved.composition);
    let (facts, _) = tokio::join!(facts::gather(media, account, resolved), fonts);
    let mut findings = spoken_of(resolved);
    let facts = facts?;
    let notices = layout::lay_out(media, account, &resolved.composition, &facts).await?;
    let composition = resolved.composition.clone();
    findings.extend(heavy(account, move || seen_in(&composition, notices, &facts)).await?);
    Ok(in_order(&resolved.composition, findings))
}

/// Findings about the request itself.
fn spoken_of(resolved: &Resolved) -> Vec<Finding> {
    let unknown = resolved.report.unknown.iter().map(|unknown| {
        let flat = resolved.flat.iter().find(|(key, _)| *key == unknown.key);
        let field = flat.and_then(|(_, field)| *field);
        let message = match field {
            Some(_) => {
                format!("\"{}\" is neither a field of a request nor a variable: it is ignored.", unknown.key)
            }
            None => format!("No variable is named \"{}\": the value is ignored.", unknown.key),
        };
        let meant = nearest_name(&unknown.key, field.into_iter().chain(unknown.nearest.as_deref()));
        let mut finding = Finding::new("UNKNOWN_REPLACEMENT", Severity::Warning, "", message);
        finding.variable = Some(unknown.key.clone());
        finding.hint = Some(match meant.or(unknown.nearest.as_deref()) {
            Some(nearest) => format!("Did you mean \"{nearest}\"?"),
            None => "The film has no variables.".to_owned(),
        });
        finding
    });
    let ignored = (resolved.ignored_replacements > 0).then(|| {
        let message = "`replacements` have no effect on a film in `inputProps`: they are ignored.";
        Finding::new("REPLACEMENTS_IGNORED", Severity::Warning, "replacements", message)
            .hint("Write the values into the overlays, or render a template or a project.")
    });
    let read = reading_notices(&resolved.remarks).into_iter().map(|notice| {
        let field = (notice.code == "UNKNOWN_FIELD").then(|| notice.path.clone());
        let finding = Finding::from(notice);
        match field {
            Some(field) => finding.detail("field", field),
            None => finding,
        }
    });
    let rewritten = resolved.rewritten.iter().map(|rewritten| {
        let to = shortened(&rewritten.to);
        let message = format!("A media URL was normalized: {to}");
        Finding::new("MEDIA_URL_REWRITTEN", Severity::Info, rewritten.path.clone(), message)
            .detail("from", shortened(&rewritten.from))
            .detail("to", to)
    });
    let unnarrated = lacking_narration(&resolved.finish).map(Finding::from);
    unknown.chain(ignored).chain(read).chain(rewritten).chain(unnarrated).collect()
}

/// What shows when the film is laid out, given the notices of the layout.
fn seen_in(composition: &Composition, notices: Vec<Notice>, facts: &Facts) -> Vec<Finding> {
    let unresolved: Vec<Option<usize>> =
        notices.iter().filter(|n| n.code == "FONT_NOT_RESOLVED").map(|n| overlay_at(&n.path)).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for mut notice in notices.into_iter().chain(odd_size(composition)) {
        if matches!(notice.code, "TEXT_MAY_CLIP" | "TEXT_INK_CLIPPED") {
            let overlay = overlay_at(&notice.path);
            let is_measured = notice.code == "TEXT_MAY_CLIP";
            if is_measured && overlay.is_some_and(|index| is_within_capacity(composition, index)) {
                continue;
            }
            // Set in another font than the author chose, the text is only estimated.
            if unresolved.contains(&overlay) {
                notice.severity = Severity::Info;
            }
        }
        findings.push(notice.into());
    }
    findings.extend(checks::timeline(composition));
    findings.extend(checks::canvas(composition));
    findings.extend(checks::media(composition, facts));
    findings
}

/// Whether the text of a variable is at or under the number of characters it promises to take.
fn is_within_capacity(composition: &Composition, index: usize) -> bool {
    let overlay = &composition.overlays[index];
    let OverlayKind::Text(text) = &overlay.kind else { return false };
    let Some(name) = overlay.variable_name() else { return false };
    let variables = composition.variables();
    let most =
        variables.iter().find(|variable| variable.name == name).and_then(|variable| variable.max_characters);
    most.is_some_and(|most| text.content.graphemes(true).count() <= most as usize)
}

fn in_order(composition: &Composition, mut findings: Vec<Finding>) -> Vec<PreviewWarning> {
    findings
        .sort_by_key(|finding| (finding.severity, overlay_at(&finding.path).map_or(0, |index| index + 1)));
    findings.into_iter().map(|finding| finish(composition, finding)).collect()
}

fn finish(composition: &Composition, finding: Finding) -> PreviewWarning {
    let Finding { code, severity, path, message, variable, hint, mut detail } = finding;
    let overlay = overlay_at(&path).and_then(|index| composition.overlays.get(index));
    if let Some(overlay) = overlay {
        detail.insert("overlayId".into(), number(&overlay.base.id.to_string()));
        detail.insert("overlayType".into(), overlay.type_name().into());
    }
    // The ids of all overlays that a warning is about, where it may be about several.
    if let Some(paths) = detail.get("paths").and_then(Value::as_array) {
        let mut indexes: Vec<usize> = paths.iter().filter_map(|path| overlay_at(path.as_str()?)).collect();
        indexes.dedup();
        let overlays = indexes.iter().filter_map(|index| composition.overlays.get(*index));
        let ids: Vec<Value> = overlays.map(|overlay| number(&overlay.base.id.to_string())).collect();
        detail.insert("overlays".into(), ids.into());
    }
    if !path.is_empty() {
        detail.entry("path").or_insert_with(|| path.into());
    }
    PreviewWarning {
        code,
        severity: severity.name(),
        message,
        variable: variable.or_else(|| overlay?.variable_name()),
        hint,
        detail: (!detail.is_empty()).then_some(detail),
    }
}

/// An overlay's id as the number it was written as.
pub fn number(id: &str) -> Value {
    id.parse::<i64>().map_or_else(|_| json!(id.parse::<f64>().unwrap_or_default()), Value::from)
}
