//! Saved projects.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::credentials::{self, Taken};
use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Page, Paged, Result, Store, StoreError, Time};

#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    pub account_id: String,
    pub name: String,
    pub description: Option<String>,
    /// With `***` in place of user names and passwords of URLs.
    pub composition: Value,
    /// What was there.
    credentials: Option<Taken>,
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

impl Project {
    /// The composition to render, with the user names and passwords of its URLs.
    pub fn composition_to_render(&self) -> Value {
        let mut composition = self.composition.clone();
        if let Some(credentials) = &self.credentials {
            credentials.put_back("composition", &mut composition);
        }
        composition
    }
}

fn read_project(store: &Store, row: &AnyRow) -> Result<Project> {
    let id = row.text("id")?;
    let sealed = row.text_or_none("credentials")?;
    let open = |sealed: String| Taken::open(store.master_key(), "project.credentials", &id, &sealed);
    let credentials = sealed.map(open).transpose()?;
    Ok(Project {
        id,
        account_id: row.text("account_id")?,
        name: row.text("name")?,
        description: row.text_or_none("description")?,
        composition: row.json("composition")?,
        credentials,
        template_id: row.text_or_none("template_id")?,
        credits_per_minute: row.count("credits_per_minute")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

pub(crate) async fn insert_project(
    store: &Store,
    tx: &mut AnyConnection,
    account_id: &str,
    new: &NewProject,
    now: Time,
) -> Result<String> {
    let project_id = id::new(Kind::Project);
    let (composition, credentials) = store.masked_project(&project_id, &new.composition)?;
    sqlx::query(
        "INSERT INTO project (id, account_id, name, description, composition, template_id, credits_per_minute, \
         created_at, updated_at, credentials) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)",
    )
    .bind(project_id.clone())
    .bind(account_id.to_owned())
    .bind(storable(&new.name))
    .bind(new.description.as_deref().map(storable))
    .bind(composition)
    .bind(new.template_id.clone())
    .bind(i64::from(new.credits_per_minute))
    .bind(now.0)
    .bind(credentials)
    .execute(tx)
    .await?;
    Ok(project_id)
}

impl Store {
    pub async fn create_project(&self, account_id: &str, new: &NewProject) -> Result<Project> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let project_id = insert_project(self, &mut tx, &account.id, new, self.now()).await?;
        tx.commit().await?;
        self.project(&project_id).await?.ok_or_else(|| StoreError::not_found("project", &project_id))
    }

    /// A project of any account.
    pub async fn project(&self, project_id: &str) -> Result<Option<Project>> {
        let row = sqlx::query("SELECT * FROM project WHERE id = $1")
            .bind(storable(project_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| read_project(self, &row)).transpose()
    }

    /// A composition as it is stored: masked, and its encrypted credentials.
    fn masked_project(&self, project_id: &str, composition: &Value) -> Result<(String, Option<String>)> {
        let mut composition = composition.clone();
        let taken = credentials::take_from([("composition", &mut composition)]);
        let sealed = taken
            .map(|taken| taken.seal(self.master_key(), "project.credentials", project_id))
            .transpose()?;
        Ok((composition.to_string(), sealed))
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
        let items = rows.iter().map(|row| read_project(self, row)).collect::<Result<_>>()?;
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
        let (composition, credentials) = self.masked_project(&storable(project_id), composition)?;
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "UPDATE project SET name = $2, description = $3, composition = $4, updated_at = $5, credentials = $6 \
             WHERE id = $1 RETURNING *",
        )
        .bind(storable(project_id))
        .bind(storable(name))
        .bind(description.map(storable))
        .bind(composition)
        .bind(self.now().0)
        .bind(credentials)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| StoreError::not_found("project", project_id))?;
        let project = read_project(self, &row)?;
        tx.commit().await?;
        Ok(project)
    }
}
