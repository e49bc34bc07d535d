//! Seats for work that anyone can ask for. Accounts take turns, so one that asks a lot delays no other for long.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

/// A number of seats, and who waits for one.
#[derive(Debug)]
pub struct Turns {
    /// Those of one account that may wait.
    most_waiting: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// Accounts with those who wait; the first one is next.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Seat>>)>,
}

/// Held while the work goes on.
#[derive(Debug)]
pub struct Seat(Arc<Turns>);

/// Too many of an account wait already.
#[derive(Debug)]
pub struct Crowded;

impl Turns {
    pub fn new(seats: usize, most_waiting: usize) -> Arc<Self> {
        Arc::new(Self { most_waiting, state: Mutex::new(State { free: seats, waiting: VecDeque::new() }) })
    }

    /// Waits for a seat.
    pub async fn take(self: &Arc<Self>, account: &str) -> Result<Seat, Crowded> {
        let turn = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Ok(Seat(self.clone()));
            }
            // Those who gave up do not count.
            for (_, waiting) in &mut state.waiting {
                waiting.retain(|sender| !sender.is_closed());
            }
            state.waiting.retain(|(_, waiting)| !waiting.is_empty());
            let (give, turn) = oneshot::channel();
            match state.waiting.iter_mut().find(|(known, _)| known == account) {
                Some((_, waiting)) if waiting.len() >= self.most_waiting => return Err(Crowded),
                Some((_, waiting)) => waiting.push_back(give),
                None => state.waiting.push_back((account.to_owned(), [give].into())),
            }
            turn
        };
        // The sender is dropped only with the state.
        turn.await.map_err(|_| Crowded)
    }

    #[cfg(test)]
    pub fn free(&self) -> usize {
        self.state().free
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.0.state();
        while let Some((account, mut waiting)) = state.waiting.pop_front() {
            let next = waiting.pop_front();
            if !waiting.is_empty() {
                state.waiting.push_back((account, waiting));
            }
            match next.map(|next| next.send(Seat(self.0.clone()))) {
                Some(Ok(())) => return,
                // It gave up; its seat must not be given back under the lock.
                Some(Err(seat)) => std::mem::forget(seat),
                None => {}
            }
        }
        state.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn accounts_take_turns_and_those_who_gave_up_are_passed_over() {
        let turns = Turns::new(1, 2);
        let first = turns.take("a").await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut asking = Vec::new();
        for name in ["a1", "a2", "b1", "c1"] {
            let (turns, order) = (turns.clone(), order.clone());
            asking.push(tokio::spawn(async move {
                let seat = turns.take(&name[..1]).await.unwrap();
                order.lock().unwrap().push(name);
                drop(seat);
            }));
            tokio::task::yield_now().await;
        }
        assert!(turns.take("a").await.is_err(), "two of the account wait already");
        asking[2].abort();
        tokio::task::yield_now().await;
        drop(first);
        for (number, asking) in asking.into_iter().enumerate() {
            assert_eq!(asking.await.is_ok(), number != 2);
        }
        assert_eq!(*order.lock().unwrap(), ["a1", "c1", "a2"]);
        drop(turns.take("d").await.unwrap());
        assert_eq!(turns.state().free, 1);
    }
}
