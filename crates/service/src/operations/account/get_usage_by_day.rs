//! Reports what the account used on each day, for charts.

use std::time::Duration;

use rondo_fields::record;
use rondo_store::{Credits, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::day_or_moment;

const DAY: Duration = Duration::from_secs(86_400);
/// Days reported when `from` is not given.
const DAYS: u32 = 30;
/// Most days reported.
const MOST_DAYS: usize = 366;

record! {
    /// The days to report.
    pub struct UsageDaysQuery {
        /// First day, a date or date-time. Default: 30 days up to `to`.
        from: optional Time => "from", day_or_moment();
        /// Last day, a date or date-time. Default: today.
        to: optional Time => "to", day_or_moment();
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsageDays {
    /// Every day of the period, in order.
    days: Vec<UsageDay>,
}

#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageDay {
    /// In UTC, as in 2026-11-14.
    #[schema(format = Date)]
    date: String,
    /// Renders created.
    renders: u64,
    /// Seconds of completed films.
    seconds: f64,
    /// All credits charged.
    credits: f64,
    /// The part of `credits` charged for AI outside renders.
    ai_credits: f64,
}

pub struct GetUsageByDay;

impl Operation for GetUsageByDay {
    const ID: &'static str = "getUsageByDay";
    const ABOUT: &'static str = "Reports what the account used on each day (UTC).";
    const RETURNS: &'static str = "The days";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Invalid, "The period is empty or too long")];

    type Request = UsageDaysQuery;
    type Response = UsageDays;

    async fn run(call: Call<'_>, query: UsageDaysQuery) -> ServiceResult<UsageDays> {
        let store = &call.service.store;
        let last = start_of_day(query.to.unwrap_or_else(|| store.now()));
        let first = query.from.map_or_else(|| last.minus(DAY * (DAYS - 1)), start_of_day);
        let dates: Vec<Time> = std::iter::successors(Some(first), |day| Some(day.plus(DAY)))
            .take_while(|day| *day <= last)
            .take(MOST_DAYS + 1)
            .collect();
        if dates.is_empty() || dates.len() > MOST_DAYS {
            let message = format!("`from` must be before `to`, and at most {MOST_DAYS} days apart.");
            return Err(ServiceError::invalid_field("from", message));
        }
        let used = store.usage(call.account_id(), first, last.plus(DAY)).await?;
        let days = dates.into_iter().map(|day| {
            let date = day.day();
            match used.by_day.iter().find(|used| used.date == date) {
                Some(used) => UsageDay {
                    date,
                    renders: used.renders,
                    seconds: used.rendered_seconds,
                    credits: decimal(used.credits_used),
                    ai_credits: decimal(used.ai_credits),
                },
                None => UsageDay { date, ..UsageDay::default() },
            }
        });
        Ok(UsageDays { days: days.collect() })
    }
}

fn start_of_day(time: Time) -> Time {
    Time(time.millis() - time.millis().rem_euclid(86_400_000))
}

fn decimal(credits: Credits) -> f64 {
    credits.thousandths() as f64 / 1000.0
}
