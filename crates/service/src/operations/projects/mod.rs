//! The caller's saved films.

mod change_project;
mod get_project;
mod list_project_variables;
mod list_projects;

pub use change_project::{DeleteProject, RenameProject};
pub use get_project::GetProject;
pub use list_project_variables::ListProjectVariables;
pub use list_projects::{ListProjects, ProjectList};
