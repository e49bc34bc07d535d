//! What all processes of a service share besides its data: the addresses under which clients reach it, and the folder
//! that holds its files.

use crate::row::Columns;
use crate::{Result, Store};

impl Store {
    /// Notes the address under which clients reach the service.
    pub async fn set_public_url(&self, url: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO public_url (url, set_at) VALUES ($1, $2) \
             ON CONFLICT (url) DO UPDATE SET set_at = excluded.set_at",
        )
        .bind(url)
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The addresses under which clients reached the service, the latest first.
    pub async fn public_urls(&self) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT url FROM public_url ORDER BY set_at DESC, url")
            .fetch_all(self.reads())
            .await?;
        rows.iter().map(|row| row.text("url")).collect()
    }

    /// The id of the folder with the service's files. The first process gives it one.
    pub async fn known_files_id(&self) -> Result<Option<String>> {
        let row = sqlx::query("SELECT folder_id FROM files_folder WHERE id = 1")
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| row.text("folder_id")).transpose()
    }

    /// Notes that the files are elsewhere from now on.
    pub async fn set_files_id(&self, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO files_folder (id, folder_id) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET folder_id = $1",
        )
        .bind(id)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn files_id(&self, proposed: &str) -> Result<String> {
        let mut tx = self.write().await?;
        sqlx::query("INSERT INTO files_folder (id, folder_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
            .bind(proposed)
            .execute(&mut *tx)
            .await?;
        let row = sqlx::query("SELECT folder_id FROM files_folder WHERE id = 1").fetch_one(&mut *tx).await?;
        let id = row.text("folder_id")?;
        tx.commit().await?;
        Ok(id)
    }
}
