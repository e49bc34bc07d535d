//! Revokes an API key.

use rondo_fields::{record, text};
use rondo_store::{AuditAction, StoreError};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names a key.
    pub struct KeyId {
        /// The id of the key.
        id: required String => "id", text();
    }
}

pub struct RevokeKey;

impl Operation for RevokeKey {
    const ID: &'static str = "revokeKey";
    const ABOUT: &'static str = "Revokes a key at once.";
    const RETURNS: &'static str = "The key is revoked";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[(ErrorKind::NotFound, "There is no such key")];

    type Request = KeyId;
    type Response = Done;

    async fn run(call: Call<'_>, request: KeyId) -> ServiceResult<Done> {
        match call.service.store.revoke_key(&request.id, Some(call.account_id())).await {
            Ok(key) => {
                call.record(call.account_id(), AuditAction::KeyRevoked, &key.prefix).await?;
                Ok(Done {})
            }
            Err(StoreError::NotFound { .. }) => Err(ServiceError::not_found("key")),
            Err(error) => Err(error.into()),
        }
    }
}
