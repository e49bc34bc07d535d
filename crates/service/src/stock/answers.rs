//! Answers that are kept for a while, so that providers are asked rarely.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::StockPage;

/// Pages that are kept.
const MOST: usize = 200;

/// Pages by what was asked for.
#[derive(Default)]
pub struct Answers(Mutex<HashMap<String, (Instant, Arc<StockPage>)>>);

impl Answers {
    /// The answer, if it is not older than `age`.
    pub fn get(&self, name: &str, age: Duration) -> Option<Arc<StockPage>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(name).filter(|(at, _)| at.elapsed() < age).map(|(_, page)| page.clone())
    }

    /// Keeps an answer; the oldest one goes where there are too many.
    pub fn keep(&self, name: String, page: Arc<StockPage>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST && !kept.contains_key(&name) {
            let oldest = kept.iter().min_by_key(|(_, (at, _))| *at).map(|(name, _)| name.clone());
            oldest.map(|oldest| kept.remove(&oldest));
        }
        kept.insert(name, (Instant::now(), page));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_age_and_the_oldest_goes() {
        let answers = Answers::default();
        let page = || Arc::new(StockPage { items: Vec::new(), total: 0, has_more: false });
        for number in 0..=MOST {
            answers.keep(number.to_string(), page());
        }
        let age = Duration::from_secs(3600);
        assert!(answers.get("0", age).is_none() && answers.get("1", age).is_some());
        assert!(answers.get("1", Duration::ZERO).is_none());
    }
}
