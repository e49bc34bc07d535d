//! What can go wrong with fonts.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("This is not a font file of a kind that can be read (ttf, otf, ttc, woff or woff2): {0}.")]
    NotAFont(String),
    #[error("The font file holds no face with a family name.")]
    NoFace,
    #[error("Line {line} of the font index cannot be read: {reason}.")]
    BadIndex { line: usize, reason: String },
}
