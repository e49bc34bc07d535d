//! One project with its composition, or the throwaway copy that the edit address of a preview opens.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_store::{Preview, Project, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Person;
use crate::api::projects::Variable;
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::resolve::stored;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/projects/{id}", get(read))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectDetails {
    id: String,
    name: String,
    description: Option<String>,
    #[schema(value_type = Object)]
    composition: Value,
    variables: Vec<Variable>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

/// Reads a project, or a preview as the copy it can be edited as.
#[utoipa::path(
    get, path = "/projects/{id}", tag = "Projects", operation_id = "getProject",
    params(("id" = String, Path, description = "The id of the project or of the preview")),
    responses((status = 200, description = "The project", body = inline(Answer<ProjectDetails>)))
)]
pub async fn read(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<ProjectDetails>> {
    let details = match app.store.preview(&id).await? {
        Some(preview) if preview.account_id == person.account.id && app.store.now() < preview.expires_at => {
            copy(preview)?
        }
        Some(_) => return Err(ApiError::not_found("project")),
        None => {
            let project = app.store.project(&id).await?;
            let project = project.filter(|project| project.account_id == person.account.id);
            saved(project.ok_or_else(|| ApiError::not_found("project"))?)?
        }
    };
    Ok(Data(details))
}

fn saved(project: Project) -> ApiResult<ProjectDetails> {
    Ok(ProjectDetails {
        id: project.id,
        name: project.name,
        description: project.description,
        variables: variables(&project.composition)?,
        composition: project.composition,
        created_at: project.created_at,
        updated_at: project.updated_at,
    })
}

fn copy(preview: Preview) -> ApiResult<ProjectDetails> {
    Ok(ProjectDetails {
        id: preview.id,
        name: "Copy of a preview".to_owned(),
        description: Some("Kept for a day. Rendering it does not change what it was made from.".to_owned()),
        variables: variables(&preview.composition)?,
        composition: preview.composition,
        created_at: preview.created_at,
        updated_at: preview.created_at,
    })
}

fn variables(composition: &Value) -> ApiResult<Vec<Variable>> {
    Ok(stored(composition)?.variables().into_iter().map(Variable::from).collect())
}
