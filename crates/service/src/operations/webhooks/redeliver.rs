//! Sends an event to its webhook again.

use rondo_fields::{record, text};

use super::list_deliveries::DeliveryInfo;
use super::replay_delivery::replay;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names a delivery of a webhook.
    pub struct EarlierDelivery {
        /// The id of the webhook.
        webhook_id: required String => "webhookId", text();
        /// The id of the delivery.
        delivery_id: required String => "deliveryId", text();
    }
}

pub struct Redeliver;

impl Operation for Redeliver {
    const ID: &'static str = "redeliver";
    const ABOUT: &'static str = "Sends the event of an earlier delivery again. It is a new delivery with a new id, to the URL the \
                                 webhook has now.";
    const RETURNS: &'static str = "The new delivery";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such webhook, or it has no such delivery")];

    type Request = EarlierDelivery;
    type Response = DeliveryInfo;

    async fn run(call: Call<'_>, request: EarlierDelivery) -> ServiceResult<DeliveryInfo> {
        let webhook = call.own_webhook(&request.webhook_id).await?;
        let earlier = call.service.store.delivery(&request.delivery_id).await?;
        let earlier = earlier.filter(|delivery| delivery.webhook_id.as_ref() == Some(&webhook.id));
        let earlier = earlier.ok_or_else(|| ServiceError::not_found("delivery"))?;
        Ok(replay(call, &earlier.id).await?.into())
    }
}
