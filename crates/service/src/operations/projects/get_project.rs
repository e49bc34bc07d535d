//! Returns a project with its composition, or a preview as an editable copy.

use rondo_fields::{record, text};

use super::details::Found;
use super::{GONE, NOT_FOUND, ProjectDetails};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

record! {
    /// Names a project or a preview.
    pub struct ProjectOrPreviewId {
        /// The id of one of your projects; of a preview for the copy of it that the editor opens.
        project_id: required String => "projectId", text();
    }
}

pub struct GetProject;

impl Operation for GetProject {
    const ID: &'static str = "getProject";
    const ABOUT: &'static str = "Returns a project with its composition. With the id of a preview, returns the copy of it that the editor opens.";
    const RETURNS: &'static str = "The project";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Forbidden, "The project belongs to another account"), NOT_FOUND, GONE];

    type Request = ProjectOrPreviewId;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: ProjectOrPreviewId) -> ServiceResult<ProjectDetails> {
        match call.own_film(&request.project_id).await? {
            Found::Project(project) => ProjectDetails::of(&call.service.links, project),
            Found::Preview(preview) => ProjectDetails::of_preview(&call.service.links, preview),
        }
    }
}
