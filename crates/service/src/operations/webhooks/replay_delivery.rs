//! Sends a delivery again.

use rondo_fields::{record, text};
use rondo_store::{Delivery, StoreError};

use super::delivery_details::DeliveryDetails;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names a delivery.
    pub struct DeliveryId {
        /// The id of the delivery.
        id: required String => "id", text();
    }
}

pub struct ReplayDelivery;

impl Operation for ReplayDelivery {
    const ID: &'static str = "replayDelivery";
    const ABOUT: &'static str = "Sends a delivery again, as a new one.";
    const RETURNS: &'static str = "The new delivery";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such delivery")];

    type Request = DeliveryId;
    type Response = DeliveryDetails;

    async fn run(call: Call<'_>, request: DeliveryId) -> ServiceResult<DeliveryDetails> {
        Ok(replay(call, &request.id).await?.into())
    }
}

/// Sends a delivery of the caller's account again. Returns the new one.
pub async fn replay(call: Call<'_>, id: &str) -> ServiceResult<Delivery> {
    let store = &call.service.store;
    let replayed = store.replay_delivery(call.account_id(), id).await;
    let id = replayed.map_err(|error| match error {
        StoreError::NotFound { .. } => ServiceError::not_found("delivery"),
        other => other.into(),
    })?;
    call.service.queue.wake_deliveries();
    store.delivery(&id).await?.ok_or_else(|| ServiceError::not_found("delivery"))
}
