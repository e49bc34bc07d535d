//! GET /projects and GET /projects/{projectId}/variables.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_composition::{ProjectVariable, TemplateVariable};
use rondo_store::{Project, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::query::Params;
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::resolve::stored;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/projects", get(list)).route("/projects/{projectId}/variables", get(variables))
}

/// A project as the list shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectItem {
    id: String,
    name: String,
    description: Option<String>,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: Option<u32>,
    /// Without any, every render is the same.
    has_dynamic_overlays: bool,
    variables: Vec<ListedVariable>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

/// A variable as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedVariable {
    pub name: String,
    default_value: String,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl From<TemplateVariable> for ListedVariable {
    fn from(TemplateVariable { name, default_value, kind }: TemplateVariable) -> Self {
        Self { name, default_value, kind }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectList {
    projects: Vec<ProjectItem>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
    has_more: bool,
}

/// The contract of one variable.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// The key to use in replacements.
    name: String,
    /// `url` for video, image and sound overlays, `text` for everything else.
    #[serde(rename = "type")]
    kind: &'static str,
    label: String,
    help: String,
    overlay_type: &'static str,
    /// The overlay field that is written: `content` or `src`.
    field: &'static str,
    /// Fixed-size text only, together with the two fields below.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_characters: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines_available: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overflow_behavior: Option<&'static str>,
    /// What renders when no replacement matches.
    default: String,
}

impl From<ProjectVariable> for Variable {
    fn from(variable: ProjectVariable) -> Self {
        Self {
            name: variable.name,
            kind: variable.kind,
            label: variable.label,
            help: variable.help,
            overlay_type: variable.overlay_type,
            field: variable.field,
            max_characters: variable.max_characters,
            lines_available: variable.lines_available,
            overflow_behavior: variable.overflow_behavior,
            default: variable.default,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VariableList {
    pub variables: Vec<Variable>,
}

/// Lists the caller's projects, newest first.
#[utoipa::path(
    get, path = "/projects", tag = "Projects", operation_id = "listProjects",
    params(
        ("dynamic" = Option<bool>, Query, description = "true: only projects with at least one variable"),
        ("limit" = Option<u32>, Query, description = "Projects on a page, 1 to 100; all if not given"),
        ("cursor" = Option<String>, Query, description = "The nextCursor of the page before"),
    ),
    responses(
        (status = 200, description = "The projects", body = inline(Answer<ProjectList>)),
        (status = 400, description = "A parameter is not of the right form", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    params: Params,
) -> ApiResult<Data<ProjectList>> {
    let dynamic =
        params.read("dynamic", "true or false", |text| text.to_ascii_lowercase().parse::<bool>().ok())?;
    let page = params.page()?;
    if dynamic != Some(true) {
        let found = app.store.projects(&caller.account.id, &page).await?;
        return Ok(Data(ProjectList {
            projects: found.items.into_iter().map(describe).collect::<ApiResult<_>>()?,
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        }));
    }
    // Whether a project has variables is in its composition: the filter runs here, over all of them.
    let everything = app.store.projects(&caller.account.id, &rondo_store::Page::default()).await?;
    let mut projects = everything.items.into_iter().map(describe).collect::<ApiResult<Vec<_>>>()?;
    projects.retain(|project| project.has_dynamic_overlays);
    let total = projects.len() as u64;
    if let Some(after) = page.after() {
        projects.retain(|project| project.id.as_str() < after);
    }
    let limit = page.limit.map_or(usize::MAX, |limit| limit as usize);
    let has_more = projects.len() > limit;
    projects.truncate(limit);
    let next_cursor = projects.last().filter(|_| has_more).map(|project| project.id.clone());
    Ok(Data(ProjectList { projects, total, next_cursor, has_more }))
}

fn describe(project: Project) -> ApiResult<ProjectItem> {
    let composition = stored(&project.composition)?;
    Ok(ProjectItem {
        id: project.id,
        name: project.name,
        description: project.description,
        width: composition.width,
        height: composition.height,
        fps: composition.fps,
        duration_in_frames: Some(composition.duration),
        has_dynamic_overlays: composition.has_variables(),
        variables: composition.template_variables().into_iter().map(ListedVariable::from).collect(),
        created_at: project.created_at,
        updated_at: project.updated_at,
    })
}

/// Tells what each variable of a project accepts.
#[utoipa::path(
    get, path = "/projects/{projectId}/variables", tag = "Projects", operation_id = "listProjectVariables",
    params(("projectId" = String, Path, description = "The id of one of your projects")),
    responses(
        (status = 200, description = "The variables", body = inline(Answer<VariableList>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such project, or it is not yours", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn variables(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Data<VariableList>> {
    let project = app.store.project(&id).await?.filter(|project| project.account_id == caller.account.id);
    let project = project.ok_or_else(|| ApiError::not_found("project"))?;
    let variables = stored(&project.composition)?.variables().into_iter().map(Variable::from).collect();
    Ok(Data(VariableList { variables }))
}
