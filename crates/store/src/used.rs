//! When credentials were last used.

use crate::{Result, Store, Time};

/// A credential or account that a request used, by its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Used {
    Account(String),
    Key(String),
    Session(String),
    Token { id: String, grant_id: String },
}

impl Store {
    /// Records when credentials were last used. An older time never replaces a newer one.
    pub async fn touch(&self, uses: &[(Used, Time)]) -> Result<()> {
        if uses.is_empty() {
            return Ok(());
        }
        let mut uses = uses.to_vec();
        // Lock order: accounts first.
        uses.sort();
        let mut tx = self.write().await?;
        for (used, at) in uses {
            let (sql, id, grant) = match used {
                Used::Key(id) => (
                    "UPDATE api_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
                    id,
                    None,
                ),
                Used::Session(id) => {
                    ("UPDATE session SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2", id, None)
                }
                Used::Token { id, grant_id } => (
                    "UPDATE oauth_token SET last_used_at = $2 WHERE id = $1 \
                     AND (last_used_at IS NULL OR last_used_at < $2)",
                    id,
                    Some(grant_id),
                ),
                Used::Account(id) => (
                    "UPDATE account SET last_seen_at = $2 WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)",
                    id,
                    None,
                ),
            };
            sqlx::query(sql).bind(id).bind(at.0).execute(&mut *tx).await?;
            if let Some(grant_id) = grant {
                sqlx::query(
                    "UPDATE oauth_grant SET last_used_at = $2 WHERE id = $1 \
                     AND (last_used_at IS NULL OR last_used_at < $2)",
                )
                .bind(grant_id)
                .bind(at.0)
                .execute(&mut *tx)
                .await?;
            }
        }
        tx.commit().await?;
        Ok(())
    }
}
