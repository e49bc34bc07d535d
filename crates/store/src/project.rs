//! Saved projects.

use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::LockedAccount;
use crate::author::Author;
use crate::credentials::{self, Taken};
use crate::id::{self, Kind};
use crate::row::{Columns, containing, storable};
use crate::{Page, Paged, Result, Store, StoreError, Time};

/// Projects of an account at most.
pub const MOST_PROJECTS: u64 = 10_000;

#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    pub account_id: String,
    pub name: String,
    pub description: Option<String>,
    /// With `***` in place of user names and passwords of URLs.
    pub composition: Value,
    /// What was there.
    pub(crate) credentials: Option<Taken>,
    pub template_id: Option<String>,
    pub credits_per_minute: u32,
    /// Counts the changes.
    pub revision: i64,
    /// Who made the last change, where it is known.
    pub author: Option<Author>,
    pub created_at: Time,
    pub updated_at: Time,
    /// The name of the file of its latest poster. Only in lists.
    pub poster_file: Option<String>,
}

#[derive(Clone, Debug)]
pub struct NewProject {
    pub name: String,
    pub description: Option<String>,
    pub composition: Value,
    pub template_id: Option<String>,
    pub credits_per_minute: u32,
}

/// What to change of a project. What is `None` stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProjectChange<'a> {
    pub name: Option<&'a str>,
    /// Blank removes it.
    pub description: Option<&'a str>,
    /// URLs with `***` keep the user names and passwords that the project has for them.
    pub composition: Option<&'a Value>,
    /// What the change is called. What a named change made, and what was there before, are kept as versions.
    pub title: Option<&'a str>,
}

/// A project that changed, without its composition.
#[derive(Clone, Debug)]
pub struct ChangedProject {
    pub id: String,
    pub revision: i64,
    pub author: Option<Author>,
    pub updated_at: Time,
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
        revision: row.int("revision")?,
        author: Author::read(row)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        poster_file: None,
    })
}

async fn insert_project(
    store: &Store,
    tx: &mut AnyConnection,
    account_id: &str,
    new: &NewProject,
    author: Option<&Author>,
    now: Time,
) -> Result<String> {
    let project_id = id::new(Kind::Project);
    let (composition, credentials) = store.masked_project(&project_id, &new.composition)?;
    sqlx::query(
        "INSERT INTO project (id, account_id, name, description, composition, template_id, credits_per_minute, \
         created_at, updated_at, credentials, size, author_kind, author_name) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12)",
    )
    .bind(project_id.clone())
    .bind(account_id.to_owned())
    .bind(storable(&new.name))
    .bind(new.description.as_deref().map(storable))
    .bind(composition.clone())
    .bind(new.template_id.clone())
    .bind(i64::from(new.credits_per_minute))
    .bind(now.0)
    .bind(credentials)
    .bind(size(&composition))
    .bind(author.map(|author| author.kind.as_str()))
    .bind(author.map(|author| storable(&author.name)))
    .execute(tx)
    .await?;
    Ok(project_id)
}

/// Saves the film of a render as a project. The project of the same template and the same name is updated, unless
/// someone edited it; otherwise a new one is created. The caller holds the account's lock.
pub(crate) async fn save_project(
    store: &Store,
    tx: &mut AnyConnection,
    account_id: &str,
    new: &NewProject,
    now: Time,
) -> Result<String> {
    let known = sqlx::query(
        "SELECT id FROM project WHERE account_id = $1 AND template_id = $2 AND name = $3 AND author_kind IS NULL \
         ORDER BY id DESC LIMIT 1",
    )
    .bind(account_id.to_owned())
    .bind(new.template_id.clone())
    .bind(storable(&new.name))
    .fetch_optional(&mut *tx)
    .await?;
    let Some(known) = known else { return insert_project(store, tx, account_id, new, None, now).await };
    let project_id = known.text("id")?;
    let (composition, credentials) = store.masked_project(&project_id, &new.composition)?;
    sqlx::query(
        "UPDATE project SET composition = $2, credits_per_minute = $3, updated_at = $4, credentials = $5, size = $6, \
         revision = revision + 1 WHERE id = $1",
    )
    .bind(project_id.clone())
    .bind(composition.clone())
    .bind(i64::from(new.credits_per_minute))
    .bind(now.0)
    .bind(credentials)
    .bind(size(&composition))
    .execute(tx)
    .await?;
    Ok(project_id)
}

