//! The MCP server for agents at /api/mcp, over streamable HTTP and without sessions. Its tools do
//! what the operations under /api/v1 do, by the same functions, for the same callers and at the same price.

mod account;
mod arguments;
mod catalog;
mod films;
mod frames;
mod media;
mod projects;
mod prompts;
mod resources;
mod schema;
mod speech;
mod tool;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Icon, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, Reference, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde::de::IgnoredAny;
use serde_json::json;
use url::Url;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::request::{read_body, require_plain, without_mark};
use rondo_service::Caller;
use rondo_service::operation::MOST_BODY;
use tool::{Tool, ToolCall};

/// Where the server is.
pub const PATH: &str = "/api/mcp";

/// What a client shows its model before anything else.
const INSTRUCTIONS: &str = "Rondo makes videos from JSON compositions, templates and projects. Work in this order: \
    get_guide once, before you write a composition; list_templates when a ready-made film may do; write the composition; \
    check_composition until it has no problems and no warnings; preview_frames and look at the pictures; render, then \
    get_render with waitSeconds until it is COMPLETED. Only render spends credits: check_composition, preview_frames and \
    preview are free, so look often. A film that the user wants to go on with becomes a project: create_project, then \
    open_project and apply_edits for changes, also while the user has it open. Media must be http(s) addresses; upload_from_url keeps a copy on the service.";

/// The server's route. Who may come in is decided around it.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MOST_BODY)
        .with_cancellation_token(app.service.queue.stopping.child_token())
        .with_allowed_hosts(hosts(app.service.links.public_url()))
        .with_allowed_origins(origins(app.service.links.public_url()));
    let server = McpServer { app: app.clone() };
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new().route_service(PATH, service).layer(from_fn(answer_unreadable))
}

/// Answers messages that cannot be read as JSON-RPC does. The library refuses them as another content type, in plain text.
async fn answer_unreadable(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Err(error) = require_plain(&parts.headers) {
        return error.into_response();
    }
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    // What the library takes.
    let is_json = content_type.is_some_and(|kind| kind.starts_with("application/json"));
    let body = match read_body(&parts.extensions, body).await {
        Ok(body) => without_mark(body),
        Err(error) => return error.into_response(),
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let response = next.run(Request::from_parts(parts, Body::from(body.clone()))).await;
    if !is_json || response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    let error = match serde_json::from_slice::<IgnoredAny>(&body) {
        Ok(_) => ErrorData::invalid_request("The body must be one JSON-RPC 2.0 message.", None),
        Err(error) => ErrorData::parse_error(format!("The body is not valid JSON: {error}."), None),
    };
    (StatusCode::BAD_REQUEST, Json(json!({"jsonrpc": "2.0", "id": null, "error": error}))).into_response()
}

/// The names the service answers to: its public one, and those of the machine it runs on, which proxies use.
fn hosts(public_url: &str) -> Vec<String> {
    let public = Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    ["localhost", "127.0.0.1", "::1"].into_iter().map(str::to_owned).chain(public).collect()
}

/// Pages that may call from a browser: the service's own.
fn origins(public_url: &str) -> Vec<String> {
    let url = Url::parse(public_url).ok();
    let origin = url.and_then(|url| {
        let port = url.port_or_known_default()?;
        Some(format!("{}://{}:{port}", url.scheme(), url.host_str()?))
    });
    // With no origin to compare with, none is allowed rather than any.
    vec![origin.unwrap_or_else(|| "https://origin.invalid:443".to_owned())]
}

/// Every tool, in the order an agent needs them.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    [
        catalog::tools(),
        films::tools(),
        frames::tools(),
        projects::tools(),
        media::tools(),
        speech::tools(),
        account::tools(),
    ]
    .concat()
});

fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// One request's view of the service.
#[derive(Clone)]
struct McpServer {
    app: Arc<App>,
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        let about = Implementation::new("rondo", env!("CARGO_PKG_VERSION"))
            .with_title("Rondo")
            .with_description("Videos from JSON: compositions, templates and projects, seen frame by frame.")
            .with_icons(vec![
                Icon::new(self.app.service.links.url("/pages/icon.svg")).with_mime_type("image/svg+xml"),
            ])
            .with_website_url(self.app.service.links.url("/docs"));
        ServerConfig::new(capabilities).with_server_info(about).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(Tool::described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        tool(name).map(Tool::described)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tool(&request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("There is no tool \"{}\". There are: {}.", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let caller = caller(&context)?;
        if !tool.effect.reads_only()
            && let Err(error) = caller.require_writing()
        {
            return Ok(tool::refused(&error.into()).into());
        }
        let call = ToolCall::new(self.app.clone(), caller, request.arguments.unwrap_or_default(), &context);
        // The protocol's tasks run beside the request: what they panic over would go unanswered.
        let answered = AssertUnwindSafe(tool.answer(call)).catch_unwind().await;
        let answer = answered.unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().cloned();
            let error = ApiError::internal(message.unwrap_or_else(|| format!("{} panicked", tool.name)));
            tool::refused(&error)
        });
        Ok(answer.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = caller(&context)?;
        resources::read(&self.app, &caller.account.id, &request.uri).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let choices = match &request.r#ref {
            Reference::Prompt(_) => prompts::choices(&request.argument.name),
            Reference::Resource(template) => resources::choices(&template.uri, &request.argument.name),
            _ => Vec::new(),
        };
        let fitting = choices.into_iter().filter(|choice| choice.starts_with(&request.argument.value));
        let values = fitting.map(str::to_owned).collect();
        let completion = CompletionInfo::with_all_values(values)
            .map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(completion))
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}
}

