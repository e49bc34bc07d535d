//! Sessions: a secret in a cookie, stored as SHA-256. A session expires when unused for a week, and after a month.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::{Account, read_account, select_account};
use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::time::DAY_MS;
use crate::{Result, Store, Time};

const SECRET_LENGTH: usize = 43;
/// A session expires when unused for this long.
const IDLE: i64 = 7 * DAY_MS;
/// A session expires this long after sign-in.
const LIFE: i64 = 30 * DAY_MS;
/// Stored characters of the User-Agent header.
const LONGEST_AGENT: usize = 300;

#[derive(Clone, Debug)]
pub struct Session {
    pub id: String,
    pub account_id: String,
    /// The IP address of the sign-in.
    pub address: String,
    pub user_agent: String,
    pub created_at: Time,
    pub last_used_at: Time,
}

/// A new session. Only its hash is stored, so this is the only time its secret is available.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub session: Session,
    pub secret: String,
}

/// A session and its account.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub account: Account,
    pub session: Session,
}

impl Session {
    /// `Max-Age` of a new session's cookie.
    pub const LIFE_SECONDS: i64 = LIFE / 1000;
}

fn read_session(row: &AnyRow) -> Result<Session> {
    Ok(Session {
        id: row.text("session_id")?,
        account_id: row.text("account_id")?,
        address: row.text("address")?,
        user_agent: row.text("user_agent")?,
        created_at: row.time("session_created_at")?,
        last_used_at: row.time("last_used_at")?,
    })
}

/// Ends every session of an account except `kept`.
pub(crate) async fn end_all(tx: &mut AnyConnection, account_id: &str, kept: Option<&str>) -> Result<()> {
    sqlx::query("DELETE FROM session WHERE account_id = $1 AND id <> $2")
        .bind(account_id.to_owned())
        .bind(kept.unwrap_or_default().to_owned())
        .execute(tx)
        .await?;
    Ok(())
}

impl Store {
    /// Creates a session. The session with the secret `replaced` ends, even if it belongs to another account.
    pub async fn create_session(
        &self,
        account_id: &str,
        address: &str,
        user_agent: &str,
        replaced: Option<&str>,
    ) -> Result<NewSession> {
        let secret = id::secret(SECRET_LENGTH);
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        if let Some(replaced) = replaced {
            sqlx::query("DELETE FROM session WHERE hash = $1")
                .bind(id::sha256_hex(replaced.as_bytes()))
                .execute(&mut *tx)
                .await?;
        }
        let session = Session {
            id: id::new(Kind::Session),
            account_id: account.id,
            address: storable(address),
            user_agent: storable(user_agent).chars().take(LONGEST_AGENT).collect(),
            created_at: now,
            last_used_at: now,
        };
        sqlx::query(
            "INSERT INTO session (id, account_id, hash, address, user_agent, created_at, last_used_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $6)",
        )
        .bind(session.id.clone())
        .bind(session.account_id.clone())
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(session.address.clone())
        .bind(session.user_agent.clone())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(NewSession { session, secret })
    }

    /// The session with this secret and its account, unless it is unknown or has expired.
    pub async fn session(&self, secret: &str) -> Result<Option<SignedIn>> {
        let now = self.now().0;
        let row = sqlx::query(select_account!(
            "session.id AS session_id, session.address, session.user_agent, \
             session.created_at AS session_created_at, session.last_used_at, ",
            "FROM session JOIN account ON account.id = session.account_id \
             WHERE session.hash = $1 AND session.last_used_at > $2 AND session.created_at > $3"
        ))
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(now - IDLE)
        .bind(now - LIFE)
        .fetch_optional(self.reads())
        .await?;
        row.map(|row| Ok(SignedIn { account: read_account(&row)?, session: read_session(&row)? })).transpose()
    }

    /// Active sessions, last used first.
    pub async fn sessions(&self, account_id: &str) -> Result<Vec<Session>> {
        let now = self.now().0;
        let rows = sqlx::query(
            "SELECT id AS session_id, account_id, address, user_agent, created_at AS session_created_at, last_used_at \
             FROM session WHERE account_id = $1 AND last_used_at > $2 AND created_at > $3 \
             ORDER BY last_used_at DESC, id DESC",
        )
        .bind(storable(account_id))
        .bind(now - IDLE)
        .bind(now - LIFE)
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(read_session).collect()
    }

    /// Ends a session of the account. Returns false if there is no such session.
    pub async fn end_session(&self, account_id: &str, session_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let ended = sqlx::query("DELETE FROM session WHERE id = $1 AND account_id = $2")
            .bind(storable(session_id))
            .bind(storable(account_id))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(ended.rows_affected() > 0)
    }

    /// Deletes expired sessions and password resets. Returns how many.
    pub async fn purge_sessions(&self) -> Result<u64> {
        let now = self.now().0;
        let mut tx = self.write().await?;
        let sessions = sqlx::query("DELETE FROM session WHERE last_used_at <= $1 OR created_at <= $2")
            .bind(now - IDLE)
            .bind(now - LIFE)
            .execute(&mut *tx)
            .await?;
        let resets = sqlx::query("DELETE FROM password_reset WHERE expires_at <= $1")
            .bind(now)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(sessions.rows_affected() + resets.rows_affected())
    }
}
