//! Accounts and their credit transactions.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::{Dialect, locking};
use crate::id::{self, Kind};
use crate::ledger::{self, Movement};
use crate::row::{Columns, known, storable, text_enum};
use crate::{Credits, Plan, Result, Store, StoreError, Time, turn};

text_enum!(TransactionType, "a transaction type", {
    CreditPurchase = "CREDIT_PURCHASE",
    Subscription = "SUBSCRIPTION",
    AdditionalCredits = "ADDITIONAL_CREDITS",
});
text_enum!(TransactionStatus, "a transaction status", {
    Pending = "PENDING",
    Completed = "COMPLETED",
    Failed = "FAILED",
    Refunded = "REFUNDED",
});

#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub email: String,
    pub name: String,
    pub plan: Plan,
    /// The available balance, without held credits.
    pub credits: Credits,
    pub password_hash: Option<String>,
    /// Operators manage all accounts.
    pub is_operator: bool,
    /// When an operator suspended it: it cannot be used, and its queued renders do not start.
    pub suspended_at: Option<Time>,
    pub created_at: Time,
}

#[derive(Clone, Debug)]
pub struct NewAccount<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub plan: Plan,
    pub credits: Credits,
    pub password_hash: Option<&'a str>,
    /// The first account of a database is always an operator.
    pub is_operator: bool,
}

#[derive(Clone, Debug)]
pub struct Transaction {
    pub id: String,
    pub kind: TransactionType,
    pub status: TransactionStatus,
    pub credits: Credits,
    pub amount_in_cents: i64,
    pub currency: String,
    pub created_at: Time,
}

pub(crate) fn read_account(row: &AnyRow) -> Result<Account> {
    Ok(Account {
        id: row.text("account_id")?,
        email: row.text("email")?,
        name: row.text("name")?,
        plan: Plan::stored(row.text("plan")?)?,
        credits: row.credits("balance")?,
        password_hash: row.text_or_none("password_hash")?,
        is_operator: row.flag("is_operator")?,
        suspended_at: row.time_or_none("suspended_at")?,
        created_at: row.time("account_created_at")?,
    })
}

/// A query for accounts. `$before` lists further columns and ends with a comma, or is empty.
macro_rules! select_account {
    ($before:literal, $after:literal) => {
        concat!(
            "SELECT ",
            $before,
            "account.id AS account_id, account.email, account.name, account.plan, account.balance, \
             account.password_hash, account.is_operator, account.suspended_at, account.created_at AS account_created_at ",
            $after
        )
    };
}
pub(crate) use select_account;

/// An account whose row stays locked until the transaction ends.
pub(crate) struct LockedAccount {
    pub id: String,
    pub plan: Plan,
}

impl Store {
    /// Fails if the email is taken. Emails are compared without case.
    pub async fn create_account(&self, new: NewAccount<'_>) -> Result<Account> {
        let mut tx = self.write().await?;
        let account = self.insert_account(&mut tx, &new).await?;
        tx.commit().await?;
        Ok(account)
    }

    /// Whether there is no account yet. Until the transaction ends, no other transaction can create the first one.
    pub(crate) async fn is_first(&self, tx: &mut AnyConnection) -> Result<bool> {
        if self.dialect() == Dialect::Postgres {
            sqlx::query("SELECT pg_advisory_xact_lock(7262150)").execute(&mut *tx).await?;
        }
        Ok(sqlx::query("SELECT id FROM account LIMIT 1").fetch_optional(tx).await?.is_none())
    }

    pub(crate) async fn insert_account(
        &self,
        tx: &mut AnyConnection,
        new: &NewAccount<'_>,
    ) -> Result<Account> {
        let now = self.now();
        let is_operator = self.is_first(tx).await? || new.is_operator;
        let account_id = id::new(Kind::Account);
        let email = storable(new.email.trim());
        let inserted = sqlx::query(
            "INSERT INTO account (id, email, email_key, name, plan, balance, password_hash, is_operator, created_at) \
             VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8) ON CONFLICT (email_key) DO NOTHING",
        )
        .bind(account_id.clone())
        .bind(email.clone())
        .bind(email.to_lowercase())
        .bind(storable(new.name.trim()))
        .bind(new.plan.as_str())
        .bind(new.password_hash.map(str::to_owned))
        .bind(i64::from(is_operator))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        if inserted.rows_affected() == 0 {
            return Err(StoreError::EmailTaken { email });
        }
        if new.credits > Credits::ZERO {
            credit(tx, &account_id, new.credits, TransactionType::AdditionalCredits, now).await?;
        }
        let row = sqlx::query(select_account!("", "FROM account WHERE id = $1"))
            .bind(account_id)
            .fetch_one(tx)
            .await?;
        read_account(&row)
    }

    pub async fn account(&self, account_id: &str) -> Result<Option<Account>> {
        let row = sqlx::query(select_account!("", "FROM account WHERE id = $1"))
            .bind(storable(account_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_account).transpose()
    }

    /// Ignores case and surrounding white space.
    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>> {
        let row = sqlx::query(select_account!("", "FROM account WHERE email_key = $1"))
            .bind(storable(email.trim()).to_lowercase())
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_account).transpose()
    }

    /// Oldest first.
    pub async fn accounts(&self) -> Result<Vec<Account>> {
        let rows =
            sqlx::query(select_account!("", "FROM account ORDER BY id")).fetch_all(self.reads()).await?;
        known(rows.iter().map(read_account))
    }

