//! Returns a project with its composition, or a preview as an editable copy.

use rondo_fields::{record, text};
use rondo_store::{Preview, Project, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::variables::Variable;
use crate::resolve::stored;

record! {
    /// Names a project or a preview.
    pub struct ProjectOrPreviewId {
        /// The id of the project or of the preview.
        id: required String => "id", text();
    }
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

pub struct GetProject;

impl Operation for GetProject {
    const ID: &'static str = "getProject";
    const ABOUT: &'static str = "Returns a project, or a preview as a copy to edit.";
    const RETURNS: &'static str = "The project";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such project, or it belongs to another account")];

    type Request = ProjectOrPreviewId;
    type Response = ProjectDetails;

    async fn run(call: Call<'_>, request: ProjectOrPreviewId) -> ServiceResult<ProjectDetails> {
        let store = &call.service.store;
        let not_found = || ServiceError::not_found("project");
        if let Some(preview) = store.preview(&request.id).await? {
            let usable = preview.account_id == call.account_id() && store.now() < preview.expires_at;
            return if usable { copy(preview) } else { Err(not_found()) };
        }
        let project = store.project(&request.id).await?;
        saved(project.filter(|project| project.account_id == call.account_id()).ok_or_else(not_found)?)
    }
}

fn saved(project: Project) -> ServiceResult<ProjectDetails> {
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

fn copy(preview: Preview) -> ServiceResult<ProjectDetails> {
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

fn variables(composition: &Value) -> ServiceResult<Vec<Variable>> {
    Ok(stored(composition)?.variables().into_iter().map(Variable::from).collect())
}
