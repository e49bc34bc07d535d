//! Deletes a destination.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names the destination to delete.
    pub struct DestinationName {
        /// The name or the id of the destination.
        destination: required String => "destination", text();
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedDestination {
    id: String,
    name: String,
    /// Always true.
    deleted: bool,
}

pub struct DeleteDestination;

impl Operation for DeleteDestination {
    const ID: &'static str = "deleteDestination";
    const ABOUT: &'static str = "Deletes a destination and its credentials. Copies that were made stay in the bucket; copies that \
                                 are not made yet fail.";
    const RETURNS: &'static str = "The destination is deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such destination")];

    type Request = DestinationName;
    type Response = DeletedDestination;

    async fn run(call: Call<'_>, request: DestinationName) -> ServiceResult<DeletedDestination> {
        let deleted = call.service.store.delete_destination(call.account_id(), &request.destination).await?;
        let deleted = deleted.ok_or_else(|| ServiceError::not_found("destination"))?;
        Ok(DeletedDestination { id: deleted.id, name: deleted.name, deleted: true })
    }
}
