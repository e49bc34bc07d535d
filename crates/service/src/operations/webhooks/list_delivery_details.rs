//! Lists the deliveries of a webhook with their payloads.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use super::delivery_details::DeliveryDetails;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

/// Deliveries listed.
const LISTED: u32 = 50;

record! {
    /// Names a webhook.
    pub struct DeliveryDetailsQuery {
        /// The id of the webhook.
        id: required String => "id", text();
    }
}

/// Deliveries, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryDetailsList(pub Vec<DeliveryDetails>);

pub struct ListDeliveryDetails;

impl Operation for ListDeliveryDetails {
    const ID: &'static str = "listDeliveryDetails";
    const ABOUT: &'static str = "Lists the latest deliveries to a webhook with their payloads, newest first.";
    const RETURNS: &'static str = "The deliveries";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such webhook")];

    type Request = DeliveryDetailsQuery;
    type Response = DeliveryDetailsList;

    async fn run(call: Call<'_>, query: DeliveryDetailsQuery) -> ServiceResult<DeliveryDetailsList> {
        let webhook = call.own_webhook(&query.id).await?;
        let deliveries = call.service.store.deliveries(&webhook.id, LISTED).await?;
        Ok(DeliveryDetailsList(deliveries.into_iter().map(DeliveryDetails::from).collect()))
    }
}
