//! Lists the security events of all accounts, for operators.

use rondo_fields::{record, text};
use rondo_store::id::Kind;

use super::{AuditEventInfo, AuditEventPage, PAGE};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, page};

record! {
    /// Which events to list.
    pub struct AllAuditQuery {
        /// Only events of the account with this email.
        email: optional String => "email", text();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::AuditEvent]);
    }
}

pub struct ListAllAuditEvents;

impl Operation for ListAllAuditEvents {
    const ID: &'static str = "listAllAuditEvents";
    const ABOUT: &'static str = "Lists the security events of all accounts, or of one, newest first.";
    const RETURNS: &'static str = "The events";
    const OPERATORS_ONLY: bool = true;
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no account with this email")];

    type Request = AllAuditQuery;
    type Response = AuditEventPage;

    async fn run(call: Call<'_>, query: AllAuditQuery) -> ServiceResult<AuditEventPage> {
        let store = &call.service.store;
        let account = match &query.email {
            Some(email) => {
                let account = store.account_by_email(email).await?;
                Some(account.ok_or_else(|| ServiceError::not_found("account"))?)
            }
            None => None,
        };
        let account_id = account.as_ref().map(|account| account.id.as_str());
        let found = store.audit_events(account_id, &page(Some(PAGE), query.cursor)).await?;
        let items = found.items.into_iter().map(AuditEventInfo::from).collect();
        Ok(AuditEventPage { items, next_cursor: found.next_cursor })
    }
}
