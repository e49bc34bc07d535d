//! What people allowed apps, and the codes and refresh tokens that turn it into access.
//!
//! A code or refresh token that is shown twice was stolen from someone: everything it ever gave ends.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, plain};
use crate::token::{IssuedTokens, TokenKind, issue};
use crate::{Result, Store, Time};

const CODE_PREFIX: &str = "rnc_";
const SECRET_LENGTH: usize = 43;
/// A code is exchanged within a minute.
const CODE_LIFE: i64 = 60_000;

#[derive(Clone, Debug)]
pub struct Grant {
    pub id: String,
    pub account_id: String,
    pub client_id: String,
    /// The address of what the tokens are for.
    pub resource: String,
    /// Names with blanks between them.
    pub scopes: String,
}

/// What a person just allowed.
#[derive(Clone, Debug)]
pub struct NewGrant<'a> {
    pub account_id: &'a str,
    pub client_id: &'a str,
    pub resource: &'a str,
    pub scopes: &'a str,
    pub redirect_uri: &'a str,
    /// SHA-256 of the verifier, in base64 for addresses.
    pub challenge: &'a str,
}

/// What became of a code or refresh token.
#[derive(Clone, Debug)]
pub enum Exchange {
    Issued(Box<IssuedTokens>),
    /// Why not, as a sentence.
    Refused(&'static str),
}

/// An app with access to an account.
#[derive(Clone, Debug)]
pub struct App {
    pub client_id: String,
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub scopes: String,
    /// When it was first allowed.
    pub created_at: Time,
    pub last_used_at: Option<Time>,
}

fn read_grant(row: &AnyRow) -> Result<Grant> {
    Ok(Grant {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        client_id: row.text("client_id")?,
        resource: row.text("resource")?,
        scopes: row.text("scopes")?,
    })
}

async fn live_grant(tx: &mut AnyConnection, grant_id: &str) -> Result<Option<Grant>> {
    let row = sqlx::query("SELECT * FROM oauth_grant WHERE id = $1 AND revoked_at IS NULL")
        .bind(grant_id.to_owned())
        .fetch_optional(tx)
        .await?;
    row.as_ref().map(read_grant).transpose()
}

impl Store {
    /// Records what a person allowed, and gives the code to tell the app.
    pub async fn allow(&self, new: &NewGrant<'_>) -> Result<String> {
        let code = format!("{CODE_PREFIX}{}", id::secret(SECRET_LENGTH));
        let now = self.now();
        let grant_id = id::new(Kind::Grant);
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, new.account_id).await?;
        sqlx::query(
            "INSERT INTO oauth_grant (id, account_id, client_id, resource, scopes, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(grant_id.clone())
        .bind(account.id)
        .bind(plain(new.client_id))
        .bind(plain(new.resource))
        .bind(plain(new.scopes))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO oauth_code (hash, grant_id, redirect_uri, challenge, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(id::sha256_hex(code.as_bytes()))
        .bind(grant_id)
        .bind(plain(new.redirect_uri))
        .bind(plain(new.challenge))
        .bind(now.0 + CODE_LIFE)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(code)
    }

    /// Turns a code into tokens. A code that comes a second time, or with the wrong app, address or verifier, ends what
    /// was allowed with it.
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
            return Ok(Exchange::Refused("The code was used before: the access it gave has ended."));
        };
        let grant_id = code.text("grant_id")?;
        let grant = live_grant(&mut tx, &grant_id).await?;
        let allowed_uri = code.text("redirect_uri")?;
        let fits = redirect_uri.is_none_or(|uri| plain(uri) == allowed_uri);
        let problem = match &grant {
            None => Some("The access was taken back."),
            Some(grant) if grant.client_id != client_id => Some("The code was given to another client."),
            Some(_) if code.time("expires_at")? <= now => {
                Some("The code has expired: it is good for a minute.")
            }
            Some(_) if !fits => Some("redirect_uri is not the one of the authorization request."),
            Some(_) if code.text("challenge")? != challenge => {
                Some("code_verifier does not belong to the code_challenge of the authorization request.")
            }
            Some(_) => None,
        };
        let exchange = match (problem, grant) {
            (None, Some(grant)) => Exchange::Issued(Box::new(issue(&mut tx, grant, now).await?)),
            (problem, _) => {
                self.end_grant(&mut tx, &grant_id).await?;
                Exchange::Refused(problem.unwrap_or("The access was taken back."))
            }
        };
        tx.commit().await?;
        Ok(exchange)
    }

    /// Turns a refresh token into a new pair. One that was used before ends everything that came from it.
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
            return Ok(Exchange::Refused("The access was taken back."));
        };
        if grant.client_id != client_id {
            return Ok(Exchange::Refused("The refresh token was given to another client."));
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
            Exchange::Refused("The refresh token was used before: the access it gave has ended.")
        } else {
            Exchange::Issued(Box::new(issue(&mut tx, grant, now).await?))
        };
        tx.commit().await?;
        Ok(exchange)
    }

    pub(crate) async fn end_grant(&self, tx: &mut AnyConnection, grant_id: &str) -> Result<()> {
        sqlx::query("UPDATE oauth_grant SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
            .bind(grant_id.to_owned())
            .bind(self.now().0)
            .execute(tx)
            .await?;
        Ok(())
    }

    /// The apps that can act for the account, by name.
    pub async fn apps(&self, account_id: &str) -> Result<Vec<App>> {
        let rows = sqlx::query(
            "SELECT oauth_client.id, oauth_client.name, oauth_client.redirect_uris, \
             MAX(oauth_grant.scopes) AS scopes, MIN(oauth_grant.created_at) AS created_at, \
             MAX(oauth_grant.last_used_at) AS last_used_at \
             FROM oauth_grant JOIN oauth_client ON oauth_client.id = oauth_grant.client_id \
             WHERE oauth_grant.account_id = $1 AND oauth_grant.revoked_at IS NULL AND EXISTS \
             (SELECT 1 FROM oauth_token WHERE grant_id = oauth_grant.id AND expires_at > $2 AND revoked_at IS NULL) \
             GROUP BY oauth_client.id, oauth_client.name, oauth_client.redirect_uris \
             ORDER BY oauth_client.name, oauth_client.id",
        )
        .bind(plain(account_id))
        .bind(self.now().0)
        .fetch_all(self.reads())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(App {
                    client_id: row.text("id")?,
                    name: row.text("name")?,
                    redirect_uris: serde_json::from_str(&row.text("redirect_uris")?)?,
                    scopes: row.text("scopes")?,
                    created_at: row.time("created_at")?,
                    last_used_at: row.time_or_none("last_used_at")?,
                })
            })
            .collect()
    }

    /// Takes back everything the account allowed an app; false when there was nothing.
    pub async fn revoke_app(&self, account_id: &str, client_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let ended = sqlx::query(
            "UPDATE oauth_grant SET revoked_at = $3 WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL",
        )
        .bind(plain(account_id))
        .bind(plain(client_id))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(ended.rows_affected() > 0)
    }
}
