//! Lists webhooks.

use serde::Serialize;
use utoipa::ToSchema;

use super::WebhookInfo;
use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookList {
    webhooks: Vec<WebhookInfo>,
    total: usize,
}

pub struct ListWebhooks;

impl Operation for ListWebhooks {
    const ID: &'static str = "listWebhooks";
    const ABOUT: &'static str = "Lists the caller's webhooks, without their secrets.";
    const RETURNS: &'static str = "The webhooks";

    type Request = NoInput;
    type Response = WebhookList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<WebhookList> {
        let found = call.service.store.webhooks(call.account_id()).await?;
        let webhooks: Vec<WebhookInfo> = found.into_iter().map(WebhookInfo::of).collect();
        Ok(WebhookList { total: webhooks.len(), webhooks })
    }
}
