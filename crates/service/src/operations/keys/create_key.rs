//! Creates an API key.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use super::KeyInfo;
use crate::error::ServiceResult;
use crate::operation::{Call, Operation};

/// Longest name of a key, in characters.
const LONGEST: usize = 100;

record! {
    /// The key to create.
    pub struct KeyBody {
        /// Label shown in lists.
        name: optional String => "name", text().at_most(LONGEST);
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

    type Request = KeyBody;
    type Response = CreatedKey;

    async fn run(call: Call<'_>, request: KeyBody) -> ServiceResult<CreatedKey> {
        let created = call.service.store.create_key(call.account_id(), request.name.as_deref()).await?;
        Ok(CreatedKey { info: created.key.into(), api_key: created.secret })
    }
}
