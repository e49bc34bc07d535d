//! The index of an MP4 file: where its pictures and samples are.

/// Boxes that contain the tables of offsets, directly or not.
const CONTAINERS: [&[u8; 4]; 5] = [b"moov", b"trak", b"mdia", b"minf", b"stbl"];

/// A box that begins with its size and name.
struct Mp4Box<'a> {
    name: &'a [u8; 4],
    body: &'a [u8],
}

/// The index as it must be before the film instead of after it: everything that it tells the place of is further back by its own
/// size. `None` if it is not an index.
pub(super) fn shifted(index: &[u8]) -> Option<Vec<u8>> {
    let mut parts = boxes(index);
    let moov = parts.next()?.filter(|part| part.name == b"moov")?;
    if parts.next().is_some() {
        return None;
    }
    // Offsets that become too large for 32 bits take 64, which moves everything again.
    let mut by = index.len() as u64;
    loop {
        let grown = index.len() as u64 + growth(moov.body, by)?;
        if grown == by {
            break;
        }
        by = grown;
    }
    let mut written = Vec::with_capacity(by as usize);
    write(&moov, by, &mut written)?;
    Some(written)
}

/// Bytes by which tables grow whose offsets become too large.
fn growth(body: &[u8], by: u64) -> Option<u64> {
    let mut bytes = 0;
    for part in boxes(body) {
        let part = part?;
        if CONTAINERS.contains(&part.name) {
            bytes += growth(part.body, by)?;
        } else if part.name == b"stco" && is_too_large(&part, by)? {
            bytes += 4 * offsets::<4>(part.body)?.len() as u64;
        }
    }
    Some(bytes)
}

fn is_too_large(stco: &Mp4Box<'_>, by: u64) -> Option<bool> {
    let last =
        offsets::<4>(stco.body)?.last().copied().map_or(0, |offset| u64::from(u32::from_be_bytes(offset)));
    Some(last + by > u64::from(u32::MAX))
}

/// Writes a box, with offsets that are larger by `by`.
fn write(part: &Mp4Box<'_>, by: u64, to: &mut Vec<u8>) -> Option<()> {
    let start = to.len();
    to.extend([0; 4]);
    to.extend(part.name);
    match part.name {
        name if CONTAINERS.contains(&name) => {
            for inner in boxes(part.body) {
                write(&inner?, by, to)?;
            }
        }
        b"stco" => {
            let offsets =
                offsets::<4>(part.body)?.iter().map(|offset| u64::from(u32::from_be_bytes(*offset)) + by);
            to.extend(part.body.get(..8)?);
            if is_too_large(part, by)? {
                to[start + 4..start + 8].copy_from_slice(b"co64");
                to.extend(offsets.flat_map(u64::to_be_bytes));
            } else {
                for offset in offsets {
                    to.extend(u32::try_from(offset).ok()?.to_be_bytes());
                }
            }
        }
        b"co64" => {
            to.extend(part.body.get(..8)?);
            let offsets = offsets::<8>(part.body)?.iter().map(|offset| u64::from_be_bytes(*offset) + by);
            to.extend(offsets.flat_map(u64::to_be_bytes));
        }
        _ => to.extend(part.body),
    }
    let size = u32::try_from(to.len() - start).ok()?;
    to[start..start + 4].copy_from_slice(&size.to_be_bytes());
    Some(())
}

/// The offsets of a table, after its version and their number.
fn offsets<const SIZE: usize>(body: &[u8]) -> Option<&[[u8; SIZE]]> {
    let count = u32::from_be_bytes(*body.get(4..8)?.first_chunk()?) as usize;
    let (offsets, rest) = body.get(8..)?.as_chunks::<SIZE>();
    (rest.is_empty() && offsets.len() == count).then_some(offsets)
}

/// The boxes one after the other; `None` for what is none.
fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = Option<Mp4Box<'_>>> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let first = first_box(bytes);
        bytes = first.as_ref().map_or(&[], |(_, rest)| rest);
        Some(first.map(|(part, _)| part))
    })
}

/// The first box, and what comes after it.
fn first_box(bytes: &[u8]) -> Option<(Mp4Box<'_>, &[u8])> {
    let size = u32::from_be_bytes(*bytes.first_chunk()?) as usize;
    let name = bytes.get(4..8)?.first_chunk()?;
    let body = bytes.get(8..size)?;
    Some((Mp4Box { name, body }, &bytes[size..]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn boxed(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&(body.len() as u32 + 8).to_be_bytes()[..], name, body].concat()
    }

    fn table(name: &[u8; 4], offsets: &[Vec<u8>]) -> Vec<u8> {
        boxed(name, &[&[0; 4], &(offsets.len() as u32).to_be_bytes()[..], &offsets.concat()].concat())
    }

    fn narrow(offsets: &[u32]) -> Vec<u8> {
        table(b"stco", &offsets.iter().map(|offset| offset.to_be_bytes().to_vec()).collect::<Vec<_>>())
    }

    fn wide(offsets: &[u64]) -> Vec<u8> {
        table(b"co64", &offsets.iter().map(|offset| offset.to_be_bytes().to_vec()).collect::<Vec<_>>())
    }

    fn index(tables: &[Vec<u8>]) -> Vec<u8> {
        let track = |table: &Vec<u8>| {
            let stbl = boxed(b"stbl", &[boxed(b"stsz", b"sizes"), table.clone()].concat());
            boxed(b"trak", &boxed(b"mdia", &boxed(b"minf", &stbl)))
        };
        boxed(b"moov", &tables.iter().flat_map(track).collect::<Vec<u8>>())
    }

    #[test]
    fn offsets_grow_by_the_size_of_the_index() {
        let before = index(&[narrow(&[48, 1000]), wide(&[5_000_000_000])]);
        let by = before.len() as u32;
        let expected = index(&[narrow(&[48 + by, 1000 + by]), wide(&[5_000_000_000 + u64::from(by)])]);
        assert_eq!(shifted(&before).unwrap(), expected);
    }

    #[test]
    fn offsets_that_become_too_large_take_more_room_which_is_counted() {
        let last = u32::MAX - 10;
        let before = index(&[narrow(&[48, last]), narrow(&[100])]);
        let by = before.len() as u64 + 8;
        let expected = index(&[wide(&[48 + by, u64::from(last) + by]), narrow(&[100 + by as u32])]);
        assert_eq!(shifted(&before).unwrap(), expected);
    }

    #[test]
    fn what_is_no_index_is_refused() {
        for bytes in [&b""[..], b"moov", &boxed(b"mdat", b""), &[index(&[]), index(&[])].concat()] {
            assert!(shifted(bytes).is_none());
        }
        let mut cut = index(&[narrow(&[48])]);
        cut.pop();
        assert!(shifted(&cut).is_none());
    }
}
