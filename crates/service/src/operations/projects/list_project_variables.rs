//! Describes the variables of a project.

use super::ProjectId;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::variables::{Variable, VariableList};
use crate::resolve::stored;

pub struct ListProjectVariables;

impl Operation for ListProjectVariables {
    const ID: &'static str = "listProjectVariables";
    const ABOUT: &'static str = "Describes what each variable of a project accepts.";
    const RETURNS: &'static str = "The variables";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such project, or it belongs to another account")];

    type Request = ProjectId;
    type Response = VariableList;

    async fn run(call: Call<'_>, request: ProjectId) -> ServiceResult<VariableList> {
        let project = call.service.store.project(&request.project_id).await?;
        let project = project.filter(|project| project.account_id == call.account_id());
        let project = project.ok_or_else(|| ServiceError::not_found("project"))?;
        let variables = stored(&project.composition)?.variables().into_iter().map(Variable::from).collect();
        Ok(VariableList { variables })
    }
}
