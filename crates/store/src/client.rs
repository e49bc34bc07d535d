//! OAuth clients: dynamically registered ones, and ones described by a client ID metadata document whose URL is their
//! id.

use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable, text_enum};
use crate::time::DAY_MS;
use crate::{Result, Store, Time};

const SECRET_LENGTH: usize = 43;
/// Unused registrations are deleted after this time.
const UNUSED: i64 = 30 * DAY_MS;

text_enum!(
    /// How a client authenticates at the token endpoint.
    AuthMethod, "a client authentication method", {
    None = "none",
    Post = "client_secret_post",
    Basic = "client_secret_basic",
});

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub id: String,
    /// The name it gives itself; not verified.
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub auth_method: AuthMethod,
    secret_hash: Option<String>,
    /// When it was registered, or its metadata document was last fetched.
    pub updated_at: Time,
}

/// A newly registered client. Only its hash is stored, so this is the only time its secret is available.
#[derive(Clone, Debug)]
pub struct NewClient {
    pub client: Client,
    pub secret: Option<String>,
}

impl Client {
    /// Whether this is the client secret.
    pub fn is_secret(&self, secret: &str) -> bool {
        // Both sides are hashes, so the timing of the comparison reveals nothing useful.
        self.secret_hash.as_deref() == Some(id::sha256_hex(secret.as_bytes()).as_str())
    }
}

fn read_client(row: &AnyRow) -> Result<Client> {
    Ok(Client {
        id: row.text("id")?,
        name: row.text("name")?,
        redirect_uris: serde_json::from_str(&row.text("redirect_uris")?)?,
        auth_method: AuthMethod::stored(row.text("auth_method")?)?,
        secret_hash: row.text_or_none("secret_hash")?,
        updated_at: row.time("updated_at")?,
    })
}

impl Store {
    /// Registers a client under a new id, with a secret unless it is a public client.
    pub async fn register_client(
        &self,
        name: &str,
        redirect_uris: &[String],
        auth_method: AuthMethod,
    ) -> Result<NewClient> {
        let secret = (auth_method != AuthMethod::None).then(|| id::secret(SECRET_LENGTH));
        let client = Client {
            id: id::new(Kind::Client),
            name: storable(name),
            redirect_uris: redirect_uris.to_vec(),
            auth_method,
            secret_hash: secret.as_ref().map(|secret| id::sha256_hex(secret.as_bytes())),
            updated_at: self.now(),
        };
        self.keep_client(&client).await?;
        Ok(NewClient { client, secret })
    }

    /// Stores the contents of a client ID metadata document, replacing the previous ones.
    pub async fn keep_client_document(
        &self,
        address: &str,
        name: &str,
        redirect_uris: &[String],
    ) -> Result<Client> {
        let client = Client {
            id: storable(address),
            name: storable(name),
            redirect_uris: redirect_uris.to_vec(),
            auth_method: AuthMethod::None,
            secret_hash: None,
            updated_at: self.now(),
        };
        self.keep_client(&client).await?;
        Ok(client)
    }

    async fn keep_client(&self, client: &Client) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO oauth_client (id, name, redirect_uris, auth_method, secret_hash, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
             redirect_uris = excluded.redirect_uris, updated_at = excluded.updated_at",
        )
        .bind(client.id.clone())
        .bind(client.name.clone())
        .bind(storable(&serde_json::to_string(&client.redirect_uris)?))
        .bind(client.auth_method.as_str())
        .bind(client.secret_hash.clone())
        .bind(client.updated_at.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn client(&self, client_id: &str) -> Result<Option<Client>> {
        let row = sqlx::query("SELECT * FROM oauth_client WHERE id = $1")
            .bind(storable(client_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_client).transpose()
    }

    /// Deletes expired tokens and codes, grants without any, and unused clients. Returns the number of deleted rows.
    pub async fn purge_apps(&self) -> Result<u64> {
        let now = self.now().0;
        let mut tx = self.write().await?;
        let mut deleted = 0;
        for (sql, before) in [
            ("DELETE FROM oauth_token WHERE expires_at < $1", now - DAY_MS),
            ("DELETE FROM oauth_code WHERE expires_at < $1", now - DAY_MS),
            (
                "DELETE FROM oauth_grant WHERE created_at < $1 \
                 AND NOT EXISTS (SELECT 1 FROM oauth_token WHERE grant_id = oauth_grant.id) \
                 AND NOT EXISTS (SELECT 1 FROM oauth_code WHERE grant_id = oauth_grant.id)",
                now - DAY_MS,
            ),
            (
                "DELETE FROM oauth_client WHERE updated_at < $1 \
                 AND NOT EXISTS (SELECT 1 FROM oauth_grant WHERE client_id = oauth_client.id)",
                now - UNUSED,
            ),
        ] {
            deleted += sqlx::query(sql).bind(before).execute(&mut *tx).await?.rows_affected();
        }
        tx.commit().await?;
        Ok(deleted)
    }
}
