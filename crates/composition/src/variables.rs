//! The variables of a composition: its dynamic overlays, its colours and its fonts, as a list that says what each accepts.

use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;

use crate::colors::ColorVariable;
use crate::composition::Composition;
use crate::fonts::FontVariable;
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
    /// The overlay field a value lands in: `src` or `content`; `colors` for a colour, `fonts` for a font.
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

    /// Whether a dynamic overlay has the name, and takes it.
    fn is_overlay_name(&self, name: &String) -> bool {
        self.overlays.iter().any(|overlay| overlay.variable_name().as_ref() == Some(name))
    }

    /// The colours that are variables. An overlay of the same name takes the name.
    fn dynamic_colors(&self) -> impl Iterator<Item = &ColorVariable> {
        let is_first = |index: usize, color: &ColorVariable| self.color_named(&color.name) == Some(index);
        let colors = self.colors.iter().enumerate();
        colors
            .filter(move |(index, color)| is_first(*index, color) && !self.is_overlay_name(&color.name))
            .map(|(_, color)| color)
    }

    /// The fonts that are variables. An overlay or a colour of the same name takes the name.
    fn dynamic_fonts(&self) -> impl Iterator<Item = &FontVariable> {
        let is_first = |index: usize, font: &FontVariable| self.font_named(&font.name) == Some(index);
        let is_free =
            |font: &FontVariable| !self.is_overlay_name(&font.name) && self.color_named(&font.name).is_none();
        let fonts = self.fonts.iter().enumerate();
        fonts.filter(move |(index, font)| is_first(*index, font) && is_free(font)).map(|(_, font)| font)
    }

    /// The variables as template and project lists show them.
    pub fn template_variables(&self) -> Vec<TemplateVariable> {
        let variable = |name, default_value| TemplateVariable { name, default_value, kind: "string" };
        let overlays = self.dynamic_overlays().into_iter();
        let colors = self.dynamic_colors();
        overlays
            .map(|(name, overlay)| variable(name, overlay.variable_value()))
            .chain(colors.map(|color| variable(color.name.clone(), color.value.clone())))
            .chain(self.dynamic_fonts().map(|font| variable(font.name.clone(), font.value.clone())))
            .collect()
    }

    /// The variables with all that a caller needs to fill them.
    pub fn variables(&self) -> Vec<ProjectVariable> {
        let overlays = self.dynamic_overlays().into_iter().map(|(name, overlay)| describe(name, overlay));
        let colors = self.dynamic_colors().map(describe_color);
        overlays.chain(colors).chain(self.dynamic_fonts().map(describe_font)).collect()
    }

    pub fn has_variables(&self) -> bool {
        !self.colors.is_empty()
            || !self.fonts.is_empty()
            || self.overlays.iter().any(|overlay| overlay.base.is_dynamic)
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
    describe_style(&color.name, &color.value, ("color", "colors"), "A colour such as #7c3aed.")
}

fn describe_font(font: &FontVariable) -> ProjectVariable {
    describe_style(&font.name, &font.value, ("font", "fonts"), "The name of a font family such as Outfit.")
}

/// A variable that is no overlay: it changes styles.
fn describe_style(
    name: &str,
    value: &str,
    (overlay_type, field): (&'static str, &'static str),
    help: &str,
) -> ProjectVariable {
    ProjectVariable {
        name: name.to_owned(),
        kind: "text",
        label: title_case(name),
        help: help.to_owned(),
        overlay_type,
        field,
        max_characters: None,
        lines_available: None,
        overflow_behavior: None,
        default: value.to_owned(),
    }
}

/// `hero_title`, `hero-title` and `heroTitle` are all `Hero Title`.
fn title_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut previous: Option<char> = None;
    // Accents and vowel signs stay with their letter.
    for grapheme in name.graphemes(true) {
        let mut characters = grapheme.chars();
        let Some(letter) = characters.next().filter(|letter| letter.is_alphanumeric()) else {
            previous = None;
            continue;
        };
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
        out.push_str(characters.as_str());
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
            ("A\u{308}rger", "A\u{308}rger"),
            ("मुख्य_शीर्षक", "मुख्य शीर्षक"),
            ("…", "…"),
        ];
        for (name, label) in labels {
            assert_eq!(title_case(name), label);
        }
    }
}
