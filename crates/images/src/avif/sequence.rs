//! The sequence header of AV1 data: what a decoder must be able to do, and what its samples mean.

/// What a sequence header says of the picture after it. AV1 specification, 5.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    profile: u8,
    level: u8,
    high_tier: bool,
    pub bits: u8,
    /// Matrix coefficients by their number in ITU-T H.273; 2 where it tells none.
    pub matrix: u8,
    /// Whether samples use the full range.
    pub full: bool,
}

impl Sequence {
    /// Reads the first sequence header in AV1 data; `None` if there is none.
    pub fn read(data: &[u8]) -> Option<Self> {
        const SEQUENCE_HEADER: u8 = 1;
        let mut rest = data;
        loop {
            let (&head, after) = rest.split_first()?;
            let (kind, extended, sized) = (head >> 3 & 15, head & 4 != 0, head & 2 != 0);
            let after = if extended { after.get(1..)? } else { after };
            let (length, body) = if sized { leb128(after)? } else { (after.len(), after) };
            let unit = body.get(..length)?;
            if kind == SEQUENCE_HEADER {
                return header(&mut Bits { bytes: unit, at: 0 });
            }
            rest = &body[length..];
        }
    }

    /// The name of the codec as browsers know it, such as `av01.0.04M.08`.
    pub fn codec(&self) -> String {
        let Self { profile, level, high_tier, bits, .. } = self;
        format!("av01.{profile}.{level:02}{}.{bits:02}", if *high_tier { 'H' } else { 'M' })
    }
}

/// A number in groups of seven bits, and what follows it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0u64;
    for (index, byte) in bytes.iter().enumerate().take(8) {
        value |= u64::from(byte & 127) << (7 * index);
        if byte & 128 == 0 {
            return Some((usize::try_from(value).ok()?, &bytes[index + 1..]));
        }
    }
    None
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn read(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    fn byte(&mut self, count: u32) -> Option<u8> {
        self.read(count).map(|value| value as u8)
    }

    fn flag(&mut self) -> Option<bool> {
        self.read(1).map(|bit| bit == 1)
    }

    /// Skips a number of variable length.
    fn skip_uvlc(&mut self) -> Option<()> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
        }
        if zeros < 32 {
            self.read(zeros)?;
        }
        Some(())
    }
}

fn header(bits: &mut Bits<'_>) -> Option<Sequence> {
    let profile = bits.byte(3)?;
    bits.flag()?;
    let reduced = bits.flag()?;
    let (level, high_tier) = if reduced { (bits.byte(5)?, false) } else { operating_points(bits)? };
    let (width_bits, height_bits) = (bits.read(4)? + 1, bits.read(4)? + 1);
    bits.read(width_bits)?;
    bits.read(height_bits)?;
    if !reduced && bits.flag()? {
        bits.read(7)?;
    }
    // Superblocks and filters inside frames.
    bits.read(3)?;
    if !reduced {
        skip_inter_tools(bits)?;
    }
    // Super-resolution, and filters after frames.
    bits.read(3)?;
    let high_depth = bits.flag()?;
    let depth = match (profile, high_depth) {
        (2, true) if bits.flag()? => 12,
        (_, true) => 10,
        (_, false) => 8,
    };
    let mono = profile != 1 && bits.flag()?;
    let (primaries, transfer, matrix) =
        if bits.flag()? { (bits.byte(8)?, bits.byte(8)?, bits.byte(8)?) } else { (2, 2, 2) };
    let rgb = !mono && (primaries, transfer, matrix) == (1, 13, 0);
    let full = rgb || bits.flag()?;
    Some(Sequence { profile, level, high_tier, bits: depth, matrix, full })
}

/// Level and tier of the first operating point. What comes before it and the others are skipped.
fn operating_points(bits: &mut Bits<'_>) -> Option<(u8, bool)> {
    let mut delay_bits = None;
    if bits.flag()? {
        bits.read(32)?;
        bits.read(32)?;
        if bits.flag()? {
            bits.skip_uvlc()?;
        }
        if bits.flag()? {
            delay_bits = Some(bits.read(5)? + 1);
            bits.read(32)?;
            bits.read(10)?;
        }
    }
    let has_display_delay = bits.flag()?;
    let mut first = None;
    for _ in 0..=bits.read(5)? {
        bits.read(12)?;
        let level = bits.byte(5)?;
        let high_tier = level > 7 && bits.flag()?;
        first.get_or_insert((level, high_tier));
        if let Some(delay_bits) = delay_bits
            && bits.flag()?
        {
            bits.read(delay_bits)?;
            bits.read(delay_bits)?;
            bits.flag()?;
        }
        if has_display_delay && bits.flag()? {
            bits.read(4)?;
        }
    }
    first
}

/// Skips what says how frames are made from others.
fn skip_inter_tools(bits: &mut Bits<'_>) -> Option<()> {
    bits.read(4)?;
    let has_order = bits.flag()?;
    if has_order {
        bits.read(2)?;
    }
    let screen_content = bits.flag()? || bits.flag()?;
    if screen_content && !bits.flag()? {
        bits.flag()?;
    }
    if has_order {
        bits.read(3)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_data_are_no_sequence() {
        for data in [&[][..], &[0x0a], &[0x0a, 0xff], &[0x0a, 5, 0], &[0x12, 0], &[0x0a, 0x80, 0x80]] {
            assert_eq!(Sequence::read(data), None, "{data:?}");
        }
    }

    #[test]
    fn a_still_tells_its_profile_depth_and_colour() {
        // Profile 1, reduced header, level 4, 16×16 pixels, 8 bits, BT.709 and sRGB with the BT.601 matrix, full range.
        let bits = concat!(
            "001", "1", "1", "00100", "0011", "0011", "1111", "1111", "000", "000", "0", "1", "00000001",
            "00001101", "00000110", "1", "0"
        );
        let bytes: Vec<u8> = bits
            .as_bytes()
            .chunks(8)
            .map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | (bit - b'0')) << (8 - byte.len()))
            .collect();
        let mut data = vec![0x12, 0, 0x0a, bytes.len() as u8];
        data.extend(bytes);
        let sequence = Sequence::read(&data).unwrap();
        assert_eq!(sequence.codec(), "av01.1.04M.08");
        assert_eq!((sequence.bits, sequence.matrix, sequence.full), (8, 6, true));
    }
}
