//! Lists projects.

use rondo_fields::{flag, record, text};
use rondo_store::id::Kind;
use rondo_store::{Project, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceResult};
use crate::links::Links;
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::{cursor, limit, names, page};
use crate::operations::variables::ListedVariable;
use crate::resolve::stored;

record! {
    /// Which projects to list.
    pub struct ProjectQuery {
        /// `true`: only projects with at least one variable.
        dynamic: optional bool => "dynamic", flag();
        /// Only projects with this text in their name.
        search: optional String => "search", text();
        /// The fields of each project to return, with commas between them. Default: all.
        fields: optional Vec<String> => "fields", names::<ProjectItem>();
        /// Projects on a page. Default: all.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::Project]);
    }
}

/// A project as the list shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectItem {
    id: String,
    name: String,
    #[schema(required = true)]
    description: Option<String>,
    width: u32,
    height: u32,
    fps: u32,
    #[schema(required = true)]
    duration_in_frames: Option<u32>,
    /// Without any, every render is the same.
    has_dynamic_overlays: bool,
    variables: Vec<ListedVariable>,
    /// The poster of its latest render.
    #[schema(format = "uri", required = true)]
    poster_url: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectList {
    #[schema(value_type = Vec<ProjectItem>)]
    projects: Vec<Chosen<ProjectItem>>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    #[schema(required = true)]
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListProjects;

impl Operation for ListProjects {
    const ID: &'static str = "listProjects";
    const ABOUT: &'static str = "Lists the caller's projects, newest first.";
    const RETURNS: &'static str = "The projects";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Invalid, "A parameter is malformed, or `fields` names a field that does not exist")];

    type Request = ProjectQuery;
    type Response = ProjectList;

    async fn run(call: Call<'_>, query: ProjectQuery) -> ServiceResult<ProjectList> {
        let store = &call.service.store;
        let fields = Fields::of::<ProjectItem>(query.fields)?;
        let choose = |whole| Chosen { whole, fields: fields.clone() };
        let search = query.search.as_deref().unwrap_or_default();
        let describe = |project| describe(&call.service.links, project);
        let page = page(query.limit, query.cursor);
        if query.dynamic != Some(true) {
            let found = store.projects(call.account_id(), search, &page).await?;
            return Ok(ProjectList {
                projects: found
                    .items
                    .into_iter()
                    .map(|project| describe(project).map(choose))
                    .collect::<ServiceResult<_>>()?,
                total: found.total,
                has_more: found.next_cursor.is_some(),
                next_cursor: found.next_cursor,
            });
        }
        // Whether a project has variables is in its composition: the filter runs here, over all of them.
        let everything = store.projects(call.account_id(), search, &rondo_store::Page::default()).await?;
        let mut projects = everything.items.into_iter().map(describe).collect::<ServiceResult<Vec<_>>>()?;
        projects.retain(|project| project.has_dynamic_overlays);
        let total = projects.len() as u64;
        if let Some(after) = page.after() {
            projects.retain(|project| project.id.as_str() < after);
        }
        let limit = page.limit.map_or(usize::MAX, |limit| limit as usize);
        let has_more = projects.len() > limit;
        projects.truncate(limit);
        let next_cursor = projects.last().filter(|_| has_more).map(|project| project.id.clone());
        let projects = projects.into_iter().map(choose).collect();
        Ok(ProjectList { projects, total, next_cursor, has_more })
    }
}

fn describe(links: &Links, project: Project) -> ServiceResult<ProjectItem> {
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
        poster_url: project.poster_file.map(|file| links.file(&file)),
        created_at: project.created_at,
        updated_at: project.updated_at,
    })
}
