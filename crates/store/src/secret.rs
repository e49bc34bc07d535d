//! Signing keys of the service: created once, shared by all processes on the database.

use crate::row::Columns;
use crate::{Result, Store, id};

impl Store {
    /// The key named `name`, created on first use.
    pub async fn secret(&self, name: &'static str) -> Result<String> {
        let mut tx = self.write().await?;
        sqlx::query("INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(name)
            .bind(self.seal("secret.value", name, &id::secret(43))?)
            .execute(&mut *tx)
            .await?;
        let row =
            sqlx::query("SELECT value FROM secret WHERE name = $1").bind(name).fetch_one(&mut *tx).await?;
        let value = self.unseal("secret.value", name, &row.text("value")?)?;
        tx.commit().await?;
        Ok(value)
    }
}
