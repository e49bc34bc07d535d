//! Password hashes, and one-time secrets for resetting a password.

use sqlx::AnyConnection;

use crate::account::{Account, read_account, select_account};
use crate::row::Columns;
use crate::session::end_all;
use crate::{Result, Store, StoreError, id};

const SECRET_LENGTH: usize = 43;
/// A password reset expires after an hour.
const RESET_LIFE: i64 = 3_600_000;

/// What else ends with a password, beside sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Revoke {
    pub keys: bool,
    /// The access that was given to apps.
    pub apps: bool,
}

impl Store {
    /// Sets the password hash and ends every session of the account except `kept`, unused links to reset the password,
    /// and what `revoke` names.
    pub async fn set_password_hash(
        &self,
        account_id: &str,
        password_hash: Option<&str>,
        kept: Option<&str>,
        revoke: Revoke,
    ) -> Result<()> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        sqlx::query("UPDATE account SET password_hash = $2 WHERE id = $1")
            .bind(account.id.clone())
            .bind(password_hash.map(str::to_owned))
            .execute(&mut *tx)
            .await?;
        self.end_credentials(&mut tx, &account.id, kept, revoke).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn end_credentials(
        &self,
        tx: &mut AnyConnection,
        account_id: &str,
        kept: Option<&str>,
        revoke: Revoke,
    ) -> Result<()> {
        end_all(tx, account_id, kept).await?;
        sqlx::query("DELETE FROM password_reset WHERE account_id = $1")
            .bind(account_id.to_owned())
            .execute(&mut *tx)
            .await?;
        for (is_wanted, sql) in [
            (revoke.keys, "UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL"),
            (
                revoke.apps,
                "UPDATE oauth_grant SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL",
            ),
        ] {
            if is_wanted {
                sqlx::query(sql).bind(account_id.to_owned()).bind(self.now().0).execute(&mut *tx).await?;
            }
        }
        Ok(())
    }

    /// Creates a reset secret, valid once and for an hour. Earlier ones become invalid.
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

    /// Sets the password of the reset secret's account and ends its sessions and what `revoke` names. The secret
    /// becomes invalid.
    pub async fn reset_password(&self, secret: &str, password_hash: &str, revoke: Revoke) -> Result<Account> {
        let mut tx = self.write().await?;
        let hash = id::sha256_hex(secret.as_bytes());
        let unknown = || StoreError::not_found("password reset", "unknown or expired link");
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
        self.end_credentials(&mut tx, &account.id, None, revoke).await?;
        let row = sqlx::query(select_account!("", "FROM account WHERE id = $1"))
            .bind(account.id)
            .fetch_one(&mut *tx)
            .await?;
        let account = read_account(&row)?;
        tx.commit().await?;
        Ok(account)
    }
}
