//! Emoji stickers, by name or written out.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::easel::{Easel, Part, Pose};
use super::motions;
use crate::nearest::{letters, look_up};

/// Short names and what they stand for.
pub(super) const SHORT: &[(&str, &str)] = &[
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

/// Endings of names in the letters of [`key`], and the tones they stand for; those that end in others come first.
const TONES: [(&str, char); 5] = [
    ("mediumlightskintone", '\u{1f3fc}'),
    ("mediumdarkskintone", '\u{1f3fe}'),
    ("mediumskintone", '\u{1f3fd}'),
    ("lightskintone", LIGHT),
    ("darkskintone", '\u{1f3ff}'),
];

/// Names of two people or hands in the letters of [`key`], and how they are written when each has a tone, here light. Other
/// emoji of two people are written so in the table.
const PAIRS: [(&str, &str); 8] = [
    ("emojihandshake", "🫱🏻‍🫲🏻"),
    ("emojimenholdinghands", "👨🏻‍🤝‍👨🏻"),
    ("emojiwomenholdinghands", "👩🏻‍🤝‍👩🏻"),
    ("emojiwomanandmanholdinghands", "👩🏻‍🤝‍👨🏻"),
    ("emojicouplewithheart", "🧑🏻‍❤️‍🧑🏻"),
    ("emojicouplewithheartpersonperson", "🧑🏻‍❤️‍🧑🏻"),
    ("emojikiss", "🧑🏻‍❤️‍💋‍🧑🏻"),
    ("emojikisspersonperson", "🧑🏻‍❤️‍💋‍🧑🏻"),
];

/// How all names start.
const PREFIX: &str = "emoji-";

/// The tone of the forms in the table.
const LIGHT: char = '\u{1f3fb}';

/// One row of the table.
pub(crate) struct Row {
    /// The CLDR short name after `emoji-`.
    pub name: &'static str,
    pub emoji: &'static str,
    /// The form in light skin tone.
    light: Option<&'static str>,
}

/// All emoji by their CLDR short names, in the order of their keys.
pub(crate) fn table() -> &'static [Row] {
    static TABLE: OnceLock<Vec<Row>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = include_str!("emoji.txt").lines().filter(|line| !line.starts_with('#'));
        rows.filter_map(|line| {
            let mut fields = line.split('\t');
            Some(Row { name: fields.next()?, emoji: fields.next()?, light: fields.next() })
        })
        .collect()
    })
}

/// Letters beyond which a text is not one sticker.
const LONGEST: usize = 40;

/// Letters beyond which a text is not a name.
const LONGEST_NAME: usize = 120;

/// What is drawn, and how it moves.
pub(super) struct Emoji<'a> {
    text: Cow<'a, str>,
    motion: fn(f64) -> Pose,
}

/// The emoji a name stands for, or the emoji written out.
pub(super) fn find(content: &str) -> Option<Emoji<'_>> {
    if let Some(row) = look_up(content, SHORT, |row, is| is(row.0)).known() {
        return Some(Emoji { text: row.1.into(), motion: motions::appearing });
    }
    if let Some(text) = named(content) {
        return Some(Emoji { text, motion: motions::gentle });
    }
    let keycap = content.contains('\u{20e3}');
    let fits = content.chars().count() <= LONGEST && content.chars().any(|c| is_emoji(c) || c == '\u{20e3}');
    let all =
        content.chars().all(|c| is_emoji(c) || joins(c) || (keycap && matches!(c, '0'..='9' | '#' | '*')));
    (fits && all).then(|| Emoji { text: content.into(), motion: motions::appearing })
}

/// The emoji of a CLDR short name, with or without a skin tone; those of two people may have two.
fn named(name: &str) -> Option<Cow<'static, str>> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let key = key(name);
    if let Some(row) = row(&key) {
        return Some(row.emoji.into());
    }
    let (plain, second) = without_tone(&key)?;
    let (plain, first) = without_tone(plain).unwrap_or((plain, second));
    let light = || row(plain)?.light;
    if first == second {
        return Some(toned(light()?, first).into());
    }
    let pair = PAIRS.iter().find(|(name, _)| *name == plain).map(|(_, pair)| *pair).or_else(light)?;
    let (one, other) = pair.split_at(pair.rfind(LIGHT)?);
    one.contains(LIGHT).then(|| (toned(one, first) + &toned(other, second)).into())
}

/// A name without its last skin tone, and that tone.
fn without_tone(key: &str) -> Option<(&str, char)> {
    TONES.iter().find_map(|(ending, tone)| Some((key.strip_suffix(ending)?, *tone)))
}

fn toned(light: &str, tone: char) -> String {
    light.replace(LIGHT, tone.encode_utf8(&mut [0; 4]))
}

