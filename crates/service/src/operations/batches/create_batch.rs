//! Creates a batch: all of its renders, or none.

use std::collections::BTreeMap;

use rondo_store::{Kept, NewBatch, PreparedRender, StoreError, new_batch_id};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::BatchRequest;
use super::request::BatchSet;
use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::FetchError;
use crate::media::sources;
use crate::operation::{Call, Operation, stored_answer};
use crate::operations::renders::{CreateRender, new_render};
use crate::resolve::{Base, Origin, options};
use crate::words::RenderState;

/// Bytes of the compositions of all renders.
const MOST_BYTES: usize = 100_000_000;
/// Sets with problems that one response tells.
const MOST_REFUSED: usize = 20;
/// Media addresses of all sets whose hosts are looked up. Others are checked when they are fetched.
const MOST_ADDRESSES: usize = 2000;

/// A batch that was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedBatch {
    batch_id: String,
    /// Always PROCESSING.
    #[schema(value_type = RenderState)]
    status: &'static str,
    /// Renders.
    total: usize,
    /// Held for all renders.
    credits_used: i64,
    /// The renders in the order of the sets.
    job_ids: Vec<String>,
}

pub struct CreateBatch;

impl Operation for CreateBatch {
    const ID: &'static str = "createBatch";
    const ABOUT: &'static str = "Creates up to 1,000 renders of one template or project, one for each set of values. All sets are \
                                 checked, and the credits of all renders are held, before any is created. The body can also be \
                                 a table (text/csv) whose header names the variables, with `templateId` or `projectId` in the \
                                 query.";
    const RETURNS: &'static str = "The batch was accepted";
    const FAILURES: &'static [(ErrorKind, &'static str)] = CreateRender::FAILURES;

    type Request = BatchRequest;
    type Response = CreatedBatch;

    async fn run(call: Call<'_>, request: BatchRequest) -> ServiceResult<CreatedBatch> {
        let service = call.service;
        let mut request = request;
        let shared = service.resolver.read(request.shared.clone())?;
        options::wanted(&shared)?;
        service.resolver.check_callback(&shared.options).await?;
        service.resolver.check_destination(call.caller, shared.output.as_ref()).await?;
        // It is called for the whole, not for each render.
        request.shared.shift_remove("webhookUrl");
        require_room(&service.media.files)?;
        let base = service.resolver.base(call.caller, &shared.film).await?;
        let refused_hosts = refused_hosts(call, &base, &request).await;
        let renders = prepare(call, &request, &base, &refused_hosts).await?;
        let (template_id, project_id) = match base.origin {
            Origin::Template { id, .. } => (Some(id), None),
            Origin::Project { id } => (None, Some(id)),
            Origin::Direct => (None, None),
        };
        let batch = NewBatch {
            id: new_batch_id(),
            account_id: call.account_id().to_owned(),
            template_id,
            project_id,
            metadata: shared.metadata.map(Value::Object),
            webhook_url: shared.options.webhook_url,
            renders,
        };
        let created = CreatedBatch {
            batch_id: batch.id.clone(),
            status: "PROCESSING",
            total: batch.renders.len(),
            credits_used: batch.credits().whole_up(),
            job_ids: batch.renders.iter().map(|render| render.id.clone()).collect(),
        };
        let answer = stored_answer(&created);
        let kept = call.idempotency_key.map(|key| Kept { key, answer: &answer });
        service.store.create_batch(&batch, kept).await.map_err(|error| match error {
            StoreError::InsufficientCredits { needed, available } => {
                ServiceError::insufficient_credits(needed.whole_up(), available.whole())
            }
            other => other.into(),
        })?;
        service.queue.wake_workers();
        Ok(created)
    }
}

/// Every render, or the problems of the sets.
async fn prepare(
    call: Call<'_>,
    request: &BatchRequest,
    base: &Base,
    refused_hosts: &BTreeMap<String, FetchError>,
) -> ServiceResult<Vec<PreparedRender>> {
    let (mut renders, mut refused, mut bytes) = (Vec::new(), Vec::new(), 0);
    for (index, set) in request.sets.iter().enumerate() {
        // Other requests must not wait for a thousand films.
        tokio::task::yield_now().await;
        match prepare_one(call, request, set, base.clone(), refused_hosts).await {
            Ok(render) => {
                bytes += render.size();
                if bytes > MOST_BYTES {
                    return Err(too_large(index));
                }
                renders.push(render);
            }
            Err(error) if error.kind == ErrorKind::Internal => return Err(error),
            Err(error) => refused.push((index, error)),
        }
        if refused.len() >= MOST_REFUSED {
            break;
        }
    }
    if refused.is_empty() { Ok(renders) } else { Err(all_refused(request, refused)) }
}

