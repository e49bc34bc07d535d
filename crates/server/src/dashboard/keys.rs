//! API keys of the account.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{delete, get};
use rondo_store::{Key, StoreError, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Done, Person};
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::request::JsonBody;

/// Longest name of a key.
const LONGEST: usize = 100;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/keys", get(list).post(create)).route("/keys/{id}", delete(revoke))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyInfo {
    id: String,
    /// The first twelve characters.
    prefix: String,
    name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Time>,
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Time>,
}

/// A key just made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedKey {
    #[serde(flatten)]
    info: KeyInfo,
    /// The whole key, shown this once.
    api_key: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct KeyBody {
    /// What to call it.
    name: Option<String>,
}

impl From<Key> for KeyInfo {
    fn from(key: Key) -> Self {
        Self {
            id: key.id,
            prefix: key.prefix,
            name: key.name,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}

/// Lists the account's keys, newest first, revoked ones included.
#[utoipa::path(
    get, path = "/keys", tag = "Keys", operation_id = "listKeys",
    responses((status = 200, description = "The keys", body = inline(Answer<Vec<KeyInfo>>)))
)]
pub async fn list(State(app): State<Arc<App>>, person: Person) -> ApiResult<Data<Vec<KeyInfo>>> {
    app.uses.flush(&app.store).await?;
    let keys = app.store.keys(&person.account.id).await?;
    Ok(Data(keys.into_iter().rev().map(KeyInfo::from).collect()))
}

/// Makes a key, shown once.
#[utoipa::path(
    post, path = "/keys", tag = "Keys", operation_id = "createKey", request_body = KeyBody,
    responses((status = 200, description = "The key", body = inline(Answer<CreatedKey>)))
)]
pub async fn create(
    State(app): State<Arc<App>>,
    person: Person,
    JsonBody(body): JsonBody<KeyBody>,
) -> ApiResult<Data<CreatedKey>> {
    if body.name.as_ref().is_some_and(|name| name.chars().count() > LONGEST) {
        let message = format!("`name` is too long: take at most {LONGEST} characters.");
        return Err(ApiError::invalid_field("name", message));
    }
    let key = app.store.create_key(&person.account.id, body.name.as_deref()).await?;
    Ok(Data(CreatedKey { info: key.key.into(), api_key: key.secret }))
}

/// Revokes a key at once.
#[utoipa::path(
    delete, path = "/keys/{id}", tag = "Keys", operation_id = "revokeKey",
    params(("id" = String, Path, description = "The id of the key")),
    responses((status = 200, description = "It is revoked", body = inline(Answer<Done>)))
)]
pub async fn revoke(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<Done>> {
    match app.store.revoke_key(&id, Some(&person.account.id)).await {
        Ok(_) => Ok(Data(Done {})),
        Err(StoreError::NotFound { .. }) => Err(ApiError::not_found("key")),
        Err(error) => Err(error.into()),
    }
}
