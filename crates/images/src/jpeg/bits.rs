//! Huffman codes and the bit reader.

use super::header::ZIGZAG;
use super::{COEFFICIENTS, Group, LANES};

/// Bits of the lookup tables' index. Longer codes take the slow path.
const PEEK: u32 = 11;

/// Size of the buffer of entropy-coded bytes.
const ROOM: usize = 32 << 10;

/// Maximum bytes of an MCU: twelve blocks of 64 coefficients with 31 bits each, plus the bytes read ahead.
const UNIT: usize = 12 * COEFFICIENTS * 31 / 8 + 16;

/// Number of positions an end-of-block code advances: more than a block has.
const END: usize = 128;

/// Zigzag index to position in the block. Indices past the block, from end-of-block codes or damaged files, map to
/// the unused position after it.
const PLACES: [u8; 256] = {
    let mut places = [COEFFICIENTS as u8; 256];
    let mut i = 0;
    while i < COEFFICIENTS {
        places[i] = ZIGZAG[i];
        i += 1;
    }
    places
};

/// One Huffman table.
pub struct Codes {
    /// Indexed by the next `PEEK` bits: the code they start with, if it fits.
    codes: Box<[Code; 1 << PEEK]>,
    /// Indexed by the next `PEEK` bits: the first one or two coefficients, if codes and values fit.
    steps: Box<[Step; 1 << PEEK]>,
    /// Indexed by code length: the upper bound of codes up to that length, left-aligned to 16 bits, and the offset
    /// from a code to its symbol's index.
    ends: [u32; 17],
    shifts: [i32; 17],
    symbols: Vec<u8>,
}

/// A code and its symbol.
#[derive(Clone, Copy, Default)]
struct Code {
    /// Bits of the code; 0 if there is none.
    length: u8,
    /// Bits of the value that follows the code.
    size: u8,
    /// Zero coefficients before the value.
    run: u8,
}

/// One or two decoded coefficients; a single one is stored twice.
#[derive(Clone, Copy, Default)]
struct Step {
    /// Bits of the first coefficient (0 if there is none), and of both.
    bits: [u8; 2],
    /// Positions to advance before each value is written to the last one.
    passed: [u8; 2],
    values: [i16; 2],
}

impl Code {
    fn new(length: usize, symbol: u8) -> Self {
        Self { length: length as u8, size: symbol & 15, run: symbol >> 4 }
    }

    /// Bits of the code and of its value.
    fn bits(self) -> u8 {
        self.length + self.size
    }

    /// The value that follows the code, sign-extended: a leading 0 bit means negative.
    #[inline(always)]
    fn value(self, bits: u64) -> i32 {
        let bits = bits << self.length;
        let value = (bits >> 1 >> (63 - self.size)) as i32;
        let negative = !(bits as i64 >> 63) as i32;
        value + (negative & ((-1 << self.size) + 1))
    }

    /// Positions the code advances in a block.
    fn passed(self) -> usize {
        if self.size > 0 || self.run == 15 { usize::from(self.run) + 1 } else { END }
    }
}

impl Codes {
    /// Builds the table from the number of codes of each length and their symbols; `None` if there are too many codes.
    pub fn new(lengths: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut codes = Box::new([Code::default(); 1 << PEEK]);
        let (mut ends, mut shifts) = ([0; 17], [0; 17]);
        // The next code, left-aligned to 16 bits, and the index of its symbol.
        let (mut next, mut number) = (0u32, 0usize);
        for (length, count) in (1..).zip(lengths) {
            let step = 1 << (16 - length);
            shifts[length] = number as i32 - (next / step) as i32;
            for _ in 0..*count {
                let code = Code::new(length, symbols[number]);
                if next + step > 1 << 16 {
                    return None;
                }
                if length <= PEEK as usize {
                    let first = (next >> (16 - PEEK)) as usize;
                    codes[first..first + (step >> (16 - PEEK)) as usize].fill(code);
                }
                next += step;
                number += 1;
            }
            ends[length] = next;
        }
        let mut steps = Box::new([Step::default(); 1 << PEEK]);
        for (step, bits) in steps.iter_mut().zip(0u64..) {
            *step = Step::new(&codes, bits << (64 - PEEK));
        }
        Some(Self { codes, steps, ends, shifts, symbols: symbols.to_vec() })
    }

    /// The code at the start of `bits`.
    #[inline(always)]
    fn next(&self, bits: u64) -> Option<Code> {
        let code = self.codes[(bits >> (64 - PEEK)) as usize];
        if code.length > 0 { Some(code) } else { self.long(bits) }
    }

    /// The code at the start of `bits`, of any length.
    #[cold]
    fn long(&self, bits: u64) -> Option<Code> {
        let first = (bits >> 48) as u32;
        let length = (1..=16).find(|length| first < self.ends[*length])?;
        let number = (first >> (16 - length)) as i32 + self.shifts[length];
        Some(Code::new(length, *self.symbols.get(usize::try_from(number).ok()?)?))
    }
}

impl Step {
    /// Decodes the coefficients in the first `PEEK` bits.
    fn new(codes: &[Code; 1 << PEEK], bits: u64) -> Self {
        let whole = |bits: u64, least: u8| {
            let code = codes[(bits >> (64 - PEEK)) as usize];
            (code.length > 0 && u32::from(least + code.bits()) <= PEEK).then_some(code)
        };
        let Some(first) = whole(bits, 0) else { return Self::default() };
        let (passed, value) = (first.passed() as u8, first.value(bits) as i16);
        let after = bits << first.bits();
        match whole(after, first.bits()).filter(|_| first.passed() < END) {
            Some(second) => Self {
                bits: [first.bits(), first.bits() + second.bits()],
                passed: [passed, second.passed() as u8],
                values: [value, second.value(after) as i16],
            },
            None => Self { bits: [first.bits(); 2], passed: [passed, 0], values: [value; 2] },
        }
    }
}

