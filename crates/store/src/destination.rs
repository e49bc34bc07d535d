//! Destinations: buckets of accounts that finished films are copied to. The copies themselves are in `render_copy`.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::render_copy::fail_copies_to;
use crate::row::{Columns, storable};
use crate::{Result, Store, StoreError, Time};

/// The limit of destinations per account.
pub const MOST_DESTINATIONS: u32 = 20;

/// A destination, without its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    pub id: String,
    pub account_id: String,
    /// Unique in the account.
    pub name: String,
    /// Bucket and prefix, such as `s3://films/2026`.
    pub url: String,
    /// The server, if it is not the one of the cloud that the URL names.
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub created_at: Time,
}

/// A destination to store.
#[derive(Clone, Copy)]
pub struct NewDestination<'a> {
    pub name: &'a str,
    pub url: &'a str,
    pub endpoint: Option<&'a str>,
    pub region: Option<&'a str>,
    /// Stored encrypted.
    pub credentials: &'a Value,
}

/// The place for which credentials are encrypted.
pub(crate) const CREDENTIALS: &str = "destination.credentials";

pub(crate) fn read_destination(row: &AnyRow) -> Result<Destination> {
    Ok(Destination {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        name: row.text("name")?,
        url: row.text("url")?,
        endpoint: row.text_or_none("endpoint")?,
        region: row.text_or_none("region")?,
        created_at: row.time("created_at")?,
    })
}

impl Store {
    pub async fn create_destination(&self, account_id: &str, new: NewDestination<'_>) -> Result<Destination> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let row = sqlx::query(
            "SELECT COUNT(*) AS total, SUM(CASE WHEN name = $2 THEN 1 ELSE 0 END) AS named FROM destination \
             WHERE account_id = $1",
        )
        .bind(account.id.clone())
        .bind(storable(new.name))
        .fetch_one(&mut *tx)
        .await?;
        if row.int_or_none("named")?.unwrap_or_default() > 0 {
            return Err(StoreError::DestinationExists { name: new.name.to_owned() });
        }
        if row.count("total")? >= MOST_DESTINATIONS {
            return Err(StoreError::DestinationLimit { limit: MOST_DESTINATIONS });
        }
        let destination = Destination {
            id: id::new(Kind::Destination),
            account_id: account.id,
            name: storable(new.name),
            url: storable(new.url),
            endpoint: new.endpoint.map(storable),
            region: new.region.map(storable),
            created_at: self.now(),
        };
        sqlx::query(
            "INSERT INTO destination (id, account_id, name, url, endpoint, region, credentials, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(destination.id.clone())
        .bind(destination.account_id.clone())
        .bind(destination.name.clone())
        .bind(destination.url.clone())
        .bind(destination.endpoint.clone())
        .bind(destination.region.clone())
        .bind(self.seal(CREDENTIALS, &destination.id, &new.credentials.to_string())?)
        .bind(destination.created_at.0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(destination)
    }

    /// Oldest first.
    pub async fn destinations(&self, account_id: &str) -> Result<Vec<Destination>> {
        let rows = sqlx::query("SELECT * FROM destination WHERE account_id = $1 ORDER BY id")
            .bind(storable(account_id))
            .fetch_all(self.reads())
            .await?;
        rows.iter().map(read_destination).collect()
    }

    /// The account's destination with this name.
    pub async fn destination_named(&self, account_id: &str, name: &str) -> Result<Option<Destination>> {
        let row = sqlx::query("SELECT * FROM destination WHERE account_id = $1 AND name = $2")
            .bind(storable(account_id))
            .bind(storable(name))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_destination).transpose()
    }

    /// Deletes the account's destination with this id or name, and fails its copies that are not made yet.
    pub async fn delete_destination(
        &self,
        account_id: &str,
        id_or_name: &str,
    ) -> Result<Option<Destination>> {
        let mut tx = self.write().await?;
        // Under the account's lock, no ending render can add a copy to this destination.
        let account = self.lock_account(&mut tx, account_id).await?;
        let deleted = sqlx::query(
            "DELETE FROM destination WHERE account_id = $1 AND (id = $2 OR name = $2) RETURNING *",
        )
        .bind(account.id)
        .bind(storable(id_or_name))
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = deleted else { return Ok(None) };
        let destination = read_destination(&row)?;
        fail_copies_to(&mut tx, &destination.id, self.now()).await?;
        tx.commit().await?;
        Ok(Some(destination))
    }
}
