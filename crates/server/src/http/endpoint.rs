//! Operations as HTTP endpoints: one line binds an operation to a method and a path. The route and its OpenAPI
//! description both come from the operation.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{FromRequest, Query, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use axum::{Extension, Router};
use rondo_service::operation::Request as OperationRequest;
use rondo_service::operations::batches::csv_body;
use rondo_service::{Call, Caller, ErrorKind, Operation, PublicOperation, ServiceError};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::auth::Authenticated;
use super::envelope::{Data, Failure};
use super::error::{ApiError, ApiResult, status};
use super::idempotency::Key;
use super::reading::{read_answer, tagged};
use super::request::{JsonObject, PathFields, read_body, require_plain};
use crate::app::App;

/// Where the fields of a request come from that are not in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Query,
    Body,
    /// A body, or none where no field is given.
    OptionalBody,
    /// A body, or a table with the fields of [`TABLE_QUERY`] in the query.
    BodyOrTable,
}

/// Fields in the query of a request whose body is a table.
const TABLE_QUERY: [&str; 3] = ["templateId", "projectId", "webhookUrl"];

/// Fields of requests that HTTP has a header for.
const HEADERS: [(&str, &str); 1] = [("ifMatch", "If-Match")];

/// The header of a field.
fn header_of(field: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(name, _)| *name == field).map(|(_, header)| *header)
}

/// An operation at an address.
pub struct Endpoint {
    pub method: Method,
    pub path: &'static str,
    pub tag: &'static str,
    route: MethodRouter<Arc<App>>,
    describe: fn(&mut Components) -> Description,
    source: Source,
}

/// What an operation says of itself.
struct Description {
    id: &'static str,
    about: &'static str,
    returns: &'static str,
    failures: &'static [(ErrorKind, &'static str)],
    request_name: &'static str,
    request: Value,
    response: Value,
    /// Whether answers have an `ETag`.
    has_etag: bool,
}

/// The named schemas of an OpenAPI document.
#[derive(Debug, Default)]
pub struct Components(pub Map<String, Value>);

/// A GET endpoint. Fields beside those of the path are query parameters.
pub fn get<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::GET, tag, path, Source::Query)
}

/// A DELETE endpoint. Fields beside those of the path are query parameters.
pub fn delete<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::DELETE, tag, path, Source::Query)
}

/// A POST endpoint. Fields beside those of the path are in the JSON body.
pub fn post<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::POST, tag, path, Source::Body)
}

/// A POST endpoint whose fields, beside those of the path, are all optional: without any it needs no body.
pub fn post_optional<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::POST, tag, path, Source::OptionalBody)
}

/// A POST endpoint whose fields are in the JSON body, or whose `sets` are in a table.
pub fn post_or_table<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::POST, tag, path, Source::BodyOrTable)
}

/// A PUT endpoint. Fields beside those of the path are in the JSON body.
pub fn put<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::PUT, tag, path, Source::Body)
}

/// A PATCH endpoint. Fields beside those of the path are in the JSON body.
pub fn patch<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::PATCH, tag, path, Source::Body)
}

/// An endpoint of a public operation without fields, or with fields in the JSON body. `route` reads the request and
/// writes the response.
pub fn public<O: PublicOperation>(
    method: Method,
    tag: &'static str,
    path: &'static str,
    route: MethodRouter<Arc<App>>,
) -> Endpoint {
    let describe = |components: &mut Components| {
        Description::new::<O::Request, O::Response>(components, [O::ID, O::ABOUT, O::RETURNS], O::FAILURES)
    };
    Endpoint { method, path, tag, route, describe, source: Source::Body }
}

/// A POST endpoint without a body. Fields beside those of the path are query parameters.
pub fn post_query<O: Operation>(tag: &'static str, path: &'static str) -> Endpoint {
    endpoint::<O>(Method::POST, tag, path, Source::Query)
}

fn endpoint<O: Operation>(method: Method, tag: &'static str, path: &'static str, source: Source) -> Endpoint {
    let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
    let route = match source {
        Source::Query => on(filter, from_query::<O>),
        Source::Body => on(filter, from_body::<O>),
        Source::OptionalBody => on(filter, from_optional_body::<O>),
        Source::BodyOrTable => on(filter, from_body_or_table::<O>),
    };
    let describe = |components: &mut Components| Description {
        has_etag: O::ETAG.is_some(),
        ..Description::new::<O::Request, O::Response>(components, [O::ID, O::ABOUT, O::RETURNS], O::FAILURES)
    };
    Endpoint { method, path, tag, route, describe, source }
}

