//! Seats for work that anyone can ask for. Accounts take turns, so one that asks a lot delays no other for long.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

/// A number of seats, and who waits for one.
///
/// Work is never interrupted, so turns alone do not help while one account has all seats for minutes: where there are
/// several, one always stays free of each account. An account that is alone thus never uses the last seat; where all of them
/// should work for one account, there must be one more.
#[derive(Debug)]
pub struct Turns {
    /// Seats of one account.
    most_held: usize,
    /// Those of one account that may wait.
    most_waiting: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// Seats of accounts that have some.
    held: HashMap<String, usize>,
    /// Accounts with those who wait; the first one that may have another seat is next.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Seat>>)>,
}

/// Held while the work goes on.
#[derive(Debug)]
pub struct Seat {
    turns: Arc<Turns>,
    account: String,
}

/// Too many of an account wait already.
#[derive(Debug)]
pub struct Crowded;

impl Turns {
    pub fn new(seats: usize, most_waiting: usize) -> Arc<Self> {
        Self::shared(seats, seats.saturating_sub(1).max(1), most_waiting)
    }

    /// The same with at most `most_held` seats for one account, which must be fewer than all where several accounts ask.
    pub fn shared(seats: usize, most_held: usize, most_waiting: usize) -> Arc<Self> {
        let state = State { free: seats, held: HashMap::new(), waiting: VecDeque::new() };
        Arc::new(Self { most_held, most_waiting, state: Mutex::new(state) })
    }

    /// Waits for a seat.
    pub async fn take(self: &Arc<Self>, account: &str) -> Result<Seat, Crowded> {
        let turn = {
            let mut state = self.state();
            // Where a seat is free, nobody waits who may have it.
            if state.seat(account, self.most_held) {
                return Ok(Seat { turns: self.clone(), account: account.to_owned() });
            }
            state.forget_those_who_gave_up();
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

    /// Gives a seat back. Whoever is next has it at once: nobody who comes now is faster.
    fn give_back(&self, account: &str) -> Option<(String, oneshot::Sender<Seat>)> {
        let mut state = self.state();
        state.free += 1;
        if let Some(held) = state.held.get_mut(account) {
            *held -= 1;
            if *held == 0 {
                state.held.remove(account);
            }
        }
        state.next(self.most_held)
    }
}

impl State {
    /// Takes a seat for an account, if it may have one.
    fn seat(&mut self, account: &str, most_held: usize) -> bool {
        let held = self.held.get(account).copied().unwrap_or(0);
        let may = self.free > 0 && held < most_held;
        if may {
            self.free -= 1;
            self.held.insert(account.to_owned(), held + 1);
        }
        may
    }

    /// Takes a seat for the next one who waits and may have it.
    fn next(&mut self, most_held: usize) -> Option<(String, oneshot::Sender<Seat>)> {
        self.forget_those_who_gave_up();
        let held = |account: &String| self.held.get(account).copied().unwrap_or(0);
        let place = self.waiting.iter().position(|(account, _)| held(account) < most_held)?;
        if !self.seat(&self.waiting[place].0.clone(), most_held) {
            return None;
        }
        let (account, mut waiting) = self.waiting.remove(place)?;
        let next = waiting.pop_front()?;
        if !waiting.is_empty() {
            self.waiting.push_back((account.clone(), waiting));
        }
        Some((account, next))
    }

    fn forget_those_who_gave_up(&mut self) {
        for (_, waiting) in &mut self.waiting {
            waiting.retain(|sender| !sender.is_closed());
        }
        self.waiting.retain(|(_, waiting)| !waiting.is_empty());
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // Others may be allowed to sit now, too.
        let mut next = self.turns.give_back(&self.account);
        while let Some((account, give)) = next {
            // A seat for one who gives up just now is given back here, which takes the lock.
            drop(give.send(Seat { turns: self.turns.clone(), account }));
            next = self.turns.state().next(self.turns.most_held);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::task::{JoinHandle, yield_now};
    use tokio::time::timeout;

    use super::*;

    /// Asks for a seat, and writes down when it comes. It is held until the answer is taken.
    async fn ask(
        turns: &Arc<Turns>,
        order: &Arc<Mutex<Vec<&'static str>>>,
        name: &'static str,
    ) -> JoinHandle<Seat> {
        let (turns, order) = (turns.clone(), order.clone());
        let asking = tokio::spawn(async move {
            let seat = turns.take(&name[..1]).await.unwrap();
            order.lock().unwrap().push(name);
            seat
        });
        yield_now().await;
        asking
    }

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
            yield_now().await;
        }
        assert!(turns.take("a").await.is_err(), "two of the account wait already");
        asking[2].abort();
        yield_now().await;
        drop(first);
        for (number, asking) in asking.into_iter().enumerate() {
            assert_eq!(asking.await.is_ok(), number != 2);
        }
        assert_eq!(*order.lock().unwrap(), ["a1", "c1", "a2"]);
        drop(turns.take("d").await.unwrap());
        assert_eq!(turns.state().free, 1);
    }

    #[tokio::test]
    async fn an_account_leaves_a_seat_for_others_where_there_are_several() {
        let turns = Turns::new(3, 2);
        let order = Arc::new(Mutex::new(Vec::new()));
        let came = |expected: &[&str]| assert_eq!(*order.lock().unwrap(), expected);
        let (a1, a2) = (ask(&turns, &order, "a1").await, ask(&turns, &order, "a2").await);
        let _a3 = ask(&turns, &order, "a3").await;
        came(&["a1", "a2"]);
        // Others do not wait for what is long, also those who come later.
        for _ in 0..2 {
            let other = timeout(Duration::from_secs(5), turns.take("b")).await;
            drop(other.expect("it waits for the other account").unwrap());
        }
        came(&["a1", "a2"]);
        let b1 = ask(&turns, &order, "b1").await;
        let _c1 = ask(&turns, &order, "c1").await;
        came(&["a1", "a2", "b1"]);
        // The seat of the other account is not for the one that has its share, though it waits longest.
        drop(b1.await.unwrap());
        yield_now().await;
        came(&["a1", "a2", "b1", "c1"]);
        drop(a1.await.unwrap());
        yield_now().await;
        came(&["a1", "a2", "b1", "c1", "a3"]);
        drop(a2.await.unwrap());
        assert_eq!(turns.free(), 1);
    }

    #[tokio::test]
    async fn a_single_seat_is_for_everyone() {
        let turns = Turns::new(1, 2);
        for account in ["a", "b", "a"] {
            drop(timeout(Duration::from_secs(5), turns.take(account)).await.expect("a seat").unwrap());
        }
        assert!(turns.state().held.is_empty(), "accounts without a seat are kept");
    }
}
