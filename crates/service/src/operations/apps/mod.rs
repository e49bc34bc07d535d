//! Apps that can act for the account.

mod list_apps;
mod revoke_app;

pub use list_apps::ListApps;
pub use revoke_app::RevokeApp;