async fn from_query<O: Operation>(
    State(app): State<Arc<App>>,
    Authenticated(caller): Authenticated,
    PathFields(path): PathFields,
    key: Option<Extension<Key>>,
    request: Request,
) -> ApiResult<Response> {
    caller.check_access::<O>()?;
    require_access::<O>(&caller, request.method())?;
    let fields = query_fields::<O>(request.uri())?;
    let method = request.method().clone();
    let input = read::<O>(fields, &path, request.headers()).map_err(|error| match method {
        Method::POST => error,
        // A query is malformed where a body would be well formed.
        _ => ServiceError { kind: ErrorKind::Invalid, reason: "INVALID_REQUEST", ..error },
    })?;
    let asked = matches!(method, Method::GET | Method::HEAD).then(|| request.headers());
    run::<O>(app, caller, key, input, asked).await
}

/// The query parameters that a request has fields for.
fn query_fields<O: Operation>(uri: &Uri) -> ApiResult<Map<String, Value>> {
    let query = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Query(pairs) = query.map_err(|error| ApiError::invalid(format!("Invalid query string: {error}.")))?;
    let mut fields = Map::new();
    // Repeated parameters: the last one counts. Empty ones count as absent, unknown ones are ignored.
    let schema = O::Request::schema();
    for (name, text) in pairs {
        let text = text.trim();
        if let Some((object, key)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
            && is_object(&schema["properties"][object])
        {
            let object = fields.entry(object).or_insert_with(|| json!({}));
            if let Some(object) = object.as_object_mut() {
                object.insert(key.to_owned(), text.into());
            }
            continue;
        }
        let known = &schema["properties"][&name];
        match (known.is_null(), text.is_empty()) {
            (false, false) => fields.insert(name, typed(known, text)),
            (false, true) => fields.shift_remove(&name),
            (true, _) => None,
        };
    }
    Ok(fields)
}

async fn from_optional_body<O: Operation>(
    state: State<Arc<App>>,
    caller: Authenticated,
    PathFields(path): PathFields,
    key: Option<Extension<Key>>,
    mut request: Request,
) -> ApiResult<Response> {
    if request.body().is_end_stream() {
        *request.body_mut() = "{}".into();
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    from_body::<O>(state, caller, PathFields(path), key, request).await
}

async fn from_body<O: Operation>(
    State(app): State<Arc<App>>,
    Authenticated(caller): Authenticated,
    PathFields(path): PathFields,
    key: Option<Extension<Key>>,
    request: Request,
) -> ApiResult<Response> {
    caller.check_access::<O>()?;
    require_access::<O>(&caller, request.method())?;
    let elsewhere = |name: &str| header_of(name).is_some() || path.iter().any(|(known, _)| known == name);
    let schema = O::Request::schema();
    let has_body =
        schema["properties"].as_object().is_some_and(|all| all.keys().any(|name| !elsewhere(name)));
    let headers = request.headers().clone();
    let fields = match has_body {
        true => JsonObject::from_request(request, &()).await?.0,
        false => Map::new(),
    };
    let input = read::<O>(fields, &path, &headers)?;
    run::<O>(app, caller, key, input, None).await
}

/// A body as [`from_body`] reads it, or a table with the other fields in the query.
async fn from_body_or_table<O: Operation>(
    state: State<Arc<App>>,
    caller: Authenticated,
    path: PathFields,
    key: Option<Extension<Key>>,
    request: Request,
) -> ApiResult<Response> {
    if !is_csv(request.headers()) {
        return from_body::<O>(state, caller, path, key, request).await;
    }
    let (State(app), Authenticated(caller)) = (state, caller);
    caller.check_access::<O>()?;
    require_access::<O>(&caller, request.method())?;
    require_plain(request.headers())?;
    let fields = query_fields::<O>(request.uri())?;
    let (parts, body) = request.into_parts();
    let table = read_body(&parts.extensions, body).await?;
    let fields = csv_body(fields, &table)?;
    let input = O::Request::read(Value::Object(fields))?;
    run::<O>(app, caller, key, input, None).await
}

fn is_csv(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/csv")
}

/// Fails for a key that can only read, unless the operation does nothing else.
fn require_access<O: Operation>(caller: &Caller, method: &Method) -> Result<(), ServiceError> {
    if method.is_safe() || O::READS { Ok(()) } else { caller.require_writing() }
}

fn read<O: Operation>(
    mut fields: Map<String, Value>,
    path: &RawPathParams,
    headers: &HeaderMap,
) -> Result<O::Request, ServiceError> {
    for (name, value) in path {
        fields.insert(name.to_owned(), value.into());
    }
    for (name, header) in HEADERS {
        fields.shift_remove(name);
        if let Some(value) = headers.get(header) {
            // What is no text names nothing.
            fields.insert(name.to_owned(), value.to_str().unwrap_or_default().into());
        }
    }
    O::Request::read(Value::Object(fields))
}

/// Runs an operation. `asked` are the headers of a request that reads.
async fn run<O: Operation>(
    app: Arc<App>,
    caller: Caller,
    key: Option<Extension<Key>>,
    request: O::Request,
    asked: Option<&HeaderMap>,
) -> ApiResult<Response> {
    let cancelled = CancellationToken::new();
    let call = Call {
        service: &app.service,
        caller: &caller,
        idempotency_key: key.as_ref().map(|Extension(Key(key))| key.as_str()),
        cancelled: &cancelled,
    };
    let response = O::run(call, request).await?;
    let tag = O::ETAG.map(|etag| format!("\"{}\"", etag(&response)));
    match (asked, tag.as_deref().and_then(tagged)) {
        (Some(asked), _) => read_answer(response, tag, asked).await,
        (None, Some(headers)) => Ok((headers, Data(response)).into_response()),
        (None, None) => Ok(Data(response).into_response()),
    }
}

/// The type that a schema names, `null` aside.
fn kind(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").and_then(Value::as_str),
        kind => kind.as_str(),
    }
}

/// Whether a parameter has fields of its own, each a parameter `name[field]`.
fn is_object(schema: &Value) -> bool {
    kind(schema) == Some("object")
}

/// A query parameter as the JSON value that its schema names.
fn typed(schema: &Value, text: &str) -> Value {
    let typed = match kind(schema) {
        Some("integer" | "number") => text.parse().ok().map(Value::Number),
        Some("boolean") => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        _ => None,
    };
    typed.unwrap_or_else(|| text.into())
}

impl Description {
    fn new<R: OperationRequest, T: ToSchema>(
        components: &mut Components,
        [id, about, returns]: [&'static str; 3],
        failures: &'static [(ErrorKind, &'static str)],
    ) -> Self {
        let request = components.hoist(R::schema());
        let response = components.reference::<T>();
        Self { id, about, returns, failures, request_name: R::NAME, request, response, has_etag: false }
    }
}