fn row(key: &str) -> Option<&'static Row> {
    let rows = table();
    let at = rows.binary_search_by(|row| letters(row.name).cmp(key.chars())).ok()?;
    rows.get(at)
}

/// The letters and digits of a name, by which names are compared: CLDR writes some with colons and quotes.
fn key(name: &str) -> String {
    letters(name).filter(|c| c.is_alphanumeric()).collect()
}

/// Names worth comparing with an unknown one that starts like an emoji: those with a word of it, or else those that start
/// alike and are about as long.
pub(super) fn close_to(name: &str) -> Vec<&'static str> {
    let name: String = name.to_lowercase().replace(['_', ' '], "-").chars().take(LONGEST).collect();
    let Some(asked) = name.strip_prefix(PREFIX) else { return Vec::new() };
    let names = || table().iter().map(|row| row.name);
    let bare = |known: &'static str| known.trim_start_matches(PREFIX);
    let words = |known: &&'static str| {
        bare(known).split('-').any(|word| word.len() > 2 && asked.split('-').any(|other| other == word))
    };
    let alike = |known: &&'static str| {
        let known = bare(known);
        known.chars().next() == asked.chars().next() && known.len().abs_diff(asked.len()) <= 3
    };
    let sharing: Vec<&str> = names().filter(words).collect();
    if sharing.is_empty() { names().filter(alike).collect() } else { sharing }
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

pub(super) fn parts(emoji: &Emoji<'_>, easel: &mut Easel<'_, '_>) -> Vec<Part> {
    let draws = easel.emoji(&emoji.text);
    vec![Part::new(easel.content(draws), emoji.motion)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> Option<String> {
        find(name).map(|emoji| emoji.text.into_owned())
    }

    #[test]
    fn emoji_are_found_by_name_and_written_out_but_words_are_not() {
        assert_eq!(text("Emoji_Fire").as_deref(), Some("🔥"));
        for emoji in ["👍🏽", "👩‍🚀", "7️⃣", "🇫🇷", "❤️", "🎉🎉"] {
            assert_eq!(text(emoji).as_deref(), Some(emoji));
        }
        for other in ["sale", "7", "", "\u{fe0f}", "fire 🔥", "thumbs up", "emoji-", "emoji"] {
            assert_eq!(text(other), None, "{other}");
        }
    }

    #[test]
    fn every_emoji_has_its_cldr_short_name() {
        for (name, emoji) in [
            ("emoji-thumbs-up", "👍"),
            ("emoji-rocket", "🚀"),
            ("Emoji Red Heart", "❤️"),
            ("emoji-woman’s hat", "👒"),
            ("emoji-flag-france", "🇫🇷"),
            ("emoji-flag-cote-divoire", "🇨🇮"),
            ("emoji-flag-scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
            ("emoji-keycap-7", "7️⃣"),
            ("emoji-woman-astronaut", "👩‍🚀"),
        ] {
            assert_eq!(text(name).unwrap_or_default(), emoji, "{name}");
        }
        assert!(table().len() > 1900);
        for row in table() {
            assert_eq!(named(row.name).as_deref(), Some(row.emoji), "{}", row.name);
        }
    }

    #[test]
    fn skin_tones_are_part_of_the_name() {
        for (name, emoji) in [
            ("emoji-thumbs-up-light-skin-tone", "👍🏻"),
            ("emoji-thumbs-up-medium-light-skin-tone", "👍🏼"),
            ("emoji-thumbs-up: medium skin tone", "👍🏽"),
            ("emoji-victory-hand-medium-dark-skin-tone", "✌🏾"),
            ("emoji-people-holding-hands-dark-skin-tone", "🧑🏿‍🤝‍🧑🏿"),
            ("emoji-rocket-dark-skin-tone", ""),
            ("emoji-handshake: light skin tone, medium-dark skin tone", "🫱🏻‍🫲🏾"),
            ("emoji-handshake-dark-skin-tone-dark-skin-tone", "🤝🏿"),
            ("emoji-woman-and-man-holding-hands-medium-skin-tone-light-skin-tone", "👩🏽‍🤝‍👨🏻"),
            ("emoji-people-holding-hands-medium-light-skin-tone-dark-skin-tone", "🧑🏼‍🤝‍🧑🏿"),
            ("emoji-kiss-woman-man-dark-skin-tone-light-skin-tone", "👩🏿‍❤️‍💋‍👨🏻"),
            ("emoji-couple-with-heart: person, person, light skin tone, dark skin tone", "🧑🏻‍❤️‍🧑🏿"),
            ("emoji-thumbs-up-light-skin-tone-dark-skin-tone", ""),
            ("emoji-thumbs-up-light-skin-tone-dark-skin-tone-dark-skin-tone", ""),
        ] {
            assert_eq!(text(name).unwrap_or_default(), emoji, "{name}");
        }
    }
}
