//! Bytes kept for an account: finished uploads, outputs, narrations and projects, counted in the database.

use sqlx::AnyConnection;

use crate::account::LockedAccount;
use crate::row::{Columns, storable};
use crate::{Result, Store, StoreError};

/// A sum over indexes.
const KEPT: &str = "SELECT CAST(COALESCE((SELECT SUM(size) FROM upload WHERE account_id = $1), 0) \
     + COALESCE((SELECT SUM(output_size + also_size) FROM render WHERE account_id = $1 AND output_file IS NOT NULL), 0) \
     + COALESCE((SELECT SUM(size) FROM voiceover WHERE account_id = $1), 0) \
     + COALESCE((SELECT SUM(size) FROM project WHERE account_id = $1), 0) \
     + COALESCE((SELECT SUM(size) FROM project_version WHERE account_id = $1), 0) AS BIGINT) AS kept";

impl Store {
    /// Bytes kept for an account.
    pub async fn kept_bytes(&self, account_id: &str) -> Result<u64> {
        let row = sqlx::query(KEPT).bind(storable(account_id)).fetch_one(self.reads()).await?;
        Ok(row.int("kept")?.unsigned_abs())
    }

    /// Fails if `more` bytes exceed what the account's plan allows. The caller holds the account's lock.
    pub(crate) async fn require_storage(
        &self,
        tx: &mut AnyConnection,
        account: &LockedAccount,
        more: u64,
    ) -> Result<()> {
        let Some(allowed) = self.storage_limits().of(account.plan) else { return Ok(()) };
        let row = sqlx::query(KEPT).bind(account.id.clone()).fetch_one(tx).await?;
        let used = row.int("kept")?.unsigned_abs();
        if used.saturating_add(more) > allowed {
            return Err(StoreError::StorageQuota { used, allowed });
        }
        Ok(())
    }

    /// Bytes kept for an account, and those that its plan allows.
    pub async fn storage_use(&self, account_id: &str) -> Result<(u64, Option<u64>)> {
        let account =
            self.account(account_id).await?.ok_or_else(|| StoreError::not_found("account", account_id))?;
        Ok((self.kept_bytes(account_id).await?, self.storage_limits().of(account.plan)))
    }

    /// Fails if the account already keeps as much as its plan allows.
    pub async fn check_storage(&self, account_id: &str) -> Result<()> {
        match self.storage_use(account_id).await? {
            (used, Some(allowed)) if used >= allowed => Err(StoreError::StorageQuota { used, allowed }),
            _ => Ok(()),
        }
    }
}