/// The paths object of OpenAPI.
pub fn paths(endpoints: &[Endpoint], components: &mut Components) -> Map<String, Value> {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let method = endpoint.method.as_str().to_ascii_lowercase();
        let operation = endpoint.operation(components);
        paths.entry(endpoint.path).or_insert_with(|| json!({}))[method] = operation;
    }
    paths
}

impl Components {
    /// Adds a response type with everything it refers to, and refers to it.
    pub fn reference<T: ToSchema>(&mut self) -> Value {
        let mut parts = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut parts);
        for (name, part) in parts {
            self.0.entry(name).or_insert_with(|| serde_json::to_value(part).unwrap_or_default());
        }
        json!({"$ref": format!("#/components/schemas/{}", T::name())})
    }

    /// Adds the body of errors. What programs may act on beside its reason depends on the reason.
    pub fn add_failure(&mut self) {
        self.reference::<Failure>();
        self.0["Failure"]["properties"]["success"] = json!({"type": "boolean", "const": false});
        self.0["FailureDetails"]["additionalProperties"] = true.into();
    }

    /// Moves the `$defs` of a schema to the components.
    pub fn hoist(&mut self, mut schema: Value) -> Value {
        rename_references(&mut schema);
        if let Some(fields) = schema.as_object_mut() {
            fields.shift_remove("$schema");
            fields.shift_remove("title");
            let parts = fields.shift_remove("$defs");
            for (name, part) in parts.as_ref().and_then(Value::as_object).into_iter().flatten() {
                self.0.entry(name.clone()).or_insert_with(|| part.clone());
            }
        }
        schema
    }
}

