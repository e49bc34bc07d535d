//! WebP: RIFF chunks, one for each frame with the chunks of its picture inside.

use std::ops::Range;

use super::container::{Clip, Dispose, Frame, delay, le16, le24};

pub fn read(bytes: &[u8]) -> Option<Clip> {
    let mut clip = Clip::default();
    for (name, chunk) in chunks(bytes, 12..bytes.len()) {
        let at = chunk.start;
        match name {
            b"VP8X" => {
                if bytes.get(at)? & 2 == 0 {
                    return None;
                }
                (clip.width, clip.height) = (le24(bytes, at + 4)? + 1, le24(bytes, at + 7)? + 1);
            }
            b"ANIM" => clip.plays = le16(bytes, at + 4).filter(|count| *count > 0),
            b"ANMF" if chunk.len() > 16 => {
                let flags = *bytes.get(at + 15)?;
                let frame = Frame {
                    x: le24(bytes, at)? * 2,
                    y: le24(bytes, at + 3)? * 2,
                    width: le24(bytes, at + 6)? + 1,
                    height: le24(bytes, at + 9)? + 1,
                    delay: delay(f64::from(le24(bytes, at + 12)?)),
                    dispose: if flags & 1 != 0 { Dispose::Clear } else { Dispose::Keep },
                    replaces: flags & 2 != 0,
                    data: Vec::from([Range { start: at + 16, end: chunk.end }]),
                    transparent: None,
                };
                if !clip.push(frame) {
                    break;
                }
            }
            _ => {}
        }
    }
    (clip.width > 0).then_some(clip)
}

/// Names and bodies of the chunks in a part of the file; the last one may be cut short.
fn chunks(bytes: &[u8], part: Range<usize>) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let mut at = part.start;
    std::iter::from_fn(move || {
        let head = bytes.get(at..at.checked_add(8)?).filter(|_| at + 8 <= part.end)?;
        let length = u32::from_le_bytes(head[4..].try_into().ok()?) as usize;
        let body = at + 8..(at + 8).checked_add(length)?.min(part.end);
        at = body.end + length % 2;
        Some((&head[..4], body))
    })
}

/// A file with one frame.
pub fn frame_file(bytes: &[u8], frame: &Frame) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    for (name, chunk) in chunks(bytes, frame.data.first()?.clone()) {
        match name {
            b"ALPH" => {
                let mut header = vec![0x10, 0, 0, 0];
                header.extend(&(frame.width - 1).to_le_bytes()[..3]);
                header.extend(&(frame.height - 1).to_le_bytes()[..3]);
                push_chunk(&mut body, b"VP8X", &header);
                push_chunk(&mut body, name, &bytes[chunk]);
            }
            b"VP8 " | b"VP8L" => {
                push_chunk(&mut body, name, &bytes[chunk]);
                break;
            }
            _ => {}
        }
    }
    let mut file = b"RIFF".to_vec();
    file.extend((body.len() as u32 + 4).to_le_bytes());
    file.extend(b"WEBP");
    file.extend(body);
    Some(file)
}

fn push_chunk(file: &mut Vec<u8>, name: &[u8], body: &[u8]) {
    file.extend(name);
    file.extend((body.len() as u32).to_le_bytes());
    file.extend(body);
    file.extend(std::iter::repeat_n(0, body.len() % 2));
}
