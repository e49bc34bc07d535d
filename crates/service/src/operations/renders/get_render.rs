//! Reads a render job, now or when it has ended.

use std::time::Duration;

use rondo_fields::{integer, record, text};

use super::RenderJob;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::names;
use crate::waiting::MOST_WAITING;

/// Longest wait in seconds.
const LONGEST_WAIT: i64 = 60;

record! {
    /// Which render job to return, and when.
    pub struct RenderQuestion {
        /// The id that POST /renders returned.
        job_id: required String => "jobId", text();
        /// Seconds to wait for the end of the job. The job is returned as soon as it has ended, or as it is when the time is
        /// up. Default: no wait.
        wait: optional u32 => "wait", integer(1, LONGEST_WAIT);
        /// The fields to return, with commas between them, such as `status,progressPercentage,outputUrl`. Default: all.
        fields: optional Vec<String> => "fields", names::<RenderJob>();
    }
}

pub struct GetRender;

impl Operation for GetRender {
    const ID: &'static str = "getRender";
    const ABOUT: &'static str = "Returns a render job. With `wait`, returns it when it has ended. With `fields`, returns only \
                                 these fields, for example without the large `inputProps`.";
    const RETURNS: &'static str = "The job";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "`wait` is not from 1 to 60, or `fields` names a field that does not exist"),
        (ErrorKind::Forbidden, "The job belongs to another account"),
        (ErrorKind::NotFound, "There is no such job"),
        (
            ErrorKind::TooManyRequests,
            "Too many requests (RATE_LIMITED), or 50 of the account wait already (TOO_MANY_WAITING); Retry-After says when \
             to come back",
        ),
    ];

    type Request = RenderQuestion;
    type Response = Chosen<RenderJob>;

    async fn run(call: Call<'_>, request: RenderQuestion) -> ServiceResult<Chosen<RenderJob>> {
        let fields = Fields::of::<RenderJob>(request.fields)?;
        if let Some(seconds) = request.wait {
            ended_within(call, &request.job_id, Duration::from_secs(seconds.into())).await?;
        }
        let render = match fields.include("inputProps") {
            true => call.own_render(&request.job_id).await?,
            false => call.own_render_summary(&request.job_id).await?,
        };
        Ok(Chosen { whole: RenderJob::of(call.service, render), fields })
    }
}

/// Returns when the job has ended, the time is up or the service shuts down.
async fn ended_within(call: Call<'_>, id: &str, longest: Duration) -> ServiceResult<()> {
    let render = call.own_render_summary(id).await?;
    if render.status.is_final() {
        return Ok(());
    }
    let _place = call.service.waiting.enter(call.account_id()).ok_or_else(|| {
        let message =
            format!("{MOST_WAITING} requests of this account wait already. Try again when one has ended.");
        ServiceError::new(ErrorKind::TooManyRequests, "TOO_MANY_WAITING", message)
            .with("limit", MOST_WAITING)
            .retry_after(1)
    })?;
    let mut states = call.service.render_progress.watch(&render.id);
    let ended = states.wait_for(|state| state.is_some_and(|(status, _)| status.is_final()));
    // An error is the end of the service's watch: it shuts down.
    let _ = tokio::time::timeout(longest, ended).await;
    Ok(())
}
