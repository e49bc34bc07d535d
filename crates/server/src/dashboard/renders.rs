//! One render with what was asked for.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use rondo_store::Render;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Person;
use crate::api::renders::RenderJob;
use crate::app::App;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/renders/{jobId}", get(read))
}

/// A render job and the request that made it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RenderDetails {
    #[serde(flatten)]
    job: RenderJob,
    /// A body for POST /api/v1/renders that asks for the same again.
    #[schema(value_type = Object)]
    request: Value,
}

/// Reads a render job with what was asked for.
#[utoipa::path(
    get, path = "/renders/{jobId}", tag = "Renders", operation_id = "getRenderDetails",
    params(("jobId" = String, Path, description = "The id of the job")),
    responses((status = 200, description = "The job", body = inline(Answer<RenderDetails>)))
)]
pub async fn read(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<RenderDetails>> {
    let render = app.store.render(&id).await?.ok_or_else(|| ApiError::not_found("render job"))?;
    if render.account_id != person.account.id {
        return Err(ApiError::forbidden("render job"));
    }
    let request = request_of(&render);
    Ok(Data(RenderDetails { job: RenderJob::of(&app, render), request }))
}

/// The body that asked for it, or, for direct renders, the one that would.
fn request_of(render: &Render) -> Value {
    if let Some(request) = &render.request {
        return request.clone();
    }
    let mut request = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            request.insert(key.into(), value);
        }
    };
    set("inputProps", render.input_props.clone());
    set("output", render.output.clone());
    set("audio", render.audio.clone());
    set("metadata", render.metadata.clone());
    set("webhookUrl", render.webhook_url.clone().map(Value::from));
    set("draft", render.draft.then_some(Value::Bool(true)));
    Value::Object(request)
}