impl Store {
    pub async fn create_project(
        &self,
        account_id: &str,
        new: &NewProject,
        author: Option<&Author>,
    ) -> Result<Project> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        let count = sqlx::query("SELECT COUNT(*) AS total FROM project WHERE account_id = $1");
        let count = count.bind(account.id.clone()).fetch_one(&mut *tx).await?.int("total")?;
        if count.unsigned_abs() >= MOST_PROJECTS {
            return Err(StoreError::ProjectLimit { limit: MOST_PROJECTS });
        }
        let project_id = insert_project(self, &mut tx, &account.id, new, author, self.now()).await?;
        self.require_storage(&mut tx, &account, 0).await?;
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

    /// Projects whose name contains `search`, newest first.
    pub async fn projects(&self, account_id: &str, search: &str, page: &Page) -> Result<Paged<Project>> {
        let search = containing(search);
        let rows = sqlx::query(
            "SELECT project.*, (SELECT poster_file FROM render WHERE render.project_id = project.id \
             AND render.poster_file IS NOT NULL ORDER BY render.id DESC LIMIT 1) AS poster_file \
             FROM project WHERE account_id = $1 AND ($2 IS NULL OR id < $2) \
             AND ($3 IS NULL OR LOWER(name) LIKE $3 ESCAPE '!') ORDER BY id DESC LIMIT $4",
        )
        .bind(storable(account_id))
        .bind(page.after().map(storable))
        .bind(search.clone())
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let listed = |row: &AnyRow| {
            Ok(Project { poster_file: row.text_or_none("poster_file")?, ..read_project(self, row)? })
        };
        let items = rows.iter().map(listed).collect();
        let count = sqlx::query(
            "SELECT COUNT(*) AS total FROM project WHERE account_id = $1 \
             AND ($2 IS NULL OR LOWER(name) LIKE $2 ESCAPE '!')",
        )
        .bind(storable(account_id))
        .bind(search);
        page.of(items, |project: &Project| &project.id, self.total(count)).await
    }

