//! The audit log.

mod list_all_events;
mod list_events;

use rondo_store::{AuditEvent, Time};
use serde::Serialize;
use utoipa::ToSchema;

pub use list_all_events::ListAllAuditEvents;
pub use list_events::ListAuditEvents;

/// Events on a page.
const PAGE: u32 = 50;

/// A security event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEventInfo {
    id: String,
    /// What happened, such as `sign-in`, `sign-in.failed`, `key.created` or `account.suspended`.
    action: &'static str,
    /// The email of the account it concerns.
    account: String,
    /// Who did it: an email, `operator`, `command line`, or empty if it is unknown.
    actor: String,
    /// What it was done to, such as the prefix of a key or the name of an app.
    subject: String,
    /// IP address.
    address: String,
    user_agent: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

impl From<AuditEvent> for AuditEventInfo {
    fn from(event: AuditEvent) -> Self {
        Self {
            id: event.id,
            action: event.action.as_str(),
            account: event.email,
            actor: event.actor,
            subject: event.subject,
            address: event.address,
            user_agent: event.user_agent,
            created_at: event.created_at,
        }
    }
}

/// Events, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEventPage {
    items: Vec<AuditEventInfo>,
    /// Pass it as `cursor` for the next page; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}
