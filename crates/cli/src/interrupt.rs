//! Handles Ctrl-C and SIGTERM: a render stops and removes its partial output.

use std::sync::atomic::{AtomicBool, Ordering};

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. The first signal requests a stop; the second one exits immediately.
pub fn watch() -> Result<&'static AtomicBool, String> {
    ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    })
    .map_err(|e| format!("Failed to install the signal handler: {e}."))?;
    Ok(&CANCELLED)
}

/// Whether a signal requested a stop.
pub fn cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}
