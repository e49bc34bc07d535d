//! Cancels a render job, or deletes its output.

use rondo_store::Cancellation;

use super::{RenderId, RenderJob};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

pub struct CancelRender;

impl Operation for CancelRender {
    const ID: &'static str = "cancelRender";
    const ABOUT: &'static str = "Cancels a render job. It fails with the message \"Cancelled\" and its credits are \
                                 refunded. A job that has ended is returned unchanged.";
    const RETURNS: &'static str = "The job as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The job belongs to another account"),
        (ErrorKind::NotFound, "There is no such job"),
    ];

    type Request = RenderId;
    type Response = RenderJob;

    async fn run(call: Call<'_>, request: RenderId) -> ServiceResult<RenderJob> {
        let service = call.service;
        let render = call.own_render(&request.job_id).await?;
        let render = match service.store.cancel(&render.id).await? {
            Cancellation::Cancelled(render) => {
                service.queue.stop_render(&render.id);
                service.queue.sweep_stream(&render.id);
                service.queue.wake_deliveries();
                service.queue.wake_workers();
                render
            }
            Cancellation::AlreadyFinal(render) => render,
        };
        Ok(RenderJob::of(service, *render))
    }
}

/// Cancels a job that has not ended, and deletes the files of one that has.
pub struct DeleteRender;

impl Operation for DeleteRender {
    const ID: &'static str = "deleteRender";
    const ABOUT: &'static str = "Cancels a render job, as POST /renders/{jobId}/cancel does. Of a job that has ended, all \
                                 files are deleted: their addresses answer 404, and the job stays in the list.";
    const RETURNS: &'static str = CancelRender::RETURNS;
    const FAILURES: &'static [(ErrorKind, &'static str)] = CancelRender::FAILURES;

    type Request = RenderId;
    type Response = RenderJob;

    async fn run(call: Call<'_>, request: RenderId) -> ServiceResult<RenderJob> {
        let service = call.service;
        let render = call.own_render(&request.job_id).await?;
        if render.output_file.is_some() {
            service.media.files.remove_outputs(&render.id, render.file_names()).await?;
            service.store.forget_output(&render.id).await?;
            service.queue.sweep_stream(&render.id);
        }
        CancelRender::run(call, request).await
    }
}
