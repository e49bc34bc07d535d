//! The gain that gives a mix a loudness. The whole mix is measured once, and again where the limiter takes loudness away.

use crate::limiter::CEILING;
use crate::loudness::decibels;
use crate::{Meter, Mixer};

/// Deviation from the wanted loudness, in LU, above which the gain is corrected once more.
const OFF: f64 = 0.2;
/// Most corrections of the gain.
const MOST_CORRECTIONS: u32 = 2;

/// A search for the gain.
#[derive(Debug)]
pub struct Leveling {
    /// LUFS.
    wanted: f64,
    /// Decibels; `None` before the first measurement.
    gain: Option<f64>,
    corrections: u32,
}

impl Leveling {
    /// `wanted` is in LUFS.
    pub fn new(wanted: f64) -> Self {
        Self { wanted, gain: None, corrections: 0 }
    }

    /// A mix as it is to be measured next.
    pub fn trial(&self, mixer: Mixer) -> Mixer {
        match self.gain {
            Some(gain) => mixer.amplified(decibels(gain) as f32),
            None => mixer.unlimited(),
        }
    }

    /// Takes a measurement of the whole trial. Returns the factor for the mix; `None` if it must be measured once more.
    pub fn measured(&mut self, meter: &Meter) -> Option<f32> {
        let gain = match self.gain {
            None => {
                // Silence stays what it is.
                let Some(loudness) = meter.loudness() else { return Some(1.0) };
                let gain = self.wanted - loudness;
                self.gain = Some(gain);
                if f64::from(meter.peak()) * decibels(gain) > f64::from(CEILING) {
                    return None;
                }
                gain
            }
            Some(gain) => {
                let lost = self.wanted - meter.loudness().unwrap_or(self.wanted);
                if lost <= OFF {
                    return Some(decibels(gain) as f32);
                }
                self.gain = Some(gain + lost);
                self.corrections += 1;
                if self.corrections < MOST_CORRECTIONS {
                    return None;
                }
                gain + lost
            }
        };
        Some(decibels(gain) as f32)
    }
}
