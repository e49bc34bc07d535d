//! The switch that ends a job.

use std::sync::{Arc, Mutex, PoisonError};

use rondo_sandbox::Killer;

/// Ends a job at once, from any thread. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Waiting,
    Running(Killer),
    Stopped,
}

impl Stop {
    pub fn stop(&self) {
        let mut state = self.state();
        if let State::Running(killer) = &*state {
            killer.kill();
        }
        *state = State::Stopped;
    }

    pub fn is_stopped(&self) -> bool {
        matches!(*self.state(), State::Stopped)
    }

    /// Says which process it ends; `false` if it was stopped before.
    pub(crate) fn watch(&self, killer: Killer) -> bool {
        let mut state = self.state();
        match *state {
            State::Stopped => false,
            _ => {
                *state = State::Running(killer);
                true
            }
        }
    }

    /// The process has ended.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        if let State::Running(_) = *state {
            *state = State::Waiting;
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
