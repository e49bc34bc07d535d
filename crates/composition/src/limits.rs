//! How large a composition may be.

/// Longest film in frames, for every plan.
pub const MOST_FRAMES: i64 = 648_000;
/// Longest film in minutes, for every plan.
pub const MOST_MINUTES: u32 = 180;
/// Shortest and longest side of the canvas in pixels.
pub const SIDES: (i64, i64) = (16, 4096);
/// Largest canvas area in pixels.
pub const MOST_PIXELS: u64 = 8_850_000;
/// Lowest and highest frame rate.
pub const RATES: (i64, i64) = (1, 120);
pub const MOST_OVERLAYS: usize = 500;
/// Caption words of all overlays together.
pub const MOST_CAPTION_WORDS: usize = 10_000;
pub const MOST_REPLACEMENTS: usize = 200;
/// Longest `content` in characters.
pub const MOST_CONTENT: usize = 20_000;
pub const MOST_METADATA: usize = 50;
/// Quietest and loudest film, in LUFS.
pub const LOUDNESS: (f64, f64) = (-36.0, -8.0);
/// AI values of one kind in one request.
pub const MOST_AI_VALUES: usize = 3;

/// The limits an operator may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest film in minutes; never more than [`MOST_MINUTES`] counts.
    pub minutes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { minutes: 60 }
    }
}

impl Limits {
    /// The longest film of any plan.
    pub const WIDEST: Self = Self { minutes: MOST_MINUTES };

    pub fn frames_at(self, fps: u32) -> u64 {
        u64::from(self.minutes.min(MOST_MINUTES)) * 60 * u64::from(fps)
    }
}
