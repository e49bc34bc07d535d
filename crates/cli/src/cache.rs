//! `rondo cache`, and the chunk cache options of `rondo render`.

use std::path::PathBuf;

use clap::Subcommand;
use indicatif::{BinaryBytes, HumanCount};
use rondo_render::{CacheStats, ChunkCache};
use serde_json::json;

use crate::{Outcome, print};

/// The chunk cache options of `rondo render`.
#[derive(clap::Args)]
pub struct Chunks {
    /// Folder to store finished chunks in and to reuse them from. An interrupted render resumes from its finished chunks
    #[arg(long, value_name = "DIR")]
    chunk_cache: Option<PathBuf>,
    /// Maximum size of the folder, in bytes or with the unit K, M, G or T
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "10G", requires = "chunk_cache")]
    chunk_cache_size: u64,
}

impl Chunks {
    pub fn open(&self) -> Result<Option<ChunkCache>, String> {
        let Some(folder) = &self.chunk_cache else { return Ok(None) };
        let cache = ChunkCache::open(folder, self.chunk_cache_size).map_err(|e| e.to_string())?;
        Ok(Some(cache))
    }
}

#[derive(Subcommand)]
pub enum Cache {
    /// Print the number and total size of the chunks in a folder
    Stats(Folder),
    /// Remove all chunks from a folder
    Clear(Folder),
}

#[derive(clap::Args)]
pub struct Folder {
    /// Folder given to `render --chunk-cache`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(command: &Cache) -> Outcome {
    let (folder, verb) = match command {
        Cache::Stats(folder) => (folder, "contains"),
        Cache::Clear(folder) => (folder, "cleared:"),
    };
    if !folder.folder.is_dir() {
        return Err(format!("{} is not a folder.", folder.folder.display()));
    }
    let cache = ChunkCache::open(&folder.folder, ChunkCache::DEFAULT_LIMIT).map_err(|e| e.to_string())?;
    let counted = match command {
        Cache::Stats(_) => cache.stats(),
        Cache::Clear(_) => cache.clear(),
    };
    let CacheStats { chunks, bytes } = counted.map_err(|e| e.to_string())?;
    if folder.json {
        return print(&json!({"chunks": chunks, "bytes": bytes}).to_string());
    }
    let plural = if chunks == 1 { "chunk" } else { "chunks" };
    let size = BinaryBytes(bytes);
    print(&format!("{} {verb} {} {plural}, {size}.", folder.folder.display(), HumanCount(chunks)))
}

/// Parses a size such as 500M. Units are powers of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "must be a number of bytes, optionally with a unit, for example 500M or 10G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}
