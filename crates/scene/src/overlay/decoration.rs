//! Underlines, overlines and lines through text: what a `text-decoration` value asks for, and its strokes.

use kurbo::{BezPath, Point, Rect, Shape};
use rondo_css::{Color, Context, Length};

/// One line of a `text-decoration` value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecorationLine {
    pub kind: LineKind,
    style: LineStyle,
    /// The text's own where absent.
    pub color: Option<Color>,
    thickness: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Underline,
    Overline,
    LineThrough,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineStyle {
    Solid,
    Double,
    Dotted,
    Dashed,
    Wavy,
}

/// The lines of a `text-decoration` value; words that mean nothing are passed over.
pub(crate) fn decoration_lines(value: &str) -> Vec<DecorationLine> {
    let (mut kinds, mut style, mut color, mut thickness) = (Vec::new(), LineStyle::Solid, None, None);
    for word in words(value) {
        match word.to_ascii_lowercase().as_str() {
            "underline" => kinds.push(LineKind::Underline),
            "overline" => kinds.push(LineKind::Overline),
            "line-through" => kinds.push(LineKind::LineThrough),
            "solid" => style = LineStyle::Solid,
            "double" => style = LineStyle::Double,
            "dotted" => style = LineStyle::Dotted,
            "dashed" => style = LineStyle::Dashed,
            "wavy" => style = LineStyle::Wavy,
            other => match Color::parse(other) {
                Ok(parsed) => color = Some(parsed),
                Err(_) => thickness = Length::parse(other).ok().or(thickness),
            },
        }
    }
    let line = |kind| DecorationLine { kind, style, color, thickness: thickness.clone() };
    kinds.into_iter().map(line).collect()
}

/// Words apart from those inside parentheses.
fn words(value: &str) -> Vec<&str> {
    let (mut depth, mut start, mut words) = (0, 0, Vec::new());
    for (i, c) in value.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            c if c.is_whitespace() && depth == 0 => {
                words.push(&value[start..i]);
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    words.push(&value[start..]);
    words.retain(|word| !word.is_empty());
    words
}

impl DecorationLine {
    /// Height of the line where `usual` is what the font size gives.
    pub fn thickness(&self, font_size: f64, usual: f64) -> f64 {
        self.given(font_size).unwrap_or(usual)
    }

    /// Whether the value says how thick the line is.
    pub fn is_given(&self) -> bool {
        self.thickness.is_some()
    }

    /// In whole pixels.
    fn given(&self, font_size: f64) -> Option<f64> {
        let context = Context { font_size, ..Context::new(kurbo::Size::ZERO) };
        self.thickness.as_ref().map(|length| length.resolve(&context, font_size).round().max(1.0))
    }

    /// Pixels beside the text that the line may reach.
    pub fn beside(&self) -> f64 {
        if matches!(self.style, LineStyle::Dashed | LineStyle::Dotted) { 1.0 } else { 0.0 }
    }

    /// The line with its upper edge on the upper edge of `rect`.
    pub fn path(&self, rect: Rect, font_size: f64) -> BezPath {
        let thick = rect.height();
        let aside = match self.kind {
            LineKind::Overline => -(thick + 1.0),
            _ => thick + 1.0,
        };
        match self.style {
            LineStyle::Solid => rect.to_path(0.1),
            LineStyle::Double => {
                let mut both = rect.to_path(0.1);
                both.extend((rect + kurbo::Vec2::new(0.0, aside)).to_path(0.1));
                both
            }
            LineStyle::Dashed | LineStyle::Dotted => {
                let style = match self.style {
                    LineStyle::Dashed => rondo_css::BorderStyle::Dashed,
                    _ => rondo_css::BorderStyle::Dotted,
                };
                // Chromium cuts both ends down to whole pixels.
                let end = |x: f64| Point::new(x.floor(), rect.center().y);
                crate::border::line(end(rect.x0), end(rect.x1), thick, style)
            }
            LineStyle::Wavy => {
                // A wave keeps the fraction that other lines lose.
                let thick = self.given(font_size).unwrap_or((font_size / 10.0).max(1.0));
                let aside = (thick + 1.0).round();
                let shift = match self.kind {
                    LineKind::Underline => aside,
                    LineKind::Overline => -aside,
                    LineKind::LineThrough => 0.0,
                };
                wave(rect.x0.round(), rect.x1, rect.y0 + shift + 0.5, thick)
            }
        }
    }
}

/// A wave that begins downwards at `from`. It continues beyond both ends.
fn wave(from: f64, to: f64, y: f64, thick: f64) -> BezPath {
    let (reach, step) = ((3.0 * thick).floor() + 1.0, (2.0 * thick).floor() + 1.5);
    let mut path = BezPath::new();
    let mut x = from - 2.0 * step;
    path.move_to((x, y));
    while x < to {
        path.curve_to((x + step, y + reach), (x + step, y - reach), (x + 2.0 * step, y));
        x += 2.0 * step;
    }
    kurbo::stroke(path.iter(), &kurbo::Stroke::new(thick), &kurbo::StrokeOpts::default(), 0.05)
}
