//! Destinations: buckets of the account that finished films are copied to.

mod create_destination;
mod delete_destination;
mod list_destinations;

use rondo_store::{Destination, Time};
use serde::Serialize;
use utoipa::ToSchema;

pub use create_destination::CreateDestination;
pub use delete_destination::DeleteDestination;
pub use list_destinations::ListDestinations;

/// A destination. Its credentials are never shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DestinationInfo {
    id: String,
    /// What `output.destination` names it by.
    name: String,
    /// Bucket and prefix.
    url: String,
    /// The server, if it is not the one of the cloud.
    #[schema(required = true)]
    endpoint: Option<String>,
    #[schema(required = true)]
    region: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

impl From<Destination> for DestinationInfo {
    fn from(destination: Destination) -> Self {
        let Destination { id, name, url, endpoint, region, created_at, account_id: _ } = destination;
        Self { id, name, url, endpoint, region, created_at }
    }
}
