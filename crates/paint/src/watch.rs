//! What the painter works on and how long, measured by callers: this crate uses no clocks.

/// Parts of painting that are distinguished from the rest, which is compositing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Contents and masks to pixels.
    Raster,
    /// Pixels to planes.
    Convert,
}

/// What the items of a frame take.
#[derive(Debug)]
pub struct Costs {
    pub clock: fn() -> u64,
    /// By their place in the frame.
    pub items: Vec<u64>,
}

/// Called with the work that begins, and with `None` when the last one has ended.
pub type Watch = fn(Option<Work>);
