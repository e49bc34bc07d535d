//! Animated PNG: frames in `fdAT` chunks after the default image.

use std::ops::Range;

use super::container::{Clip, Dispose, Frame, be32, delay};

const SIGNATURE: usize = 8;
/// Where a file tells its colour type, and the type of pictures with a palette.
const COLOUR_TYPE: usize = 25;
const INDEXED: u8 = 3;

pub fn read(bytes: &[u8]) -> Option<Clip> {
    let mut clip = Clip::default();
    let mut animated = false;
    for (name, chunk) in chunks(bytes) {
        let at = chunk.start;
        match name {
            b"IHDR" => (clip.width, clip.height) = (be32(bytes, at)?, be32(bytes, at + 4)?),
            b"acTL" => {
                animated = true;
                clip.plays = be32(bytes, at + 4).filter(|plays| *plays > 0);
            }
            b"fcTL" if animated && chunk.len() >= 26 => {
                let word = |offset: usize| be32(bytes, at + offset);
                let half = |offset: usize| u16::from_be_bytes([bytes[at + offset], bytes[at + offset + 1]]);
                let parts = if half(22) == 0 { 100 } else { half(22) };
                let frame = Frame {
                    width: word(4)?,
                    height: word(8)?,
                    x: word(12)?,
                    y: word(16)?,
                    delay: delay(f64::from(half(20)) * 1000.0 / f64::from(parts)),
                    dispose: match bytes[at + 24] {
                        1 => Dispose::Clear,
                        2 => Dispose::Restore,
                        _ => Dispose::Keep,
                    },
                    replaces: bytes[at + 25] == 0,
                    ..Frame::default()
                };
                if !clip.push(frame) {
                    break;
                }
            }
            b"IDAT" if !animated => return None,
            b"IDAT" => clip.frames.last_mut().into_iter().for_each(|frame| frame.data.push(chunk.clone())),
            b"fdAT" if chunk.len() > 4 => {
                clip.frames.last_mut().into_iter().for_each(|frame| frame.data.push(at + 4..chunk.end));
            }
            _ => {}
        }
    }
    (clip.width > 0).then_some(clip)
}

/// Whether the colours of a picture with a palette are whole ones, at most 256. The decoder expects that they are.
pub fn has_sound_palette(bytes: &[u8]) -> bool {
    let is_indexed = bytes.get(COLOUR_TYPE) == Some(&INDEXED);
    let is_sound = |palette: &Range<usize>| palette.len().is_multiple_of(3) && palette.len() <= 256 * 3;
    !is_indexed || chunks(bytes).all(|(name, body)| name != b"PLTE" || is_sound(&body))
}

/// Names and bodies of the whole chunks.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let mut at = SIGNATURE;
    std::iter::from_fn(move || {
        let length = be32(bytes, at)? as usize;
        let body = at + 8..(at + 8).checked_add(length)?;
        bytes.get(body.clone())?;
        let name = &bytes[at + 4..at + 8];
        at = body.end + 4;
        Some((name, body))
    })
}

/// A file with one frame.
pub fn frame_file(bytes: &[u8], frame: &Frame) -> Option<Vec<u8>> {
    let mut file = bytes.get(..SIGNATURE)?.to_vec();
    for (name, chunk) in chunks(bytes) {
        match name {
            b"IHDR" => {
                let mut header = bytes[chunk].to_vec();
                header.get_mut(..4)?.copy_from_slice(&frame.width.to_be_bytes());
                header.get_mut(4..8)?.copy_from_slice(&frame.height.to_be_bytes());
                push_chunk(&mut file, name, &header);
            }
            b"PLTE" | b"tRNS" => push_chunk(&mut file, name, &bytes[chunk]),
            b"IDAT" | b"fdAT" => break,
            _ => {}
        }
    }
    let data: Vec<u8> = frame.data.iter().flat_map(|part| &bytes[part.clone()]).copied().collect();
    push_chunk(&mut file, b"IDAT", &data);
    push_chunk(&mut file, b"IEND", &[]);
    Some(file)
}

fn push_chunk(file: &mut Vec<u8>, name: &[u8], body: &[u8]) {
    file.extend((body.len() as u32).to_be_bytes());
    let checked = file.len();
    file.extend(name);
    file.extend(body);
    let sum = checksum(&file[checked..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32 as PNG writes it.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut rest = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                rest = if rest & 1 != 0 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
                bit += 1;
            }
            table[byte] = rest;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum, byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}
