//! Ends work that is cancelled or takes more than it may, also in the middle of a frame.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, bounded};
use rondo_pixels::Stop;

use crate::error::RenderError;

/// Time between two looks at clocks and flags.
const STEP: Duration = Duration::from_millis(20);
/// Overlays that an error names.
const NAMED: usize = 3;

/// When work must have ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    at: Instant,
    /// The time from when it was set.
    limit: Duration,
}

impl Deadline {
    pub fn new(at: Instant) -> Self {
        Self { at, limit: at.saturating_duration_since(Instant::now()) }
    }
}

/// What work may take.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bounds<'a> {
    pub cancel: Option<&'a AtomicBool>,
    pub deadline: Option<Deadline>,
    /// Processor time of this process.
    pub cpu: Option<Duration>,
}

impl Bounds<'_> {
    /// Whether it is worth knowing what takes long.
    pub fn counts_costs(&self) -> bool {
        self.deadline.is_some() || self.cpu.is_some()
    }
}

/// Painting time by overlay, shared by all painters of a film.
#[derive(Clone, Default)]
pub(crate) struct OverlayCosts(Arc<Vec<AtomicU64>>);

impl OverlayCosts {
    pub fn new(overlays: usize) -> Self {
        Self(Arc::new((0..overlays).map(|_| AtomicU64::new(0)).collect()))
    }

    pub fn add(&self, overlay: u32, cost: u64) {
        if let Some(sum) = self.0.get(overlay as usize) {
            sum.fetch_add(cost, Ordering::Relaxed);
        }
    }

    /// The costliest overlays with their share in percent, such as `overlays[3] (80 %)`.
    fn worst(&self) -> Vec<String> {
        let mut costs: Vec<(usize, u64)> =
            self.0.iter().map(|cost| cost.load(Ordering::Relaxed)).enumerate().collect();
        let sum: u64 = costs.iter().map(|(_, cost)| cost).sum();
        costs.sort_by_key(|(overlay, cost)| (std::cmp::Reverse(*cost), *overlay));
        let percent = |cost: u64| (cost as f64 * 100.0 / sum.max(1) as f64).round() as u64;
        let told = costs.into_iter().map(|(overlay, cost)| (overlay, percent(cost)));
        let told = told.filter(|(_, percent)| *percent > 0).take(NAMED);
        told.map(|(overlay, percent)| format!("overlays[{overlay}] ({percent} %)")).collect()
    }
}

/// A monotonic clock in nanoseconds.
pub(crate) fn clock() -> u64 {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// What was exceeded.
enum Exceeded {
    Cancelled,
    Time(Duration),
    Cpu { used: Duration, budget: Duration },
}

/// Does work within bounds: sets `stop`, which the work heeds, when they are exceeded.
pub(crate) fn watched<T>(
    bounds: Bounds<'_>,
    stop: &Stop,
    costs: &OverlayCosts,
    work: impl FnOnce() -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let cpu = cpu_time();
    let exceeded = || {
        let used = || cpu_time().saturating_sub(cpu);
        if bounds.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            Some(Exceeded::Cancelled)
        } else if let Some(Deadline { limit, .. }) =
            bounds.deadline.filter(|deadline| Instant::now() >= deadline.at)
        {
            Some(Exceeded::Time(limit))
        } else {
            let over = bounds.cpu.map(|budget| (used(), budget)).filter(|(used, budget)| used > budget);
            over.map(|(used, budget)| Exceeded::Cpu { used, budget })
        }
    };
    let (made, ended) = std::thread::scope(|scope| {
        // Dropping the sender ends the watch, also while a panic unwinds.
        let (working, done) = bounded::<()>(0);
        let watch = scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(STEP) {
                if let Some(exceeded) = exceeded() {
                    stop.set();
                    return Some(exceeded);
                }
            }
            None
        });
        let made = work();
        drop(working);
        (made, watch.join().ok().flatten())
    });
    stop.clear();
    match (made, ended) {
        (Err(_), Some(Exceeded::Cancelled)) => Err(RenderError::Cancelled),
        (Err(_), Some(Exceeded::Time(limit))) => {
            Err(RenderError::OverTime { limit, overlays: costs.worst() })
        }
        (Err(_), Some(Exceeded::Cpu { used, budget })) => {
            Err(RenderError::OverBudget { used, budget, overlays: costs.worst() })
        }
        (made, _) => made,
    }
}

/// Processor time of this process.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours to fill.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
