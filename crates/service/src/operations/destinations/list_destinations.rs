//! Lists destinations.

use serde::Serialize;
use utoipa::ToSchema;

use super::DestinationInfo;
use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

#[derive(Debug, Serialize, ToSchema)]
pub struct DestinationList {
    /// Oldest first.
    destinations: Vec<DestinationInfo>,
    total: usize,
}

pub struct ListDestinations;

impl Operation for ListDestinations {
    const ID: &'static str = "listDestinations";
    const ABOUT: &'static str = "Lists the caller's destinations, without their credentials.";
    const RETURNS: &'static str = "The destinations";

    type Request = NoInput;
    type Response = DestinationList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<DestinationList> {
        let found = call.service.store.destinations(call.account_id()).await?;
        let destinations: Vec<DestinationInfo> = found.into_iter().map(DestinationInfo::from).collect();
        Ok(DestinationList { total: destinations.len(), destinations })
    }
}
