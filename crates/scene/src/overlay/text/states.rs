//! The states of a text that changes letter by letter. While they are few, all are drawn before the first frame. All states
//! of a long text would take memory by the square of its length, so the others are drawn when a frame shows them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Weight of the states that are drawn before the first frame: about one for each glyph and each content.
const MOST_AHEAD: usize = 1 << 14;
/// What a state weighs besides.
const STATE: usize = 16;
/// Frames whose states are drawn before the first one.
const MOST_FRAMES: u32 = 1 << 14;
/// States that are kept of those drawn later: neighbouring frames show the same, and several threads paint different parts of the
/// film.
const MOST_KEPT: usize = 16;

/// States by what tells them apart.
pub(super) struct States<K, S> {
    ahead: BTreeMap<K, Arc<S>>,
    /// Drawn later, the last one at the end.
    kept: Mutex<VecDeque<(K, Arc<S>)>>,
    is_complete: bool,
}

impl<K: Ord + Clone, S> States<K, S> {
    /// Draws the states of `frames` frames as far as they are few. `draw` also says how much a state weighs.
    pub fn ahead(
        frames: u32,
        state: impl Fn(u32) -> Option<K>,
        mut draw: impl FnMut(&K) -> (S, usize),
    ) -> Self {
        let mut ahead = BTreeMap::new();
        let (mut weight, mut frame) = (0, 0);
        while frame < frames.min(MOST_FRAMES) && weight <= MOST_AHEAD {
            if let Some(key) = state(frame).filter(|key| !ahead.contains_key(key)) {
                let (drawn, more) = draw(&key);
                weight += STATE + more;
                ahead.insert(key, Arc::new(drawn));
            }
            frame += 1;
        }
        Self { ahead, kept: Mutex::default(), is_complete: frame >= frames }
    }

    /// Whether no state is drawn later.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// A state; `None` where it is not drawn and `draw` does not draw it.
    pub fn get(&self, key: &K, draw: impl FnOnce() -> Option<S>) -> Option<Arc<S>> {
        if let Some(drawn) = self.ahead.get(key) {
            return Some(drawn.clone());
        }
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept().iter().find(|(known, _)| known == key).map(|(_, drawn)| drawn.clone());
        if found.is_some() {
            return found;
        }
        // Others may draw meanwhile.
        let drawn = Arc::new(draw()?);
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.pop_front();
        }
        kept.push_back((key.clone(), drawn.clone()));
        Some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_weigh_much_are_drawn_when_they_are_shown() {
        let states = |weight: usize| States::ahead(100, Some, |key: &u32| (*key, weight));
        assert!(states(1).is_complete());
        let heavy = states(MOST_AHEAD / 10);
        assert!(!heavy.is_complete() && (9..12).contains(&heavy.ahead.len()), "{}", heavy.ahead.len());
        for key in [3].into_iter().chain(20..60).chain([40, 99]) {
            assert_eq!(heavy.get(&key, || Some(key)).as_deref(), Some(&key));
            assert!(heavy.kept.lock().unwrap().len() <= MOST_KEPT);
        }
        assert_eq!(heavy.get(&99, || None).as_deref(), Some(&99), "the last ones are kept");
        assert_eq!(heavy.get(&50, || None).as_deref(), Some(&50), "threads show different ones");
        assert_eq!(heavy.get(&20, || None), None, "one of long ago is drawn again");
        let long = States::ahead(u32::MAX, |_| Some(0), |key| (*key, 1));
        assert!(!long.is_complete(), "every frame of a long film was looked at");
    }
}