async fn prepare_one(
    call: Call<'_>,
    request: &BatchRequest,
    set: &BatchSet,
    base: Base,
    refused_hosts: &BTreeMap<String, FetchError>,
) -> ServiceResult<PreparedRender> {
    let service = call.service;
    let body = request.body(set);
    let read = service.resolver.read(body.clone())?;
    let resolved = service.resolver.fill(call.caller, read, base, Some(refused_hosts)).await?;
    if !call.caller.is_test() {
        service.speech.available(&resolved.report.ai, &resolved.ai_free)?;
    }
    let new = new_render(call.caller, resolved, Some(Value::Object(body)));
    Ok(service.store.prepare_render(new)?)
}

/// The hosts of media that may not be called, for all sets at once: a set must not wait for each name server again.
async fn refused_hosts(call: Call<'_>, base: &Base, request: &BatchRequest) -> BTreeMap<String, FetchError> {
    let mut composition = base.composition.clone();
    let mut addresses: Vec<String> =
        sources::sources(&mut composition).into_iter().map(|source| source.address.clone()).collect();
    for value in request.shared.values() {
        collect_addresses(value, &mut addresses);
    }
    for set in &request.sets {
        set.replacements.values().for_each(|value| collect_addresses(value, &mut addresses));
    }
    let addresses: Vec<&str> = addresses.iter().map(|address| address.trim()).collect();
    call.service.media.refused_hosts(&addresses).await
}

/// The texts of a value that may be addresses.
fn collect_addresses(value: &Value, addresses: &mut Vec<String>) {
    match value {
        _ if addresses.len() >= MOST_ADDRESSES => {}
        Value::String(text) if text.contains("://") => addresses.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_addresses(item, addresses)),
        Value::Object(fields) => fields.values().for_each(|field| collect_addresses(field, addresses)),
        _ => {}
    }
}

/// The problems of some sets as one error: the first one's, with the issues of all.
fn all_refused(request: &BatchRequest, refused: Vec<(usize, ServiceError)>) -> ServiceError {
    let mut issues: Vec<Value> = Vec::new();
    for (index, error) in &refused {
        let own = error.issues();
        for issue in &own {
            let path = request.path(*index, &issue.path);
            let message = issue.message.replace(&format!("`{}`", issue.path), &format!("`{path}`"));
            let issue = json!({"path": path, "code": issue.code, "message": message});
            // What all renders share is told once.
            if !issues.contains(&issue) {
                issues.push(issue);
            }
        }
        if own.is_empty() {
            issues.push(
                json!({"path": format!("sets[{index}]"), "code": error.reason, "message": error.message}),
            );
        }
    }
    let count = issues.len();
    let first = issues[0].clone();
    let (path, sentence) =
        (first["path"].as_str().unwrap_or_default(), first["message"].as_str().unwrap_or_default());
    let mut message = match sentence.contains(path) {
        true => sentence.to_owned(),
        false => format!("`{path}`: {sentence}"),
    };
    if count > 1 {
        message = format!("{message} ({} more in details.issues.)", count - 1);
    }
    let (kind, reason, details) = match refused.into_iter().next() {
        Some((_, error)) => (error.kind, error.reason, *error.details),
        None => (ErrorKind::Invalid, "INVALID_REQUEST", Map::new()),
    };
    let mut error = ServiceError::new(kind, reason, message);
    *error.details = details;
    error.with("issues", issues)
}

fn too_large(index: usize) -> ServiceError {
    let message = format!(
        "The compositions of the batch are larger than {} MB in all. Render fewer sets at once.",
        MOST_BYTES / 1_000_000
    );
    ServiceError::unprocessable_field("BATCH_TOO_LARGE", &format!("sets[{index}]"), message)
        .with("limitBytes", MOST_BYTES)
}
