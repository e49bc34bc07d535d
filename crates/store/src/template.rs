//! Templates: bundled ones, ones published from projects, and access to them.

use serde_json::Value;
use sqlx::any::AnyRow;

use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Page, Paged, Result, Store, StoreError, Time};

/// Templates of an account at most.
pub const MOST_TEMPLATES: u64 = 100;

#[derive(Clone, Debug)]
pub struct Template {
    pub id: String,
    /// None for bundled templates.
    pub account_id: Option<String>,
    pub name: String,
    pub description: String,
    pub category: String,
    pub credits_per_minute: u32,
    pub composition: Value,
    pub is_public: bool,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A template without its composition, for lists.
#[derive(Clone, Debug)]
pub struct ListedTemplate {
    pub id: String,
    /// None for bundled templates.
    pub account_id: Option<String>,
    pub is_public: bool,
    pub name: String,
    pub description: String,
    pub category: String,
    pub credits_per_minute: u32,
    pub created_at: Time,
    pub updated_at: Time,
}

#[derive(Clone, Debug)]
pub struct NewTemplate {
    pub name: String,
    pub description: String,
    pub category: String,
    pub credits_per_minute: u32,
    pub composition: Value,
    pub is_public: bool,
}

fn read_template(row: &AnyRow) -> Result<Template> {
    Ok(Template {
        id: row.text("id")?,
        account_id: row.text_or_none("account_id")?,
        name: row.text("name")?,
        description: row.text("description")?,
        category: row.text("category")?,
        credits_per_minute: row.count("credits_per_minute")?,
        composition: row.json("composition")?,
        is_public: row.flag("is_public")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

fn read_listed(row: &AnyRow) -> Result<ListedTemplate> {
    Ok(ListedTemplate {
        id: row.text("id")?,
        account_id: row.text_or_none("account_id")?,
        is_public: row.flag("is_public")?,
        name: row.text("name")?,
        description: row.text("description")?,
        category: row.text("category")?,
        credits_per_minute: row.count("credits_per_minute")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

impl Store {
    /// Writes a bundled template under its own id, unless it is unchanged. Returns whether it was written.
    pub async fn ship_template(&self, template_id: &str, new: &NewTemplate) -> Result<bool> {
        if self.template(template_id).await?.is_some_and(|known| same(&known, new)) {
            return Ok(false);
        }
        self.write_template(template_id, None, new).await?;
        Ok(true)
    }

    /// Publishes a template owned by the account.
    pub async fn publish_template(&self, account_id: &str, new: &NewTemplate) -> Result<Template> {
        let template_id = id::new(Kind::Template);
        let count = sqlx::query("SELECT COUNT(*) AS total FROM template WHERE account_id = $1");
        if self.total(count.bind(storable(account_id))).await? >= MOST_TEMPLATES {
            return Err(StoreError::TemplateLimit { limit: MOST_TEMPLATES });
        }
        self.write_template(&template_id, Some(account_id), new).await?;
        self.template(&template_id).await?.ok_or_else(|| StoreError::not_found("template", &template_id))
    }

    /// Gives a template of the account another film or description.
    pub async fn change_template(&self, template: &Template, new: &NewTemplate) -> Result<Template> {
        self.write_template(&template.id, template.account_id.as_deref(), new).await?;
        self.template(&template.id).await?.ok_or_else(|| StoreError::not_found("template", &template.id))
    }

    /// Deletes a template. Projects and renders that were made from it stay.
    pub async fn delete_template(&self, template_id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        for sql in ["DELETE FROM template_grant WHERE template_id = $1", "DELETE FROM template WHERE id = $1"]
        {
            sqlx::query(sql).bind(storable(template_id)).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Gives an account access to a template that is not public.
    pub async fn grant_template(&self, template_id: &str, account_id: &str) -> Result<()> {
        let Some(template) = self.template(template_id).await? else {
            return Err(StoreError::not_found("template", template_id));
        };
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, account_id).await?;
        sqlx::query(
            "INSERT INTO template_grant (template_id, account_id, created_at) VALUES ($1, $2, $3) \
             ON CONFLICT (template_id, account_id) DO NOTHING",
        )
        .bind(template.id)
        .bind(account.id)
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// A template of any account.
    pub async fn template(&self, template_id: &str) -> Result<Option<Template>> {
        let row = sqlx::query("SELECT * FROM template WHERE id = $1")
            .bind(storable(template_id))
            .fetch_optional(self.reads())
            .await?;
        row.as_ref().map(read_template).transpose()
    }

    /// The template, if it is public, owned by the account or granted to it.
    pub async fn template_for(&self, template_id: &str, account_id: &str) -> Result<Option<Template>> {
        let row = sqlx::query(
            "SELECT * FROM template WHERE id = $1 AND (is_public = 1 OR account_id = $2 OR EXISTS \
             (SELECT 1 FROM template_grant WHERE template_id = template.id AND template_grant.account_id = $2))",
        )
        .bind(storable(template_id))
        .bind(storable(account_id))
        .fetch_optional(self.reads())
        .await?;
        row.as_ref().map(read_template).transpose()
    }

    /// Templates the account has access to, ordered by id.
    pub async fn templates_for(&self, account_id: &str, page: &Page) -> Result<Paged<ListedTemplate>> {
        let rows = sqlx::query(
            "SELECT id, account_id, is_public, name, description, category, credits_per_minute, created_at, updated_at FROM template \
             WHERE (is_public = 1 OR account_id = $1 OR EXISTS (SELECT 1 FROM template_grant \
             WHERE template_id = template.id AND template_grant.account_id = $1)) AND ($2 IS NULL OR id > $2) ORDER BY id LIMIT $3",
        )
        .bind(storable(account_id))
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(read_listed).collect();
        let count = sqlx::query(
            "SELECT COUNT(*) AS total FROM template WHERE is_public = 1 OR account_id = $1 OR EXISTS \
             (SELECT 1 FROM template_grant WHERE template_id = template.id AND template_grant.account_id = $1)",
        )
        .bind(storable(account_id));
        page.of(items, |template: &ListedTemplate| &template.id, self.total(count)).await
    }

    async fn write_template(
        &self,
        template_id: &str,
        account_id: Option<&str>,
        new: &NewTemplate,
    ) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO template (id, account_id, name, description, category, credits_per_minute, composition, \
             is_public, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) \
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description, \
             category = excluded.category, credits_per_minute = excluded.credits_per_minute, \
             composition = excluded.composition, is_public = excluded.is_public, updated_at = excluded.updated_at",
        )
        .bind(storable(template_id))
        .bind(account_id.map(storable))
        .bind(storable(&new.name))
        .bind(storable(&new.description))
        .bind(storable(&new.category))
        .bind(i64::from(new.credits_per_minute))
        .bind(new.composition.to_string())
        .bind(i64::from(new.is_public))
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

fn same(known: &Template, new: &NewTemplate) -> bool {
    known.name == new.name
        && known.description == new.description
        && known.category == new.category
        && known.credits_per_minute == new.credits_per_minute
        && known.is_public == new.is_public
        && known.composition == new.composition
}
