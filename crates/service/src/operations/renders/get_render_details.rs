//! Returns a render job with the request that created it.

use rondo_store::Render;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{GetRender, RenderId, RenderJob};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};

/// A render job and the request that created it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RenderDetails {
    #[serde(flatten)]
    job: RenderJob,
    /// A body for POST /api/v1/renders that creates the same render again.
    #[schema(value_type = Object)]
    request: Value,
}

pub struct GetRenderDetails;

impl Operation for GetRenderDetails {
    const ID: &'static str = "getRenderDetails";
    const ABOUT: &'static str = "Returns a render job with the request that created it.";
    const RETURNS: &'static str = GetRender::RETURNS;
    const FAILURES: &'static [(ErrorKind, &'static str)] = GetRender::FAILURES;

    type Request = RenderId;
    type Response = RenderDetails;

    async fn run(call: Call<'_>, request: RenderId) -> ServiceResult<RenderDetails> {
        let render = call.own_render(&request.job_id).await?;
        let request = request_of(&render);
        Ok(RenderDetails { job: RenderJob::of(call.service, render), request })
    }
}

/// The request that created the render, or, for direct renders, one that would.
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
