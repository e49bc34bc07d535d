//! The variables of a composition: its dynamic overlays and its colours, as a list that says what each accepts.

use serde::Serialize;

use crate::colors::ColorVariable;
use crate::composition::Composition;
use crate::overlay::{Field, Overlay, Variable};

/// A variable as template and project lists show it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateVariable {
    pub name: String,
    pub default_value: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// The contract of one variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectVariable {
    /// The key to use in replacements.
    pub name: String,
    /// `url` for media, `text` for everything else.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub label: String,
    pub help: String,
    pub overlay_type: &'static str,
    /// The overlay field a value lands in: `src` or `content`; `colors` for a colour.
    pub field: &'static str,
    /// Fixed-size text only, together with the two fields below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_characters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overflow_behavior: Option<&'static str>,
    /// The authored value.
    pub default: String,
}

impl Overlay {
    /// The key a replacement uses for this overlay; `None` when it is not a variable.
    pub fn variable_name(&self) -> Option<String> {
        self.base.is_dynamic.then(|| self.display_name())
    }

    /// What a variable holds now: the address of media, the text of captions, the content of anything else.
    pub fn variable_value(&self) -> String {
        self.variable().value
    }

    /// The field a variable's value lands in.
    pub fn variable_field(&self) -> &'static str {
        self.variable().field.name()
    }
}

impl Composition {
    /// The dynamic overlays with their names, a name on several overlays once.
    fn dynamic_overlays(&self) -> Vec<(String, &Overlay)> {
        let mut out: Vec<(String, &Overlay)> = Vec::new();
        for overlay in &self.overlays {
            if let Some(name) = overlay.variable_name()
                && !out.iter().any(|(other, _)| *other == name)
            {
                out.push((name, overlay));
            }
        }
        out
    }

    /// The colours that are variables. An overlay of the same name takes the name.
    fn dynamic_colors(&self) -> impl Iterator<Item = &ColorVariable> {
        let is_first = |index: usize, color: &ColorVariable| self.color_named(&color.name) == Some(index);
        let is_free = |color: &ColorVariable| {
            !self.overlays.iter().any(|overlay| overlay.variable_name().as_ref() == Some(&color.name))
        };
        let colors = self.colors.iter().enumerate();
        colors.filter(move |(index, color)| is_first(*index, color) && is_free(color)).map(|(_, color)| color)
    }

    /// The variables as template and project lists show them.
    pub fn template_variables(&self) -> Vec<TemplateVariable> {
        let variable = |name, default_value| TemplateVariable { name, default_value, kind: "string" };
        let overlays = self.dynamic_overlays().into_iter();
        let colors = self.dynamic_colors();
        overlays
            .map(|(name, overlay)| variable(name, overlay.variable_value()))
            .chain(colors.map(|color| variable(color.name.clone(), color.value.clone())))
            .collect()
    }

    /// The variables with all that a caller needs to fill them.
    pub fn variables(&self) -> Vec<ProjectVariable> {
        let overlays = self.dynamic_overlays().into_iter().map(|(name, overlay)| describe(name, overlay));
        overlays.chain(self.dynamic_colors().map(describe_color)).collect()
    }

    pub fn has_variables(&self) -> bool {
        !self.colors.is_empty() || self.overlays.iter().any(|overlay| overlay.base.is_dynamic)
    }
}

fn describe(name: String, overlay: &Overlay) -> ProjectVariable {
    let Variable { field, help, value, capacity } = overlay.variable();
    ProjectVariable {
        kind: match field {
            Field::Src => "url",
            Field::Content => "text",
        },
        label: title_case(&name),
        help,
        overlay_type: overlay.type_name(),
        field: field.name(),
        max_characters: capacity.map(|capacity| capacity.max_characters),
        lines_available: capacity.map(|capacity| capacity.lines_available),
        overflow_behavior: capacity.map(|_| "clipped"),
        default: value,
        name,
    }
}

fn describe_color(color: &ColorVariable) -> ProjectVariable {
    ProjectVariable {
        name: color.name.clone(),
        kind: "text",
        label: title_case(&color.name),
        help: "A colour such as #7c3aed.".to_owned(),
        overlay_type: "color",
        field: "colors",
        max_characters: None,
        lines_available: None,
        overflow_behavior: None,
        default: color.value.clone(),
    }
}

/// `hero_title`, `hero-title` and `heroTitle` are all `Hero Title`.
fn title_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut previous: Option<char> = None;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            previous = None;
            continue;
        }
        let starts_word = match previous {
            None => true,
            Some(before) => letter.is_uppercase() && !before.is_uppercase(),
        };
        if starts_word {
            if !out.is_empty() {
                out.push(' ');
            }
            out.extend(letter.to_uppercase());
        } else {
            out.push(letter);
        }
        previous = Some(letter);
    }
    if out.is_empty() { name.to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::title_case;

    #[test]
    fn labels_are_names_in_title_case() {
        let labels = [
            ("headline", "Headline"),
            ("hero_title", "Hero Title"),
            ("hero-title", "Hero Title"),
            ("heroTitle", "Hero Title"),
            ("logo URL", "Logo URL"),
            ("overlay-7", "Overlay 7"),
            ("…", "…"),
        ];
        for (name, label) in labels {
            assert_eq!(title_case(name), label);
        }
    }
}
