//! Films made of chunks: planned, rendered by workers or found in a cache, and joined.

mod cache;
mod file;
mod film;
mod help;
mod plan;
mod pool;
mod tasks;
mod worker;

pub use cache::{CacheStats, ChunkCache, ChunkClaim, ChunkStore};
pub(crate) use film::render;
pub(crate) use help::help;
pub use plan::ENGINE;
pub use tasks::{ChunkTasks, PlannedChunk, TakenChunk};
