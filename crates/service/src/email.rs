//! What counts as an email address.

/// Longest email address, in bytes.
pub const LONGEST_EMAIL: usize = 200;

/// Whether a text has the form of an email address.
pub fn is_email(text: &str) -> bool {
    let text = text.trim();
    !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && text
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}
