//! The file format of a finished chunk: a header, the packet table, the packets, and a hash over all of it. Integers are
//! little-endian.

use rondo_media::{EncodedChunk, EncodedPicture};
use xxhash_rust::xxh3::xxh3_64;

use super::plan::ChunkKey;

/// First bytes of a chunk file; the last is the version of the format.
const MAGIC: [u8; 8] = *b"rondoch\x03";

/// Bytes of the hash at the end.
const HASH: usize = 8;

/// The file of a chunk.
pub(crate) fn write(key: ChunkKey, chunk: &EncodedChunk) -> Vec<u8> {
    let mut file = Vec::with_capacity(64 + chunk.header.len() + chunk.packets.len() * 13 + chunk.data.len());
    file.extend(MAGIC);
    file.extend(key.0);
    for number in [chunk.delay, chunk.header.len() as u32, chunk.frames()] {
        file.extend(number.to_le_bytes());
    }
    file.extend(&chunk.header);
    for picture in &chunk.packets {
        file.extend(picture.frame.to_le_bytes());
        file.extend(picture.bytes.to_le_bytes());
        file.extend(picture.alpha_bytes.to_le_bytes());
        file.push(u8::from(picture.key));
    }
    file.extend(&chunk.data);
    let hash = xxh3_64(&file);
    file.extend(hash.to_le_bytes());
    file
}

/// The chunk in a file; `None` when it is not the chunk of that key, or is not whole and unharmed.
pub(crate) fn read(key: ChunkKey, file: &[u8]) -> Option<EncodedChunk> {
    let (content, hash) = file.split_at_checked(file.len().checked_sub(HASH)?)?;
    if xxh3_64(content).to_le_bytes() != hash {
        return None;
    }
    let mut rest = content;
    if take::<8>(&mut rest)? != MAGIC || take(&mut rest)? != key.0 {
        return None;
    }
    let delay = number(&mut rest)?;
    let header_length = number(&mut rest)? as usize;
    let frames = number(&mut rest)? as usize;
    let (header, mut rest) = rest.split_at_checked(header_length)?;
    let mut packets = Vec::with_capacity(frames.min(rest.len()));
    for _ in 0..frames {
        let (frame, bytes, alpha_bytes) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
        packets.push(EncodedPicture { frame, bytes, alpha_bytes, key: take::<1>(&mut rest)? != [0] });
    }
    let chunk = EncodedChunk { header: header.to_vec(), delay, packets, data: rest.to_vec() };
    chunk.is_whole().then_some(chunk)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*head)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> EncodedChunk {
        let picture = |frame, key, bytes| EncodedPicture { frame, key, bytes, alpha_bytes: 0 };
        EncodedChunk {
            header: vec![1, 2, 3],
            delay: 2,
            packets: vec![
                picture(0, true, 3),
                picture(2, false, 1),
                EncodedPicture { alpha_bytes: 1, ..picture(1, false, 0) },
            ],
            data: vec![9, 8, 7, 6, 5],
        }
    }

    #[test]
    fn a_chunk_file_reads_back_under_its_own_key_only() {
        let file = write(ChunkKey([5; 32]), &sample());
        assert_eq!(read(ChunkKey([5; 32]), &file), Some(sample()));
        assert_eq!(read(ChunkKey([6; 32]), &file), None);
    }

    #[test]
    fn every_changed_byte_and_every_truncation_is_detected() {
        let file = write(ChunkKey([5; 32]), &sample());
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert_eq!(read(ChunkKey([5; 32]), &damaged), None, "byte {at}");
            assert_eq!(read(ChunkKey([5; 32]), &file[..at]), None, "cut at {at}");
        }
        assert_eq!(read(ChunkKey([5; 32]), &[&file[..], &[0]].concat()), None);
    }
}
