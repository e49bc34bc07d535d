//! Measurements: when the first picture of a render was encoded, and CPU time by stage. The latter is off by default because
//! every change of stage reads a clock.

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
    /// Anything else.
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
    static ACCOUNT: Cell<Account> = const { Cell::new(Account::NEW) };
}

/// The stage accounting of a thread.
#[derive(Clone, Copy)]
struct Account {
    stage: Stage,
    /// The thread's clock when it came to this stage.
    since: u64,
    /// Stages the painter was in before it reported another, the outermost first.
    outer: [Stage; 8],
    depth: usize,
}

impl Account {
    const NEW: Self = Self { stage: Stage::Other, since: 0, outer: [Stage::Other; 8], depth: 0 };

    /// Enters a stage; the one that was left, and how long it took.
    fn change(&mut self, stage: Stage, clock: u64) -> (Stage, u64) {
        let left = (self.stage, clock.saturating_sub(self.since));
        (self.stage, self.since) = (stage, clock);
        left
    }

    /// Enters the painter's work, or goes back to what came before it.
    fn follow(&mut self, work: Option<Work>, clock: u64) -> (Stage, u64) {
        if let Some(work) = work {
            let left = self.change(
                match work {
                    Work::Raster => Stage::Raster,
                    Work::Convert => Stage::Convert,
                },
                clock,
            );
            if let Some(place) = self.outer.get_mut(self.depth) {
                *place = left.0;
            }
            self.depth += 1;
            left
        } else {
            self.depth = self.depth.saturating_sub(1);
            let outer = self.outer.get(self.depth).copied().unwrap_or(Stage::Other);
            self.change(outer, clock)
        }
    }
}

/// Measurements of a render.
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
        // Only the first call counts.
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

/// The painter's callback, if measuring is on.
pub(crate) fn watch() -> Option<fn(Option<Work>)> {
    ON.load(Ordering::Relaxed).then_some(follow as fn(Option<Work>))
}

fn follow(work: Option<Work>) {
    settle(|account, clock| account.follow(work, clock));
}

fn change(stage: Stage) -> Stage {
    settle(|account, clock| account.change(stage, clock))
}

/// Adds what this thread spent in the stage it leaves to the totals; that stage.
fn settle(step: impl FnOnce(&mut Account, u64) -> (Stage, u64)) -> Stage {
    let mut account = ACCOUNT.get();
    let (left, spent) = step(&mut account, thread_clock());
    ACCOUNT.set(account);
    if left != Stage::Other {
        TOTALS[left as usize].fetch_add(spent, Ordering::Relaxed);
    }
    left
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
        let mut account = Account::NEW;
        let left = [
            account.change(Stage::Composite, 100),
            account.follow(Some(Work::Raster), 110),
            account.change(Stage::Decode, 130),
            account.change(Stage::Raster, 170),
            account.follow(None, 250),
            account.change(Stage::Other, 410),
        ];
        assert_eq!(
            left[1..],
            [
                (Stage::Composite, 10),
                (Stage::Raster, 20),
                (Stage::Decode, 40),
                (Stage::Raster, 80),
                (Stage::Composite, 160),
            ]
        );
    }

    #[test]
    fn time_is_counted_between_a_stage_s_beginning_and_its_end() {
        let heard = || {
            let stages = Timings::so_far().stages;
            stages.iter().find(|(stage, _)| *stage == "sound").expect("a stage").1
        };
        let before = heard();
        ON.store(true, Ordering::Relaxed);
        {
            let _sound = during(Stage::Sound);
            let start = thread_clock();
            while thread_clock() - start < 5_000_000 {}
        }
        ON.store(false, Ordering::Relaxed);
        // Other tests may add theirs.
        assert!(heard() - before >= Duration::from_millis(5));
        assert_eq!(ACCOUNT.get().stage, Stage::Other);
    }
}
