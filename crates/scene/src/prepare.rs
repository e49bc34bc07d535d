//! What is known while one overlay is prepared: its lengths and time, and readers of CSS values and names that
//! note what cannot be used.

use kurbo::Vec2;
use rondo_css::{Context, CssError, EASINGS, Easing};
use rondo_text::{TextEngine, TextStyle};

use crate::nearest::{Lookup, nearest};
use crate::notice::{FONT_SIZE_UNIT_IGNORED, Notice, Notices, Severity};
use crate::world::World;

/// The context in which one overlay is prepared.
pub(crate) struct Prepare<'a> {
    pub engine: &'a mut TextEngine,
    pub world: &'a dyn World,
    pub notices: &'a mut Notices,
    /// Lengths relative to the canvas and to 16 px text.
    pub css: Context,
    pub fps: f64,
    /// First frame of the overlay in the film, and number of its frames.
    pub from: i64,
    pub duration: u32,
    /// The subpixel offset of the layer box.
    pub offset: Vec2,
    /// Whether box edges and baselines go to whole pixels: the layer is neither turned nor transformed.
    pub snaps: bool,
}

impl Prepare<'_> {
    /// The path of a field, after that of the overlay.
    pub fn at(&self, field: &str) -> String {
        format!(".{field}")
    }

    /// Lengths relative to the letters of a face, 16 px large.
    pub fn in_face(&self, style: &TextStyle) -> Context {
        let (zero_width, x_height) = self.engine.letter_sizes(style);
        Context { zero_width: zero_width.into(), x_height: x_height.into(), ..self.css }
    }

    /// A CSS value; a blank one is absent, one that cannot be read is absent with a notice.
    pub fn read<T>(
        &mut self,
        field: &str,
        value: Option<&str>,
        parse: impl FnOnce(&str) -> Result<T, CssError>,
    ) -> Option<T> {
        let value = value.map(str::trim).filter(|v| !v.is_empty() && !v.eq_ignore_ascii_case("none"))?;
        let path = self.at(field);
        self.notices.css(path, parse(value))
    }

    /// An easing curve; straight when absent, and with a notice when unknown.
    pub fn easing(&mut self, field: &str, value: Option<&str>) -> Easing {
        let Some(name) = value.map(str::trim).filter(|v| !v.is_empty()) else { return Easing::Linear };
        let found = Easing::parse(name).map_or(Lookup::Unknown, Lookup::Known);
        let names = EASINGS.iter().map(|e| e.name);
        self.registered("UNKNOWN_EASING", field, name, found, names).unwrap_or_default()
    }

    /// A row of a registry; an unknown name is absent with a notice that lists the nearest names.
    pub fn registered<'n, T>(
        &mut self,
        code: &'static str,
        field: &str,
        name: &str,
        found: Lookup<T>,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<T> {
        if matches!(found, Lookup::Unknown) {
            let hint = format!("Did you mean {}?", nearest(name, names).join(", "));
            // `UNKNOWN_PRESET` is an unknown preset.
            let what = code.trim_start_matches("UNKNOWN_").to_ascii_lowercase().replace('_', " ");
            let path = self.at(field);
            self.notices.warn(code, path, format!("Unknown {what} \"{name}\"; ignored."), Some(hint));
        }
        found.known()
    }

    /// `fontSize` of a text overlay: pixels or a plain number; any other unit is ignored with a notice.
    pub fn pixel_size(&mut self, value: Option<&str>) -> Option<f32> {
        let value = value.map(str::trim).filter(|v| !v.is_empty())?;
        let number = value.strip_suffix("px").or_else(|| value.strip_suffix("PX")).unwrap_or(value).trim();
        let size = number.parse::<f32>().ok().filter(|s| s.is_finite() && *s > 0.0);
        if size.is_none() {
            let path = self.at("styles.fontSize");
            self.notices.warn(
                FONT_SIZE_UNIT_IGNORED,
                path,
                format!("fontSize \"{value}\" is not a pixel value, so the size is fitted to the box."),
                Some("Write the size in px, as in \"48px\".".into()),
            );
        }
        size.map(|s| s.min(4000.0))
    }

    /// Notices for a family or face the catalogue does not have.
    pub fn check_font(&mut self, families: &str, weight: u16, italic: bool) {
        let resolved = self.engine.catalog().resolve(families, weight, italic);
        if let Some(missing) = resolved.missing {
            let path = self.at("styles.fontFamily");
            let hint = if self.engine.catalog().is_installable(&missing) {
                format!("`scripts/fonts \"{missing}\"` installs it on the machine that renders.")
            } else {
                "`rondo fonts` lists the families; RONDO_FONT_DIR adds a folder of your own.".to_owned()
            };
            self.notices.warn(
                "FONT_NOT_RESOLVED",
                path,
                format!("The font family \"{missing}\" is not available; {} is used.", resolved.family),
                Some(hint),
            );
        } else if !resolved.exact {
            let path = self.at("styles.fontWeight");
            let style = |italic: bool| if italic { " italic" } else { "" };
            let message = format!(
                "{} has no weight {weight}{}; {}{} is used.",
                resolved.family,
                style(italic),
                resolved.weight,
                style(resolved.italic)
            );
            let hint = format!("Available: {}.", resolved.available.join(", "));
            self.notices.push(Notice {
                available: resolved.available,
                ..Notice::new("FONT_WEIGHT_UNAVAILABLE", Severity::Warning, path, message).hint(hint)
            });
        }
    }
}

/// A CSS font weight: a number or a keyword, 400 otherwise.
pub(crate) fn font_weight(value: Option<&str>) -> u16 {
    match value.map(str::trim) {
        Some("bold" | "bolder") => 700,
        Some("lighter") => 300,
        Some(v) => v.parse::<f32>().map_or(400, |w| w.clamp(1.0, 1000.0) as u16),
        None => 400,
    }
}
