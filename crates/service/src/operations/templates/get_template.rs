//! Returns a template with its composition.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{TemplateId, TemplateItem, listed};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::variables::Variable;
use crate::resolve::{stored, tidy};
use crate::words::Composition;

pub struct GetTemplate;

/// A template with everything it is made of.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateDetails {
    template: TemplateItem,
    /// What each variable accepts.
    variables: Vec<Variable>,
    /// The composition itself, to be used as it is or changed.
    #[schema(value_type = Composition)]
    composition: Value,
}

impl Operation for GetTemplate {
    const ID: &'static str = "getTemplate";
    const ABOUT: &'static str = "Returns a template: what each variable accepts, and its composition.";
    const RETURNS: &'static str = "The template";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such template, or you may not use it")];

    type Request = TemplateId;
    type Response = TemplateDetails;

    async fn run(call: Call<'_>, request: TemplateId) -> ServiceResult<TemplateDetails> {
        let template = call.service.resolver.usable_template(call.caller, &request.template_id).await?;
        let (listed, mut composition) = listed(template);
        tidy(&mut composition);
        Ok(TemplateDetails {
            template: TemplateItem::of(call, listed).await?,
            variables: stored(&composition)?.variables().into_iter().map(Variable::from).collect(),
            composition,
        })
    }
}
