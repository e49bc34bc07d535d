//! Counts for operators, in the text form Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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

    /// The whole report; `waiting` are the renders in the queue.
    pub fn report(&self, waiting: i64) -> String {
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
        line(format_args!("# TYPE rondo_renders_waiting gauge\nrondo_renders_waiting {waiting}"));
        out
    }
}
