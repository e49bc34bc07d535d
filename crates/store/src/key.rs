//! API keys: shown once, stored as SHA-256.

use sqlx::any::AnyRow;

use crate::account::{Account, read_account, select_account};
use crate::id::{self, Kind};
use crate::row::{Columns, known, storable, text_enum};
use crate::{Result, Store, StoreError, Time};

const SECRET_PREFIX: &str = "rnd_";
const SECRET_LENGTH: usize = 40;
/// Characters of the secret that are shown.
const SHOWN_LENGTH: usize = 8;

text_enum!(
    /// What a key can do.
    Access, "an access of keys", { Full = "full", Read = "read" });

text_enum!(
    /// What a key is for.
    KeyMode, "a mode of keys", { Live = "live", Test = "test" });

impl KeyMode {
    /// What its keys start with.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Live => SECRET_PREFIX,
            Self::Test => "rnd_test_",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Key {
    pub id: String,
    pub account_id: String,
    /// The first characters of the secret.
    pub prefix: String,
    /// The name its owner gave it.
    pub name: Option<String>,
    pub access: Access,
    pub mode: KeyMode,
    /// When it stops working, if ever.
    pub expires_at: Option<Time>,
    pub created_at: Time,
    pub last_used_at: Option<Time>,
    pub revoked_at: Option<Time>,
}

impl Key {
    pub fn has_expired(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// What a new key is called and can do.
#[derive(Clone, Copy, Debug)]
pub struct KeyOptions<'a> {
    pub name: Option<&'a str>,
    pub access: Access,
    pub mode: KeyMode,
    pub expires_at: Option<Time>,
}

/// A new key. Only its hash is stored, so this is the only time its secret is available.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub key: Key,
    pub secret: String,
}

/// A key and its account.
#[derive(Clone, Debug)]
pub struct Authenticated {
    pub account: Account,
    pub key: Key,
}

fn read_key(row: &AnyRow) -> Result<Key> {
    Ok(Key {
        id: row.text("key_id")?,
        account_id: row.text("account_id")?,
        prefix: row.text("prefix")?,
        name: row.text_or_none("key_name")?,
        access: Access::stored(row.text("access")?)?,
        mode: KeyMode::stored(row.text("key_mode")?)?,
        expires_at: row.time_or_none("key_expires_at")?,
        created_at: row.time("key_created_at")?,
        last_used_at: row.time_or_none("last_used_at")?,
        revoked_at: row.time_or_none("revoked_at")?,
    })
}

impl Store {
    /// Creates a key with full access that does not expire.
    pub async fn create_key(&self, account_id: &str, name: Option<&str>) -> Result<NewKey> {
        let options = KeyOptions { name, access: Access::Full, mode: KeyMode::Live, expires_at: None };
        self.create_limited_key(account_id, options).await
    }

    pub async fn create_limited_key(&self, account_id: &str, options: KeyOptions<'_>) -> Result<NewKey> {
        let prefix = options.mode.prefix();
        let secret = format!("{prefix}{}", id::secret(SECRET_LENGTH));
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let key = Key {
            id: id::new(Kind::Key),
            account_id: account.id,
            prefix: secret[..prefix.len() + SHOWN_LENGTH].to_owned(),
            name: options.name.map(|name| storable(name.trim())).filter(|name| !name.is_empty()),
            access: options.access,
            mode: options.mode,
            expires_at: options.expires_at,
            created_at: self.now(),
            last_used_at: None,
            revoked_at: None,
        };
        sqlx::query(
            "INSERT INTO api_key (id, account_id, prefix, name, hash, access, expires_at, created_at, mode) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(key.id.clone())
        .bind(key.account_id.clone())
        .bind(key.prefix.clone())
        .bind(key.name.clone())
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(key.access.as_str())
        .bind(key.expires_at.map(Time::millis))
        .bind(key.created_at.0)
        .bind(key.mode.as_str())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(NewKey { key, secret })
    }

    /// The key with this secret and its account, unless it is unknown or revoked. It may have expired, and the account may
    /// be suspended.
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Authenticated>> {
        if !secret.starts_with(SECRET_PREFIX) {
            return Ok(None);
        }
        let row = sqlx::query(select_account!(
            "api_key.id AS key_id, api_key.prefix, api_key.name AS key_name, api_key.created_at AS key_created_at, \
             api_key.access, api_key.mode AS key_mode, api_key.expires_at AS key_expires_at, api_key.last_used_at, api_key.revoked_at, ",
            "FROM api_key JOIN account ON account.id = api_key.account_id \
             WHERE api_key.hash = $1 AND api_key.revoked_at IS NULL"
        ))
        .bind(id::sha256_hex(secret.as_bytes()))
        .fetch_optional(self.reads())
        .await?;
        row.map(|row| Ok(Authenticated { account: read_account(&row)?, key: read_key(&row)? })).transpose()
    }

    /// Oldest first, including revoked ones.
    pub async fn keys(&self, account_id: &str) -> Result<Vec<Key>> {
        let rows = sqlx::query(
            "SELECT id AS key_id, account_id, prefix, name AS key_name, access, mode AS key_mode, \
             expires_at AS key_expires_at, created_at AS key_created_at, last_used_at, revoked_at FROM api_key WHERE account_id = $1 ORDER BY id",
        )
        .bind(storable(account_id))
        .fetch_all(self.reads())
        .await?;
        known(rows.iter().map(read_key))
    }

    /// Revokes the key with this prefix or id, of one account or of any.
    pub async fn revoke_key(&self, prefix_or_id: &str, account_id: Option<&str>) -> Result<Key> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "UPDATE api_key SET revoked_at = COALESCE(revoked_at, $3) \
             WHERE (prefix = $1 OR id = $1) AND ($2 IS NULL OR account_id = $2) \
             RETURNING id AS key_id, account_id, prefix, name AS key_name, access, mode AS key_mode, \
             expires_at AS key_expires_at, created_at AS key_created_at, last_used_at, revoked_at",
        )
        .bind(storable(prefix_or_id))
        .bind(account_id.map(storable))
        .bind(self.now().0)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::not_found("key", prefix_or_id))?;
        let key = read_key(&row)?;
        tx.commit().await?;
        Ok(key)
    }
}
