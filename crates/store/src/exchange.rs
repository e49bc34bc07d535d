//! Exchanging authorization codes and refresh tokens for tokens.
//!
//! A code or refresh token works once. A second use means that it was stolen: its grant is revoked.

use crate::grant::live_grant;
use crate::row::{Columns, storable};
use crate::token::{IssuedTokens, TokenKind, issue};
use crate::{Result, Store, id};

/// The result of exchanging a code or refresh token.
#[derive(Clone, Debug)]
pub enum Exchange {
    Issued(Box<IssuedTokens>),
    /// The reason, as a sentence.
    Refused(&'static str),
}

impl Store {
    /// Exchanges a code for tokens. Reusing a code, or presenting it with the wrong client, redirect URI or verifier,
    /// revokes its grant.
    pub async fn exchange_code(
        &self,
        code: &str,
        client_id: &str,
        redirect_uri: Option<&str>,
        challenge: &str,
    ) -> Result<Exchange> {
        let now = self.now();
        let hash = id::sha256_hex(code.as_bytes());
        let mut tx = self.write().await?;
        let fresh = sqlx::query(
            "UPDATE oauth_code SET used_at = $2 WHERE hash = $1 AND used_at IS NULL \
             RETURNING grant_id, redirect_uri, challenge, expires_at",
        )
        .bind(hash.clone())
        .bind(now.0)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(code) = fresh else {
            let used = sqlx::query("SELECT grant_id FROM oauth_code WHERE hash = $1")
                .bind(hash)
                .fetch_optional(&mut *tx)
                .await?;
            let Some(used) = used else { return Ok(Exchange::Refused("The code is unknown.")) };
            self.end_grant(&mut tx, &used.text("grant_id")?).await?;
            tx.commit().await?;
            return Ok(Exchange::Refused("The code was already used. Its grant has been revoked."));
        };
        let grant_id = code.text("grant_id")?;
        let grant = live_grant(&mut tx, &grant_id).await?;
        let allowed_uri = code.text("redirect_uri")?;
        let fits = redirect_uri.is_none_or(|uri| storable(uri) == allowed_uri);
        let problem = match &grant {
            None => Some("The grant was revoked."),
            Some(grant) if grant.client_id != client_id => Some("The code was issued to another client."),
            Some(_) if code.time("expires_at")? <= now => {
                Some("The code has expired. Codes are valid for one minute.")
            }
            Some(_) if !fits => Some("redirect_uri does not match the authorization request."),
            Some(_) if code.text("challenge")? != challenge => {
                Some("code_verifier does not match the code_challenge of the authorization request.")
            }
            Some(_) => None,
        };
        let exchange = match (problem, grant) {
            (None, Some(grant)) => Exchange::Issued(Box::new(issue(&mut tx, grant, now).await?)),
            (problem, _) => {
                self.end_grant(&mut tx, &grant_id).await?;
                Exchange::Refused(problem.unwrap_or("The grant was revoked."))
            }
        };
        tx.commit().await?;
        Ok(exchange)
    }

    /// Exchanges a refresh token for a new pair of tokens. Reusing one revokes its grant.
    pub async fn exchange_refresh_token(&self, secret: &str, client_id: &str) -> Result<Exchange> {
        let now = self.now();
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "SELECT id, grant_id, expires_at FROM oauth_token WHERE hash = $1 AND kind = $2 AND revoked_at IS NULL",
        )
        .bind(id::sha256_hex(secret.as_bytes()))
        .bind(TokenKind::Refresh.as_str())
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(Exchange::Refused("The refresh token is unknown.")) };
        let grant_id = row.text("grant_id")?;
        let Some(grant) = live_grant(&mut tx, &grant_id).await? else {
            return Ok(Exchange::Refused("The grant was revoked."));
        };
        if grant.client_id != client_id {
            return Ok(Exchange::Refused("The refresh token was issued to another client."));
        }
        if row.time("expires_at")? <= now {
            return Ok(Exchange::Refused("The refresh token has expired."));
        }
        let used =
            sqlx::query("UPDATE oauth_token SET last_used_at = $2 WHERE id = $1 AND last_used_at IS NULL")
                .bind(row.text("id")?)
                .bind(now.0)
                .execute(&mut *tx)
                .await?;
        let exchange = if used.rows_affected() == 0 {
            self.end_grant(&mut tx, &grant_id).await?;
            Exchange::Refused("The refresh token was already used. Its grant has been revoked.")
        } else {
            Exchange::Issued(Box::new(issue(&mut tx, grant, now).await?))
        };
        tx.commit().await?;
        Ok(exchange)
    }
}
