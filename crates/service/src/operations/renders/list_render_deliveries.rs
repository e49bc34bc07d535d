//! Lists the webhook deliveries of a render job.

use super::RenderId;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::webhooks::{DeliveryDetails, DeliveryDetailsList};

pub struct ListRenderDeliveries;

impl Operation for ListRenderDeliveries {
    const ID: &'static str = "listRenderDeliveries";
    const ABOUT: &'static str =
        "Lists the webhook deliveries of a render job with their payloads, newest first.";
    const RETURNS: &'static str = "The deliveries";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The job belongs to another account"),
        (ErrorKind::NotFound, "There is no such job"),
    ];

    type Request = RenderId;
    type Response = DeliveryDetailsList;

    async fn run(call: Call<'_>, request: RenderId) -> ServiceResult<DeliveryDetailsList> {
        let render = call.own_render(&request.job_id).await?;
        let deliveries = call.service.store.deliveries_of_render(&render.id).await?;
        Ok(DeliveryDetailsList(deliveries.into_iter().map(DeliveryDetails::from).collect()))
    }
}
