//! CSS family lists and CSS font matching.

use crate::names::{self, Kind};

/// One entry of a family list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Named(String),
    Generic(&'static str),
}

/// Families used when none of the requested ones is available.
pub(crate) const DEFAULT_FAMILY: &str = "Inter";

/// Reads a CSS `font-family` value. Quoted names are taken literally.
pub(crate) fn parse_families(list: &str) -> Vec<Wanted> {
    split_list(list)
        .into_iter()
        .filter_map(|(name, quoted)| {
            if name.is_empty() {
                return None;
            }
            if !quoted && let Some(generic) = names::find(&name, Kind::Generic) {
                return Some(Wanted::Generic(generic.family));
            }
            if name.to_lowercase().starts_with("font-") {
                let family = names::find(&name, Kind::Token).map_or(DEFAULT_FAMILY, |token| token.family);
                return Some(Wanted::Named(family.to_owned()));
            }
            Some(Wanted::Named(name))
        })
        .collect()
}

/// Entries with their quotes removed and inner white space collapsed, and whether they were quoted.
fn split_list(list: &str) -> Vec<(String, bool)> {
    let mut entries = Vec::new();
    let (mut name, mut quoted, mut quote) = (String::new(), false, None);
    let mut flush = |name: &mut String, quoted: &mut bool| {
        entries.push((name.split_whitespace().collect::<Vec<_>>().join(" "), *quoted));
        name.clear();
        *quoted = false;
    };
    for ch in list.chars() {
        match quote {
            Some(open) if ch == open => quote = None,
            None if ch == '"' || ch == '\'' => (quote, quoted) = (Some(ch), true),
            None if ch == ',' => flush(&mut name, &mut quoted),
            _ => name.push(ch),
        }
    }
    flush(&mut name, &mut quoted);
    entries
}

/// Picks a weight range by CSS font matching: above 500 heavier first, below 400 lighter first, 400 to 500 up to 500,
/// then lighter, then heavier. Ranges of more than one weight are variable faces.
pub(crate) fn match_weight(available: impl Iterator<Item = (u16, u16)>, wanted: u16) -> Option<(u16, u16)> {
    available.min_by_key(|&(low, high)| {
        if (low..=high).contains(&wanted) {
            return (0, 0);
        }
        let heavier = low > wanted;
        let distance = if heavier { low - wanted } else { wanted - high };
        let rank = match (wanted, heavier) {
            (400..=500, true) if low <= 500 => 1,
            (400..=500, true) => 3,
            (400..=500, false) => 2,
            (501.., true) | (..400, false) => 1,
            (501.., false) | (..400, true) => 2,
        };
        (rank, distance)
    })
}

/// The width of faces that are neither condensed nor expanded, in percent.
pub(crate) const NORMAL_WIDTH: u16 = 100;

/// Picks a width range by CSS font matching: narrower first up to the normal width, wider first above it.
pub(crate) fn match_width(available: impl Iterator<Item = (u16, u16)>, wanted: u16) -> Option<(u16, u16)> {
    available.min_by_key(|&(low, high)| {
        if (low..=high).contains(&wanted) {
            return (0, 0);
        }
        let wider = low > wanted;
        let distance = if wider { low - wanted } else { wanted - high };
        (if wider == (wanted > NORMAL_WIDTH) { 1 } else { 2 }, distance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(available: &[u16], wanted: u16) -> u16 {
        match_weight(available.iter().map(|w| (*w, *w)), wanted).unwrap().0
    }

    #[test]
    fn missing_weights_follow_css_font_matching() {
        assert_eq!(weight(&[300, 700], 600), 700);
        assert_eq!(weight(&[300, 400], 900), 400);
        assert_eq!(weight(&[400, 700], 300), 400);
        assert_eq!(weight(&[100, 200, 700], 300), 200);
        assert_eq!(weight(&[300, 500, 700], 400), 500);
        assert_eq!(weight(&[300, 700], 400), 300);
        assert_eq!(weight(&[700, 900], 450), 700);
        assert_eq!(match_weight([(100, 900), (650, 650)].into_iter(), 600), Some((100, 900)));
    }

    #[test]
    fn missing_widths_follow_css_font_matching() {
        let width =
            |available: &[u16], wanted| match_width(available.iter().map(|w| (*w, *w)), wanted).unwrap().0;
        assert_eq!(width(&[75, 100, 125], 100), 100);
        assert_eq!(width(&[50, 75, 100], 87), 75);
        assert_eq!(width(&[100, 125], 75), 100);
        assert_eq!(width(&[100, 150], 112), 150);
        assert_eq!(width(&[75, 100], 125), 100);
        assert_eq!(match_width([(100, 100), (62, 100)].into_iter(), 75), Some((62, 100)));
    }

    #[test]
    fn family_lists_know_quotes_generics_and_tokens() {
        let named = |name: &str| Wanted::Named(name.into());
        assert_eq!(
            parse_families(r#" "Playfair  Display" , 'Font, odd', Open Sans,serif"#),
            [
                named("Playfair Display"),
                named("Font, odd"),
                named("Open Sans"),
                Wanted::Generic("Merriweather")
            ]
        );
        assert_eq!(parse_families("font-retro"), [named("VT323")]);
        assert_eq!(parse_families("font-unheard-of"), [named("Inter")]);
        assert_eq!(parse_families("\"serif\""), [named("serif")]);
        assert_eq!(parse_families(" , "), []);
    }
}
