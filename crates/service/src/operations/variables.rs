//! Variables of templates and projects.

use rondo_composition::{ProjectVariable, TemplateVariable};
use serde::Serialize;
use utoipa::ToSchema;

/// A variable as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedVariable {
    pub name: String,
    pub default_value: String,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl From<TemplateVariable> for ListedVariable {
    fn from(TemplateVariable { name, default_value, kind }: TemplateVariable) -> Self {
        Self { name, default_value, kind }
    }
}

/// The contract of one variable.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// The key to use in replacements.
    name: String,
    /// `url` for video, image and sound overlays, `text` for everything else.
    #[serde(rename = "type")]
    kind: &'static str,
    label: String,
    help: String,
    /// The type of the overlay; `color` for a colour of the film, `font` for a font of the film.
    overlay_type: &'static str,
    /// The overlay field that is written: `content` or `src`; `colors` and `fonts` for a colour and a font, which are
    /// written wherever styles hold them.
    field: &'static str,
    /// Fixed-size text only, together with the two fields below.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_characters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines_available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overflow_behavior: Option<&'static str>,
    /// What renders when no replacement matches.
    default: String,
}

impl From<ProjectVariable> for Variable {
    fn from(variable: ProjectVariable) -> Self {
        Self {
            name: variable.name,
            kind: variable.kind,
            label: variable.label,
            help: variable.help,
            overlay_type: variable.overlay_type,
            field: variable.field,
            max_characters: variable.max_characters,
            lines_available: variable.lines_available,
            overflow_behavior: variable.overflow_behavior,
            default: variable.default,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VariableList {
    pub variables: Vec<Variable>,
}
