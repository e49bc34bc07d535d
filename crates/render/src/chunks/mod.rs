//! Films made of chunks: planned, rendered by workers or found in a cache, and joined.

mod cache;
mod file;
mod film;
mod plan;
mod pool;
mod worker;

pub use cache::{CacheStats, ChunkCache, ChunkClaim, ChunkStore};
pub(crate) use film::render;
