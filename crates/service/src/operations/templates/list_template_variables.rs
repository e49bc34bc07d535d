//! Describes the variables of a template.

use super::TemplateId;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::variables::{Variable, VariableList};
use crate::resolve::stored;

pub struct ListTemplateVariables;

impl Operation for ListTemplateVariables {
    const ID: &'static str = "listTemplateVariables";
    const ABOUT: &'static str = "Describes what each variable of a template accepts.";
    const RETURNS: &'static str = "The variables";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such template, or you may not use it")];

    type Request = TemplateId;
    type Response = VariableList;

    async fn run(call: Call<'_>, request: TemplateId) -> ServiceResult<VariableList> {
        let template = call.service.resolver.usable_template(call.caller, &request.template_id).await?;
        let variables = stored(&template.composition)?.variables().into_iter().map(Variable::from).collect();
        Ok(VariableList { variables })
    }
}
