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
        let context = Context { font_size, ..Context::new(kurbo::Size::ZERO) };
        let given = self.thickness.as_ref().map(|length| length.resolve(&context, font_size));
        given.map_or(usual, |t| t.round().max(1.0))
    }

    /// The line with its upper edge on the upper edge of `rect`.
    pub fn path(&self, rect: Rect) -> BezPath {
        let thick = rect.height();
        let aside = match self.kind {
            LineKind::Overline => -(thick + 1.0),
            _ => thick + 1.0,
        };
        let middle = rect.center().y;
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
                crate::border::line(Point::new(rect.x0, middle), Point::new(rect.x1, middle), thick, style)
            }
            LineStyle::Wavy => {
                let shift = match self.kind {
                    LineKind::LineThrough => 0.0,
                    _ => aside,
                };
                wave(rect.x0, rect.x1, middle + shift, thick)
            }
        }
    }
}

/// A wave of the line's own proportions, cut at its ends.
fn wave(from: f64, to: f64, y: f64, thick: f64) -> BezPath {
    let (reach, step) = ((3.0 * thick + 0.5).round() + 0.5, (2.0 * thick + 0.5).round() + 1.0);
    let mut path = BezPath::new();
    let mut x = from - step;
    path.move_to((x, y));
    while x < to {
        path.curve_to((x + step, y + reach), (x + step, y - reach), (x + 2.0 * step, y));
        x += 2.0 * step;
    }
    kurbo::stroke(path.iter(), &kurbo::Stroke::new(thick), &kurbo::StrokeOpts::default(), 0.05)
}
