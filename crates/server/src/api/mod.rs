//! The operations under /api/v1, one file each.

pub mod account;
pub mod ai;
pub mod auth;
pub mod previews;
pub mod projects;
pub mod query;
pub mod registry;
pub mod renders;
pub mod schema;
pub mod templates;
pub mod uploads;
pub mod webhooks;

use std::sync::Arc;

use axum::Router;

use crate::app::App;

/// Every operation; each area brings its own routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .merge(account::routes())
        .merge(ai::routes())
        .merge(auth::routes())
        .merge(previews::routes())
        .merge(projects::routes())
        .merge(registry::routes())
        .merge(renders::routes())
        .merge(templates::routes())
        .merge(uploads::routes())
        .merge(webhooks::routes())
}
