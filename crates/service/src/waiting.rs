//! Requests that wait for something to end: a bounded number for each account.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Requests of one account that may wait at the same time.
pub const MOST_WAITING: usize = 50;

/// How many requests of each account wait.
#[derive(Debug, Default)]
pub struct Waiting {
    accounts: Mutex<HashMap<String, usize>>,
}

/// Held while a request waits. A caller who hangs up drops it.
#[derive(Debug)]
pub struct Place<'a> {
    waiting: &'a Waiting,
    account: String,
}

impl Waiting {
    /// `None` if as many requests of the account wait as may.
    pub fn enter(&self, account: &str) -> Option<Place<'_>> {
        let mut accounts = self.accounts();
        let count = accounts.entry(account.to_owned()).or_default();
        if *count >= MOST_WAITING {
            return None;
        }
        *count += 1;
        Some(Place { waiting: self, account: account.to_owned() })
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut accounts = self.waiting.accounts();
        if let Some(count) = accounts.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                accounts.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_a_limited_number_of_places_and_gets_them_back() {
        let waiting = Waiting::default();
        let mut places: Vec<Place<'_>> = (0..MOST_WAITING).map(|_| waiting.enter("a").unwrap()).collect();
        assert!(waiting.enter("a").is_none());
        assert!(waiting.enter("b").is_some());
        places.pop();
        assert!(waiting.enter("a").is_some());
        drop(places);
        assert!(waiting.accounts().is_empty());
    }
}
