//! The chunk cache, kept by the parent on behalf of its children.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rondo_render::{ChunkCache, ChunkClaim, ChunkStore, RenderError};
use rondo_sandbox::Channel;
use sha2::{Digest, Sha256};

use crate::protocol::FromChild;

/// Largest chunk.
const MOST_BYTES: u64 = 1 << 30;

/// The chunks of one account. A child that was taken over could store anything under any key, so what it stores is found by
/// renders of the same account only.
#[derive(Debug, Clone)]
pub struct AccountChunks {
    pub cache: ChunkCache,
    pub account: String,
}

impl AccountChunks {
    fn name(&self, key: &str) -> String {
        let hash = Sha256::new().chain_update(&self.account).chain_update("\n").chain_update(key).finalize();
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What a child asks of the chunk cache, answered for it.
#[derive(Default)]
pub struct ChunkServer {
    chunks: Option<AccountChunks>,
    claims: HashMap<String, ChunkClaim>,
}

impl ChunkServer {
    pub fn new(chunks: Option<AccountChunks>) -> Self {
        Self { chunks, claims: HashMap::new() }
    }

    /// Answers a message about chunks; other messages are ignored.
    pub fn answer(&mut self, message: FromChild, file: Option<OwnedFd>, to: &Channel) -> io::Result<()> {
        match message {
            FromChild::LoadChunk(key) => {
                let chunk =
                    self.chunks.as_ref().and_then(|chunks| chunks.cache.open_chunk(&chunks.name(&key)));
                match chunk {
                    Some(chunk) => to.send(b"", &[chunk.as_fd()]),
                    None => to.send(b"", &[]),
                }
            }
            FromChild::ClaimChunk(key) => {
                let claim = match &self.chunks {
                    Some(chunks) => chunks.cache.claim(&chunks.name(&key)),
                    None => Some(Box::new(()) as ChunkClaim),
                };
                let claimed = claim.is_some();
                self.claims.extend(claim.map(|claim| (key, claim)));
                to.send(&[u8::from(claimed)], &[])
            }
            FromChild::ReleaseChunk(key) => {
                self.claims.remove(&key);
                Ok(())
            }
            FromChild::StoreChunk(key) => {
                let reason = self.store(&key, file).err().map(|error| error.to_string());
                to.send(reason.unwrap_or_default().as_bytes(), &[])
            }
            FromChild::Progress(_) | FromChild::Segment { .. } | FromChild::Done(_) => Ok(()),
        }
    }

    fn store(&self, key: &str, file: Option<OwnedFd>) -> Result<(), RenderError> {
        let Some(chunks) = &self.chunks else { return Ok(()) };
        let unusable = |reason: String| RenderError::Cache { path: chunks.cache.folder().to_owned(), reason };
        let file = file.map(File::from).ok_or_else(|| unusable("the chunk is missing".to_owned()))?;
        let facts = file.metadata().map_err(|error| unusable(error.to_string()))?;
        // Reading something else, such as a pipe, could wait without end.
        if !facts.is_file() || facts.len() > MOST_BYTES {
            return Err(unusable("the chunk is not a file of a sensible size".to_owned()));
        }
        let mut bytes = Vec::with_capacity(facts.len() as usize);
        read_whole(&file, &mut bytes).map_err(|error| unusable(error.to_string()))?;
        chunks.cache.store(&chunks.name(key), &bytes)
    }
}

fn read_whole(file: &File, bytes: &mut Vec<u8>) -> io::Result<usize> {
    use std::io::Seek;
    let mut file = file;
    file.rewind()?;
    file.take(MOST_BYTES).read_to_end(bytes)
}

/// The chunk cache as a child sees it: every call asks the parent.
#[derive(Debug, Clone)]
pub struct RemoteChunks {
    /// Locked from a request until its answer.
    pub channel: Arc<Mutex<Channel>>,
}

impl RemoteChunks {
    fn ask(&self, question: &FromChild, file: Option<&File>) -> Option<rondo_sandbox::Message> {
        let question = serde_json::to_vec(question).ok()?;
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        match file {
            Some(file) => channel.send(&question, &[file.as_fd()]).ok()?,
            None => channel.send(&question, &[]).ok()?,
        }
        channel.receive().ok()?
    }
}

impl ChunkStore for RemoteChunks {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        let answer = self.ask(&FromChild::LoadChunk(key.to_owned()), None)?;
        let file = File::from(answer.descriptors.into_iter().next()?);
        let mut bytes = Vec::new();
        read_whole(&file, &mut bytes).ok()?;
        Some(bytes)
    }

    fn store(&self, key: &str, bytes: &[u8]) -> Result<(), RenderError> {
        let path = std::path::PathBuf::from(format!("chunk-{key}"));
        let unusable = |reason: String| RenderError::Cache { path: path.clone(), reason };
        let written =
            File::options().read(true).write(true).create_new(true).open(&path).and_then(|mut file| {
                file.write_all(bytes)?;
                Ok(file)
            });
        let kept = match written {
            Ok(file) => {
                let answer = self.ask(&FromChild::StoreChunk(key.to_owned()), Some(&file));
                let reason = answer.map(|answer| String::from_utf8_lossy(&answer.bytes).into_owned());
                reason.unwrap_or_else(|| "the service is gone".to_owned())
            }
            Err(error) => error.to_string(),
        };
        // The parent has read it.
        let _ = std::fs::remove_file(&path);
        if kept.is_empty() { Ok(()) } else { Err(unusable(kept)) }
    }

    fn claim(&self, key: &str) -> Option<ChunkClaim> {
        let answer = self.ask(&FromChild::ClaimChunk(key.to_owned()), None);
        match answer {
            Some(answer) if answer.bytes == [0] => None,
            _ => Some(Box::new(RemoteClaim { chunks: self.clone(), key: key.to_owned() })),
        }
    }

    fn trim(&self) -> Result<(), RenderError> {
        Ok(())
    }
}

struct RemoteClaim {
    chunks: RemoteChunks,
    key: String,
}

impl Drop for RemoteClaim {
    fn drop(&mut self) {
        let message = serde_json::to_vec(&FromChild::ReleaseChunk(self.key.clone())).unwrap_or_default();
        let channel = self.chunks.channel.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a parent there is no claim.
        let _ = channel.send(&message, &[]);
    }
}
