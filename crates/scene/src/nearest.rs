//! Looking names up in a registry: how names are compared, and which known names are close to an unknown one.

use rondo_composition::edit_distance;

/// What a name means in a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<T> {
    /// No name was given, or `none`.
    Nothing,
    Known(T),
    Unknown,
}

impl<T> Lookup<T> {
    /// The row, when there is one.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(row) => Some(row),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// The letters by which names are compared: lower case, without dashes, underscores and blanks.
pub fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_')).flat_map(char::to_lowercase)
}

/// Finds the row called `name`; `is_called` says whether one of a row's names satisfies the comparison.
pub fn look_up<T>(
    name: &str,
    rows: &'static [T],
    is_called: impl Fn(&T, &dyn Fn(&str) -> bool) -> bool,
) -> Lookup<&'static T> {
    if letters(name).next().is_none() || letters(name).eq("none".chars()) {
        return Lookup::Nothing;
    }
    let same = |known: &str| letters(known).eq(letters(name));
    rows.iter().find(|row| is_called(row, &same)).map_or(Lookup::Unknown, Lookup::Known)
}

/// The three candidates closest to a name, closest first; candidates equally close keep their order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: Vec<char> = letters(name).take(40).collect();
    let distance = |candidate: &str| edit_distance(&name, &letters(candidate).collect::<Vec<_>>());
    let mut ranked: Vec<(usize, &str)> = candidates.into_iter().map(|c| (distance(c), c)).collect();
    ranked.sort_by_key(|&(distance, _)| distance);
    ranked.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_the_closest_ones_first() {
        let names = ["slide-right", "slide-up", "fade", "slide-down"];
        assert_eq!(nearest("slideUpp", names), ["slide-up", "slide-down", "slide-right"]);
        assert_eq!(nearest("FADE_", names)[0], "fade");
    }
}
