//! Creates an API key.

use rondo_fields::{record, text};
use rondo_store::{Access, AuditAction, KeyMode, KeyOptions, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::KeyInfo;
use crate::audit::warn;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::{access, key_mode, moment};

/// Longest name of a key, in characters.
const LONGEST: usize = 100;

record! {
    /// The key to create.
    pub struct KeyBody {
        /// Label shown in lists.
        name: optional String => "name", text().at_most(LONGEST);
        /// What the key can do: everything (`full`), or only read (`read`).
        access: default Access => "access", access(), Access::Full;
        /// What the key is for: `live`, or `test` for renders that are free, carry a watermark and have at most 720 pixels on
        /// the shorter side.
        mode: default KeyMode => "mode", key_mode(), KeyMode::Live;
        /// When the key stops working. Default: never.
        expires_at: optional Time => "expiresAt", moment();
    }
}

/// A new key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedKey {
    #[serde(flatten)]
    info: KeyInfo,
    /// The whole key. It is not shown again.
    api_key: String,
}

pub struct CreateKey;

impl Operation for CreateKey {
    const ID: &'static str = "createKey";
    const ABOUT: &'static str = "Creates a key. The response is the only one that shows it.";
    const RETURNS: &'static str = "The key";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Unprocessable, "`expiresAt` is in the past (VALUE_OUT_OF_RANGE)")];

    type Request = KeyBody;
    type Response = CreatedKey;

    async fn run(call: Call<'_>, request: KeyBody) -> ServiceResult<CreatedKey> {
        let KeyBody { name, access, mode, expires_at } = request;
        let store = &call.service.store;
        if expires_at.is_some_and(|at| at <= store.now()) {
            return Err(ServiceError::unprocessable_field(
                "VALUE_OUT_OF_RANGE",
                "expiresAt",
                "`expiresAt` must be in the future.",
            ));
        }
        let options = KeyOptions { name: name.as_deref(), access, mode, expires_at };
        let created = store.create_limited_key(call.account_id(), options).await?;
        let prefix = &created.key.prefix;
        call.record(call.account_id(), AuditAction::KeyCreated, prefix).await?;
        let what = format!("an API key was created for your account: {prefix}…");
        warn(call.service, &call.caller.account, "New API key for Rondo", &what);
        Ok(CreatedKey { info: created.key.into(), api_key: created.secret })
    }
}
