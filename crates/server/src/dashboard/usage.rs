//! What the account used, day by day, for charts.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use rondo_store::{Credits, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::Person;
use crate::api::account::moment;
use crate::api::query::Params;
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};

const DAY: Duration = Duration::from_secs(86_400);
/// Days shown when `from` is not given.
const DAYS: u32 = 30;
/// Most days shown.
const MOST_DAYS: usize = 366;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/usage", get(usage))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsageDays {
    /// Every day of the span, in order.
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
    /// Everything that was charged.
    credits: f64,
    /// The part of it that was charged for AI beside renders.
    ai_credits: f64,
}

/// What the account used on each day (UTC).
#[utoipa::path(
    get, path = "/usage", tag = "Usage", operation_id = "getUsageByDay",
    params(
        ("from" = Option<String>, Query, description = "First day, a date or date-time; 30 days back if omitted"),
        ("to" = Option<String>, Query, description = "Last day, a date or date-time; today if omitted"),
    ),
    responses((status = 200, description = "The days", body = inline(Answer<UsageDays>)))
)]
pub async fn usage(
    State(app): State<Arc<App>>,
    person: Person,
    params: Params,
) -> ApiResult<Data<UsageDays>> {
    let last = start_of_day(moment(&params, "to")?.unwrap_or_else(|| app.store.now()));
    let first = moment(&params, "from")?.map_or_else(|| last.minus(DAY * (DAYS - 1)), start_of_day);
    let dates: Vec<Time> = std::iter::successors(Some(first), |day| Some(day.plus(DAY)))
        .take_while(|day| *day <= last)
        .take(MOST_DAYS + 1)
        .collect();
    if dates.is_empty() || dates.len() > MOST_DAYS {
        let message = format!("`from` must be before `to`, and at most {MOST_DAYS} days apart.");
        return Err(ApiError::invalid_field("from", message));
    }
    let used = app.store.usage(&person.account.id, first, last.plus(DAY)).await?;
    let days = dates.into_iter().map(|day| {
        let date = day.day();
        match used.by_day.iter().find(|used| used.date == date) {
            Some(used) => UsageDay {
                date,
                renders: used.renders,
                seconds: used.rendered_seconds,
                credits: shown(used.credits_used),
                ai_credits: shown(used.ai_credits),
            },
            None => UsageDay { date, ..UsageDay::default() },
        }
    });
    Ok(Data(UsageDays { days: days.collect() }))
}

fn start_of_day(time: Time) -> Time {
    Time(time.millis() - time.millis().rem_euclid(86_400_000))
}

fn shown(credits: Credits) -> f64 {
    credits.thousandths() as f64 / 1000.0
}
