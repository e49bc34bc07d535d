//! OAuth grants: the access that a person gave to a client. Codes and tokens belong to a grant and end with it.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Result, Store, Time};

const CODE_PREFIX: &str = "rnc_";
const SECRET_LENGTH: usize = 43;
/// An authorization code expires after a minute.
const CODE_LIFE: i64 = 60_000;

#[derive(Clone, Debug)]
pub struct Grant {
    pub id: String,
    pub account_id: String,
    pub client_id: String,
    /// The resource indicator: the URL the tokens are valid for.
    pub resource: String,
    /// Scope names, separated by spaces.
    pub scopes: String,
}

/// A grant to create, with the parameters of its authorization code.
#[derive(Clone, Debug)]
pub struct NewGrant<'a> {
    pub account_id: &'a str,
    pub client_id: &'a str,
    pub resource: &'a str,
    pub scopes: &'a str,
    pub redirect_uri: &'a str,
    /// The PKCE challenge: SHA-256 of the verifier in base64url.
    pub challenge: &'a str,
}

/// A client with access to an account.
#[derive(Clone, Debug)]
pub struct App {
    pub client_id: String,
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub scopes: String,
    /// When access was first granted.
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

pub(crate) async fn live_grant(tx: &mut AnyConnection, grant_id: &str) -> Result<Option<Grant>> {
    let row = sqlx::query("SELECT * FROM oauth_grant WHERE id = $1 AND revoked_at IS NULL")
        .bind(grant_id.to_owned())
        .fetch_optional(tx)
        .await?;
    row.as_ref().map(read_grant).transpose()
}

impl Store {
    /// Creates a grant and returns its authorization code.
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
        .bind(storable(new.client_id))
        .bind(storable(new.resource))
        .bind(storable(new.scopes))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO oauth_code (hash, grant_id, redirect_uri, challenge, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(id::sha256_hex(code.as_bytes()))
        .bind(grant_id)
        .bind(storable(new.redirect_uri))
        .bind(storable(new.challenge))
        .bind(now.0 + CODE_LIFE)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(code)
    }

    pub(crate) async fn end_grant(&self, tx: &mut AnyConnection, grant_id: &str) -> Result<()> {
        sqlx::query("UPDATE oauth_grant SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
            .bind(grant_id.to_owned())
            .bind(self.now().0)
            .execute(tx)
            .await?;
        Ok(())
    }

    /// The clients with access to the account, by name.
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
        .bind(storable(account_id))
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

    /// Revokes the client's grants for the account. Returns false if there were none.
    pub async fn revoke_app(&self, account_id: &str, client_id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let ended = sqlx::query(
            "UPDATE oauth_grant SET revoked_at = $3 WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL",
        )
        .bind(storable(account_id))
        .bind(storable(client_id))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(ended.rows_affected() > 0)
    }
}
