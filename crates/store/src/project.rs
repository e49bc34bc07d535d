//! Saved projects, and pages of lists.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, plain};
use crate::{Result, Store, StoreError, Time};

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

/// Which part of a list is wanted: everything, or `limit` items after the one the cursor names.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub limit: Option<u32>,
    pub cursor: Option<String>,
}

impl Page {
    /// One more than wanted, to know whether there are more.
    pub(crate) fn rows_to_fetch(&self) -> i64 {
        self.limit.map_or(i64::MAX, |limit| i64::from(limit) + 1)
    }
}

#[derive(Clone, Debug)]
pub struct Paged<T> {
    pub items: Vec<T>,
    /// How many there are on all pages.
    pub total: u64,
    /// The cursor of the next page, when there is one.
    pub next_cursor: Option<String>,
}

impl<T> Paged<T> {
    pub(crate) fn new(mut items: Vec<T>, total: i64, page: &Page, id: impl Fn(&T) -> &str) -> Self {
        let mut next_cursor = None;
        if let Some(limit) = page.limit.map(|limit| limit as usize)
            && items.len() > limit
        {
            items.truncate(limit);
            next_cursor = items.last().map(|item| id(item).to_owned());
        }
        Self { items, total: total.unsigned_abs(), next_cursor }
    }
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
    .bind(plain(&new.name))
    .bind(new.description.as_deref().map(plain))
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

    /// The project, whoever owns it.
    pub async fn project(&self, project_id: &str) -> Result<Option<Project>> {
        let row = sqlx::query("SELECT * FROM project WHERE id = $1")
            .bind(plain(project_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_project).transpose()
    }

    /// Newest first.
    pub async fn projects(&self, account_id: &str, page: &Page) -> Result<Paged<Project>> {
        let rows = sqlx::query(
            "SELECT * FROM project WHERE account_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        )
        .bind(plain(account_id))
        .bind(page.cursor.as_deref().map(plain))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let total = sqlx::query("SELECT COUNT(*) AS total FROM project WHERE account_id = $1")
            .bind(plain(account_id))
            .fetch_one(self.reads())
            .await?
            .int("total")?;
        let items = rows.iter().map(read_project).collect::<Result<_>>()?;
        Ok(Paged::new(items, total, page, |project| &project.id))
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
        .bind(plain(project_id))
        .bind(plain(name))
        .bind(description.map(plain))
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
