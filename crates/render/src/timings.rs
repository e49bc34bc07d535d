//! When the first picture of a render was encoded, and processor time by stage, for measuring. The latter is off unless
//! switched on; then every change of stage reads a clock.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rondo_paint::Work;

static ON: AtomicBool = AtomicBool::new(false);
static TOTALS: [AtomicU64; STAGES.len()] = [const { AtomicU64::new(0) }; STAGES.len()];
/// Milliseconds since the epoch, 0 before.
static FIRST_ENCODED: AtomicU64 = AtomicU64::new(0);

/// What a thread of a render works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing that is told apart.
    Other,
    Scene,
    Raster,
    Composite,
    Convert,
    Decode,
    Sound,
}

const STAGES: [(Stage, &str); 7] = [
    (Stage::Other, "other"),
    (Stage::Scene, "scene"),
    (Stage::Raster, "raster"),
    (Stage::Composite, "composite"),
    (Stage::Convert, "convert"),
    (Stage::Decode, "decode"),
    (Stage::Sound, "sound"),
];

thread_local! {
    /// The stage this thread is in, and its clock when it came there.
    static NOW: Cell<(Stage, u64)> = const { Cell::new((Stage::Other, 0)) };
    /// Stages the painter was in before it told of another.
    static OUTER: Cell<[Stage; 8]> = const { Cell::new([Stage::Other; 8]) };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// What a render has spent so far.
#[derive(Debug, Clone)]
pub struct Timings {
    /// Processor time of the threads that paint and mix. What is missing to that of the process belongs to encoders.
    pub stages: Vec<(&'static str, Duration)>,
    /// When the first picture came out of an encoder, since the epoch.
    pub first_encoded: Option<Duration>,
}

impl Timings {
    /// Begins to measure in this process. Video is decoded on the threads that ask for it from then on.
    pub fn begin() {
        ON.store(true, Ordering::Relaxed);
        rondo_media::decode_in_place();
    }

    pub fn so_far() -> Self {
        let stages = STAGES
            .iter()
            .zip(&TOTALS)
            .map(|((_, name), total)| (*name, Duration::from_nanos(total.load(Ordering::Relaxed))));
        let first = FIRST_ENCODED.load(Ordering::Relaxed);
        Self { stages: stages.collect(), first_encoded: (first > 0).then(|| Duration::from_millis(first)) }
    }
}

/// Notes the first picture that came out of an encoder.
pub(crate) fn note_encoded() {
    if FIRST_ENCODED.load(Ordering::Relaxed) == 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Whoever comes second was later.
        let _ =
            FIRST_ENCODED.compare_exchange(0, now.as_millis() as u64, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Time until the result is dropped belongs to a stage.
pub(crate) fn during(stage: Stage) -> During {
    During { outer: if ON.load(Ordering::Relaxed) { Some(change(stage)) } else { None } }
}

pub(crate) struct During {
    outer: Option<Stage>,
}

impl Drop for During {
    fn drop(&mut self) {
        if let Some(outer) = self.outer {
            change(outer);
        }
    }
}

/// What the painter tells of, where anyone listens.
pub(crate) fn watch() -> Option<fn(Option<Work>)> {
    ON.load(Ordering::Relaxed).then_some(follow as fn(Option<Work>))
}

fn follow(work: Option<Work>) {
    let depth = DEPTH.get();
    let mut outer = OUTER.get();
    match work {
        Some(work) => {
            let before = change(match work {
                Work::Raster => Stage::Raster,
                Work::Convert => Stage::Convert,
            });
            if let Some(place) = outer.get_mut(depth) {
                *place = before;
            }
            OUTER.set(outer);
            DEPTH.set(depth + 1);
        }
        None => {
            let depth = depth.saturating_sub(1);
            DEPTH.set(depth);
            change(outer.get(depth).copied().unwrap_or(Stage::Other));
        }
    }
}

fn change(stage: Stage) -> Stage {
    let clock = thread_clock();
    let (before, since) = NOW.replace((stage, clock));
    if before != Stage::Other {
        TOTALS[before as usize].fetch_add(clock.saturating_sub(since), Ordering::Relaxed);
    }
    before
}

/// Nanoseconds of processor time this thread has had.
fn thread_clock() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours to fill.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_belongs_to_the_innermost_stage_alone() {
        let spin = || {
            let start = thread_clock();
            while thread_clock() - start < 5_000_000 {}
        };
        ON.store(true, Ordering::Relaxed);
        {
            let _composite = during(Stage::Composite);
            spin();
            follow(Some(Work::Raster));
            spin();
            {
                let _decode = during(Stage::Decode);
                spin();
            }
            follow(None);
        }
        ON.store(false, Ordering::Relaxed);
        let spent = Timings::so_far().stages;
        for name in ["composite", "raster", "decode"] {
            let (_, time) = spent.iter().find(|(stage, _)| *stage == name).expect("a stage");
            assert!((4..9).contains(&time.as_millis()), "{name}: {time:?}");
        }
    }
}