/// The caller that the guard authenticated.
fn caller(context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
    let parts = context.extensions.get::<Parts>();
    let caller = parts.and_then(|parts| parts.extensions.get::<Caller>()).cloned();
    caller.ok_or_else(|| ErrorData::internal_error("The request carries no credentials.", None))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use rondo_service::Operation;
    use rondo_service::operation::Request;
    use rondo_service::operations::account::GetUsage;
    use rondo_service::operations::projects::ListProjects;
    use rondo_service::operations::registry::ListRegistry;
    use rondo_service::operations::renders::{GetRender, ListRenders};
    use rondo_service::operations::speech::{CreateCaptions, CreateVoiceover};
    use rondo_service::operations::templates::ListTemplates;
    use rondo_service::operations::uploads::CreateUpload;
    use rondo_service::operations::webhooks::{ListDeliveries, RegisterWebhook, TestWebhook};
    use serde_json::Value;

    use super::*;
    use crate::http::openapi;

    #[test]
    fn only_the_service_s_own_names_and_pages_are_let_in() {
        assert!(hosts("https://video.example.com").contains(&"video.example.com".to_owned()));
        assert_eq!(origins("https://video.example.com"), ["https://video.example.com:443"]);
        assert_eq!(origins("http://127.0.0.1:8080"), ["http://127.0.0.1:8080"]);
        assert!(!origins("nonsense").is_empty(), "an empty list would let every page in");
    }

    #[test]
    fn every_tool_says_what_it_takes_what_it_gives_and_what_it_does() {
        let mut names = BTreeSet::new();
        for tool in TOOLS.iter() {
            assert!(names.insert(tool.name), "{} is there twice", tool.name);
            let described = serde_json::to_value(tool.described()).unwrap();
            assert_eq!(described["inputSchema"]["type"], "object", "{}", tool.name);
            assert_eq!(described["inputSchema"]["additionalProperties"], false, "{}", tool.name);
            for (name, field) in described["inputSchema"]["properties"].as_object().unwrap() {
                assert!(field["description"].is_string(), "{}.{name} is not described", tool.name);
            }
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(described["annotations"][hint].is_boolean(), "{} lacks {hint}", tool.name);
            }
            let output = &described["outputSchema"];
            assert_eq!(output["type"], "object", "{}", tool.name);
            assert!(!output.to_string().contains("#/components"), "{} refers to elsewhere", tool.name);
        }
    }

    /// Tools that run an operation of the API, with the method and path of its endpoint, and the arguments that are the
    /// tool's own.
    const SAME: [(&str, &str, &str, &[&str]); 23] = [
        ("render", "post", "/renders", &["idempotencyKey"]),
        ("preview", "post", "/previews", &[]),
        ("check_composition", "post", "/previews", &[]),
        ("import_film", "post", "/imports", &[]),
        ("get_render", "get", "/renders/{jobId}", &["waitSeconds", "includeComposition"]),
        ("list_renders", "get", "/renders", &[]),
        ("cancel_render", "post", "/renders/{jobId}/cancel", &[]),
        ("list_templates", "get", "/templates", &[]),
        ("list_projects", "get", "/projects", &[]),
        ("create_project", "post", "/projects", &[]),
        ("open_project", "get", "/projects/{projectId}", &[]),
        ("apply_edits", "post", "/projects/{projectId}/edits", &[]),
        ("list_registry", "get", "/registry/{area}", &[]),
        ("create_upload", "post", "/uploads", &[]),
        ("list_uploads", "get", "/uploads", &[]),
        ("delete_upload", "delete", "/uploads/{uploadId}", &[]),
        ("brand", "get", "/brand", &[]),
        ("list_voices", "get", "/ai/voices", &[]),
        ("create_voiceover", "post", "/ai/voiceover", &[]),
        ("create_captions", "post", "/ai/captions", &[]),
        ("account", "get", "/account", &[]),
        ("usage", "get", "/account/usage", &[]),
        ("get_variables", "get", "/templates/{templateId}/variables", &["projectId"]),
    ];

    /// The fields of an endpoint, with their schemas: parameters and body.
    fn fields_of(document: &Value, method: &str, path: &str) -> BTreeMap<String, Value> {
        let operation = &document["paths"][path][method];
        assert!(operation.is_object(), "there is no {method} {path}");
        let mut fields = BTreeMap::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = match parameter["name"].as_str().unwrap() {
                "If-Match" => "ifMatch",
                _ if parameter["in"] == "header" => continue,
                name => name,
            };
            let mut schema = parameter["schema"].clone();
            schema["description"] = parameter["description"].clone();
            fields.insert(name.to_owned(), schema);
        }
        let body = operation.pointer("/requestBody/content/application~1json/schema/$ref");
        if let Some(pointer) = body.and_then(Value::as_str) {
            let schema = document.pointer(&pointer[1..]).unwrap();
            let properties = schema["properties"].as_object().unwrap();
            fields.extend(properties.iter().map(|(name, schema)| (name.clone(), schema.clone())));
        }
        fields
    }

    /// A field with its default as the document has it.
    fn described(field: Value) -> Value {
        let mut schemas = json!({"S": {"properties": {"field": field}}});
        openapi::defaults::describe(schemas.as_object_mut().unwrap());
        schemas["S"]["properties"]["field"].take()
    }

    #[test]
    fn a_tool_and_its_endpoint_describe_the_same_fields() {
        let document = openapi::describe("https://video.example.com");
        for (name, method, path, own) in SAME {
            let mut endpoint = fields_of(&document, method, path);
            if name == "get_render" {
                // The tool waits with `waitSeconds`, and leaves the composition out unless it is asked for.
                endpoint.remove("wait");
            }
            if name != "list_renders" {
                // What the output schema of a tool requires is returned.
                endpoint.remove("fields");
            }
            let tool = tool(name).unwrap();
            let arguments = tool.input["properties"].as_object().unwrap();
            let names: BTreeSet<&str> =
                arguments.keys().map(String::as_str).filter(|name| !own.contains(name)).collect();
            assert_eq!(names, endpoint.keys().map(String::as_str).collect(), "{name} and {method} {path}");
            for (field, schema) in &endpoint {
                // A composition is described in outline to agents, and get_variables words its own two ids.
                if ["inputProps", "composition"].contains(&field.as_str()) || name == "get_variables" {
                    continue;
                }
                let argument = arguments[field].to_string().replace("#/$defs/", "#/components/schemas/");
                let argument: Value = serde_json::from_str(&argument).unwrap();
                assert_eq!(
                    described(argument),
                    described(schema.clone()),
                    "{name}.{field} and {method} {path}"
                );
            }
        }
    }

    #[test]
    fn the_reader_refuses_what_the_description_of_a_field_excludes() {
        fn check<O: Operation>() {
            let schema = O::Request::schema();
            for (field, described) in schema["properties"].as_object().unwrap() {
                let wrong = match described["type"].to_string() {
                    kind if kind.contains("string") => json!({"not": "a string"}),
                    kind if kind.contains("integer") || kind.contains("number") => json!("not a number"),
                    kind if kind.contains("boolean") => json!("not a boolean"),
                    kind if kind.contains("array") => json!("not an array"),
                    _ => continue,
                };
                let read = O::Request::read(json!({field: wrong}));
                let issues = read.err().map(|error| error.issues()).unwrap_or_default();
                assert!(
                    issues.iter().any(|issue| issue.path.starts_with(field.as_str())),
                    "{} reads {wrong} as {field}",
                    O::ID
                );
            }
        }
        check::<GetRender>();
        check::<ListRenders>();
        check::<ListTemplates>();
        check::<ListProjects>();
        check::<ListRegistry>();
        check::<CreateUpload>();
        check::<CreateVoiceover>();
        check::<CreateCaptions>();
        check::<GetUsage>();
        check::<RegisterWebhook>();
        check::<TestWebhook>();
        check::<ListDeliveries>();
    }
}