    /// Changes the plan and starts waiting renders that the new plan allows.
    pub async fn set_plan(&self, account_id: &str, plan: Plan) -> Result<()> {
        let mut tx = self.write().await?;
        let mut account = self.lock_account(&mut tx, account_id).await?;
        sqlx::query("UPDATE account SET plan = $2 WHERE id = $1")
            .bind(account.id.clone())
            .bind(plan.as_str())
            .execute(&mut *tx)
            .await?;
        account.plan = plan;
        self.admit(&mut tx, &account).await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn rename_account(&self, account_id: &str, name: &str) -> Result<()> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        sqlx::query("UPDATE account SET name = $2 WHERE id = $1")
            .bind(account.id)
            .bind(storable(name.trim()))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Grants or removes the operator role. The last operator cannot be removed.
    pub async fn set_operator(&self, account_id: &str, is_operator: bool) -> Result<()> {
        let mut tx = self.write().await?;
        // Takes the lock that serializes changes of operators.
        self.is_first(&mut tx).await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let others = sqlx::query(
            "SELECT id FROM account WHERE is_operator = 1 AND suspended_at IS NULL AND id <> $1 LIMIT 1",
        )
        .bind(account.id.clone())
        .fetch_optional(&mut *tx)
        .await?;
        if !is_operator && others.is_none() {
            return Err(StoreError::LastOperator);
        }
        sqlx::query("UPDATE account SET is_operator = $2 WHERE id = $1")
            .bind(account.id)
            .bind(i64::from(is_operator))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Suspends an account, or resumes it. The last operator cannot be suspended.
    pub async fn set_suspended(&self, account_id: &str, is_suspended: bool) -> Result<()> {
        let mut tx = self.write().await?;
        // Takes the lock that serializes changes of operators.
        self.is_first(&mut tx).await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let operators = sqlx::query("SELECT id FROM account WHERE is_operator = 1 AND suspended_at IS NULL")
            .fetch_all(&mut *tx)
            .await?;
        let is_last = matches!(operators.as_slice(), [only] if only.text("id")? == account.id);
        if is_suspended && is_last {
            return Err(StoreError::LastOperator);
        }
        sqlx::query("UPDATE account SET suspended_at = $2 WHERE id = $1")
            .bind(account.id.clone())
            .bind(is_suspended.then_some(self.now().0))
            .execute(&mut *tx)
            .await?;
        if !is_suspended {
            turn::mark(&mut *tx, &account.id).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Adds credits, or subtracts them if negative, with a transaction record. The balance never becomes negative.
    pub async fn add_credits(
        &self,
        account_id: &str,
        credits: Credits,
        kind: TransactionType,
    ) -> Result<Transaction> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let transaction = credit(&mut tx, &account.id, credits, kind, self.now()).await?;
        tx.commit().await?;
        Ok(transaction)
    }

    /// Newest first.
    pub async fn transactions(&self, account_id: &str) -> Result<Vec<Transaction>> {
        let rows = sqlx::query(
            "SELECT id, type, status, credits, amount_in_cents, currency, created_at \
             FROM credit_transaction WHERE account_id = $1 ORDER BY id DESC",
        )
        .bind(storable(account_id))
        .fetch_all(self.reads())
        .await?;
        known(rows.iter().map(|row| {
            Ok(Transaction {
                id: row.text("id")?,
                kind: TransactionType::stored(row.text("type")?)?,
                status: TransactionStatus::stored(row.text("status")?)?,
                credits: row.credits("credits")?,
                amount_in_cents: row.int("amount_in_cents")?,
                currency: row.text("currency")?,
                created_at: row.time("created_at")?,
            })
        }))
    }

    /// Locks the account's row. Every decision that depends on other rows of the account takes this lock first.
    pub(crate) async fn lock_account(
        &self,
        tx: &mut AnyConnection,
        account_id: &str,
    ) -> Result<LockedAccount> {
        let row =
            sqlx::query(locking!(self, "SELECT id, plan FROM account WHERE id = $1", "FOR NO KEY UPDATE"))
                .bind(storable(account_id))
                .fetch_optional(tx)
                .await?
                .ok_or_else(|| StoreError::not_found("account", account_id))?;
        Ok(LockedAccount { id: row.text("id")?, plan: Plan::stored(row.text("plan")?)? })
    }
}

async fn credit(
    tx: &mut AnyConnection,
    account_id: &str,
    credits: Credits,
    kind: TransactionType,
    now: Time,
) -> Result<Transaction> {
    let transaction = Transaction {
        id: id::new(Kind::Transaction),
        kind,
        status: TransactionStatus::Completed,
        credits,
        amount_in_cents: 0,
        currency: "usd".to_owned(),
        created_at: now,
    };
    sqlx::query(
        "INSERT INTO credit_transaction (id, account_id, type, status, credits, amount_in_cents, currency, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(transaction.id.clone())
    .bind(account_id.to_owned())
    .bind(kind.as_str())
    .bind(transaction.status.as_str())
    .bind(credits.thousandths())
    .bind(transaction.amount_in_cents)
    .bind(transaction.currency.clone())
    .bind(now.0)
    .execute(&mut *tx)
    .await?;
    let movement =
        Movement { account_id, reference: &transaction.id, step: "open", kind: "credit", amount: credits };
    ledger::move_balance(tx, movement, now).await?;
    Ok(transaction)
}
