//! Timestamps in Unix milliseconds, and the clock.

use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

/// A timestamp in Unix milliseconds. Serialized as RFC 3339 in UTC with milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

pub(crate) const DAY_MS: i64 = 86_400_000;

impl Time {
    pub fn now() -> Self {
        Self(jiff::Timestamp::now().as_millisecond())
    }

    pub fn millis(self) -> i64 {
        self.0
    }

    /// Unix seconds, rounded down.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time up to a later moment.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_millis(later.0.saturating_sub(self.0).max(0).unsigned_abs())
    }

    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// `2026-11-14T09:30:00.000Z`.
    pub fn rfc3339(self) -> String {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        format!("{moment:.3}")
    }

    /// Parses RFC 3339 (`2026-11-14T09:30:00Z`) with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|moment| Self(moment.as_millisecond()))
    }

    /// `2026-11-14`, in UTC.
    pub fn day(self) -> String {
        self.rfc3339().split('T').next().unwrap_or_default().to_owned()
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.rfc3339())
    }
}

/// The clock of the store. Tests replace it.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Time + Send + Sync>);

impl Clock {
    pub fn new(now: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    pub fn now(&self) -> Time {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(Time::now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc_with_milliseconds_and_read_with_any_offset() {
        let time = Time(1_794_648_600_007);
        assert_eq!(time.rfc3339(), "2026-11-14T09:30:00.007Z");
        assert_eq!(Time(1_794_648_600_000).rfc3339(), "2026-11-14T09:30:00.000Z");
        assert_eq!(Time::parse("2026-11-14T10:30:00.007+01:00"), Some(time));
        assert_eq!(Time::parse("yesterday"), None);
        assert_eq!(time.day(), "2026-11-14");
    }
}
