//! Credits held for AI work outside of renders: taken before a provider is called, then charged or released once.
//!
//! A hold belongs to the process that does the work, under a lease that the process renews. The holds of a process that
//! ended are released by another one.

use std::time::Duration;

use sqlx::AnyConnection;

use crate::id::{self, Kind};
use crate::ledger::{self, Movement};
use crate::row::Columns;
use crate::{AiUsed, Credits, Kept, Result, Store, StoreError, Time};

/// How long a hold lasts without renewal.
pub const AI_HOLD_LEASE: Duration = Duration::from_secs(120);

/// Credits held for AI work. A hold of nothing has no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AiHold {
    reference: String,
    account_id: String,
    amount: Credits,
}

impl AiHold {
    pub fn amount(&self) -> Credits {
        self.amount
    }
}

impl Store {
    /// Holds credits for AI work.
    pub async fn hold_ai(&self, account_id: &str, amount: Credits) -> Result<AiHold> {
        let reference = id::new(Kind::Charge);
        let mut hold = AiHold { reference, account_id: account_id.to_owned(), amount: Credits::ZERO };
        self.raise_ai(&mut hold, amount).await?;
        Ok(hold)
    }

    /// Raises a hold to `amount`, if it is less.
    pub async fn raise_ai(&self, hold: &mut AiHold, amount: Credits) -> Result<()> {
        if amount <= hold.amount {
            return Ok(());
        }
        let now = self.now();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &hold.account_id).await?;
        let revision = id::new(Kind::Revision);
        let step = if hold.amount == Credits::ZERO {
            sqlx::query(
                "INSERT INTO ai_hold (ref, account_id, amount, owner, lease_until) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(hold.reference.clone())
            .bind(account.id.clone())
            .bind(amount.thousandths())
            .bind(self.process().token().to_owned())
            .bind(now.plus(AI_HOLD_LEASE).0)
            .execute(&mut *tx)
            .await?;
            "open"
        } else {
            let raised = sqlx::query("UPDATE ai_hold SET amount = $2 WHERE ref = $1")
                .bind(hold.reference.clone())
                .bind(amount.thousandths())
                .execute(&mut *tx)
                .await?;
            if raised.rows_affected() == 0 {
                return Err(StoreError::LostHold);
            }
            &revision
        };
        let movement = Movement {
            account_id: &account.id,
            reference: &hold.reference,
            step,
            kind: "hold",
            amount: hold.amount - amount,
        };
        ledger::move_balance(&mut tx, movement, now).await?;
        tx.commit().await?;
        hold.amount = amount;
        Ok(())
    }

    /// Releases a hold and charges `amount` for AI usage, in one transaction with the response of an idempotent
    /// request.
    pub async fn settle_ai(
        &self,
        hold: &AiHold,
        amount: Credits,
        used: &[AiUsed],
        kept: Option<Kept<'_>>,
    ) -> Result<()> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &hold.account_id).await?;
        charge(&mut tx, hold, amount, used, self.now()).await?;
        if let Some(kept) = kept {
            kept.finish(self, &mut tx, &account.id).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Returns the credits of a hold that is still open.
    pub async fn release_ai(&self, hold: &AiHold) -> Result<()> {
        let mut tx = self.write().await?;
        self.lock_account(&mut tx, &hold.account_id).await?;
        close(&mut tx, hold, self.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Renews the holds of this process, and releases those of processes that ended or stopped renewing. Returns how
    /// many were released.
    pub async fn tend_ai_holds(&self) -> Result<u64> {
        let now = self.now();
        let own = self.process().token();
        let holds = sqlx::query("SELECT ref, account_id, amount, owner, lease_until FROM ai_hold")
            .fetch_all(self.reads())
            .await?;
        let mut released = 0;
        let mut is_owner = false;
        for row in holds {
            let owner = row.text("owner")?;
            if owner == own {
                is_owner = true;
                continue;
            }
            if row.time("lease_until")? >= now && !self.process().is_gone(&owner) {
                continue;
            }
            let hold = AiHold {
                reference: row.text("ref")?,
                account_id: row.text("account_id")?,
                amount: row.credits("amount")?,
            };
            self.release_ai(&hold).await?;
            tracing::warn!(reference = hold.reference, "released the credits of interrupted AI work");
            released += 1;
        }
        if is_owner {
            let mut tx = self.write().await?;
            sqlx::query("UPDATE ai_hold SET lease_until = $2 WHERE owner = $1")
                .bind(own.to_owned())
                .bind(now.plus(AI_HOLD_LEASE).0)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Ok(released)
    }
}

/// Releases a hold and charges for AI usage. The caller holds the account's lock.
pub(crate) async fn charge(
    tx: &mut AnyConnection,
    hold: &AiHold,
    amount: Credits,
    used: &[AiUsed],
    now: Time,
) -> Result<()> {
    if !close(&mut *tx, hold, now).await? && hold.amount != Credits::ZERO {
        return Err(StoreError::LostHold);
    }
    ledger::charge(tx, &hold.account_id, &hold.reference, amount, used, now).await
}

/// Closes a hold, if it is still open.
async fn close(tx: &mut AnyConnection, hold: &AiHold, now: Time) -> Result<bool> {
    let row = sqlx::query("DELETE FROM ai_hold WHERE ref = $1 RETURNING amount")
        .bind(hold.reference.clone())
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(false) };
    let movement = Movement {
        account_id: &hold.account_id,
        reference: &hold.reference,
        step: "close",
        kind: "release",
        amount: row.credits("amount")?,
    };
    ledger::move_balance(tx, movement, now).await?;
    Ok(true)
}
