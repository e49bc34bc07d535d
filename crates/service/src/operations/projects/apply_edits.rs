//! Applies edits to a project.

use rondo_fields::{list, record, text};
use rondo_store::{ProjectChange, StoreError};

use super::details::{Found, expected, or_stale};
use super::{FORBIDDEN, GONE, LONGEST_NAME, NOT_FOUND, ProjectDetails, STALE};
use crate::edits::{Edit, apply, edit, name_causes};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

/// Edits of a request at most.
const MOST_EDITS: usize = 1000;
/// How often edits are applied anew when others change the project at the same time.
const MOST_TRIES: usize = 5;

record! {
    /// Edits to apply.
    pub struct EditsBody {
        /// The id of one of your projects; of a preview to edit the copy of it in the editor.
        project_id: required String => "projectId", text();
        /// The `etag` of the project that the edits are made for. They fail with 412 if the project has another one by now.
        /// Without it, they apply to the project as it is.
        if_match: optional String => "ifMatch", text();
        /// Applied in their order: all of them or none.
        edits: required Vec<Edit> => "edits", list(edit()).at_least(1).at_most(MOST_EDITS);
        /// What the change is called, such as "Larger title". It is kept as a version of that name.
        name: optional String => "name", text().not_blank().at_most(LONGEST_NAME);
    }
}

pub struct ApplyEdits;

impl Operation for ApplyEdits {
    const ID: &'static str = "applyProjectEdits";
    const ABOUT: &'static str = "Changes parts of a project: sets fields, adds, removes and moves overlays. All edits are \
                                 applied or none. An editor that has the project open shows them as one step.";
    const RETURNS: &'static str = "The project as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Unprocessable,
            "An edit cannot be applied (INVALID_EDIT), or the film is not valid with it",
        ),
        FORBIDDEN,
        NOT_FOUND,
        GONE,
        STALE,
    ];

    type Request = EditsBody;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: EditsBody) -> ServiceResult<ProjectDetails> {
        let (service, store) = (call.service, &call.service.store);
        let expected = expected(request.if_match.as_deref());
        let author = call.caller.author(store).await?;
        let mut tries = 0;
        loop {
            tries += 1;
            let found = call.own_film(&request.project_id).await?;
            let (mut composition, revision) = match &found {
                Found::Project(project) => (project.composition.clone(), project.revision),
                Found::Preview(preview) => (preview.copy().clone(), preview.revision),
            };
            if expected.is_some_and(|expected| expected != revision) {
                return Err(or_stale(StoreError::Stale { revision }));
            }
            apply(&mut composition, &request.edits)?;
            let checked = service.resolver.check_saved("composition", &composition);
            checked.map_err(|error| name_causes(error, &composition, &request.edits))?;
            let changed = match found {
                Found::Project(project) => {
                    let title = request.name.as_deref();
                    let change =
                        ProjectChange { composition: Some(&composition), title, ..ProjectChange::default() };
                    let changed = store.change_project(&project.id, Some(revision), change, &author).await;
                    changed.map(|project| ProjectDetails::of(&service.links, project))
                }
                Found::Preview(preview) => {
                    let changed = store.edit_preview(&preview.id, Some(revision), &composition).await;
                    changed.map(|preview| ProjectDetails::of_preview(&service.links, preview))
                }
            };
            match changed {
                Err(StoreError::Stale { .. }) if expected.is_none() && tries < MOST_TRIES => {}
                changed => return changed.map_err(or_stale)?,
            }
        }
    }
}
