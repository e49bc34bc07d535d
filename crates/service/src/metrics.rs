//! Counts for operators, in the text form Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rondo_store::QueueDepth;

/// Upper ends of the buckets of request times and of chunk times, in seconds.
const REQUEST_ENDS: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];
const CHUNK_ENDS: [f64; 9] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0];

/// Methods that are counted by name. Clients can make up others.
const METHODS: [&str; 7] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/// How long things took.
#[derive(Debug)]
pub struct Times {
    ends: [f64; 9],
    /// By upper end; the last one counts those that took longer.
    counts: [AtomicU64; 10],
    micros: AtomicU64,
}

impl Times {
    fn new(ends: [f64; 9]) -> Self {
        Self { ends, counts: Default::default(), micros: AtomicU64::default() }
    }

    pub fn add(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = self.ends.iter().position(|end| seconds <= *end).unwrap_or(self.ends.len());
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    fn report(&self, name: &str, line: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
        line(format_args!("# TYPE {name} histogram"));
        let mut total = 0;
        for (end, count) in self.ends.iter().zip(&self.counts) {
            total += count.load(Ordering::Relaxed);
            line(format_args!("{name}_bucket{{le=\"{end}\"}} {total}"));
        }
        total += self.counts[self.ends.len()].load(Ordering::Relaxed);
        line(format_args!("{name}_bucket{{le=\"+Inf\"}} {total}"));
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        line(format_args!("{name}_sum {seconds}"));
        line(format_args!("{name}_count {total}"));
    }
}

#[derive(Debug)]
pub struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, String, u16), u64>>,
    request_times: Times,
    /// Of chunks that this process has rendered and shares with others.
    pub chunk_times: Arc<Times>,
    pub renders_completed: AtomicU64,
    pub renders_failed: AtomicU64,
    pub frames_rendered: AtomicU64,
    pub renders_running: AtomicU64,
    /// Workers that help with renders of others.
    pub workers_helping: AtomicU64,
    pub deliveries_succeeded: AtomicU64,
    pub deliveries_failed: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Mutex::default(),
            request_times: Times::new(REQUEST_ENDS),
            chunk_times: Arc::new(Times::new(CHUNK_ENDS)),
            renders_completed: AtomicU64::default(),
            renders_failed: AtomicU64::default(),
            frames_rendered: AtomicU64::default(),
            renders_running: AtomicU64::default(),
            workers_helping: AtomicU64::default(),
            deliveries_succeeded: AtomicU64::default(),
            deliveries_failed: AtomicU64::default(),
        }
    }
}

impl Metrics {
    /// Counts a request. `route` is the pattern of a route, never a path that a client chose.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let method = METHODS.iter().find(|known| **known == method).copied().unwrap_or("other");
        let key = (method, route.to_owned(), status);
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        self.request_times.add(took);
    }

    /// The whole report: what this process counted, the queue that all processes share, if it could be read, and the workers of
    /// this process.
    pub fn report(&self, queue: Option<QueueDepth>, workers: usize) -> String {
        let mut out = String::new();
        let mut line = |text: std::fmt::Arguments<'_>| {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{text}");
        };
        line(format_args!("# TYPE rondo_http_requests_total counter"));
        for ((method, route, status), count) in
            self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter()
        {
            line(format_args!(
                "rondo_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
            ));
        }
        self.request_times.report("rondo_http_request_seconds", &mut line);
        self.chunk_times.report("rondo_chunk_seconds", &mut line);
        for (name, kind, value) in [
            ("rondo_renders_completed_total", "counter", &self.renders_completed),
            ("rondo_renders_failed_total", "counter", &self.renders_failed),
            ("rondo_frames_rendered_total", "counter", &self.frames_rendered),
            ("rondo_renders_running", "gauge", &self.renders_running),
            ("rondo_deliveries_succeeded_total", "counter", &self.deliveries_succeeded),
            ("rondo_deliveries_failed_total", "counter", &self.deliveries_failed),
        ] {
            line(format_args!("# TYPE {name} {kind}\n{name} {}", value.load(Ordering::Relaxed)));
        }
        let workers = workers as u64;
        let at_work =
            [&self.renders_running, &self.workers_helping].map(|count| count.load(Ordering::Relaxed));
        let busy = at_work.iter().sum::<u64>().min(workers);
        line(format_args!("# TYPE rondo_workers gauge"));
        for (state, count) in [("busy", busy), ("idle", workers - busy)] {
            line(format_args!("rondo_workers{{state=\"{state}\"}} {count}"));
        }
        // What could not be read is left out: 0 would look like an empty queue.
        let Some(QueueDepth { waiting, ready, running, oldest }) = queue else { return out };
        line(format_args!("# TYPE rondo_renders_waiting gauge\nrondo_renders_waiting {}", waiting + ready));
        line(format_args!("# TYPE rondo_queue_renders gauge"));
        for (state, count) in [("waiting", waiting), ("ready", ready), ("running", running)] {
            line(format_args!("rondo_queue_renders{{state=\"{state}\"}} {count}"));
        }
        let age = oldest.unwrap_or_default().as_secs_f64();
        line(format_args!("# TYPE rondo_queue_oldest_seconds gauge\nrondo_queue_oldest_seconds {age}"));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_and_the_queue_are_reported_by_state() {
        let metrics = Metrics::default();
        metrics.renders_running.store(1, Ordering::Relaxed);
        metrics.workers_helping.store(1, Ordering::Relaxed);
        let oldest = Some(Duration::from_millis(1500));
        let report = metrics.report(Some(QueueDepth { waiting: 4, ready: 3, running: 2, oldest }), 3);
        for line in [
            "rondo_workers{state=\"busy\"} 2",
            "rondo_workers{state=\"idle\"} 1",
            "rondo_renders_waiting 7",
            "rondo_queue_renders{state=\"waiting\"} 4",
            "rondo_queue_renders{state=\"ready\"} 3",
            "rondo_queue_renders{state=\"running\"} 2",
            "rondo_queue_oldest_seconds 1.5",
        ] {
            assert!(report.lines().any(|reported| reported == line), "{line}: {report}");
        }
    }

    #[test]
    fn chunk_times_are_counted_up_to_each_end() {
        let metrics = Metrics::default();
        for ms in [90, 400, 200_000] {
            metrics.chunk_times.add(Duration::from_millis(ms));
        }
        let report = metrics.report(None, 0);
        for line in [
            "rondo_chunk_seconds_bucket{le=\"0.1\"} 1",
            "rondo_chunk_seconds_bucket{le=\"0.5\"} 2",
            "rondo_chunk_seconds_bucket{le=\"120\"} 2",
            "rondo_chunk_seconds_bucket{le=\"+Inf\"} 3",
            "rondo_chunk_seconds_sum 200.49",
            "rondo_chunk_seconds_count 3",
        ] {
            assert!(report.lines().any(|reported| reported == line), "{line}: {report}");
        }
    }

    #[test]
    fn a_queue_that_cannot_be_read_is_not_reported_as_empty() {
        let report = Metrics::default().report(None, 0);
        assert!(report.contains("rondo_workers{state=\"idle\"} 0"), "{report}");
        assert!(!report.contains("rondo_queue") && !report.contains("rondo_renders_waiting"), "{report}");
    }
}
