//! Lets an outsider follow what the painter works on: clocks have no place in this crate.

/// Parts of painting that are told apart from the rest, which is compositing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Contents and masks to pixels.
    Raster,
    /// Pixels to planes.
    Convert,
}

/// Called with the work that begins, and with nothing when the one begun last has ended.
pub type Watch = fn(Option<Work>);
