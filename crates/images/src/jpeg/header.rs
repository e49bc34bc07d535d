//! The JPEG headers before the scan.

use std::rc::Rc;

use super::bits::Codes;
use super::{COEFFICIENTS, SIDE};

/// A photo that can be decoded.
pub struct Photo<'a> {
    pub width: usize,
    pub height: usize,
    /// Y, Cb, Cr.
    pub components: [Component; 3],
    /// MCUs between restart markers; 0 for none.
    pub restart_interval: usize,
    /// The entropy-coded data and everything after it.
    pub scan: &'a [u8],
}

pub struct Component {
    pub index: usize,
    /// Blocks per MCU, horizontally and vertically.
    pub across: usize,
    pub down: usize,
    /// Quantization steps in row order.
    pub steps: [i16; COEFFICIENTS],
    pub dc: Rc<Codes>,
    pub ac: Rc<Codes>,
}

/// A component in the frame header.
#[derive(Clone, Copy)]
struct Kind {
    id: u8,
    across: usize,
    down: usize,
    steps: u8,
}

/// Zigzag order: the position in row order of each stored coefficient.
pub const ZIGZAG: [u8; COEFFICIENTS] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
];

impl<'a> Photo<'a> {
    /// `None` if the file is of another kind or damaged.
    pub fn read(file: &'a [u8]) -> Option<Self> {
        let mut rest = file.strip_prefix(&[0xFF, 0xD8])?;
        let mut frame = None;
        let mut steps: [Option<[i16; COEFFICIENTS]>; 4] = [None; 4];
        let (mut dc, mut ac) = (Tables::default(), Tables::default());
        let mut restart_interval = 0;
        loop {
            let [0xFF, marker, high, low, ..] = *rest else { return None };
            let length = usize::from(u16::from_be_bytes([high, low]));
            let (segment, after) = (rest.get(4..2 + length)?, rest.get(2 + length..)?);
            match marker {
                0xC0 | 0xC1 if frame.is_none() => frame = Some(read_frame(segment)?),
                0xC4 => read_codes(segment, &mut dc, &mut ac)?,
                0xDB => read_steps(segment, &mut steps)?,
                0xDD => restart_interval = usize::from(u16::from_be_bytes(segment.try_into().ok()?)),
                0xDA => {
                    let (width, height, kinds) = frame?;
                    let [3, a, a_codes, b, b_codes, c, c_codes, 0, 63, 0] = *segment else { return None };
                    let scan = [(a, a_codes), (b, b_codes), (c, c_codes)];
                    let mut component = |index: usize| {
                        let (kind, (id, codes)): (Kind, _) = (kinds[index], scan[index]);
                        let component = Component {
                            index,
                            across: kind.across,
                            down: kind.down,
                            steps: (*steps.get(usize::from(kind.steps))?)?,
                            dc: dc.codes(codes >> 4)?,
                            ac: ac.codes(codes & 15)?,
                        };
                        (id == kind.id).then_some(component)
                    };
                    let components = [component(0)?, component(1)?, component(2)?];
                    return Some(Self { width, height, components, restart_interval, scan: after });
                }
                // Comments and application data.
                0xE0..=0xEF | 0xFE => {}
                _ => return None,
            }
            rest = after;
        }
    }

    /// Number of MCUs, horizontally and vertically.
    pub fn units(&self) -> (usize, usize) {
        let [light, ..] = &self.components;
        (self.width.div_ceil(SIDE * light.across), self.height.div_ceil(SIDE * light.down))
    }

    /// Pixels per chroma sample, horizontally and vertically.
    pub fn sharing(&self) -> (usize, usize) {
        let [light, color, _] = &self.components;
        (light.across / color.across, light.down / color.down)
    }
}

fn read_frame(segment: &[u8]) -> Option<(usize, usize, [Kind; 3])> {
    let [8, h0, h1, w0, w1, 3, components @ ..] = segment else { return None };
    let (height, width) = (u16::from_be_bytes([*h0, *h1]), u16::from_be_bytes([*w0, *w1]));
    let [light, blue, red] = components.as_chunks::<3>().0 else { return None };
    let kind = |&[id, sampling, steps]: &[u8; 3]| Kind {
        id,
        across: usize::from(sampling >> 4),
        down: usize::from(sampling & 15),
        steps,
    };
    let kinds = [kind(light), kind(blue), kind(red)];
    let [light, blue, red] = kinds.map(|kind| (kind.across, kind.down));
    let known = matches!(light, (1 | 2, 1 | 2))
        && (1..=light.0).contains(&blue.0)
        && (1..=light.1).contains(&blue.1)
        && blue == red;
    (known && width > 0 && height > 0).then_some((width.into(), height.into(), kinds))
}

fn read_steps(mut segment: &[u8], steps: &mut [Option<[i16; COEFFICIENTS]>; 4]) -> Option<()> {
    while let [kind, rest @ ..] = segment {
        let (wide, number) = (kind >> 4, usize::from(kind & 15));
        let bytes = if wide == 0 { 1 } else { 2 };
        let values = rest.get(..COEFFICIENTS * bytes)?;
        let mut table = [0; COEFFICIENTS];
        for (value, to) in values.chunks_exact(bytes).zip(ZIGZAG) {
            table[usize::from(to)] = value.iter().fold(0, |sum, byte| sum << 8 | i16::from(*byte));
        }
        *steps.get_mut(number)? = Some(table);
        segment = &rest[COEFFICIENTS * bytes..];
    }
    Some(())
}

/// Huffman tables by number: as stored in the file, and built when first used.
#[derive(Default)]
struct Tables<'a> {
    read: [Option<(&'a [u8; 16], &'a [u8])>; 4],
    ready: [Option<Rc<Codes>>; 4],
}

impl Tables<'_> {
    /// A table, built on first use.
    fn codes(&mut self, number: u8) -> Option<Rc<Codes>> {
        let ready = self.ready.get_mut(usize::from(number))?;
        if ready.is_none() {
            let (lengths, symbols) = self.read[usize::from(number)]?;
            *ready = Some(Rc::new(Codes::new(lengths, symbols)?));
        }
        ready.clone()
    }
}

fn read_codes<'a>(mut segment: &'a [u8], dc: &mut Tables<'a>, ac: &mut Tables<'a>) -> Option<()> {
    while let [kind, rest @ ..] = segment {
        let (lengths, rest) = rest.split_first_chunk::<16>()?;
        let count = lengths.iter().map(|count| usize::from(*count)).sum();
        let symbols = rest.get(..count)?;
        let tables = match kind >> 4 {
            0 => &mut *dc,
            1 => &mut *ac,
            _ => return None,
        };
        *tables.read.get_mut(usize::from(kind & 15))? = Some((lengths, symbols));
        segment = &rest[count..];
    }
    Some(())
}
