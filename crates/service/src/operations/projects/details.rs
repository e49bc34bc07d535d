//! A project as its owner sees it, and the rules of who may see and change it.

use rondo_store::{Preview, Project, StoreError, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::links::Links;
use crate::operation::Call;
use crate::operations::variables::Variable;
use crate::resolve::{stored, tidy};
use crate::words::{AuthorType, Composition};

/// A project with its composition.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectDetails {
    id: String,
    name: String,
    #[schema(required = true)]
    description: Option<String>,
    /// As it was saved, without fields that are null; user names and passwords of URLs are `***`.
    #[schema(value_type = Composition)]
    composition: Value,
    variables: Vec<Variable>,
    /// Names this state of the project, as the `ETag` header does. Send it as `If-Match` with a change.
    pub(super) etag: String,
    /// Opens the project in the editor.
    #[schema(format = "uri")]
    edit_url: String,
    /// The template it was made from.
    #[schema(required = true)]
    template_id: Option<String>,
    /// Of a copy of a preview: when it ends.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    expires_at: Option<Time>,
    /// Who made the last change, where it is known.
    #[schema(required = true)]
    changed_by: Option<Author>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

/// Who changed a project.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Author {
    #[schema(value_type = AuthorType)]
    kind: &'static str,
    /// The name of the person, of the key or of the app.
    name: String,
}

impl From<rondo_store::Author> for Author {
    fn from(author: rondo_store::Author) -> Self {
        Self { kind: author.kind.as_str(), name: author.name }
    }
}

/// What the path of an operation names.
pub enum Found {
    Project(Project),
    /// A preview, which its maker edits as a copy.
    Preview(Preview),
}

impl ProjectDetails {
    pub fn of(links: &Links, mut project: Project) -> ServiceResult<Self> {
        links.renew(&mut project.composition);
        tidy(&mut project.composition);
        Ok(Self {
            etag: etag(project.revision),
            edit_url: links.url(&format!("/edit/{}", project.id)),
            id: project.id,
            name: project.name,
            description: project.description,
            variables: variables(&project.composition)?,
            composition: project.composition,
            template_id: project.template_id,
            expires_at: None,
            changed_by: project.author.map(Author::from),
            created_at: project.created_at,
            updated_at: project.updated_at,
        })
    }

    pub fn of_preview(links: &Links, preview: Preview) -> ServiceResult<Self> {
        let mut composition = preview.copy().clone();
        links.renew(&mut composition);
        tidy(&mut composition);
        Ok(Self {
            etag: etag(preview.revision),
            edit_url: links.url(&format!("/edit/{}", preview.id)),
            id: preview.id,
            name: "Copy of a preview".to_owned(),
            description: Some(
                "Ends with the preview. Its changes show neither there nor in what it was made from."
                    .to_owned(),
            ),
            variables: variables(&composition)?,
            composition,
            template_id: None,
            expires_at: Some(preview.expires_at),
            changed_by: None,
            created_at: preview.created_at,
            updated_at: preview.edited_at.unwrap_or(preview.created_at),
        })
    }
}

fn variables(composition: &Value) -> ServiceResult<Vec<Variable>> {
    Ok(stored(composition)?.variables().into_iter().map(Variable::from).collect())
}

/// The name of a state.
pub fn etag(revision: i64) -> String {
    format!("r{revision}")
}

/// The revision that `If-Match` asks for; `None` where any will do.
pub fn expected(if_match: Option<&str>) -> Option<i64> {
    let tag = if_match?.trim();
    let tag = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
    // No revision is negative: what is no name of a state matches none.
    (tag != "*").then(|| tag.strip_prefix('r').and_then(|number| number.parse().ok()).unwrap_or(-1))
}

/// A change that failed because another one came first.
pub fn or_stale(error: StoreError) -> ServiceError {
    match error {
        StoreError::Stale { revision } => ServiceError::new(
            ErrorKind::Stale,
            "PROJECT_CHANGED",
            "The project was changed in the meantime. Get it again and repeat the change. Nothing was saved.",
        )
        .with("etag", etag(revision)),
        StoreError::NotFound { .. } => ServiceError::not_found("project"),
        error => error.into(),
    }
}

impl Call<'_> {
    /// A project of the caller's account.
    pub async fn own_project(&self, id: &str) -> ServiceResult<Project> {
        let project = self.service.store.project(id).await?;
        let project = project.ok_or_else(|| ServiceError::not_found("project"))?;
        match project.account_id == self.account_id() {
            true => Ok(project),
            false => Err(ServiceError::forbidden("project")),
        }
    }

    /// A project, or a preview that has not expired, of the caller's account.
    pub async fn own_film(&self, id: &str) -> ServiceResult<Found> {
        let store = &self.service.store;
        let Some(preview) = store.preview(id).await? else {
            return self.own_project(id).await.map(Found::Project);
        };
        if preview.account_id != self.account_id() {
            return Err(ServiceError::forbidden("preview"));
        }
        if preview.expires_at <= store.now() {
            let message = "The preview has expired. Create a new one.";
            return Err(ServiceError::new(ErrorKind::Gone, "PREVIEW_EXPIRED", message));
        }
        Ok(Found::Preview(preview))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_named_with_or_without_quotes_and_an_unknown_name_matches_none() {
        for (if_match, revision) in [
            (None, None),
            (Some("*"), None),
            (Some("\"r7\""), Some(7)),
            (Some("W/\"r7\""), Some(7)),
            (Some("r7"), Some(7)),
            (Some("\"7\""), Some(-1)),
            (Some(""), Some(-1)),
            (Some("r99999999999999999999"), Some(-1)),
        ] {
            assert_eq!(expected(if_match), revision, "{if_match:?}");
        }
    }
}
