//! A film as a list of chunks, and the key of each.

use std::fmt;

/// Identity of a chunk's bytes: equal keys, equal chunks, wherever in whichever film they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChunkKey(pub u128);

impl fmt::Display for ChunkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
