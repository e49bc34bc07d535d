//! What a tool is: its description for clients, and the way from a call to an answer.

use std::fmt::Write;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam, ProgressToken, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext};
use rondo_service::{Call, Caller, Operation};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{arguments, schema};
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};

/// Maximum number of issues listed in an error.
const MOST_ISSUES: usize = 20;

/// A tool.
#[derive(Clone)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub effect: Effect,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of the structured result.
    pub output: Value,
    pub run: fn(ToolCall) -> BoxFuture<'static, ApiResult<Answer>>,
}

/// What a call changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Nothing, but media are fetched from elsewhere.
    Looks,
    /// Something is added.
    Adds,
    /// Something is added that was fetched from elsewhere.
    Fetches,
    /// Something under way ends.
    Ends,
}

impl Effect {
    pub fn reads_only(self) -> bool {
        matches!(self, Self::Reads | Self::Looks)
    }

    fn annotations(self, title: &str) -> ToolAnnotations {
        ToolAnnotations::with_title(title)
            .read_only(self.reads_only())
            .destructive(self == Self::Ends)
            .idempotent(!matches!(self, Self::Adds | Self::Fetches))
            .open_world(matches!(self, Self::Looks | Self::Fetches))
    }
}

impl Tool {
    /// A tool that runs an operation with its arguments.
    pub fn of<O: Operation>(
        name: &'static str,
        title: &'static str,
        effect: Effect,
        description: &'static str,
    ) -> Self {
        Self {
            name,
            title,
            description,
            effect,
            input: schema::arguments::<O>(),
            output: schema::response::<O::Response>(),
            run: |call| Box::pin(async move { Answer::of(call.run::<O>().await?) }),
        }
    }

    /// The tool as clients see it.
    pub fn described(&self) -> rmcp::model::Tool {
        rmcp::model::Tool::new(self.name, self.description, object(&self.input))
            .with_title(self.title)
            .with_raw_output_schema(object(&self.output))
            .with_annotations(self.effect.annotations(self.title))
    }

    /// Checks the arguments and does the work. Errors are results too, which the model can act on.
    pub async fn answer(&self, mut call: ToolCall) -> CallToolResult {
        call.arguments.retain(|_, value| !value.is_null());
        if let Err(error) = arguments::check(&self.input, &call.arguments) {
            return refused(&error);
        }
        match (self.run)(call).await {
            Ok(answer) => answer.into_result(),
            Err(error) => refused(&error),
        }
    }
}

fn object(value: &Value) -> Arc<JsonObject> {
    Arc::new(value.as_object().cloned().unwrap_or_default())
}

/// A call of a tool.
pub struct ToolCall {
    pub app: Arc<App>,
    pub caller: Caller,
    pub arguments: Map<String, Value>,
    /// Cancelled when the client no longer waits.
    pub cancelled: CancellationToken,
    peer: Peer<RoleServer>,
    progress: Option<ProgressToken>,
}

impl ToolCall {
    pub fn new(
        app: Arc<App>,
        caller: Caller,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        Self {
            app,
            caller,
            arguments,
            cancelled: context.ct.clone(),
            peer: context.peer.clone(),
            progress: context.meta.get_progress_token(),
        }
    }

    /// The call as operations take it.
    pub fn call(&self) -> Call<'_> {
        Call {
            service: &self.app.service,
            caller: &self.caller,
            idempotency_key: None,
            cancelled: &self.cancelled,
        }
    }

    /// Runs an operation with the arguments.
    pub async fn run<O: Operation>(&self) -> ApiResult<O::Response> {
        Ok(self.call().run::<O>(Value::Object(self.arguments.clone())).await?)
    }

    /// Takes an argument that is not the operation's.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.arguments.shift_remove(name)
    }

    /// Sends progress to clients that requested it.
    pub async fn progress(&self, percent: u32, message: &str) {
        let Some(token) = &self.progress else { return };
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(percent))
            .with_total(100.0)
            .with_message(message);
        // A client that went away misses nothing.
        let _ = self.peer.notify_progress(progress).await;
    }
}

/// What a tool gives back.
#[derive(Debug)]
pub struct Answer {
    structured: Value,
    more: Vec<ContentBlock>,
}

impl Answer {
    pub fn of(value: impl Serialize) -> ApiResult<Self> {
        let structured = serde_json::to_value(value).map_err(ApiError::internal)?;
        Ok(Self { structured, more: Vec::new() })
    }

    /// Adds something to read or to look at.
    pub fn with(mut self, content: ContentBlock) -> Self {
        self.more.push(content);
        self
    }

    /// Leaves a field out.
    pub fn without(mut self, field: &str) -> Self {
        if let Some(fields) = self.structured.as_object_mut() {
            fields.shift_remove(field);
        }
        self
    }

    fn into_result(self) -> CallToolResult {
        let mut result = CallToolResult::structured(self.structured);
        result.content.extend(self.more);
        result
    }
}

/// An error as an answer: the sentence, every issue with its path, and what else a program may act on.
pub fn refused(error: &ApiError) -> CallToolResult {
    let mut text = error.message.clone();
    let issues = error.issues();
    for issue in issues.iter().take(MOST_ISSUES) {
        let _ = write!(text, "\n- {}: {} ({})", issue.path, issue.message, issue.code);
    }
    if issues.len() > MOST_ISSUES {
        let _ = write!(text, "\n- {} more", issues.len() - MOST_ISSUES);
    }
    let mut details = Map::clone(&error.details);
    details.shift_remove("issues");
    let _ = write!(text, "\nReason: {} ({}).", error.reason, error.status.as_u16());
    if !details.is_empty() {
        let _ = write!(text, " Details: {}", Value::Object(details));
    }
    CallToolResult::error(vec![ContentBlock::text(text)])
}
