//! Sessions of people who signed in: a secret in a cookie, kept as SHA-256, that ends when it is not used for a while,
//! and after a month in any case.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::{Account, read_account, select_account};
use crate::id::{self, Kind};
use crate::row::{Columns, plain};
use crate::time::DAY_MS;
use crate::{Result, Store, StoreError, Time};

const SECRET_LENGTH: usize = 43;
/// A session not used for so long has ended.
const IDLE: i64 = 7 * DAY_MS;
/// Longest life of a session.
const LIFE: i64 = 30 * DAY_MS;
/// A link to set a new password works for an hour.
const RESET_LIFE: i64 = 3_600_000;
/// Longest description of a browser that is kept.
const LONGEST_AGENT: usize = 300;

#[derive(Clone, Debug)]
pub struct Session {
    pub id: String,
    pub account_id: String,
    /// Where the person signed in from.
    pub address: String,
    pub user_agent: String,
    pub created_at: Time,
    pub last_used_at: Time,
}

/// A session just begun: the only time its secret is known.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub session: Session,
    pub secret: String,
}

/// Whose session it is.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub account: Account,
    pub session: Session,
}

impl Session {
    /// Seconds a cookie for a new session is worth keeping.
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

/// Ends every session of an account but `kept`.
pub(crate) async fn end_all(tx: &mut AnyConnection, account_id: &str, kept: Option<&str>) -> Result<()> {
    sqlx::query("DELETE FROM session WHERE account_id = $1 AND id <> $2")
        .bind(account_id.to_owned())
        .bind(kept.unwrap_or_default().to_owned())
        .execute(tx)
        .await?;
    Ok(())
}

impl Store {
    /// Begins a session under a new secret; the one named `replaced` ends, whoever's it was.
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
            address: plain(address),
            user_agent: plain(user_agent).chars().take(LONGEST_AGENT).collect(),
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

    /// The session a secret belongs to, unless it is unknown or has ended.
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

    /// Those that have not ended, the last used first.
    pub async fn sessions(&self, account_id: &str) -> Result<Vec<Session>> {
        let now = self.now().0;
        let rows = sqlx::query(
            "SELECT id AS session_id, account_id, address, user_agent, created_at AS session_created_at, last_used_at \
             FROM session WHERE account_id = $1 AND last_used_at > $2 AND created_at > $3 \
             ORDER BY last_used_at DESC, id DESC",
        )
        .bind(plain(account_id))
        .bind(now - IDLE)
        .bind(now - LIFE)
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(read_session).collect()
    }

    /// Ends a session of the account; false when there is none.
    pub async fn end_session(&self, account_id: &str, session_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let ended = sqlx::query("DELETE FROM session WHERE id = $1 AND account_id = $2")
            .bind(plain(session_id))
            .bind(plain(account_id))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(ended.rows_affected() > 0)
    }

    /// Makes a secret with which the account's password can be set once, within the hour. Earlier ones are void.
    pub async fn create_password_reset(&self, account_id: &str) -> Result<String> {
        let secret = id::secret(SECRET_LENGTH);
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        sqlx::query("DELETE FROM password_reset WHERE account_id = $1")
            .bind(account.id.clone())
            .execute(&mut *tx)
            .await?;
        sqlx::query("INSERT INTO password_reset (hash, account_id, expires_at) VALUES ($1, $2, $3)")
            .bind(id::sha256_hex(secret.as_bytes()))
            .bind(account.id)
            .bind(self.now().0 + RESET_LIFE)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(secret)
    }

    /// Sets the password of the account a reset secret was made for, and ends its sessions. The secret is used up.
    pub async fn reset_password(&self, secret: &str, password_hash: &str) -> Result<Account> {
        let mut tx = self.write().await?;
        let hash = id::sha256_hex(secret.as_bytes());
        let unknown = || StoreError::not_found("password reset", "of this link");
        let row = sqlx::query("SELECT account_id FROM password_reset WHERE hash = $1 AND expires_at > $2")
            .bind(hash.clone())
            .bind(self.now().0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(unknown)?;
        let account = self.lock_account(&mut tx, &row.text("account_id")?).await?;
        let used =
            sqlx::query("DELETE FROM password_reset WHERE hash = $1").bind(hash).execute(&mut *tx).await?;
        if used.rows_affected() == 0 {
            return Err(unknown());
        }
        sqlx::query("UPDATE account SET password_hash = $2 WHERE id = $1")
            .bind(account.id.clone())
            .bind(password_hash.to_owned())
            .execute(&mut *tx)
            .await?;
        end_all(&mut tx, &account.id, None).await?;
        let row = sqlx::query(select_account!("", "FROM account WHERE id = $1"))
            .bind(account.id)
            .fetch_one(&mut *tx)
            .await?;
        let account = read_account(&row)?;
        tx.commit().await?;
        Ok(account)
    }

    /// Deletes sessions and reset secrets that have ended. Returns how many.
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
