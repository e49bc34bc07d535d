//! A callback for what the painter works on, so that callers can measure time: this crate uses no clocks.

/// Parts of painting that are distinguished from the rest, which is compositing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Contents and masks to pixels.
    Raster,
    /// Pixels to planes.
    Convert,
}

/// Called with the work that begins, and with `None` when the last one has ended.
pub type Watch = fn(Option<Work>);
