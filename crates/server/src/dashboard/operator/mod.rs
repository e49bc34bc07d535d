//! What operators do: accounts, invitations, the queue and the processes.

pub mod accounts;
pub mod invites;
pub mod queue;

use std::sync::Arc;

use axum::Router;

use crate::app::App;

pub fn routes() -> Router<Arc<App>> {
    Router::new().merge(accounts::routes()).merge(invites::routes()).merge(queue::routes())
}
