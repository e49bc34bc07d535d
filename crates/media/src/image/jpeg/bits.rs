//! Huffman codes and the bit reader.

use super::header::ZIGZAG;
use super::{COEFFICIENTS, Group, LANES};

/// Bits of a code that are looked up at once.
const PEEK: u32 = 11;

/// Bytes of the picture available.
const ROOM: usize = 32 << 10;

/// Bytes that a unit takes at most: twelve blocks of 64 coefficients with 31 bits each, and those read ahead.
const UNIT: usize = 12 * COEFFICIENTS * 31 / 8 + 16;

/// Places of a block beyond its end: that many are passed when the rest of it is zero.
const END: usize = 128;

/// Where the coefficients of a block go; those that end it, or that a damaged file has too many, behind all others.
const PLACES: [u8; 256] = {
    let mut places = [COEFFICIENTS as u8; 256];
    let mut i = 0;
    while i < COEFFICIENTS {
        places[i] = ZIGZAG[i];
        i += 1;
    }
    places
};

/// The codes of one table.
pub struct Codes {
    /// By the next bits: the code that begins with them, if it is no longer than they are.
    codes: Box<[Code; 1 << PEEK]>,
    /// By the next bits: what one or two codes that begin with them stand for, if their values are among the bits.
    steps: Box<[Step; 1 << PEEK]>,
    /// By length: the first 16 bits beyond all codes that are no longer, and what leads from a code to its symbol.
    ends: [u32; 17],
    shifts: [i32; 17],
    symbols: Vec<u8>,
}

/// A code and what it stands for.
#[derive(Clone, Copy, Default)]
struct Code {
    /// Bits of the code; 0 where there is none.
    length: u8,
    /// Bits of the value behind it.
    size: u8,
    /// Zeros before it.
    run: u8,
}

/// Two coefficients, or twice the same.
#[derive(Clone, Copy, Default)]
struct Step {
    /// Bits of the first code and its value, 0 where there is none, and of both.
    bits: [u8; 2],
    /// Places to pass before each of them is written to the last one passed.
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

    /// The value behind the code: as many bits as it says, those that begin with 0 standing for negative ones.
    #[inline(always)]
    fn value(self, bits: u64) -> i32 {
        let bits = bits << self.length;
        let value = (bits >> 1 >> (63 - self.size)) as i32;
        let negative = !(bits as i64 >> 63) as i32;
        value + (negative & ((-1 << self.size) + 1))
    }

    /// Places that it passes in a block.
    fn passed(self) -> usize {
        if self.size > 0 || self.run == 15 { usize::from(self.run) + 1 } else { END }
    }
}

impl Codes {
    /// From the number of codes of each length and what they stand for; `None` when there are more than can be.
    pub fn new(lengths: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut codes = Box::new([Code::default(); 1 << PEEK]);
        let (mut ends, mut shifts) = ([0; 17], [0; 17]);
        // The next code, as the first of 16 bits, and the number of its symbol.
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

    /// The code that some bits begin with.
    #[inline(always)]
    fn next(&self, bits: u64) -> Option<Code> {
        let code = self.codes[(bits >> (64 - PEEK)) as usize];
        if code.length > 0 { Some(code) } else { self.long(bits) }
    }

    /// The code that some bits begin with, however long it is.
    #[cold]
    fn long(&self, bits: u64) -> Option<Code> {
        let first = (bits >> 48) as u32;
        let length = (1..=16).find(|length| first < self.ends[*length])?;
        let number = (first >> (16 - length)) as i32 + self.shifts[length];
        Some(Code::new(length, *self.symbols.get(usize::try_from(number).ok()?)?))
    }
}

impl Step {
    /// What the first bits of some stand for.
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

/// The bits of a picture, first to last.
pub struct Bits<'a> {
    /// Bytes still to be taken to hand.
    rest: &'a [u8],
    /// Bytes available, without what is stuffed between them; behind them a unit's worth of zeros.
    hand: Box<Hand>,
    end: usize,
    window: Window,
    /// Whether more was read than there is.
    ran_out: bool,
}

/// The bits that come next.
#[derive(Clone, Copy, Default)]
struct Window {
    /// From the highest down.
    bits: u64,
    /// How many of them there are at least.
    count: u32,
    /// The byte behind them.
    position: usize,
}

type Hand = [u8; ROOM + UNIT + 8];

impl<'a> Bits<'a> {
    pub fn new(scan: &'a [u8]) -> Self {
        let hand = Box::new([0; ROOM + UNIT + 8]);
        Self { rest: scan, hand, end: 0, window: Window::default(), ran_out: false }
    }

    /// Takes enough bytes to hand for a unit, as far as there are any before the next marker.
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

    /// Whether more was read than there is.
    pub fn ran_out(&self) -> bool {
        self.ran_out || self.beyond_the_end()
    }

    fn beyond_the_end(&self) -> bool {
        self.window.position.saturating_sub(self.window.count as usize / 8) > self.end
    }

    /// Begins again after the next marker, whatever its number; `None` when it is not one of those.
    pub fn restart(&mut self) -> Option<()> {
        let ([0xFF, 0xD0..=0xD7, rest @ ..], false) = (self.rest, self.ran_out()) else { return None };
        self.rest = rest;
        (self.end, self.window) = (0, Window::default());
        Some(())
    }

    /// Reads the coefficients of a block into its lane; `last` is the first one of the block before. `None` when there is
    /// no such code, or more coefficients than a block has.
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
            // Of at least 56 bits no more than 31 were passed: these are known before more are read.
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
                // The second one is the next block's.
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
    /// Has at least 56 bits ready.
    #[inline(always)]
    fn read_on(&mut self, hand: &Hand) {
        let bytes =
            hand.get(self.position..).and_then(|hand| hand.first_chunk()).copied().unwrap_or_default();
        self.bits |= u64::from_be_bytes(bytes) >> self.count;
        self.position += (63 - self.count as usize) / 8;
        self.count |= 56;
    }

    /// Goes on behind some bits.
    #[inline(always)]
    fn pass(&mut self, bits: u8) {
        self.bits <<= bits;
        self.count -= u32::from(bits);
    }
}

/// Bytes before the first one that is or begins a marker.
fn before_marker(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<32>();
    let plain = |chunk: &&[u8; 32]| !chunk.iter().fold(false, |found, byte| found | (*byte == 0xFF));
    let start = chunks.iter().take_while(plain).count() * 32;
    start + bytes[start..].iter().take_while(|byte| **byte != 0xFF).count()
}