fn rename_references(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rename_references),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/$defs/", "#/components/schemas/");
                    }
                    _ => rename_references(field),
                }
            }
        }
        _ => {}
    }
}

impl Endpoint {
    /// Adds the route.
    pub fn route(self, router: Router<Arc<App>>) -> Router<Arc<App>> {
        router.route(self.path, self.route)
    }

    /// The operation object of OpenAPI.
    pub fn operation(&self, components: &mut Components) -> Value {
        let Description { id, about, returns, failures, request_name, request, response, has_etag } =
            (self.describe)(components);
        let (summary, description) = about.split_once(". ").unwrap_or((about, ""));
        let mut operation = json!({"tags": [self.tag], "operationId": id});
        operation["summary"] = summary.trim_end_matches('.').into();
        if !description.is_empty() {
            operation["description"] = description.into();
        }
        let required: Vec<&str> =
            request["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let in_path = |name: &str| self.path.contains(&format!("{{{name}}}"));
        let mut parameters = Vec::new();
        let mut body = request.clone();
        for (name, field) in request["properties"].as_object().into_iter().flatten() {
            let header = header_of(name);
            let place = match header {
                Some(_) => "header",
                None if in_path(name) => "path",
                None => "query",
            };
            let also_in_query = self.source == Source::BodyOrTable && TABLE_QUERY.contains(&name.as_str());
            if place == "query" && self.source != Source::Query && !also_in_query {
                continue;
            }
            let mut schema = field.clone();
            let about = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
            let is_object = is_object(&schema);
            let mut parameter = json!({
                "name": header.unwrap_or(name), "in": place, "required": required.contains(&name.as_str()),
                "description": about, "schema": schema,
            });
            if is_object {
                parameter["style"] = "deepObject".into();
                parameter["explode"] = true.into();
            }
            parameters.push(parameter);
            if also_in_query {
                continue;
            }
            if let Some(properties) = body["properties"].as_object_mut() {
                properties.shift_remove(name);
            }
            if let Some(required) = body.get_mut("required").and_then(Value::as_array_mut) {
                required.retain(|required| required != name);
            }
        }
        let mut responses = Map::new();
        responses.insert("200".into(), success(components, returns, response));
        if has_etag {
            responses["200"]["headers"] = json!({"ETag": {"$ref": "#/components/headers/ETag"}});
        }
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        let has_body = body["properties"].as_object().is_some_and(|properties| !properties.is_empty());
        if self.source != Source::Query && has_body {
            components.0.entry(request_name).or_insert(body);
            let schema = json!({"$ref": format!("#/components/schemas/{request_name}")});
            let required = matches!(self.source, Source::Body | Source::BodyOrTable);
            operation["requestBody"] =
                json!({"required": required, "content": {"application/json": {"schema": schema}}});
            if self.source == Source::BodyOrTable {
                let example = "headline,logo\nHello,https://example.com/logo.png\n";
                operation["requestBody"]["content"]["text/csv"] =
                    json!({"schema": {"type": "string"}, "example": example});
            }
        }
        for (kind, description) in failures {
            responses.insert(status(*kind).as_u16().to_string(), failure(description));
        }
        operation["responses"] = Value::Object(responses);
        operation
    }
}

/// A success in its envelope, which has a name of its own.
pub fn success(components: &mut Components, description: &str, data: Value) -> Value {
    let name = format!(
        "{}Envelope",
        data["$ref"].as_str().and_then(|name| name.rsplit('/').next()).unwrap_or("Any")
    );
    let schema = json!({"$ref": format!("#/components/schemas/{name}")});
    let envelope = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"type": "boolean", "const": true}, "data": data},
    });
    components.0.entry(name).or_insert(envelope);
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

/// An error in its envelope.
pub fn failure(description: &str) -> Value {
    json!({
        "description": description,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
    })
}
