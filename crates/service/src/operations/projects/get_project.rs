//! Returns a project with its composition, or a preview as an editable copy.

use rondo_fields::{record, text};

use super::details::Found;
use super::{GONE, NOT_FOUND, ProjectDetails};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::names;

record! {
    /// Names a project or a preview, and what of it to return.
    pub struct ProjectQuestion {
        /// The id of one of your projects; of a preview for the copy of it that the editor opens.
        project_id: required String => "projectId", text();
        /// The fields to return, with commas between them, such as `name,etag,updatedAt`. Default: all.
        fields: optional Vec<String> => "fields", names::<ProjectDetails>();
    }
}

pub struct GetProject;

impl Operation for GetProject {
    const ID: &'static str = "getProject";
    const ABOUT: &'static str = "Returns a project with its composition. With the id of a preview, returns the copy of it that the editor opens. \
                                 With `fields`, returns only these fields, for example without the large `composition`.";
    const RETURNS: &'static str = "The project";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "`fields` names a field that does not exist"),
        (ErrorKind::Forbidden, "The project belongs to another account"),
        NOT_FOUND,
        GONE,
    ];

    type Request = ProjectQuestion;
    type Response = Chosen<ProjectDetails>;

    const ETAG: Option<fn(&Self::Response) -> &str> = Some(|project| &project.whole.etag);

    async fn run(call: Call<'_>, request: ProjectQuestion) -> ServiceResult<Chosen<ProjectDetails>> {
        let fields = Fields::of::<ProjectDetails>(request.fields)?;
        let whole = match call.own_film(&request.project_id).await? {
            Found::Project(project) => ProjectDetails::of(&call.service.links, project)?,
            Found::Preview(preview) => ProjectDetails::of_preview(&call.service.links, preview)?,
        };
        Ok(Chosen { whole, fields })
    }
}
