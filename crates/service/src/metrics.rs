//! Counts for operators, in the text form Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rondo_store::QueueDepth;

/// Upper ends of the buckets of request times, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Methods that are counted by name. Clients can make up others.
const METHODS: [&str; 7] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

#[derive(Debug, Default)]
pub struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, String, u16), u64>>,
    request_times: [AtomicU64; BUCKETS.len() + 1],
    request_micros: AtomicU64,
    pub renders_completed: AtomicU64,
    pub renders_failed: AtomicU64,
    pub frames_rendered: AtomicU64,
    pub renders_running: AtomicU64,
    pub deliveries_succeeded: AtomicU64,
    pub deliveries_failed: AtomicU64,
}

impl Metrics {
    /// Counts a request. `route` is the pattern of a route, never a path that a client chose.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let method = METHODS.iter().find(|known| **known == method).copied().unwrap_or("other");
        let key = (method, route.to_owned(), status);
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|end| seconds <= *end).unwrap_or(BUCKETS.len());
        self.request_times[bucket].fetch_add(1, Ordering::Relaxed);
        self.request_micros.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
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
        line(format_args!("# TYPE rondo_http_request_seconds histogram"));
        let mut total = 0;
        for (end, count) in BUCKETS.iter().zip(&self.request_times) {
            total += count.load(Ordering::Relaxed);
            line(format_args!("rondo_http_request_seconds_bucket{{le=\"{end}\"}} {total}"));
        }
        total += self.request_times[BUCKETS.len()].load(Ordering::Relaxed);
        line(format_args!("rondo_http_request_seconds_bucket{{le=\"+Inf\"}} {total}"));
        let seconds = self.request_micros.load(Ordering::Relaxed) as f64 / 1e6;
        line(format_args!("rondo_http_request_seconds_sum {seconds}"));
        line(format_args!("rondo_http_request_seconds_count {total}"));
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
        let busy = self.renders_running.load(Ordering::Relaxed).min(workers);
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
        metrics.renders_running.store(2, Ordering::Relaxed);
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
    fn a_queue_that_cannot_be_read_is_not_reported_as_empty() {
        let report = Metrics::default().report(None, 0);
        assert!(report.contains("rondo_workers{state=\"idle\"} 0"), "{report}");
        assert!(!report.contains("rondo_queue") && !report.contains("rondo_renders_waiting"), "{report}");
    }
}
