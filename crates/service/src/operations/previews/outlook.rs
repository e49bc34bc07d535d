//! What is known of a film before it is rendered: its variables, price and warnings.

use rondo_composition::ProjectVariable;
use rondo_store::{Credits, redact_url};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::Call;
use crate::quote::Counted;
use crate::resolve::Resolved;
use crate::warnings::{PreviewWarning, number, warnings};
use crate::words::{FileFormat, OverflowBehavior, RenderMode, VariableField, VariableOverlay, VariableType};

/// What can be said of a film before it is rendered.
#[derive(Debug)]
pub struct Outlook {
    pub resolved: ResolvedFilm,
    pub quote: QuoteInfo,
    /// The most severe first.
    pub warnings: Vec<PreviewWarning>,
    pub ai_skipped: Option<AiSkipped>,
}

/// Looks at a film without drawing it.
pub async fn outlook(call: Call<'_>, resolved: &Resolved) -> ServiceResult<Outlook> {
    let quote = &resolved.quote;
    let credits_available = (call.caller.account.credits - charge(resolved)).whole();
    Ok(Outlook {
        resolved: describe(resolved),
        quote: QuoteInfo {
            credits: quote.credits,
            credits_per_minute: quote.credits_per_minute,
            duration_seconds: quote.main.seconds,
            resolution_multiplier: quote.main.resolution_multiplier,
            also: quote.also.iter().map(AlsoQuote::from).collect(),
            credits_available,
            sufficient: quote.credits <= credits_available,
        },
        warnings: warnings(&call.service.media, call.account_id(), resolved).await?,
        ai_skipped: skipped(resolved),
    })
}

/// The film as it would be rendered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedFilm {
    #[schema(value_type = RenderMode)]
    mode: &'static str,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    duration_seconds: f64,
    /// The frame that stands for the film.
    poster_frame: u32,
    variables: Vec<ResolvedVariable>,
}

/// What landed on a variable.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedVariable {
    name: String,
    /// Null for a colour or a font, which styles of many overlays hold.
    #[schema(value_type = Option<f64>, required = true)]
    overlay_id: Value,
    #[schema(value_type = VariableOverlay)]
    overlay_type: &'static str,
    #[schema(value_type = VariableField)]
    field: &'static str,
    value: String,
    source: ValueSource,
    /// A frame that shows it; null for what is only heard.
    #[schema(required = true)]
    visible_frame: Option<u32>,
    #[serde(rename = "type")]
    #[schema(value_type = VariableType)]
    kind: &'static str,
    #[serde(flatten)]
    capacity: Capacity,
}

/// What fits into text of a fixed size. Nothing for other variables.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Capacity {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_characters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lines_available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OverflowBehavior>, nullable = false)]
    overflow_behavior: Option<&'static str>,
}

impl From<&ProjectVariable> for Capacity {
    fn from(variable: &ProjectVariable) -> Self {
        Self {
            max_characters: variable.max_characters,
            lines_available: variable.lines_available,
            overflow_behavior: variable.overflow_behavior,
        }
    }
}

/// Where the value of a variable comes from.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    Replacement,
    Default,
    Ai,
}

/// What a render would cost, AI values aside: the minutes of all files, each times its `resolutionMultiplier`, times
/// `creditsPerMinute`, rounded up; one credit at least.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteInfo {
    credits: i64,
    credits_per_minute: u32,
    duration_seconds: f64,
    resolution_multiplier: u32,
    /// What each file of `output.also` counts, where there are any.
    #[schema(required = false)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoQuote>,
    credits_available: i64,
    sufficient: bool,
}

/// What a further file counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlsoQuote {
    #[schema(value_type = FileFormat)]
    format: &'static str,
    /// 0 for a single picture, which is free.
    duration_seconds: f64,
    resolution_multiplier: u32,
}

impl From<&Counted> for AlsoQuote {
    fn from(file: &Counted) -> Self {
        Self {
            format: file.ending,
            duration_seconds: file.seconds,
            resolution_multiplier: file.resolution_multiplier,
        }
    }
}

/// AI values that were left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiSkipped {
    keys: Vec<String>,
    /// A sentence.
    reason: &'static str,
    estimated_credits: f64,
    hint: &'static str,
}

/// What is taken for speech that was made.
pub fn charge(resolved: &Resolved) -> Credits {
    match &resolved.ai_used {
        Some(_) => Credits::from_whole(resolved.ai_charge.whole_up()),
        None => Credits::ZERO,
    }
}

fn describe(resolved: &Resolved) -> ResolvedFilm {
    let Resolved { composition, report, origin, .. } = resolved;
    let authored = composition.variables();
    let mut variables: Vec<ResolvedVariable> = Vec::new();
    for overlay in &composition.overlays {
        let Some(name) = overlay.variable_name() else { continue };
        // A name on several overlays is one variable.
        if variables.iter().any(|variable| variable.name == name) {
            continue;
        }
        let ai = report.ai.iter().any(|ai| ai.name == name);
        let to_be_made = ai && resolved.ai_used.is_none();
        let source = match ai {
            true => ValueSource::Ai,
            false if report.applied.contains(&name) => ValueSource::Replacement,
            false => ValueSource::Default,
        };
        variables.push(ResolvedVariable {
            overlay_id: number(&overlay.base.id.to_string()),
            overlay_type: overlay.type_name(),
            field: overlay.variable_field(),
            value: if to_be_made {
                String::new()
            } else {
                redact_url(&overlay.variable_value()).into_owned()
            },
            source,
            visible_frame: composition.frame_showing(overlay),
            kind: if overlay.media_src().is_some() { "url" } else { "text" },
            capacity: authored.iter().find(|it| it.name == name).map(Capacity::from).unwrap_or_default(),
            name,
        });
    }
    // Colours and fonts follow the overlays, and give way to a name that an overlay has.
    for variable in authored.into_iter().filter(|it| matches!(it.field, "colors" | "fonts")) {
        let given = report.applied.contains(&variable.name);
        variables.push(ResolvedVariable {
            name: variable.name,
            overlay_id: Value::Null,
            overlay_type: variable.overlay_type,
            field: variable.field,
            value: variable.default,
            source: if given { ValueSource::Replacement } else { ValueSource::Default },
            visible_frame: Some(composition.poster()),
            kind: variable.kind,
            capacity: Capacity::default(),
        });
    }
    ResolvedFilm {
        mode: origin.mode().as_str(),
        width: composition.width,
        height: composition.height,
        fps: composition.fps,
        duration_in_frames: composition.duration,
        duration_seconds: composition.seconds(),
        poster_frame: composition.poster(),
        variables,
    }
}

fn skipped(resolved: &Resolved) -> Option<AiSkipped> {
    let ai = &resolved.report.ai;
    (!ai.is_empty() && resolved.ai_used.is_none()).then(|| AiSkipped {
        keys: ai.iter().map(|ai| ai.name.clone()).collect(),
        reason: "Speech is not generated for a preview: narrations are silent and captions are empty.",
        estimated_credits: resolved.ai_charge.thousandths() as f64 / 1000.0,
        hint: "A render generates it at this extra cost; set confirmAiCost to true to generate it for the preview.",
    })
}
