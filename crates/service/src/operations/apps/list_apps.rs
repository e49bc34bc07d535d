//! Lists connected apps.

use rondo_store::{App, Time};
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

/// An app that can act for the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    client_id: String,
    /// As the app names itself; not verified.
    name: String,
    /// Host of the redirect address.
    #[schema(required = true)]
    host: Option<String>,
    scopes: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    last_used_at: Option<Time>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AppList(Vec<AppInfo>);

pub struct ListApps;

impl Operation for ListApps {
    const ID: &'static str = "listApps";
    const ABOUT: &'static str = "Lists the apps that can act for the account.";
    const RETURNS: &'static str = "The apps";

    type Request = NoInput;
    type Response = AppList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<AppList> {
        call.service.credential_uses.flush(&call.service.store).await?;
        let apps = call.service.store.apps(call.account_id()).await?;
        Ok(AppList(apps.into_iter().map(AppInfo::from).collect()))
    }
}

impl From<App> for AppInfo {
    fn from(app: App) -> Self {
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
