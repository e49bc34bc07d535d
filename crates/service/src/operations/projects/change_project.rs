//! Renames and deletes projects.

use rondo_fields::{record, text};
use rondo_store::Project;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

/// Longest name of a project, in characters.
const LONGEST_NAME: usize = 200;
const NOT_FOUND: (ErrorKind, &str) =
    (ErrorKind::NotFound, "There is no such project, or it belongs to another account");

record! {
    /// What to change.
    pub struct ProjectChange {
        /// The id of the project.
        id: required String => "id", text();
        /// The new name.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
    }
}

record! {
    /// Names a project to delete.
    pub struct DeletedProject {
        /// The id of the project.
        id: required String => "id", text();
    }
}

pub struct RenameProject;

impl Operation for RenameProject {
    const ID: &'static str = "renameProject";
    const ABOUT: &'static str = "Renames a project.";
    const RETURNS: &'static str = "Renamed";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NOT_FOUND];

    type Request = ProjectChange;
    type Response = Done;

    async fn run(call: Call<'_>, request: ProjectChange) -> ServiceResult<Done> {
        let project = call.own_project(&request.id).await?;
        call.service.store.rename_project(&project.id, &request.name).await?;
        Ok(Done {})
    }
}

pub struct DeleteProject;

impl Operation for DeleteProject {
    const ID: &'static str = "deleteProject";
    const ABOUT: &'static str = "Deletes a project. Its renders and their files stay.";
    const RETURNS: &'static str = "Deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NOT_FOUND];

    type Request = DeletedProject;
    type Response = Done;

    async fn run(call: Call<'_>, request: DeletedProject) -> ServiceResult<Done> {
        let project = call.own_project(&request.id).await?;
        call.service.store.delete_project(&project.id).await?;
        Ok(Done {})
    }
}

impl Call<'_> {
    /// A project of the caller's account.
    async fn own_project(&self, id: &str) -> ServiceResult<Project> {
        let project = self.service.store.project(id).await?;
        let project = project.filter(|project| project.account_id == self.account_id());
        project.ok_or_else(|| ServiceError::not_found("project"))
    }
}
