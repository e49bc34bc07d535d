//! OAuth access and refresh tokens: shown once, stored as SHA-256.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::{Account, read_account, select_account};
use crate::grant::Grant;
use crate::id::{self, Kind};
use crate::row::{Columns, text_enum};
use crate::time::DAY_MS;
use crate::{Result, Store, Time};

const ACCESS_PREFIX: &str = "rnt_";
const REFRESH_PREFIX: &str = "rnr_";
const SECRET_LENGTH: usize = 43;
const SHOWN_LENGTH: usize = 12;
const ACCESS_LIFE: i64 = 3_600_000;
const REFRESH_LIFE: i64 = 30 * DAY_MS;

text_enum!(TokenKind, "a kind of token", { Access = "access", Refresh = "refresh" });

#[derive(Clone, Debug)]
pub struct Token {
    pub id: String,
    pub kind: TokenKind,
    pub grant_id: String,
    pub client_id: String,
    /// The resource indicator: the URL the token is valid for.
    pub resource: String,
    pub scopes: String,
    /// The first twelve characters of the secret.
    pub prefix: String,
    pub created_at: Time,
    pub expires_at: Time,
    pub last_used_at: Option<Time>,
}

/// A token and its account.
#[derive(Clone, Debug)]
pub struct TokenHolder {
    pub account: Account,
    pub token: Token,
}

/// New tokens. Only their hashes are stored, so this is the only time their secrets are available.
#[derive(Clone, Debug)]
pub struct IssuedTokens {
    pub access: String,
    pub refresh: String,
    /// Lifetime of the access token in seconds.
    pub seconds: i64,
    pub grant: Grant,
}

/// Creates an access token and a refresh token.
pub(crate) async fn issue(tx: &mut AnyConnection, grant: Grant, now: Time) -> Result<IssuedTokens> {
    let access = format!("{ACCESS_PREFIX}{}", id::secret(SECRET_LENGTH));
    let refresh = format!("{REFRESH_PREFIX}{}", id::secret(SECRET_LENGTH));
    for (kind, secret, life) in
        [(TokenKind::Access, &access, ACCESS_LIFE), (TokenKind::Refresh, &refresh, REFRESH_LIFE)]
    {
        sqlx::query(
            "INSERT INTO oauth_token (id, grant_id, kind, prefix, hash, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id::new(Kind::Token))
        .bind(grant.id.clone())
        .bind(kind.as_str())
        .bind(secret[..SHOWN_LENGTH].to_owned())
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(now.0)
        .bind(now.0 + life)
        .execute(&mut *tx)
        .await?;
    }
    Ok(IssuedTokens { access, refresh, seconds: ACCESS_LIFE / 1000, grant })
}

fn read_token(row: &AnyRow) -> Result<Token> {
    Ok(Token {
        id: row.text("token_id")?,
        kind: TokenKind::stored(row.text("kind")?)?,
        grant_id: row.text("grant_id")?,
        client_id: row.text("client_id")?,
        resource: row.text("resource")?,
        scopes: row.text("scopes")?,
        prefix: row.text("prefix")?,
        created_at: row.time("token_created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.time_or_none("token_used_at")?,
    })
}

impl Store {
    /// The token with this secret and its account, unless it is unknown, expired, exchanged or revoked.
    pub async fn token(&self, secret: &str) -> Result<Option<TokenHolder>> {
        if !secret.starts_with(ACCESS_PREFIX) && !secret.starts_with(REFRESH_PREFIX) {
            return Ok(None);
        }
        let row = sqlx::query(select_account!(
            "oauth_token.id AS token_id, oauth_token.kind, oauth_token.grant_id, oauth_grant.client_id, \
             oauth_grant.resource, oauth_grant.scopes, oauth_token.prefix, oauth_token.expires_at, \
             oauth_token.created_at AS token_created_at, oauth_token.last_used_at AS token_used_at, ",
            "FROM oauth_token JOIN oauth_grant ON oauth_grant.id = oauth_token.grant_id \
             JOIN account ON account.id = oauth_grant.account_id \
             WHERE oauth_token.hash = $1 AND oauth_token.expires_at > $2 AND oauth_token.revoked_at IS NULL \
             AND oauth_grant.revoked_at IS NULL \
             AND (oauth_token.kind = 'access' OR oauth_token.last_used_at IS NULL)"
        ))
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(self.now().0)
        .fetch_optional(self.reads())
        .await?;
        row.map(|row| Ok(TokenHolder { account: read_account(&row)?, token: read_token(&row)? })).transpose()
    }

    /// Revokes an access token, or the whole grant of a refresh token.
    pub async fn revoke_token(&self, token: &Token) -> Result<()> {
        let mut tx = self.write().await?;
        match token.kind {
            TokenKind::Refresh => self.end_grant(&mut tx, &token.grant_id).await?,
            TokenKind::Access => {
                sqlx::query("UPDATE oauth_token SET revoked_at = $2 WHERE id = $1")
                    .bind(token.id.clone())
                    .bind(self.now().0)
                    .execute(&mut *tx)
                    .await?;
            }
        }
        tx.commit().await?;
        Ok(())
    }
}
