//! Reports what the account used.

use std::time::Duration;

use rondo_fields::{choices, one_of, record};
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::day_or_moment;

/// Days a report covers when `from` is not given.
const REPORT_DAYS: u64 = 30;

choices! {
    /// How usage is grouped.
    pub enum Grouping {
        Day = "day",
    }
}

record! {
    /// The time that a usage report covers.
    pub struct UsageQuery {
        /// First moment, a date or date-time. Default: 30 days before `to`.
        from: optional Time => "from", day_or_moment();
        /// First moment after the report, a date or date-time. Default: now.
        to: optional Time => "to", day_or_moment();
        /// How to group the usage.
        group_by: default Grouping => "groupBy", one_of(), Grouping::Day;
    }
}

pub struct GetUsage;

/// What the account used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    #[schema(format = DateTime)]
    from: String,
    #[schema(format = DateTime)]
    to: String,
    #[serde(flatten)]
    all: UsageNumbers,
    by_day: Vec<DayReport>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DayReport {
    /// In UTC, as in 2026-11-14.
    #[schema(format = Date)]
    date: String,
    #[serde(flatten)]
    numbers: UsageNumbers,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageNumbers {
    renders: u64,
    credits_used: f64,
    rendered_seconds: f64,
    ai: AiNumbers,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiNumbers {
    tts_characters: u64,
    transcribed_seconds: u64,
}

impl Operation for GetUsage {
    const ID: &'static str = "getUsage";
    const ABOUT: &'static str = "Reports what the account used, in total and by day.";
    const RETURNS: &'static str = "The usage";

    type Request = UsageQuery;
    type Response = UsageReport;

    async fn run(call: Call<'_>, query: UsageQuery) -> ServiceResult<UsageReport> {
        let to = query.to.unwrap_or_else(|| call.service.store.now().plus(Duration::from_millis(1)));
        let from = query.from.unwrap_or_else(|| to.minus(Duration::from_secs(REPORT_DAYS * 86_400)));
        let usage = call.service.store.usage(call.account_id(), from, to).await?;
        let by_day = usage.by_day.into_iter().map(|day| DayReport {
            date: day.date,
            numbers: UsageNumbers {
                renders: day.renders,
                credits_used: day.credits_used.thousandths() as f64 / 1000.0,
                rendered_seconds: day.rendered_seconds,
                ai: AiNumbers {
                    tts_characters: day.tts_characters,
                    transcribed_seconds: day.transcribed_seconds,
                },
            },
        });
        Ok(UsageReport {
            from: from.rfc3339(),
            to: to.rfc3339(),
            all: UsageNumbers {
                renders: usage.renders,
                credits_used: usage.credits_used.thousandths() as f64 / 1000.0,
                rendered_seconds: usage.rendered_seconds,
                ai: AiNumbers {
                    tts_characters: usage.tts_characters,
                    transcribed_seconds: usage.transcribed_seconds,
                },
            },
            by_day: by_day.collect(),
        })
    }
}
