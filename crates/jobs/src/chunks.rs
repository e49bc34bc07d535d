//! The chunk cache, kept by the parent on behalf of its children.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rondo_render::{ChunkCache, ChunkClaim, ChunkStore, ChunkTasks, PlannedChunk, RenderError, TakenChunk};
use rondo_sandbox::Channel;
use sha2::{Digest, Sha256};

use crate::protocol::{FromChild, OfferedChunk, Taken};

/// Largest chunk.
const MOST_BYTES: u64 = 1 << 30;

/// Most chunks that a child holds claims of. Each is an open file of the parent; a child needs one for each chunk that it renders
/// at a time.
const MOST_CLAIMS: usize = 256;

/// Most chunks in a message.
const OFFERED_AT_ONCE: usize = 200;

/// The chunks of one account. A child that was taken over could store anything under any key, so what it stores is found by
/// renders of the same account only.
#[derive(Debug)]
pub struct AccountChunks {
    pub cache: ChunkCache,
    pub account: String,
    /// What other processes know of them, if they render the same film.
    pub board: Option<Box<dyn ChunkBoard>>,
}

/// The chunks of a film that several processes render. They are named as [`ChunkCache`] keeps them. Calls may block.
pub trait ChunkBoard: Send + Sync + std::fmt::Debug {
    /// Makes tasks of the chunks of a file that are not kept yet.
    fn offer(&mut self, file: u32, chunks: Vec<OfferedChunk>);
    /// The next task.
    fn take(&mut self, file: u32) -> Taken;
    /// Whether this process was given the chunk.
    fn has_taken(&self, name: &str) -> bool;
    /// Brings a chunk that another process has finished to the cache of this one.
    fn fetch(&mut self, name: &str);
    /// A chunk is read from the cache of this process.
    fn used(&mut self, name: &str);
    /// A chunk is in the cache of this process, rendered or found there.
    fn stored(&mut self, name: &str, rendered: bool);
    /// A chunk is damaged.
    fn discard(&mut self, name: &str);
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
            FromChild::LoadChunk(key) => match self.open(&key) {
                Some(chunk) => to.send(b"", &[chunk.as_fd()]),
                None => to.send(b"", &[]),
            },
            FromChild::ClaimChunk(key) => {
                let claimed = self.claim(key);
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
            FromChild::DiscardChunk(key) => {
                if let Some(chunks) = &mut self.chunks {
                    let name = chunks.name(&key);
                    chunks.cache.remove_chunk(&name);
                    if let Some(board) = &mut chunks.board {
                        board.discard(&name);
                    }
                }
                Ok(())
            }
            FromChild::FoundChunk(key) => {
                if let Some(chunks) = &mut self.chunks {
                    let name = chunks.name(&key);
                    if let Some(board) = chunks.board.as_mut().filter(|_| chunks.cache.contains(&name)) {
                        board.stored(&name, false);
                    }
                }
                Ok(())
            }
            FromChild::OfferChunks(number, mut offered) => {
                if let Some(chunks) = &mut self.chunks {
                    offered.iter_mut().for_each(|chunk| chunk.key = chunks.name(&chunk.key));
                    if let Some(board) = &mut chunks.board {
                        board.offer(number, offered);
                    }
                }
                to.send(b"", &[])
            }
            FromChild::TakeChunk(number) => {
                let board = self.chunks.as_mut().and_then(|chunks| chunks.board.as_mut());
                let taken = board.map_or(Taken::Nothing, |board| board.take(number));
                to.send(&serde_json::to_vec(&taken)?, &[])
            }
            FromChild::Progress(_)
            | FromChild::Segment { .. }
            | FromChild::Part { .. }
            | FromChild::Done(_) => Ok(()),
        }
    }

    fn open(&mut self, key: &str) -> Option<File> {
        let chunks = self.chunks.as_mut()?;
        let name = chunks.name(key);
        if let Some(board) = &mut chunks.board {
            match chunks.cache.contains(&name) {
                true => board.used(&name),
                false => board.fetch(&name),
            }
        }
        chunks.cache.open_chunk(&name)
    }

    fn claim(&mut self, key: String) -> bool {
        let Some(chunks) = &self.chunks else { return true };
        let name = chunks.name(&key);
        if let Some(board) = &chunks.board {
            return board.has_taken(&name);
        }
        // As if others rendered it: a child comes back when it has released one.
        if self.claims.len() >= MOST_CLAIMS {
            return false;
        }
        let claim = chunks.cache.claim(&name);
        let claimed = claim.is_some();
        self.claims.extend(claim.map(|claim| (key, claim)));
        claimed
    }

    fn store(&mut self, key: &str, file: Option<OwnedFd>) -> Result<(), RenderError> {
        let Some(chunks) = &mut self.chunks else { return Ok(()) };
        let name = chunks.name(key);
        let folder = chunks.cache.folder().to_owned();
        let unusable = |reason: String| RenderError::Cache { path: folder.clone(), reason };
        let file = file.map(File::from).ok_or_else(|| unusable("the chunk is missing".to_owned()))?;
        let facts = file.metadata().map_err(|error| unusable(error.to_string()))?;
        // Reading something else, such as a pipe, could wait without end.
        if !facts.is_file() || facts.len() > MOST_BYTES {
            return Err(unusable("the chunk is not a file of a sensible size".to_owned()));
        }
        chunks.cache.store_file(&name, &file, facts.len())?;
        if let Some(board) = &mut chunks.board {
            board.stored(&name, true);
        }
        Ok(())
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
    /// The number of the file that is made of them.
    pub file: u32,
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

impl RemoteChunks {
    /// Says something that has no answer.
    fn tell(&self, message: &FromChild) {
        let message = serde_json::to_vec(message).unwrap_or_default();
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a parent nothing is shared.
        let _ = channel.send(&message, &[]);
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

    fn discard(&self, key: &str) {
        self.tell(&FromChild::DiscardChunk(key.to_owned()));
    }

    fn trim(&self) -> Result<(), RenderError> {
        Ok(())
    }
}

impl ChunkTasks for RemoteChunks {
    fn offer(&self, chunks: &[PlannedChunk]) {
        for chunks in chunks.chunks(OFFERED_AT_ONCE) {
            let offered = chunks.iter().map(|chunk| OfferedChunk {
                number: chunk.number,
                changes: chunk.changes,
                key: chunk.key.clone(),
            });
            self.ask(&FromChild::OfferChunks(self.file, offered.collect()), None);
        }
    }

    fn take(&self) -> TakenChunk {
        let answer = self.ask(&FromChild::TakeChunk(self.file), None);
        match answer.and_then(|answer| serde_json::from_slice(&answer.bytes).ok()) {
            Some(Taken::Chunk(number)) => TakenChunk::Chunk(number),
            Some(Taken::Later) => TakenChunk::Later,
            Some(Taken::Nothing) | None => TakenChunk::Nothing,
        }
    }

    fn found(&self, key: &str) {
        self.tell(&FromChild::FoundChunk(key.to_owned()));
    }
}

struct RemoteClaim {
    chunks: RemoteChunks,
    key: String,
}

impl Drop for RemoteClaim {
    fn drop(&mut self) {
        self.chunks.tell(&FromChild::ReleaseChunk(self.key.clone()));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Seek;

    use super::*;

    fn server(folder: &std::path::Path) -> ChunkServer {
        let cache = ChunkCache::open(folder, 1 << 30).unwrap();
        ChunkServer::new(Some(AccountChunks { cache, account: "ada".to_owned(), board: None }))
    }

    fn ask(server: &mut ChunkServer, message: FromChild, file: Option<OwnedFd>) -> rondo_sandbox::Message {
        let (parent, child) = Channel::pair(1 << 20).unwrap();
        server.answer(message, file, &parent).unwrap();
        child.receive().unwrap().unwrap()
    }

    fn claims(server: &mut ChunkServer, number: usize) -> bool {
        ask(server, FromChild::ClaimChunk(format!("{number:064x}")), None).bytes == [1]
    }

    /// Why a file is not kept, if it is not.
    fn store(server: &mut ChunkServer, file: Option<OwnedFd>) -> String {
        let answer = ask(server, FromChild::StoreChunk("00".to_owned()), file);
        String::from_utf8(answer.bytes).unwrap()
    }

    #[test]
    fn a_child_holds_a_limited_number_of_claims_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut server = server(folder.path());
        assert!((0..MOST_CLAIMS).all(|number| claims(&mut server, number)));
        assert!(!claims(&mut server, MOST_CLAIMS));
        let (parent, _child) = Channel::pair(1 << 20).unwrap();
        server.answer(FromChild::ReleaseChunk(format!("{:064x}", 7)), None, &parent).unwrap();
        assert!(claims(&mut server, MOST_CLAIMS), "one was released");
        assert!(!claims(&mut server, MOST_CLAIMS + 1));
        assert_eq!(server.claims.len(), MOST_CLAIMS);
    }

    #[test]
    fn a_kept_chunk_does_not_change_with_the_file_of_the_child() {
        let folder = tempfile::tempdir().unwrap();
        let mut server = server(folder.path());
        let content: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&content).unwrap();
        let sent = file.try_clone().unwrap().into();
        assert_eq!(store(&mut server, Some(sent)), "");
        file.rewind().unwrap();
        file.write_all(b"something else").unwrap();
        let loaded = ask(&mut server, FromChild::LoadChunk("00".to_owned()), None);
        let mut loaded = File::from(loaded.descriptors.into_iter().next().unwrap());
        let mut bytes = Vec::new();
        loaded.read_to_end(&mut bytes).unwrap();
        assert!(bytes == content, "{} bytes were kept", bytes.len());
    }

    #[test]
    fn a_chunk_that_is_too_large_or_no_file_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut server = server(folder.path());
        let large = tempfile::tempfile().unwrap();
        large.set_len(MOST_BYTES + 1).unwrap();
        let (pipe, _writer) = io::pipe().unwrap();
        for file in [Some(large.into()), Some(pipe.into()), None] {
            assert_ne!(store(&mut server, file), "");
        }
        assert!(ask(&mut server, FromChild::LoadChunk("00".to_owned()), None).descriptors.is_empty());
    }
}
