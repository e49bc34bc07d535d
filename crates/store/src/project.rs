//! Saved projects.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Page, Paged, Result, Store, StoreError, Time};

#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    pub account_id: String,
    pub name: String,
    pub description: Option<String>,
    pub composition: Value,
    pub template_id: Option<String>,
    pub credits_per_minute: u32,
    pub created_at: Time,
    pub updated_at: Time,
}

#[derive(Clone, Debug)]
pub struct NewProject {
    pub name: String,
    pub description: Option<String>,
    pub composition: Value,
    pub template_id: Option<String>,
    pub credits_per_minute: u32,
}

fn read_project(row: &AnyRow) -> Result<Project> {
    Ok(Project {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        name: row.text("name")?,
        description: row.text_or_none("description")?,
        composition: row.json("composition")?,
        template_id: row.text_or_none("template_id")?,
        credits_per_minute: row.count("credits_per_minute")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

pub(crate) async fn insert_project(
    tx: &mut AnyConnection,
    account_id: &str,
    new: &NewProject,
    now: Time,
) -> Result<String> {
    let project_id = id::new(Kind::Project);
    sqlx::query(
        "INSERT INTO project (id, account_id, name, description, composition, template_id, credits_per_minute, \
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
    )
    .bind(project_id.clone())
    .bind(account_id.to_owned())
    .bind(storable(&new.name))
    .bind(new.description.as_deref().map(storable))
    .bind(new.composition.to_string())
    .bind(new.template_id.clone())
    .bind(i64::from(new.credits_per_minute))
    .bind(now.0)
    .execute(tx)
    .await?;
    Ok(project_id)
}

impl Store {
    pub async fn create_project(&self, account_id: &str, new: &NewProject) -> Result<Project> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let project_id = insert_project(&mut tx, &account.id, new, self.now()).await?;
        tx.commit().await?;
        self.project(&project_id).await?.ok_or_else(|| StoreError::not_found("project", &project_id))
    }

    /// A project of any account.
    pub async fn project(&self, project_id: &str) -> Result<Option<Project>> {
        let row = sqlx::query("SELECT * FROM project WHERE id = $1")
            .bind(storable(project_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_project).transpose()
    }

    /// Newest first.
    pub async fn projects(&self, account_id: &str, page: &Page) -> Result<Paged<Project>> {
        let rows = sqlx::query(
            "SELECT * FROM project WHERE account_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        )
        .bind(storable(account_id))
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(read_project).collect::<Result<_>>()?;
        let count = sqlx::query("SELECT COUNT(*) AS total FROM project WHERE account_id = $1")
            .bind(storable(account_id));
        page.of(items, |project: &Project| &project.id, self.total(count)).await
    }

    /// Replaces name, description and composition.
    pub async fn update_project(
        &self,
        project_id: &str,
        name: &str,
        description: Option<&str>,
        composition: &Value,
    ) -> Result<Project> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "UPDATE project SET name = $2, description = $3, composition = $4, updated_at = $5 WHERE id = $1 \
             RETURNING *",
        )
        .bind(storable(project_id))
        .bind(storable(name))
        .bind(description.map(storable))
        .bind(composition.to_string())
        .bind(self.now().0)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::not_found("project", project_id))?;
        let project = read_project(&row)?;
        tx.commit().await?;
        Ok(project)
    }
}
