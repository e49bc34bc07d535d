//! GET /templates and GET /templates/{templateId}/variables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_store::{ListedTemplate, Template, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::projects::{ListedVariable, Variable, VariableList};
use crate::api::query::Params;
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::ApiResult;
use crate::resolve::sources::FILES;
use crate::resolve::{stored, usable_template};

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/templates", get(list)).route("/templates/{templateId}/variables", get(variables))
}

/// A template as the list shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateItem {
    pub id: String,
    pub name: String,
    pub description: String,
    /// BRANDING, REAL_ESTATE, SOCIAL_MEDIA, EDUCATIONAL, ECOMMERCE, SPORTS, PERSONALIZED, EVENTS or TRAVEL.
    pub category: String,
    thumbnail_url: Option<String>,
    preview_video_url: Option<String>,
    /// Credits a minute of film at 1080p.
    pub credits_per_minute: u32,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    pub variables: Vec<ListedVariable>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateList {
    pub templates: Vec<TemplateItem>,
    /// How many there are on all pages.
    pub total: u64,
    /// For the next page, when there is one.
    pub next_cursor: Option<String>,
    has_more: bool,
}

/// Lists the templates the caller may use.
#[utoipa::path(
    get, path = "/templates", tag = "Templates", operation_id = "listTemplates",
    params(
        ("limit" = Option<u32>, Query, description = "Templates on a page, 1 to 100; all if not given"),
        ("cursor" = Option<String>, Query, description = "The nextCursor of the page before"),
    ),
    responses(
        (status = 200, description = "The templates", body = inline(Answer<TemplateList>)),
        (status = 400, description = "A parameter is not of the right form", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    params: Params,
) -> ApiResult<Data<TemplateList>> {
    let found = app.store.templates_for(&caller.account.id, &params.page()?).await?;
    let mut templates = Vec::with_capacity(found.items.len());
    for template in found.items {
        templates.push(describe(&app, template).await?);
    }
    Ok(Data(TemplateList {
        templates,
        total: found.total,
        has_more: found.next_cursor.is_some(),
        next_cursor: found.next_cursor,
    }))
}

/// A template with everything it is made of.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateDetails {
    template: TemplateItem,
    /// What each variable accepts.
    variables: Vec<Variable>,
    /// The composition itself, to be used as it is or changed.
    #[schema(value_type = Object)]
    composition: Value,
}

/// One template the caller may use.
pub async fn details(app: &App, caller: &Caller, id: &str) -> ApiResult<TemplateDetails> {
    let Template {
        id,
        name,
        description,
        category,
        credits_per_minute,
        composition,
        created_at,
        updated_at,
        ..
    } = usable_template(app, caller, id).await?;
    let listed =
        ListedTemplate { id, name, description, category, credits_per_minute, created_at, updated_at };
    Ok(TemplateDetails {
        template: describe(app, listed).await?,
        variables: stored(&composition)?.variables().into_iter().map(Variable::from).collect(),
        composition,
    })
}

async fn describe(app: &App, template: ListedTemplate) -> ApiResult<TemplateItem> {
    let variables = app.template_variables.of(app, &template).await?;
    // What `rondo templates build` has made is served from the moment it is there.
    let shown = |ending: &str| {
        let name = format!("{}.{ending}", template.id);
        app.files.find(&name).map(|_| app.url(&format!("{FILES}{name}")))
    };
    Ok(TemplateItem {
        thumbnail_url: shown("png"),
        preview_video_url: shown("mp4"),
        id: template.id,
        name: template.name,
        description: template.description,
        category: template.category,
        credits_per_minute: template.credits_per_minute,
        created_at: template.created_at,
        variables: variables.to_vec(),
    })
}

/// The variables of templates, read from their compositions once for each version of a template.
#[derive(Debug, Default)]
pub struct TemplateVariables(Mutex<HashMap<String, Versioned>>);

/// When the template was last changed, and its variables then.
type Versioned = (Time, Arc<[ListedVariable]>);

impl TemplateVariables {
    async fn of(&self, app: &App, template: &ListedTemplate) -> ApiResult<Arc<[ListedVariable]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&template.id).cloned();
        if let Some((_, variables)) = known.filter(|(version, _)| *version == template.updated_at) {
            return Ok(variables);
        }
        let Some(whole) = app.store.template(&template.id).await? else { return Ok(Arc::default()) };
        let variables = stored(&whole.composition)?.template_variables();
        let variables: Arc<[ListedVariable]> = variables.into_iter().map(ListedVariable::from).collect();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(whole.id, (whole.updated_at, variables.clone()));
        Ok(variables)
    }
}

/// Tells what each variable of a template accepts.
#[utoipa::path(
    get, path = "/templates/{templateId}/variables", tag = "Templates", operation_id = "listTemplateVariables",
    params(("templateId" = String, Path, description = "The id of a template you may use")),
    responses(
        (status = 200, description = "The variables", body = inline(Answer<VariableList>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 404, description = "There is no such template, or you may not use it", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn variables(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Data<VariableList>> {
    let template = usable_template(&app, &caller, &id).await?;
    let variables = stored(&template.composition)?.variables().into_iter().map(Variable::from).collect();
    Ok(Data(VariableList { variables }))
}
