//! The audit log: security events of accounts. Rows are only added, and deleted by age.

use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable, text_enum};
use crate::{Page, Paged, Result, Store, Time};

/// Stored characters of texts that come from outside.
const LONGEST: usize = 300;
/// Sign-ins that are compared to tell whether a place is new.
const REMEMBERED: i64 = 200;

text_enum!(AuditAction, "an audit event", {
    AccountCreated = "account.created",
    SignedIn = "sign-in",
    SignInFailed = "sign-in.failed",
    SessionEnded = "session.ended",
    PasswordChanged = "password.changed",
    PasswordReset = "password.reset",
    KeyCreated = "key.created",
    KeyRevoked = "key.revoked",
    AppGranted = "app.granted",
    AppRevoked = "app.revoked",
    PlanChanged = "account.plan",
    CreditsChanged = "account.credits",
    OperatorChanged = "account.operator",
    Suspended = "account.suspended",
    Resumed = "account.resumed",
    InviteCreated = "invite.created",
    InviteDeleted = "invite.deleted",
});

#[derive(Clone, Debug)]
pub struct NewAuditEvent<'a> {
    /// The account it concerns.
    pub account_id: &'a str,
    pub action: AuditAction,
    /// The email of who acted, `command line`, or nothing if it is unknown.
    pub actor: &'a str,
    /// What it was done to, such as the prefix of a key.
    pub subject: &'a str,
    pub address: &'a str,
    pub user_agent: &'a str,
}

#[derive(Clone, Debug)]
pub struct AuditEvent {
    pub id: String,
    pub account_id: String,
    /// The email of the account it concerns.
    pub email: String,
    pub action: AuditAction,
    pub actor: String,
    pub subject: String,
    pub address: String,
    pub user_agent: String,
    pub created_at: Time,
}

/// Where someone signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub address: String,
    pub user_agent: String,
}

fn read_event(row: &AnyRow) -> Result<AuditEvent> {
    Ok(AuditEvent {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        email: row.text("email")?,
        action: AuditAction::stored(row.text("action")?)?,
        actor: row.text("actor")?,
        subject: row.text("subject")?,
        address: row.text("address")?,
        user_agent: row.text("user_agent")?,
        created_at: row.time("created_at")?,
    })
}

impl Store {
    pub async fn record(&self, event: &NewAuditEvent<'_>) -> Result<()> {
        let short = |text: &str| -> String { storable(text).chars().take(LONGEST).collect() };
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO audit_event (id, account_id, action, actor, subject, address, user_agent, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(id::new(Kind::AuditEvent))
        .bind(event.account_id.to_owned())
        .bind(event.action.as_str())
        .bind(short(event.actor))
        .bind(short(event.subject))
        .bind(short(event.address))
        .bind(short(event.user_agent))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The events of one account or of all, newest first.
    pub async fn audit_events(&self, account_id: Option<&str>, page: &Page) -> Result<Paged<AuditEvent>> {
        let rows = sqlx::query(
            "SELECT audit_event.*, account.email FROM audit_event JOIN account ON account.id = audit_event.account_id \
             WHERE ($1 IS NULL OR audit_event.account_id = $1) AND ($2 IS NULL OR audit_event.id < $2) \
             ORDER BY audit_event.id DESC LIMIT $3",
        )
        .bind(account_id.map(storable))
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(read_event).collect();
        let count =
            sqlx::query("SELECT COUNT(*) AS total FROM audit_event WHERE ($1 IS NULL OR account_id = $1)")
                .bind(account_id.map(storable));
        page.of(items, |event: &AuditEvent| &event.id, self.total(count)).await
    }

    /// Where the account was last signed in to, newest first.
    pub async fn sign_in_places(&self, account_id: &str) -> Result<Vec<Place>> {
        let rows = sqlx::query(
            "SELECT address, user_agent FROM audit_event WHERE account_id = $1 \
             AND action IN ('sign-in', 'account.created', 'password.reset') AND address <> '' \
             ORDER BY id DESC LIMIT $2",
        )
        .bind(storable(account_id))
        .bind(REMEMBERED)
        .fetch_all(self.reads())
        .await?;
        rows.iter()
            .map(|row| Ok(Place { address: row.text("address")?, user_agent: row.text("user_agent")? }))
            .collect()
    }

    /// Deletes events recorded before `before`. Returns how many.
    pub async fn purge_audit_events(&self, before: Time) -> Result<u64> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query("DELETE FROM audit_event WHERE created_at < $1")
            .bind(before.0)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(deleted.rows_affected())
    }
}
