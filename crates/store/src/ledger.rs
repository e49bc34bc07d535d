//! The ledger: every movement of a balance is one row, and their sum is the balance.
//!
//! A render's credits are held when it is created and settled or released once, and so are those for AI work outside of
//! renders: the primary key (`ref`, `step`) allows one row of each step.

use sqlx::AnyConnection;

use crate::row::Columns;
use crate::{AiUsed, Credits, Result, Store, StoreError, Time, usage};

pub(crate) struct Movement<'a> {
    pub account_id: &'a str,
    pub reference: &'a str,
    pub step: &'a str,
    pub kind: &'static str,
    pub amount: Credits,
}

/// An account or a render that does not match the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub subject: String,
    pub expected: Credits,
    pub found: Credits,
}

/// Changes the balance and writes the ledger row. Fails if the balance would become negative.
pub(crate) async fn move_balance(tx: &mut AnyConnection, movement: Movement<'_>, now: Time) -> Result<()> {
    change_balance(tx, movement.account_id, movement.amount).await?;
    let written = sqlx::query(
        "INSERT INTO ledger (ref, step, account_id, kind, amount, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (ref, step) DO NOTHING",
    )
    .bind(movement.reference.to_owned())
    .bind(movement.step.to_owned())
    .bind(movement.account_id.to_owned())
    .bind(movement.kind)
    .bind(movement.amount.thousandths())
    .bind(now.0)
    .execute(tx)
    .await?;
    if written.rows_affected() == 0 {
        return Err(StoreError::AlreadyCharged { reference: movement.reference.to_owned() });
    }
    Ok(())
}

async fn change_balance(tx: &mut AnyConnection, account_id: &str, amount: Credits) -> Result<()> {
    let moved = sqlx::query("UPDATE account SET balance = balance + $2 WHERE id = $1 AND balance + $2 >= 0")
        .bind(account_id.to_owned())
        .bind(amount.thousandths())
        .execute(&mut *tx)
        .await?;
    if moved.rows_affected() > 0 {
        return Ok(());
    }
    let row = sqlx::query("SELECT balance FROM account WHERE id = $1")
        .bind(account_id.to_owned())
        .fetch_optional(tx)
        .await?
        .ok_or_else(|| StoreError::not_found("account", account_id))?;
    Err(StoreError::InsufficientCredits { needed: -amount, available: row.credits("balance")? })
}

/// Holds the credits of a new render.
pub(crate) async fn hold(
    tx: &mut AnyConnection,
    account_id: &str,
    render_id: &str,
    amount: Credits,
    now: Time,
) -> Result<()> {
    let movement = Movement { account_id, reference: render_id, step: "open", kind: "hold", amount: -amount };
    move_balance(tx, movement, now).await
}

/// Takes the credits of many renders from the balance. Fails if it would become negative.
pub(crate) async fn take(tx: &mut AnyConnection, account_id: &str, amount: Credits) -> Result<()> {
    change_balance(tx, account_id, -amount).await
}

/// Writes the holds of the renders of a batch, whose credits were taken.
pub(crate) async fn note_holds(tx: &mut AnyConnection, batch_id: &str, now: Time) -> Result<()> {
    sqlx::query(
        "INSERT INTO ledger (ref, step, account_id, kind, amount, created_at) \
         SELECT id, 'open', account_id, 'hold', -credits, $2 FROM render WHERE batch_id = $1",
    )
    .bind(batch_id.to_owned())
    .bind(now.0)
    .execute(tx)
    .await?;
    Ok(())
}

/// Closes a hold: settles `used` and returns the rest. If nothing was used, the hold is released.
pub(crate) async fn close(
    tx: &mut AnyConnection,
    account_id: &str,
    render_id: &str,
    held: Credits,
    used: Credits,
    now: Time,
) -> Result<()> {
    let kind = if used == Credits::ZERO { "release" } else { "settle" };
    let movement = Movement { account_id, reference: render_id, step: "close", kind, amount: held - used };
    move_balance(tx, movement, now).await
}

/// Charges credits for AI usage and records the usage. A charge of zero writes no ledger row.
pub(crate) async fn charge(
    tx: &mut AnyConnection,
    account_id: &str,
    reference: &str,
    amount: Credits,
    used: &[AiUsed],
    now: Time,
) -> Result<()> {
    if amount != Credits::ZERO {
        let movement = Movement { account_id, reference, step: "charge", kind: "charge", amount: -amount };
        move_balance(tx, movement, now).await?;
    }
    usage::note(tx, account_id, used, now).await
}

impl Store {
    /// Checks balances and the credits of renders against the ledger. Returns every mismatch.
    pub async fn audit(&self) -> Result<Vec<Mismatch>> {
        // One transaction, so that both queries see the same snapshot.
        let mut tx = self.write().await?;
        if self.dialect() == crate::database::Dialect::Postgres {
            sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").execute(&mut *tx).await?;
        }
        let accounts = sqlx::query(
            "SELECT account.id AS subject, account.balance AS expected, \
             CAST(COALESCE(SUM(ledger.amount), 0) AS BIGINT) AS found \
             FROM account LEFT JOIN ledger ON ledger.account_id = account.id \
             GROUP BY account.id, account.balance \
             HAVING account.balance <> COALESCE(SUM(ledger.amount), 0) ORDER BY account.id",
        )
        .fetch_all(&mut *tx)
        .await?;
        let renders = sqlx::query(
            "SELECT render.id AS subject, render.credits AS expected, \
             CAST(COALESCE(-SUM(ledger.amount), 0) AS BIGINT) AS found \
             FROM render LEFT JOIN ledger ON ledger.ref = render.id \
             GROUP BY render.id, render.credits \
             HAVING render.credits <> COALESCE(-SUM(ledger.amount), 0) ORDER BY render.id",
        )
        .fetch_all(&mut *tx)
        .await?;
        accounts
            .iter()
            .chain(&renders)
            .map(|row| {
                Ok(Mismatch {
                    subject: row.text("subject")?,
                    expected: row.credits("expected")?,
                    found: row.credits("found")?,
                })
            })
            .collect()
    }
}
