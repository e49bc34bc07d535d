//! The AVIF box structure: the position of the coded image and its alpha plane, and its orientation.

mod picture;
mod sequence;

pub use picture::{assemble, rgba};
pub use sequence::Sequence;

use crate::check_size;

/// The primary picture of the container.
pub struct Container {
    pub width: u32,
    pub height: u32,
    pub turns: Vec<Turn>,
    /// AV1 data.
    pub color: Vec<u8>,
    pub alpha: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Anticlockwise, in quarter turns.
    Rotate(u8),
    /// Flipped vertically.
    FlipVertical,
    /// Flipped horizontally.
    FlipHorizontal,
}

impl Container {
    /// Size as shown.
    pub fn shown(&self) -> Result<(u32, u32), String> {
        let (width, height) = (self.width, self.height);
        check_size(width, height)?;
        let transposed =
            self.turns.iter().filter(|turn| matches!(turn, Turn::Rotate(1 | 3))).count() % 2 == 1;
        Ok(if transposed { (height, width) } else { (width, height) })
    }
}

const DAMAGED: &str = "the AVIF is damaged";

/// Coded pictures, extents and properties a file may list; far more than encoders write.
const MAX_ENTRIES: u32 = 4096;

struct Item {
    id: u32,
    /// Offset and length, in the file or in `idat`.
    extents: Vec<(u64, u64)>,
    inline: bool,
}

/// Reads the boxes of a file.
pub fn read(bytes: &[u8]) -> Result<Container, String> {
    let meta = child(bytes, b"meta")
        .and_then(|meta| meta.get(4..))
        .ok_or_else(|| "the AVIF holds an animation without a still picture; use it as a video".to_owned())?;
    parse(bytes, meta).ok_or_else(|| DAMAGED.to_owned())?
}

fn parse(bytes: &[u8], meta: &[u8]) -> Option<Result<Container, String>> {
    let primary = primary_item(child(meta, b"pitm")?)?;
    match item_type(child(meta, b"iinf")?, primary)?.as_slice() {
        b"av01" => {}
        b"grid" => {
            return Some(Err(
                "the AVIF is made of tiles, which is not supported; save it as one picture".to_owned()
            ));
        }
        other => {
            let kind = String::from_utf8_lossy(other);
            return Some(Err(format!("the AVIF holds a picture of kind {kind:?} instead of AV1")));
        }
    }
    let items = item_locations(child(meta, b"iloc")?)?;
    let idat = child(meta, b"idat").unwrap_or_default();
    let properties = child(meta, b"iprp")?;
    let container = child(properties, b"ipco")?;
    let associations = child(properties, b"ipma")?;

    let mut size = None;
    let mut turns = Vec::new();
    for (kind, body) in item_properties(container, associations, primary)? {
        match &kind {
            b"ispe" => size = Some((word(body, 4)?, word(body, 8)?)),
            b"irot" => turns.push(Turn::Rotate(body.first()? & 3)),
            b"imir" if body.first()? & 1 == 0 => turns.push(Turn::FlipVertical),
            b"imir" => turns.push(Turn::FlipHorizontal),
            _ => {}
        }
    }
    let (width, height) = size?;
    let data = |id| items.iter().find(|item| item.id == id).and_then(|item| item_data(item, bytes, idat));
    let alpha = child(meta, b"iref")
        .into_iter()
        .flat_map(|references| auxiliaries(references, primary))
        .find(|&id| is_alpha(container, associations, id))
        .and_then(data);
    Some(Ok(Container { width, height, turns, color: data(primary)?, alpha }))
}

/// The boxes inside `bytes`: type and content. Stops at the first damaged box.
fn boxes(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let kind: [u8; 4] = rest.get(4..8)?.try_into().ok()?;
        let (head, length) = match word(rest, 0)? {
            0 => (8, rest.len()),
            1 => (16, usize::try_from(number(rest, 8, 8)?).ok()?),
            length => (8, length as usize),
        };
        let body = rest.get(head..length)?;
        rest = &rest[length..];
        Some((kind, body))
    })
}

fn child<'a>(bytes: &'a [u8], wanted: &[u8; 4]) -> Option<&'a [u8]> {
    boxes(bytes).find(|(kind, _)| kind == wanted).map(|(_, body)| body)
}

/// A big-endian number of `size` bytes; 0 bytes are 0.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let digits = bytes.get(at..at.checked_add(size)?)?;
    Some(digits.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at, 4).map(|value| value as u32)
}

fn primary_item(pitm: &[u8]) -> Option<u32> {
    let size = if *pitm.first()? == 0 { 2 } else { 4 };
    number(pitm, 4, size).map(|id| id as u32)
}

