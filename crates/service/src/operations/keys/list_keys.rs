//! Lists API keys.

use serde::Serialize;
use utoipa::ToSchema;

use super::KeyInfo;
use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

/// Keys, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyList(Vec<KeyInfo>);

pub struct ListKeys;

impl Operation for ListKeys {
    const ID: &'static str = "listKeys";
    const ABOUT: &'static str = "Lists the account's keys, newest first, revoked ones included.";
    const RETURNS: &'static str = "The keys";

    type Request = NoInput;
    type Response = KeyList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<KeyList> {
        call.service.credential_uses.flush(&call.service.store).await?;
        let keys = call.service.store.keys(call.account_id()).await?;
        Ok(KeyList(keys.into_iter().rev().map(KeyInfo::from).collect()))
    }
}
