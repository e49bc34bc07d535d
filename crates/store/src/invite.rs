//! Sign-up and invitations.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::time::DAY_MS;
use crate::{Account, Credits, NewAccount, Plan, Result, Store, StoreError, Time};

const SECRET_LENGTH: usize = 32;
const LIFE: i64 = 7 * DAY_MS;

#[derive(Clone, Debug)]
pub struct Invite {
    pub id: String,
    /// The email it is restricted to, if any.
    pub email: Option<String>,
    pub created_at: Time,
    pub expires_at: Time,
    /// The email of the account it was used for.
    pub used_by: Option<String>,
    pub start: Start,
}

/// What a new account starts with. What is absent is as for everyone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    pub plan: Option<Plan>,
    pub credits: Option<Credits>,
}

impl Start {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            plan: row.text_or_none("plan")?.map(Plan::stored).transpose()?,
            credits: row.int_or_none("credits")?.map(Credits::from_thousandths),
        })
    }
}

/// A new invitation. Only its hash is stored, so this is the only time its secret is available.
#[derive(Clone, Debug)]
pub struct NewInvite {
    pub invite: Invite,
    pub secret: String,
}

/// How sign-up is authorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignUp<'a> {
    /// With the secret of an invitation, if the person has one: it says what the account starts with.
    Open(Option<&'a str>),
    Invited(&'a str),
    /// Only the first account of the database can be created.
    Closed,
}

impl Store {
    /// Creates an account for a person who signs up. The first account of a database is always allowed.
    pub async fn sign_up(&self, mut new: NewAccount<'_>, by: SignUp<'_>) -> Result<Account> {
        let mut tx = self.write().await?;
        let invite = match by {
            _ if self.is_first(&mut tx).await? => None,
            SignUp::Open(None) => None,
            SignUp::Open(Some(secret)) => match self.redeem(&mut tx, secret, new.email).await {
                Err(StoreError::NotInvited) => None,
                redeemed => Some(redeemed?),
            },
            SignUp::Closed => return Err(StoreError::NotInvited),
            SignUp::Invited(secret) => Some(self.redeem(&mut tx, secret, new.email).await?),
        };
        if let Some((_, start)) = &invite {
            new.plan = start.plan.unwrap_or(new.plan);
            new.credits = start.credits.unwrap_or(new.credits);
        }
        let account = self.insert_account(&mut tx, &new).await?;
        if let Some((invite, _)) = invite {
            sqlx::query("UPDATE invite SET used_by = $2 WHERE id = $1")
                .bind(invite)
                .bind(account.id.clone())
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(account)
    }

    /// The id of the invitation and what it gives, if it is valid for this email.
    async fn redeem(&self, tx: &mut AnyConnection, secret: &str, email: &str) -> Result<(String, Start)> {
        let row = sqlx::query(
            "SELECT id, email, plan, credits FROM invite WHERE hash = $1 AND expires_at > $2 AND used_by IS NULL",
        )
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(self.now().0)
        .fetch_optional(tx)
        .await?
        .ok_or(StoreError::NotInvited)?;
        match row.text_or_none("email")? {
            Some(meant) if meant.to_lowercase() != email.trim().to_lowercase() => Err(StoreError::NotInvited),
            _ => Ok((row.text("id")?, Start::read(&row)?)),
        }
    }

    pub async fn create_invite(
        &self,
        operator_id: &str,
        email: Option<&str>,
        start: Start,
    ) -> Result<NewInvite> {
        let secret = id::secret(SECRET_LENGTH);
        let now = self.now();
        let invite = Invite {
            id: id::new(Kind::Invite),
            email: email.map(|email| storable(email.trim())),
            created_at: now,
            expires_at: Time(now.0 + LIFE),
            used_by: None,
            start,
        };
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO invite (id, hash, email, created_by, created_at, expires_at, plan, credits) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(invite.id.clone())
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(invite.email.clone())
        .bind(storable(operator_id))
        .bind(now.0)
        .bind(invite.expires_at.0)
        .bind(start.plan.map(Plan::as_str))
        .bind(start.credits.map(Credits::thousandths))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(NewInvite { invite, secret })
    }

    /// Newest first, including used and expired ones until they are purged.
    pub async fn invites(&self) -> Result<Vec<Invite>> {
        let rows = sqlx::query(
            "SELECT invite.id, invite.email, invite.created_at, invite.expires_at, account.email AS used_by, \
             invite.plan, invite.credits FROM invite LEFT JOIN account ON account.id = invite.used_by ORDER BY invite.id DESC",
        )
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(read_invite).collect()
    }

    /// Returns false if there is no such invitation.
    pub async fn delete_invite(&self, invite_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query("DELETE FROM invite WHERE id = $1")
            .bind(storable(invite_id))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Deletes invitations that expired a month ago. Returns how many.
    pub async fn purge_invites(&self) -> Result<u64> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query("DELETE FROM invite WHERE expires_at < $1")
            .bind(self.now().0 - 30 * DAY_MS)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(deleted.rows_affected())
    }
}

fn read_invite(row: &AnyRow) -> Result<Invite> {
    Ok(Invite {
        id: row.text("id")?,
        email: row.text_or_none("email")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        used_by: row.text_or_none("used_by")?,
        start: Start::read(row)?,
    })
}
