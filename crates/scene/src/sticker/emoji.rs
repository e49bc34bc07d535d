//! Emoji stickers, by name or written out.

use super::easel::{Easel, Part};
use super::motions;
use crate::nearest::look_up;

/// Names and what they stand for.
pub(super) const EMOJI: &[(&str, &str)] = &[
    ("emoji-grin", "😀"),
    ("emoji-joy", "😂"),
    ("emoji-heart-eyes", "😍"),
    ("emoji-cool", "😎"),
    ("emoji-love", "❤️"),
    ("emoji-fire", "🔥"),
    ("emoji-hundred", "💯"),
    ("emoji-sparkles", "✨"),
    ("emoji-star", "⭐"),
    ("emoji-gift", "🎁"),
    ("emoji-balloon", "🎈"),
    ("emoji-party", "🎉"),
];

/// Letters beyond which a text is not one sticker.
const LONGEST: usize = 40;

/// The emoji a name stands for, or the emoji written out.
pub(super) fn find(content: &str) -> Option<&str> {
    if let Some(row) = look_up(content, EMOJI, |row, is| is(row.0)).known() {
        return Some(row.1);
    }
    let keycap = content.contains('\u{20e3}');
    let fits = content.chars().count() <= LONGEST && content.chars().any(|c| is_emoji(c) || c == '\u{20e3}');
    let all =
        content.chars().all(|c| is_emoji(c) || joins(c) || (keycap && matches!(c, '0'..='9' | '#' | '*')));
    (fits && all).then_some(content)
}

fn is_emoji(c: char) -> bool {
    matches!(u32::from(c),
        0x1f000..=0x1faff | 0x2600..=0x27bf | 0x2300..=0x23ff | 0x2b00..=0x2bff | 0x2190..=0x21ff
        | 0x25a0..=0x25ff | 0xa9 | 0xae | 0x203c | 0x2049 | 0x2122 | 0x2139 | 0x24c2 | 0x2934 | 0x2935
        | 0x3030 | 0x303d | 0x3297 | 0x3299)
}

/// Joiners, variation selectors, keycaps and tags: part of an emoji, none on their own.
fn joins(c: char) -> bool {
    matches!(u32::from(c), 0x200d | 0xfe0e | 0xfe0f | 0x20e3 | 0xe0020..=0xe007f)
}

pub(super) fn parts(emoji: &str, easel: &mut Easel<'_, '_>) -> Vec<Part> {
    let draws = easel.emoji(emoji);
    vec![Part::new(easel.content(draws), motions::appearing)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_are_found_by_name_and_written_out_but_words_are_not() {
        assert_eq!(find("Emoji_Fire"), Some("🔥"));
        for emoji in ["👍🏽", "👩‍🚀", "7️⃣", "🇫🇷", "❤️", "🎉🎉"] {
            assert_eq!(find(emoji), Some(emoji));
        }
        for other in ["sale", "7", "", "\u{fe0f}", "fire 🔥"] {
            assert_eq!(find(other), None, "{other}");
        }
    }
}
