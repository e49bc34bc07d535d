//! Makes a copy of a project, or a project of the copy of a preview.

use rondo_fields::{record, text};
use rondo_store::NewProject;

use super::details::Found;
use super::{FORBIDDEN, GONE, LONGEST_NAME, NOT_FOUND, ProjectDetails};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::quote::PLAIN_RATE;

record! {
    /// What to copy.
    pub struct ProjectCopy {
        /// The id of one of your projects; of a preview to keep the copy of it in the editor.
        project_id: required String => "projectId", text();
        /// What the copy is called. Default: the name of the project with " (copy)".
        name: optional String => "name", text().not_blank().at_most(LONGEST_NAME);
    }
}

pub struct DuplicateProject;

impl Operation for DuplicateProject {
    const ID: &'static str = "duplicateProject";
    const ABOUT: &'static str = "Makes a copy of a project. With the id of a preview, keeps the copy of it that the editor \
                                 opens as a project.";
    const RETURNS: &'static str = "The new project";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[FORBIDDEN, NOT_FOUND, GONE];

    type Request = ProjectCopy;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: ProjectCopy) -> ServiceResult<ProjectDetails> {
        let new = match call.own_film(&request.project_id).await? {
            Found::Project(project) => NewProject {
                composition: project.composition_to_render(),
                name: request.name.unwrap_or_else(|| copy_name(&project.name)),
                description: project.description,
                template_id: project.template_id,
                credits_per_minute: project.credits_per_minute,
            },
            Found::Preview(preview) => NewProject {
                composition: preview.copy_to_render(),
                name: request.name.unwrap_or_else(|| "Copy of a preview".to_owned()),
                description: None,
                template_id: None,
                credits_per_minute: PLAIN_RATE,
            },
        };
        let store = &call.service.store;
        let author = call.caller.author(store).await?;
        let project = store.create_project(call.account_id(), &new, Some(&author)).await?;
        ProjectDetails::of(&call.service.links, project)
    }
}

/// The name of a copy, within the limit.
fn copy_name(name: &str) -> String {
    const SUFFIX: &str = " (copy)";
    let kept: String = name.chars().take(LONGEST_NAME - SUFFIX.len()).collect();
    format!("{kept}{SUFFIX}")
}