/// Reads the entropy-coded bits of a scan.
pub struct Bits<'a> {
    /// Bytes not yet buffered.
    rest: &'a [u8],
    /// Buffered bytes without byte stuffing, followed by zeros for one MCU.
    hand: Box<Hand>,
    end: usize,
    window: Window,
    /// Whether the reader has passed the end of the data.
    ran_out: bool,
}

/// The next bits.
#[derive(Clone, Copy, Default)]
struct Window {
    /// Left-aligned.
    bits: u64,
    /// Number of valid bits, at least.
    count: u32,
    /// Index of the byte after them.
    position: usize,
}

type Hand = [u8; ROOM + UNIT + 8];

impl<'a> Bits<'a> {
    pub fn new(scan: &'a [u8]) -> Self {
        let hand = Box::new([0; ROOM + UNIT + 8]);
        Self { rest: scan, hand, end: 0, window: Window::default(), ran_out: false }
    }

    /// Buffers enough bytes for an MCU, up to the next marker.
    #[inline(always)]
    pub fn top_up(&mut self) {
        if self.window.position + UNIT > self.end {
            self.take_more();
        }
    }

    #[inline(never)]
    fn take_more(&mut self) {
        self.ran_out |= self.beyond_the_end();
        let gone = self.window.position.min(self.end);
        self.hand.copy_within(gone..self.end, 0);
        self.end -= gone;
        self.window.position = if self.ran_out { 0 } else { self.window.position - gone };
        while self.end < ROOM {
            let room = &self.rest[..self.rest.len().min(ROOM - self.end)];
            let plain = before_marker(room);
            self.hand[self.end..self.end + plain].copy_from_slice(&room[..plain]);
            self.end += plain;
            self.rest = &self.rest[plain..];
            match self.rest {
                [0xFF, 0, rest @ ..] if self.end < ROOM => {
                    self.hand[self.end] = 0xFF;
                    self.end += 1;
                    self.rest = rest;
                }
                _ => break,
            }
        }
        self.hand[self.end..][..UNIT + 8].fill(0);
    }

    /// Whether the reader has passed the end of the data.
    pub fn ran_out(&self) -> bool {
        self.ran_out || self.beyond_the_end()
    }

    fn beyond_the_end(&self) -> bool {
        self.window.position.saturating_sub(self.window.count as usize / 8) > self.end
    }

    /// Continues after the next restart marker, with any number; `None` if the next marker is another one.
    pub fn restart(&mut self) -> Option<()> {
        let ([0xFF, 0xD0..=0xD7, rest @ ..], false) = (self.rest, self.ran_out()) else { return None };
        self.rest = rest;
        (self.end, self.window) = (0, Window::default());
        Some(())
    }

    /// Reads the coefficients of a block into its lane; `last` is the previous block's DC coefficient. `None` if a code
    /// is invalid or the block has too many coefficients.
    #[inline(always)]
    pub fn block(
        &mut self,
        dc: &Codes,
        ac: &Codes,
        last: &mut i32,
        block: &mut Group,
        lane: usize,
    ) -> Option<()> {
        let mut window = self.window;
        window.read_on(&self.hand);
        let code = dc.next(window.bits)?;
        if code.run > 0 {
            return None;
        }
        *last = last.wrapping_add(code.value(window.bits));
        window.pass(code.bits());
        block[lane] = *last as i16;
        let mut place = 1;
        while place < COEFFICIENTS {
            // At most 31 of at least 56 bits were consumed, so the index is valid before refilling.
            let mut step = ac.steps[(window.bits >> (64 - PEEK)) as usize];
            window.read_on(&self.hand);
            if step.bits[0] == 0 {
                let code = ac.next(window.bits)?;
                let (passed, value) = (code.passed() as u8, code.value(window.bits) as i16);
                step = Step { bits: [code.bits(); 2], passed: [passed, 0], values: [value; 2] };
            }
            let mut put = |passed: u8, value: i16| {
                place += usize::from(passed);
                block[usize::from(PLACES[(place - 1) % PLACES.len()]) * LANES + lane] = value;
                place
            };
            let reached = put(step.passed[0], step.values[0]);
            if (COEFFICIENTS..END).contains(&reached) {
                // The block is complete: the second coefficient belongs to the next block.
                window.pass(step.bits[0]);
                break;
            }
            put(step.passed[1], step.values[1]);
            window.pass(step.bits[1]);
        }
        self.window = window;
        (place == COEFFICIENTS || place > END).then_some(())
    }
}

impl Window {
    /// Refills to at least 56 bits.
    #[inline(always)]
    fn read_on(&mut self, hand: &Hand) {
        let bytes =
            hand.get(self.position..).and_then(|hand| hand.first_chunk()).copied().unwrap_or_default();
        self.bits |= u64::from_be_bytes(bytes) >> self.count;
        self.position += (63 - self.count as usize) / 8;
        self.count |= 56;
    }

    /// Consumes bits.
    #[inline(always)]
    fn pass(&mut self, bits: u8) {
        self.bits <<= bits;
        self.count -= u32::from(bits);
    }
}

/// Number of bytes before the first 0xFF.
fn before_marker(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<32>();
    let plain = |chunk: &&[u8; 32]| !chunk.iter().fold(false, |found, byte| found | (*byte == 0xFF));
    let start = chunks.iter().take_while(plain).count() * 32;
    start + bytes[start..].iter().take_while(|byte| **byte != 0xFF).count()
}
