//! Lists the security events of the caller's account.

use rondo_fields::record;
use rondo_store::id::Kind;

use super::{AuditEventInfo, AuditEventPage, PAGE};
use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, page};

record! {
    /// Which events to list.
    pub struct AuditQuery {
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::AuditEvent]);
    }
}

pub struct ListAuditEvents;

impl Operation for ListAuditEvents {
    const ID: &'static str = "listAuditEvents";
    const ABOUT: &'static str = "Lists the security events of the account, newest first: sign-ins, keys, apps, passwords, acts of operators.";
    const RETURNS: &'static str = "The events";

    type Request = AuditQuery;
    type Response = AuditEventPage;

    async fn run(call: Call<'_>, query: AuditQuery) -> ServiceResult<AuditEventPage> {
        let page = page(Some(PAGE), query.cursor);
        let found = call.service.store.audit_events(Some(call.account_id()), &page).await?;
        let own = &call.caller.account.email;
        let items = found.items.into_iter().map(|event| {
            let mut shown = AuditEventInfo::from(event);
            // The address and the browser of an operator are not the account's business.
            if !matches!(shown.actor.as_str(), "" | COMMAND_LINE) && shown.actor != *own {
                shown.actor = "operator".to_owned();
                shown.address.clear();
                shown.user_agent.clear();
            }
            shown
        });
        Ok(AuditEventPage { items: items.collect(), next_cursor: found.next_cursor })
    }
}

/// The actor of what is done with the program `rondo`.
const COMMAND_LINE: &str = "command line";
