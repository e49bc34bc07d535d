//! The caller's saved films.

mod apply_edits;
mod create_project;
mod delete_project;
mod details;
mod duplicate_project;
mod get_project;
mod list_project_variables;
mod list_projects;
mod update_project;
mod versions;

pub use apply_edits::ApplyEdits;
pub use create_project::CreateProject;
pub use delete_project::DeleteProject;
pub use details::{Author, Found, ProjectDetails, etag};
pub use duplicate_project::DuplicateProject;
pub use get_project::GetProject;
pub use list_project_variables::ListProjectVariables;
pub use list_projects::{ListProjects, ProjectList};
pub use update_project::UpdateProject;
pub use versions::{CreateVersion, GetVersion, ListVersions, RestoreVersion};

use rondo_composition::Composition;
use rondo_fields::{Codec, JsonValue, json_value, object, record, text};

use crate::error::ErrorKind;

/// Characters of the name of a project at most.
const LONGEST_NAME: usize = 200;
/// Characters of the description of a project at most.
const LONGEST_DESCRIPTION: usize = 2000;

const NOT_FOUND: (ErrorKind, &str) = (ErrorKind::NotFound, "There is no such project");
const FORBIDDEN: (ErrorKind, &str) = (
    ErrorKind::Forbidden,
    "The project belongs to another account, or the account's storage is full (STORAGE_QUOTA_EXCEEDED)",
);
const GONE: (ErrorKind, &str) = (ErrorKind::Gone, "The preview has expired (PREVIEW_EXPIRED)");
const STALE: (ErrorKind, &str) =
    (ErrorKind::Stale, "The project is no longer as `If-Match` says (PROJECT_CHANGED). Nothing was changed");

record! {
    /// Names a project.
    pub struct ProjectId {
        /// The id of one of your projects.
        project_id: required String => "projectId", text();
    }
}

/// A composition, kept as it is sent.
fn composition() -> JsonValue {
    json_value(|definitions| object::<Composition>().schema(definitions), "a composition")
}
