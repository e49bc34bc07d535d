//! Deletes a project.

use super::{NOT_FOUND, ProjectId};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

pub struct DeleteProject;

impl Operation for DeleteProject {
    const ID: &'static str = "deleteProject";
    const ABOUT: &'static str = "Deletes a project. Its renders and their files stay.";
    const RETURNS: &'static str = "Deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Forbidden, "The project belongs to another account"), NOT_FOUND];

    type Request = ProjectId;
    type Response = Done;

    async fn run(call: Call<'_>, request: ProjectId) -> ServiceResult<Done> {
        let project = call.own_project(&request.project_id).await?;
        call.service.store.delete_project(&project.id).await?;
        Ok(Done {})
    }
}
