//! Voice names: well-known names of other services are aliases of our voices with the same gender.

use crate::{Gender, Voice};

/// Well-known voice names and their gender.
const KNOWN: [(&str, Gender); 24] = [
    ("alloy", Gender::Neutral),
    ("ash", Gender::Male),
    ("ballad", Gender::Male),
    ("coral", Gender::Female),
    ("echo", Gender::Male),
    ("fable", Gender::Male),
    ("nova", Gender::Female),
    ("onyx", Gender::Male),
    ("sage", Gender::Female),
    ("shimmer", Gender::Female),
    ("verse", Gender::Male),
    ("rachel", Gender::Female),
    ("adam", Gender::Male),
    ("antoni", Gender::Male),
    ("arnold", Gender::Male),
    ("bella", Gender::Female),
    ("domi", Gender::Female),
    ("elli", Gender::Female),
    ("josh", Gender::Male),
    ("sam", Gender::Male),
    ("joanna", Gender::Female),
    ("matthew", Gender::Male),
    ("amy", Gender::Female),
    ("brian", Gender::Male),
];

/// Whether a voice has this id, name or alias.
pub fn answers_to(voice: &Voice, name: &str) -> bool {
    let same = |other: &String| other.eq_ignore_ascii_case(name);
    same(&voice.id) || same(&voice.name) || voice.aliases.iter().any(same)
}

/// Distributes the well-known names that are not taken among the English voices of the first voice's engine with the
/// same gender.
pub fn spread_known_names(voices: &mut [Voice]) {
    let Some(engine) = voices.first().map(|voice| voice.engine) else { return };
    let mut turns = [0usize; 3];
    for (name, gender) in KNOWN {
        if voices.iter().any(|voice| answers_to(voice, name)) {
            continue;
        }
        let fitting: Vec<usize> = (0..voices.len())
            .filter(|&index| {
                let voice = &voices[index];
                voice.engine == engine && voice.gender == gender && voice.language.starts_with("en")
            })
            .collect();
        let turn = &mut turns[gender as usize];
        let chosen = if fitting.is_empty() { 0 } else { fitting[*turn % fitting.len()] };
        *turn += 1;
        voices[chosen].aliases.push(name.to_owned());
    }
}
