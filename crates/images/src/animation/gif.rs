//! GIF: a screen descriptor, then extension and image blocks.

use super::container::{Clip, Dispose, Frame, delay, le16};

const SCREEN_END: usize = 13;

pub fn read(bytes: &[u8]) -> Option<Clip> {
    let mut clip = Clip { width: le16(bytes, 6)?, height: le16(bytes, 8)?, ..Clip::default() };
    // A truncated file keeps the frames that start before its end.
    let _ = read_blocks(bytes, &mut clip);
    Some(clip)
}

fn read_blocks(bytes: &[u8], clip: &mut Clip) -> Option<()> {
    let mut at = SCREEN_END + table_length(*bytes.get(10)?);
    let mut control = Frame { delay: delay(0.0), ..Frame::default() };
    loop {
        match bytes.get(at)? {
            0x21 => {
                let body = at + 2;
                match bytes.get(at + 1)? {
                    0xf9 => control = read_control(bytes, body + 1)?,
                    0xff => read_application(bytes, body, clip),
                    _ => {}
                }
                at = skip_blocks(bytes, body)?;
            }
            0x2c => {
                let data = at + 10 + table_length(*bytes.get(at + 9)?) + 1;
                let end = skip_blocks(bytes, data);
                let mut range = at + 9..end.unwrap_or(bytes.len());
                range.end = range.end.max(range.start);
                let frame = Frame {
                    x: le16(bytes, at + 1)?,
                    y: le16(bytes, at + 3)?,
                    width: le16(bytes, at + 5)?,
                    height: le16(bytes, at + 7)?,
                    data: vec![range],
                    ..control
                };
                control = Frame { delay: delay(0.0), ..Frame::default() };
                if !clip.push(frame) {
                    return None;
                }
                at = end?;
            }
            _ => return None,
        }
    }
}

fn read_control(bytes: &[u8], at: usize) -> Option<Frame> {
    let flags = *bytes.get(at)?;
    let transparent = *bytes.get(at + 3)?;
    Some(Frame {
        delay: delay(f64::from(le16(bytes, at + 1)?) * 10.0),
        dispose: match flags >> 2 & 7 {
            2 => Dispose::Clear,
            3 | 4 => Dispose::Restore,
            _ => Dispose::Keep,
        },
        transparent: (flags & 1 != 0).then_some(transparent),
        ..Frame::default()
    })
}

/// The file stores the number of repetitions, without the first run.
fn read_application(bytes: &[u8], at: usize, clip: &mut Clip) {
    let name = bytes.get(at + 1..at + 12);
    let is_loop = name == Some(b"NETSCAPE2.0") || name == Some(b"ANIMEXTS1.0");
    if is_loop && bytes.get(at + 12..at + 14) == Some(&[3, 1]) {
        clip.plays = le16(bytes, at + 14).filter(|count| *count > 0).map(|count| count + 1);
    }
}

/// The end of a chain of data blocks.
fn skip_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

fn table_length(flags: u8) -> usize {
    if flags & 0x80 != 0 { 3 << ((flags & 7) + 1) } else { 0 }
}

/// A file with one frame, on a screen of its size.
pub fn frame_file(bytes: &[u8], frame: &Frame) -> Option<Vec<u8>> {
    let size = [(frame.width as u16).to_le_bytes(), (frame.height as u16).to_le_bytes()].concat();
    let mut file = b"GIF89a".to_vec();
    file.extend(&size);
    file.extend(bytes.get(10..SCREEN_END + table_length(*bytes.get(10)?))?);
    if let Some(color) = frame.transparent {
        file.extend([0x21, 0xf9, 4, 1, 0, 0, color, 0]);
    }
    file.extend([0x2c, 0, 0, 0, 0]);
    file.extend(&size);
    file.extend(bytes.get(frame.data.first()?.clone())?);
    file.push(0x3b);
    Some(file)
}
