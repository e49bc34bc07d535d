//! The error of every parser.

/// A CSS value that could not be read. The message is a sentence for the author of the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{}\" is not a valid {what}: expected {expected}.", shorten(.value))]
pub struct CssError {
    /// The value as written.
    pub value: String,
    /// The kind of value that was expected, such as `colour`.
    pub what: &'static str,
    /// What would have been accepted.
    pub expected: &'static str,
}

/// Long values are cut so that a message stays readable.
fn shorten(value: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = value.chars();
    let mut text: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}
