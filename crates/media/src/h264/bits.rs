//! Reading and writing the bits of an RBSP (clauses 7.2 and 9.1).

use super::Unsupported;

/// Reads an RBSP from the most significant bit of its first byte.
pub(super) struct BitReader<'a> {
    rbsp: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    /// Starts after the one-byte NAL unit header.
    pub fn after_nal_header(rbsp: &'a [u8]) -> Self {
        Self { rbsp, position: 8 }
    }

    /// Bits read so far, those of the NAL unit header included.
    pub fn position(&self) -> usize {
        self.position
    }

    /// u(1).
    pub fn flag(&mut self) -> Result<bool, Unsupported> {
        let byte = self.rbsp.get(self.position / 8).ok_or(Unsupported("a NAL unit is truncated"))?;
        let bit = byte >> (7 - self.position % 8) & 1;
        self.position += 1;
        Ok(bit == 1)
    }

    /// u(n), for at most 32 bits.
    pub fn u(&mut self, bits: u32) -> Result<u32, Unsupported> {
        (0..bits).try_fold(0, |value, _| Ok(value << 1 | u32::from(self.flag()?)))
    }

    /// ue(v).
    pub fn ue(&mut self) -> Result<u32, Unsupported> {
        let mut leading_zeros = 0;
        while !self.flag()? {
            leading_zeros += 1;
            if leading_zeros == 32 {
                return Err(Unsupported("an Exp-Golomb code is too long"));
            }
        }
        Ok((1 << leading_zeros) - 1 + self.u(leading_zeros)?)
    }

    /// ue(v) with a largest allowed value.
    pub fn ue_up_to(&mut self, largest: u32) -> Result<u32, Unsupported> {
        self.ue().and_then(|value| {
            if value <= largest { Ok(value) } else { Err(Unsupported("a syntax element is out of range")) }
        })
    }

    /// se(v).
    pub fn se(&mut self) -> Result<i32, Unsupported> {
        let code = self.ue()?;
        // At most 2^31 - 1 for the largest code, 2^32 - 2.
        let magnitude = code.div_ceil(2) as i32;
        Ok(if code % 2 == 1 { magnitude } else { -magnitude })
    }
}

/// Writes an RBSP.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    position: usize,
}

impl BitWriter {
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// u(1).
    pub fn flag(&mut self, flag: bool) {
        if self.position.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut().filter(|_| flag) {
            *last |= 0x80 >> (self.position % 8);
        }
        self.position += 1;
    }

    /// u(n).
    pub fn u(&mut self, value: u32, bits: u32) {
        (0..bits).rev().for_each(|bit| self.flag(value >> bit & 1 == 1));
    }

    /// ue(v), for values below 2^32 - 1.
    pub fn ue(&mut self, value: u32) {
        let bits = u32::BITS - (value + 1).leading_zeros();
        self.u(0, bits - 1);
        self.u(value + 1, bits);
    }

    /// se(v).
    pub fn se(&mut self, value: i32) {
        self.ue(if value > 0 { value as u32 * 2 - 1 } else { value.unsigned_abs() * 2 });
    }

    /// Fills the last byte with ones (`cabac_alignment_one_bit`).
    pub fn align_with_ones(&mut self) {
        while !self.position.is_multiple_of(8) {
            self.flag(true);
        }
    }
}

/// Replaces `bits` bits of an RBSP from a bit position on.
pub(super) fn overwrite(rbsp: &mut [u8], position: usize, value: u32, bits: u32) -> Result<(), Unsupported> {
    for bit in 0..bits {
        let at = position + bit as usize;
        let byte = rbsp.get_mut(at / 8).ok_or(Unsupported("a NAL unit is truncated"))?;
        let mask = 0x80 >> (at % 8);
        let is_set = value >> (bits - 1 - bit) & 1 == 1;
        *byte = if is_set { *byte | mask } else { *byte & !mask };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn every_written_syntax_element_reads_back() {
        let mut writer = BitWriter::default();
        writer.u(0x65, 8);
        let unsigned = [0, 1, 2, 7, 8, 255, 65_535, u32::MAX - 1];
        let signed = [0, 1, -1, 26, -26, i32::MAX, -i32::MAX];
        unsigned.iter().for_each(|value| writer.ue(*value));
        signed.iter().for_each(|value| writer.se(*value));
        writer.u(0b1011, 4);
        writer.align_with_ones();
        let bytes = writer.into_bytes();
        let mut reader = BitReader::after_nal_header(&bytes);
        for value in unsigned {
            assert_eq!(reader.ue(), Ok(value));
        }
        for value in signed {
            assert_eq!(reader.se(), Ok(value));
        }
        assert_eq!(reader.u(4), Ok(0b1011));
        while !reader.position().is_multiple_of(8) {
            assert_eq!(reader.flag(), Ok(true));
        }
        assert!(reader.flag().is_err(), "the end");
    }

    #[test]
    fn codes_that_are_too_long_or_out_of_range_are_refused() {
        assert!(BitReader::after_nal_header(&[0; 40]).ue().is_err());
        assert!(BitReader::after_nal_header(&[0, 0b0010_1000]).ue_up_to(3).is_err(), "it is 4");
        assert_eq!(BitReader::after_nal_header(&[0, 0b0010_1000]).ue_up_to(4), Ok(4));
    }

    #[test]
    fn overwriting_leaves_the_bits_around_it() {
        let mut bytes = [0xff, 0xff, 0xff];
        overwrite(&mut bytes, 6, 0b0101, 4).unwrap();
        assert_eq!(bytes, [0b1111_1101, 0b0111_1111, 0xff]);
        assert!(overwrite(&mut bytes, 22, 0, 4).is_err());
    }
}
