//! What a tool is: its description for clients, and the way from a call to an answer.

use std::fmt::Write;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam, ProgressToken, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments;
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult};

/// Issues an error tells one by one.
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
    /// JSON Schema of the structured answer.
    pub output: Value,
    /// Arguments that whoever reads them checks.
    pub unchecked: Vec<&'static str>,
    pub run: fn(Call) -> BoxFuture<'static, ApiResult<Answer>>,
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
    fn annotations(self, title: &str) -> ToolAnnotations {
        ToolAnnotations::with_title(title)
            .read_only(matches!(self, Self::Reads | Self::Looks))
            .destructive(self == Self::Ends)
            .idempotent(!matches!(self, Self::Adds | Self::Fetches))
            .open_world(matches!(self, Self::Looks | Self::Fetches))
    }
}

impl Tool {
    /// The tool as clients see it.
    pub fn described(&self) -> rmcp::model::Tool {
        rmcp::model::Tool::new(self.name, self.description, object(&self.input))
            .with_title(self.title)
            .with_raw_output_schema(object(&self.output))
            .with_annotations(self.effect.annotations(self.title))
    }

    /// Checks the arguments and does the work. What goes wrong is an answer too, one the model can act on.
    pub async fn answer(&self, mut call: Call) -> CallToolResult {
        call.arguments.retain(|_, value| !value.is_null());
        if let Err(error) = arguments::check(&self.input, &call.arguments, &self.unchecked) {
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
pub struct Call {
    pub app: Arc<App>,
    pub caller: Caller,
    pub arguments: Map<String, Value>,
    /// Cancelled when nobody waits for the answer any more.
    pub gone: CancellationToken,
    peer: Peer<RoleServer>,
    progress: Option<ProgressToken>,
}

impl Call {
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
            gone: context.ct.clone(),
            peer: context.peer.clone(),
            progress: context.meta.get_progress_token(),
        }
    }

    /// Some of the arguments, as the body of a request to the API.
    pub fn body(&self, fields: &[&str]) -> Map<String, Value> {
        let given = self.arguments.iter().filter(|(name, _)| fields.contains(&name.as_str()));
        given.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// A text that was checked to be there.
    pub fn text(&self, name: &str) -> &str {
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn optional_text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        // Whole numbers may be written as 5.0.
        let value = self.arguments.get(name)?;
        value.as_u64().or_else(|| value.as_f64().map(|number| number as u64))
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.arguments.get(name).and_then(Value::as_bool)
    }

    /// Numbers of a list that was checked to hold nothing else.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let items = self.arguments.get(name)?.as_array()?;
        Some(items.iter().filter_map(Value::as_f64).collect())
    }

    /// Tells how far the work is, to clients that asked for it.
    pub async fn progress(&self, percent: u32, message: &str) {
        let Some(token) = &self.progress else { return };
        let told = ProgressNotificationParam::new(token.clone(), f64::from(percent))
            .with_total(100.0)
            .with_message(message);
        // A client that went away misses nothing.
        let _ = self.peer.notify_progress(told).await;
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
