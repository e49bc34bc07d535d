//! Saves a composition as a new project.

use rondo_fields::{record, text};
use rondo_store::NewProject;
use serde_json::Value;

use super::{LONGEST_DESCRIPTION, LONGEST_NAME, ProjectDetails, composition};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::quote::PLAIN_RATE;

record! {
    /// A project to create.
    pub struct ProjectBody {
        /// What it is called.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// What it is for.
        description: optional String => "description", text().at_most(LONGEST_DESCRIPTION);
        /// The film. Media of variables may be empty; a render needs them.
        composition: required Value => "composition", composition();
    }
}

pub struct CreateProject;

impl Operation for CreateProject {
    const ID: &'static str = "createProject";
    const ABOUT: &'static str = "Saves a composition as a project. It is kept as it is sent, unknown fields included; responses leave out fields that are \
         null, which count as absent.";
    const RETURNS: &'static str = "The project";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (
            ErrorKind::Invalid,
            "The request is malformed, or media that are no variable have no source (MISSING_MEDIA_SOURCE)",
        ),
        (
            ErrorKind::Forbidden,
            "The account's storage is full (STORAGE_QUOTA_EXCEEDED), or it has 10,000 projects (PROJECT_LIMIT)",
        ),
    ];

    type Request = ProjectBody;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: ProjectBody) -> ServiceResult<ProjectDetails> {
        let ProjectBody { name, description, composition } = request;
        call.service.resolver.check_saved("composition", &composition)?;
        let description = description.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let new = NewProject {
            name: name.trim().to_owned(),
            description,
            composition,
            template_id: None,
            credits_per_minute: PLAIN_RATE,
        };
        let store = &call.service.store;
        let author = call.caller.author(store).await?;
        let project = store.create_project(call.account_id(), &new, Some(&author)).await?;
        ProjectDetails::of(&call.service.links, project)
    }
}
