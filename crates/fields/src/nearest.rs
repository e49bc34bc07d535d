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

/// The fewest insertions, deletions, substitutions and exchanges of neighbours that turn `a` into `b`.
pub fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut next = vec![i + 1; b.len() + 1];
        for (j, right) in b.iter().enumerate() {
            next[j + 1] = (row[j] + usize::from(left != right)).min(row[j + 1] + 1).min(next[j] + 1);
            let exchanged = i > 0 && j > 0 && a[i - 1] == *right && b[j - 1] == *left;
            if exchanged {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
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
    fn insertions_deletions_substitutions_and_exchanges_count_one_each() {
        let distance = |a: &str, b: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            edit_distance(&letters(a), &letters(b))
        };
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!((distance("widht", "width"), distance("fsp", "fps")), (1, 1));
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
