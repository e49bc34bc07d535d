//! Apps the person allowed to act for the account.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{delete, get};
use rondo_store::{App as ConnectedApp, Time};
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use super::{Done, Person};
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/apps", get(list)).route("/apps/{clientId}", delete(revoke))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    client_id: String,
    /// What it calls itself; nobody has checked.
    name: String,
    /// Where it takes people back to.
    host: Option<String>,
    scopes: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Time>,
}

impl From<ConnectedApp> for AppInfo {
    fn from(app: ConnectedApp) -> Self {
        let first = app.redirect_uris.first().and_then(|uri| Url::parse(uri).ok());
        Self {
            client_id: app.client_id,
            name: app.name,
            host: first.and_then(|url| url.host_str().map(str::to_owned)),
            scopes: app.scopes.split(' ').map(str::to_owned).collect(),
            created_at: app.created_at,
            last_used_at: app.last_used_at,
        }
    }
}

/// Lists the apps that can act for the account.
#[utoipa::path(
    get, path = "/apps", tag = "Apps", operation_id = "listApps",
    responses((status = 200, description = "The apps", body = inline(Answer<Vec<AppInfo>>)))
)]
pub async fn list(State(app): State<Arc<App>>, person: Person) -> ApiResult<Data<Vec<AppInfo>>> {
    app.uses.flush(&app.store).await?;
    let apps = app.store.apps(&person.account.id).await?;
    Ok(Data(apps.into_iter().map(AppInfo::from).collect()))
}

/// Takes back everything an app was allowed.
#[utoipa::path(
    delete, path = "/apps/{clientId}", tag = "Apps", operation_id = "revokeApp",
    params(("clientId" = String, Path, description = "The id of the app")),
    responses((status = 200, description = "Its tokens are void", body = inline(Answer<Done>)))
)]
pub async fn revoke(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<Done>> {
    match app.store.revoke_app(&person.account.id, &id).await? {
        true => Ok(Data(Done {})),
        false => Err(ApiError::not_found("app")),
    }
}