fn item_type(iinf: &[u8], wanted: u32) -> Option<[u8; 4]> {
    let head = if *iinf.first()? == 0 { 6 } else { 8 };
    boxes(iinf.get(head..)?).filter(|(kind, _)| kind == b"infe").find_map(|(_, infe)| {
        let size = if *infe.first()? < 3 { 2 } else { 4 };
        let id = number(infe, 4, size)? as u32;
        let kind = infe.get(4 + size + 2..4 + size + 6)?.try_into().ok()?;
        (id == wanted).then_some(kind)
    })
}

fn item_locations(iloc: &[u8]) -> Option<Vec<Item>> {
    let version = *iloc.first()?;
    let sizes = number(iloc, 4, 2)?;
    let [offset_size, length_size, base_size, index_size] =
        [12, 8, 4, 0].map(|shift| (sizes >> shift & 15) as usize);
    let index_size = if version == 0 { 0 } else { index_size };
    if [offset_size, length_size, base_size, index_size].iter().any(|&size| size > 8) {
        return None;
    }
    let id_size = if version < 2 { 2 } else { 4 };
    let mut at = 6;
    let mut take = |size: usize| {
        let value = number(iloc, at, size);
        at += size;
        value
    };
    let count = take(id_size)? as u32;
    let mut items = Vec::new();
    for _ in 0..count.min(MAX_ENTRIES) {
        let id = take(id_size)? as u32;
        let method = if version == 0 { 0 } else { take(2)? & 15 };
        take(2)?;
        let base = take(base_size)?;
        let mut extents = Vec::new();
        for _ in 0..take(2)? {
            take(index_size)?;
            let offset = take(offset_size)?;
            extents.push((base.checked_add(offset)?, take(length_size)?));
            if extents.len() > MAX_ENTRIES as usize {
                return None;
            }
        }
        items.push(Item { id, extents, inline: method == 1 });
    }
    Some(items)
}

fn item_data(item: &Item, file: &[u8], idat: &[u8]) -> Option<Vec<u8>> {
    let from = if item.inline { idat } else { file };
    let mut data = Vec::new();
    for &(offset, length) in &item.extents {
        let start = usize::try_from(offset).ok()?;
        let length = usize::try_from(length).ok()?;
        // A length of 0 is everything that follows.
        let end = if length == 0 { from.len() } else { start.checked_add(length)? };
        data.extend_from_slice(from.get(start..end)?);
        if data.len() > file.len() {
            return None;
        }
    }
    (!data.is_empty()).then_some(data)
}

/// Type and content of the properties of one item, in the order they apply.
fn item_properties<'a>(ipco: &'a [u8], ipma: &[u8], item: u32) -> Option<Vec<([u8; 4], &'a [u8])>> {
    let version = *ipma.first()?;
    let wide = ipma.get(3)? & 1 == 1;
    let all: Vec<_> = boxes(ipco).take(MAX_ENTRIES as usize).collect();
    let id_size = if version < 1 { 2 } else { 4 };
    let mut at = 8;
    let mut take = |size: usize| {
        let value = number(ipma, at, size);
        at += size;
        value
    };
    for _ in 0..word(ipma, 4)?.min(MAX_ENTRIES) {
        let id = take(id_size)? as u32;
        let count = take(1)?;
        let mut found = Vec::new();
        for _ in 0..count {
            let index = if wide { take(2)? & 0x7fff } else { take(1)? & 0x7f };
            found.extend((index as usize).checked_sub(1).and_then(|index| all.get(index)));
        }
        if id == item {
            return Some(found);
        }
    }
    None
}

/// Items with an auxiliary reference to `primary`.
fn auxiliaries(iref: &[u8], primary: u32) -> Vec<u32> {
    let size = if iref.first() == Some(&0) { 2 } else { 4 };
    boxes(iref.get(4..).unwrap_or_default())
        .filter(|(kind, _)| kind == b"auxl")
        .filter_map(|(_, body)| {
            let from = number(body, 0, size)? as u32;
            let count = number(body, size, 2)? as usize;
            let mut targets = (0..count).map_while(|index| number(body, size + 2 + index * size, size));
            targets.any(|target| target as u32 == primary).then_some(from)
        })
        .collect()
}

fn is_alpha(ipco: &[u8], ipma: &[u8], item: u32) -> bool {
    item_properties(ipco, ipma, item).is_some_and(|properties| {
        properties.iter().any(|(kind, body)| {
            kind == b"auxC"
                && body.get(4..).is_some_and(|urn| {
                    urn.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
                        || urn.starts_with(b"urn:mpeg:hevc:2015:auxid:1")
                })
        })
    })
}
