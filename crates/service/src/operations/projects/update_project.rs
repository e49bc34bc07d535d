//! Changes a project, or the copy of a preview in the editor.

use rondo_fields::{record, text};
use rondo_store::ProjectChange;
use serde_json::Value;

use super::details::{Found, expected, or_stale};
use super::{
    FORBIDDEN, GONE, LONGEST_DESCRIPTION, LONGEST_NAME, NOT_FOUND, ProjectDetails, STALE, composition,
};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// What to change. What is left out stays as it is.
    pub struct ProjectUpdate {
        /// The id of one of your projects; of a preview to change the copy of it in the editor.
        project_id: required String => "projectId", text();
        /// The `etag` of the project that the change is made from. The change fails with 412 if the project has another one
        /// by now. Without it, the last change wins.
        if_match: optional String => "ifMatch", text();
        /// What it is called. A copy of a preview has no name of its own.
        name: optional String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// What it is for. Blank removes it.
        description: optional String => "description", text().at_most(LONGEST_DESCRIPTION);
        /// The whole film. Media of variables may be empty; a render needs them.
        composition: optional Value => "composition", composition();
        /// What the change is called. What a named change made is kept as a version.
        change: optional String => "change", text().not_blank().at_most(LONGEST_NAME);
    }
}

pub struct UpdateProject;

impl Operation for UpdateProject {
    const ID: &'static str = "updateProject";
    const ABOUT: &'static str = "Changes a project: its name, its description, its film. With the id of a preview, changes \
                                 the copy of it that the editor opens; the preview stays as it is.";
    const RETURNS: &'static str = "The project as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Invalid,
            "The request is malformed, or media that are no variable have no source (MISSING_MEDIA_SOURCE)",
        ),
        FORBIDDEN,
        NOT_FOUND,
        GONE,
        STALE,
    ];

    type Request = ProjectUpdate;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: ProjectUpdate) -> ServiceResult<ProjectDetails> {
        let (service, store) = (call.service, &call.service.store);
        let found = call.own_film(&request.project_id).await?;
        if let Some(composition) = &request.composition {
            service.resolver.check_saved("composition", composition)?;
        }
        let expected = expected(request.if_match.as_deref());
        match found {
            Found::Project(project) => {
                let change = ProjectChange {
                    name: request.name.as_deref(),
                    description: request.description.as_deref(),
                    composition: request.composition.as_ref(),
                    title: request.change.as_deref(),
                };
                let author = call.caller.author(store).await?;
                let changed = store.change_project(&project.id, expected, change, &author).await;
                ProjectDetails::of(&service.links, changed.map_err(or_stale)?)
            }
            Found::Preview(preview) => {
                let composition = request.composition.unwrap_or_else(|| preview.copy().clone());
                let changed = store.edit_preview(&preview.id, expected, &composition).await;
                ProjectDetails::of_preview(&service.links, changed.map_err(or_stale)?)
            }
        }
    }
}