    /// Deletes a project. Its renders stay.
    pub async fn delete_project(&self, project_id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO deleted_project (project_id, account_id, deleted_at) \
             SELECT id, account_id, $2 FROM project WHERE id = $1 ON CONFLICT DO NOTHING",
        )
        .bind(storable(project_id))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        for sql in [
            "UPDATE render SET project_id = NULL WHERE project_id = $1",
            "DELETE FROM project_version WHERE project_id = $1",
            "DELETE FROM project WHERE id = $1",
        ] {
            sqlx::query(sql).bind(storable(project_id)).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Changes a project. With `expected`, only if that is still its revision; otherwise nothing changes.
    pub async fn change_project(
        &self,
        project_id: &str,
        expected: Option<i64>,
        change: ProjectChange<'_>,
        author: &Author,
    ) -> Result<Project> {
        let mut tx = self.write().await?;
        let (account, old) = self.lock_project(&mut tx, project_id).await?;
        if expected.is_some_and(|expected| expected != old.revision) {
            return Err(StoreError::Stale { revision: old.revision });
        }
        let changed = self.write_change(&mut tx, &account, &old, change, author).await?;
        tx.commit().await?;
        Ok(changed)
    }

    /// Projects that changed at this moment or later, the latest first.
    pub async fn projects_changed(
        &self,
        account_id: &str,
        since: Time,
        limit: u32,
    ) -> Result<Vec<ChangedProject>> {
        let rows = sqlx::query(
            "SELECT id, revision, author_kind, author_name, updated_at FROM project \
             WHERE account_id = $1 AND updated_at >= $2 ORDER BY updated_at DESC LIMIT $3",
        )
        .bind(storable(account_id))
        .bind(since.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        let read = |row: &AnyRow| {
            Ok(ChangedProject {
                id: row.text("id")?,
                revision: row.int("revision")?,
                author: Author::read(row)?,
                updated_at: row.time("updated_at")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Projects that were deleted at this moment or later, with the moment.
    pub async fn projects_deleted(
        &self,
        account_id: &str,
        since: Time,
        limit: u32,
    ) -> Result<Vec<(String, Time)>> {
        let rows = sqlx::query(
            "SELECT project_id, deleted_at FROM deleted_project \
             WHERE account_id = $1 AND deleted_at >= $2 ORDER BY deleted_at DESC LIMIT $3",
        )
        .bind(storable(account_id))
        .bind(since.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        rows.iter().map(|row| Ok((row.text("project_id")?, row.time("deleted_at")?))).collect()
    }

    /// The project and the lock of its account, which every change of it takes.
    pub(crate) async fn lock_project(
        &self,
        tx: &mut AnyConnection,
        project_id: &str,
    ) -> Result<(LockedAccount, Project)> {
        let account_id = self.project_under(tx, project_id).await?.account_id;
        let account = self.lock_account(tx, &account_id).await?;
        // As it is under the lock.
        Ok((account, self.project_under(tx, project_id).await?))
    }

    /// A project as a transaction sees it.
    async fn project_under(&self, tx: &mut AnyConnection, project_id: &str) -> Result<Project> {
        let query = sqlx::query("SELECT * FROM project WHERE id = $1").bind(storable(project_id));
        let row = query.fetch_optional(tx).await?;
        read_project(self, &row.ok_or_else(|| StoreError::not_found("project", project_id))?)
    }

    async fn write_change(
        &self,
        tx: &mut AnyConnection,
        account: &LockedAccount,
        old: &Project,
        change: ProjectChange<'_>,
        author: &Author,
    ) -> Result<Project> {
        let composition = match change.composition {
            None => old.composition_to_render(),
            Some(composition) => {
                let mut composition = composition.clone();
                if let Some(credentials) = &old.credentials {
                    credentials.put_back_masked("composition", &mut composition);
                }
                composition
            }
        };
        let (composition, credentials) = self.masked_project(&old.id, &composition)?;
        let description = match change.description {
            None => old.description.clone(),
            Some(text) => Some(storable(text.trim())).filter(|text| !text.is_empty()),
        };
        let (size, old_size) = (size(&composition), size(&old.composition.to_string()));
        if change.composition.is_some() {
            self.keep_before(&mut *tx, old, author, change.title.is_some()).await?;
        }
        let row = sqlx::query(
            "UPDATE project SET name = $2, description = $3, composition = $4, updated_at = $5, credentials = $6, \
             size = $7, revision = revision + 1, author_kind = $8, author_name = $9 WHERE id = $1 RETURNING *",
        )
        .bind(old.id.clone())
        .bind(storable(change.name.map_or(old.name.as_str(), str::trim)))
        .bind(description)
        .bind(composition)
        .bind(self.now().0)
        .bind(credentials)
        .bind(size)
        .bind(author.kind.as_str())
        .bind(storable(&author.name))
        .fetch_one(&mut *tx)
        .await?;
        let changed = read_project(self, &row)?;
        if let Some(title) = change.title {
            self.keep_version(&mut *tx, &changed, Some(title)).await?;
        }
        // An account that is full can still make its films smaller.
        if size > old_size {
            self.require_storage(tx, account, 0).await?;
        }
        Ok(changed)
    }
}

/// Bytes of a composition as it is stored.
fn size(composition: &str) -> i64 {
    i64::try_from(composition.len()).unwrap_or(i64::MAX)
}
