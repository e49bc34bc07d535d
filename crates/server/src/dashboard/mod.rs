//! The endpoints of the service's own pages, under /api/dashboard, for people who signed in.

mod endpoints;
mod events;
mod guard;
mod openapi;
mod session;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::app::App;

pub use guard::guard;

pub fn routes() -> Router<Arc<App>> {
    let routes =
        Router::new().route("/openapi.json", get(openapi::document)).route(events::PATH, get(events::follow));
    endpoints::endpoints().into_iter().fold(routes, |router, endpoint| endpoint.route(router))
}
