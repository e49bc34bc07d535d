//! A flag that ends long work on pixels early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Checked by decoders and painters, also in the middle of a frame. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends work that is under way.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows new work.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
