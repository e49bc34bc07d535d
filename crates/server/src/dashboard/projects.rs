//! One project with its composition.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_store::Time;
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

/// Reads a project.
#[utoipa::path(
    get, path = "/projects/{id}", tag = "Projects", operation_id = "getProject",
    params(("id" = String, Path, description = "The id of the project")),
    responses((status = 200, description = "The project", body = inline(Answer<ProjectDetails>)))
)]
pub async fn read(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<ProjectDetails>> {
    let project = app.store.project(&id).await?.filter(|project| project.account_id == person.account.id);
    let project = project.ok_or_else(|| ApiError::not_found("project"))?;
    let variables = stored(&project.composition)?.variables().into_iter().map(Variable::from).collect();
    Ok(Data(ProjectDetails {
        id: project.id,
        name: project.name,
        description: project.description,
        composition: project.composition,
        variables,
        created_at: project.created_at,
        updated_at: project.updated_at,
    }))
}
