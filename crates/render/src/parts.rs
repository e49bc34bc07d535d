//! Films that leave in parts while they are written.

pub use rondo_media::{PART_BYTES, Part};

/// Takes the parts of a large film as they are finished; the first one comes last.
pub trait PartStore: Send + Sync + std::fmt::Debug {
    /// Keeps a part, or says why it cannot.
    fn keep(&self, part: Part) -> Result<(), String>;
}
