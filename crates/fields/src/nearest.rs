//! How far a misspelt name is from a known one, and which one it resembles.

/// Longer names resemble none: hostile input must not take long.
const LONGEST: usize = 40;

/// The known name that another one is probably meant to be: equal but for letter case, or a few letters away.
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<_>>();
    let name = letters(name);
    let distances = known.into_iter().map(|known| (edit_distance(&name, &letters(known)), known));
    let (distance, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.len() / 4 && distance < name.len()).then_some(nearest)
}

/// Levenshtein distance: the fewest insertions, deletions and substitutions that turn `a` into `b`.
pub fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, nearest_name};

    #[test]
    fn a_name_resembles_another_when_few_letters_differ() {
        let known = ["width", "height", "fps", "durationInFrames"];
        let near = |name| nearest_name(name, known);
        assert_eq!(near("widht"), Some("width"));
        assert_eq!(near("FPS"), Some("fps"));
        assert_eq!(near("durationFrames"), Some("durationInFrames"));
        assert_eq!(near("colour"), None);
        assert_eq!(near("x"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn insertions_deletions_and_substitutions_count_one_each() {
        let distance = |a: &str, b: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            edit_distance(&letters(a), &letters(b))
        };
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
