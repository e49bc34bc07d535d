//! Cancels a render job, or deletes its output.

use rondo_store::Cancellation;

use super::{RenderId, RenderJob};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::stream;

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
            Cancellation::Cancelled(mut render) => {
                service.queue.stop_render(&render.id);
                service.queue.wake_deliveries();
                service.queue.wake_workers();
                match stream::remove(&service.media.files, &service.store, &render.id).await {
                    Ok(()) => render.stream_file = None,
                    // Retention tries again.
                    Err(error) => tracing::warn!(render = render.id, %error, "failed to remove segments"),
                }
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
        if render.status.is_final() {
            stream::remove(&service.media.files, &service.store, &render.id).await?;
        }
        if render.output_file.is_some() {
            service.media.files.remove_outputs(&render.id, render.file_names()).await?;
            service.store.forget_output(&render.id).await?;
        }
        CancelRender::run(call, request).await
    }
}
