//! Brand kits: the logo, colours and fonts of an account.

use serde::{Deserialize, Serialize};

use crate::row::{Columns, storable};
use crate::{Result, Store, Time};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brand {
    /// The id of an upload.
    pub logo: Option<String>,
    pub colors: Vec<BrandColor>,
    pub heading_font: Option<String>,
    pub body_font: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandColor {
    pub name: String,
    /// A CSS colour.
    pub value: String,
}

impl Store {
    /// The brand kit of an account, and when it was changed.
    pub async fn brand(&self, account_id: &str) -> Result<Option<(Brand, Time)>> {
        let row = sqlx::query("SELECT kit, updated_at FROM brand WHERE account_id = $1")
            .bind(storable(account_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| Ok((serde_json::from_value(row.json("kit")?)?, row.time("updated_at")?))).transpose()
    }

    /// Replaces the brand kit of an account.
    pub async fn set_brand(&self, account_id: &str, brand: &Brand) -> Result<Time> {
        let (kit, now) = (storable(&serde_json::to_string(brand)?), self.now());
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO brand (account_id, kit, updated_at) VALUES ($1, $2, $3) \
             ON CONFLICT (account_id) DO UPDATE SET kit = excluded.kit, updated_at = excluded.updated_at",
        )
        .bind(storable(account_id))
        .bind(kit)
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(now)
    }
}
