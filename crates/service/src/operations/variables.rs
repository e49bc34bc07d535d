//! Variables of templates and projects.

use rondo_composition::{ProjectVariable, TemplateVariable};
use serde::Serialize;
use utoipa::ToSchema;

use crate::words::{ListedType, OverflowBehavior, VariableField, VariableOverlay, VariableType};

/// A variable as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedVariable {
    pub name: String,
    pub default_value: String,
    #[serde(rename = "type")]
    #[schema(value_type = ListedType)]
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
    #[serde(rename = "type")]
    #[schema(value_type = VariableType)]
    kind: &'static str,
    label: String,
    help: String,
    #[schema(value_type = VariableOverlay)]
    overlay_type: &'static str,
    #[schema(value_type = VariableField)]
    field: &'static str,
    /// Fixed-size text only, together with the two fields below.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_characters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lines_available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OverflowBehavior>, nullable = false)]
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
