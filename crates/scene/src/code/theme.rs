//! The colours of Visual Studio, dark and light.

use rondo_composition::CodeTheme;
use rondo_css::Color;

use super::Kind;

/// The colours of one theme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    theme: CodeTheme,
}

impl Palette {
    pub fn new(theme: CodeTheme) -> Self {
        Self { theme }
    }

    pub fn background(self) -> Color {
        match self.theme {
            CodeTheme::Dark => rgb([30, 30, 30]),
            CodeTheme::Light => rgb([255, 255, 255]),
        }
    }

    /// The colour of line numbers.
    pub fn gutter(self) -> Color {
        rgb([102, 102, 102]).faded(0.5)
    }

    pub fn color(self, kind: Kind) -> Color {
        rgb(match self.theme {
            CodeTheme::Dark => dark(kind),
            CodeTheme::Light => light(kind),
        })
    }
}

fn rgb([r, g, b]: [u8; 3]) -> Color {
    Color::from_rgba8([r, g, b, 255])
}

fn dark(kind: Kind) -> [u8; 3] {
    match kind {
        Kind::Plain | Kind::AttrName | Kind::Property | Kind::Variable => [156, 220, 254],
        Kind::Comment => [106, 153, 85],
        Kind::Keyword | Kind::Builtin | Kind::Tag | Kind::Changed => [86, 156, 214],
        Kind::Number | Kind::Inserted => [181, 206, 168],
        Kind::Constant => [100, 102, 149],
        Kind::String | Kind::AttrValue | Kind::Deleted => [206, 145, 120],
        Kind::Selector => [215, 186, 125],
        Kind::ClassName => [78, 201, 176],
        Kind::Function => [220, 220, 170],
        Kind::Punctuation | Kind::Operator => [212, 212, 212],
        Kind::Char => [209, 105, 105],
    }
}

fn light(kind: Kind) -> [u8; 3] {
    match kind {
        Kind::Plain | Kind::Operator => [0, 0, 0],
        Kind::Comment => [0, 128, 0],
        Kind::Builtin => [0, 112, 193],
        Kind::Number | Kind::Variable | Kind::Inserted => [9, 134, 88],
        Kind::Constant | Kind::Char => [129, 31, 63],
        Kind::Tag | Kind::Selector => [128, 0, 0],
        Kind::AttrName => [255, 0, 0],
        Kind::String | Kind::AttrValue | Kind::Deleted => [163, 21, 21],
        Kind::Punctuation | Kind::Property | Kind::Changed => [4, 81, 165],
        Kind::Function | Kind::Keyword => [0, 0, 255],
        Kind::ClassName => [38, 127, 153],
    }
}
