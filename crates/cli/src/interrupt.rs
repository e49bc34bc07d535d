//! Ctrl-C and SIGTERM: a render stops and cleans up after itself.

use std::sync::atomic::{AtomicBool, Ordering};

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// From now on the first signal asks to stop, and a second one ends the process at once.
pub fn watch() -> Result<&'static AtomicBool, String> {
    ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    })
    .map_err(|e| format!("Ctrl-C cannot be watched: {e}."))?;
    Ok(&CANCELLED)
}

/// Whether a signal asked to stop.
pub fn cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}
