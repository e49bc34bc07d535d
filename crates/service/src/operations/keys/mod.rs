//! API keys of the account.

mod create_key;
mod list_keys;
mod revoke_key;

use rondo_store::{Access, Key, KeyMode, Time};
use serde::Serialize;
use utoipa::ToSchema;

pub use create_key::CreateKey;
pub use list_keys::ListKeys;
pub use revoke_key::RevokeKey;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyInfo {
    id: String,
    /// The first characters.
    prefix: String,
    #[schema(required = true)]
    name: Option<String>,
    /// `full`, or `read` for a key that can only read.
    #[schema(value_type = String)]
    access: Access,
    /// `live`, or `test` for a key whose renders are free and carry a watermark.
    #[schema(value_type = String)]
    mode: KeyMode,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    expires_at: Option<Time>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    last_used_at: Option<Time>,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    revoked_at: Option<Time>,
}

impl From<Key> for KeyInfo {
    fn from(key: Key) -> Self {
        Self {
            id: key.id,
            prefix: key.prefix,
            name: key.name,
            access: key.access,
            mode: key.mode,
            expires_at: key.expires_at,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}
