//! Reads a render job.

use super::{RenderId, RenderJob};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

pub struct GetRender;

impl Operation for GetRender {
    const ID: &'static str = "getRender";
    const ABOUT: &'static str = "Returns a render job.";
    const RETURNS: &'static str = "The job";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The job belongs to another account"),
        (ErrorKind::NotFound, "There is no such job"),
    ];

    type Request = RenderId;
    type Response = RenderJob;

    async fn run(call: Call<'_>, request: RenderId) -> ServiceResult<RenderJob> {
        let render = call.own_render(&request.job_id).await?;
        Ok(RenderJob::of(call.service, render))
    }
}
