//! What an operation is: one request type, one response type and the work between them. Transports read the request,
//! name the operation and write the response.

use std::net::IpAddr;
use std::sync::Arc;

use rondo_fields::Record;
use rondo_store::Answer;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::service::Service;

/// Largest request in bytes.
pub const MOST_BODY: usize = 5_000_000;

/// Something the service does for a caller.
pub trait Operation: Sized + 'static {
    /// Name in API descriptions, such as `createRender`.
    const ID: &'static str;
    /// What it does: a summary, then more sentences.
    const ABOUT: &'static str;
    /// What a success returns.
    const RETURNS: &'static str;
    /// How it can fail, beside what every operation can.
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[];
    /// Whether only operators may call it. Adapters check this before they read the request.
    const OPERATORS_ONLY: bool = false;
    /// Whether a key that can only read may run it, whatever the method of its endpoint.
    const READS: bool = false;

    type Request: Request;
    type Response: Serialize + ToSchema + Send;

    /// What names this state of what is returned, where a caller may change it later.
    const ETAG: Option<fn(&Self::Response) -> &str> = None;

    fn run(
        call: Call<'_>,
        request: Self::Request,
    ) -> impl Future<Output = ServiceResult<Self::Response>> + Send;
}

/// Something the service does for anyone, such as signing in.
pub trait PublicOperation: Sized + 'static {
    /// Name in API descriptions, such as `signIn`.
    const ID: &'static str;
    /// What it does: a summary, then more sentences.
    const ABOUT: &'static str;
    /// What a success returns.
    const RETURNS: &'static str;
    /// How it can fail, beside what every operation can.
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[];

    type Request: Request;
    type Response: Serialize + ToSchema + Send;

    fn run(
        visit: Visit<'_>,
        request: Self::Request,
    ) -> impl Future<Output = ServiceResult<Self::Response>> + Send;
}

/// The input of an operation: read from JSON with every problem at once, and described as JSON Schema, both from one
/// definition.
pub trait Request: Sized + Send + 'static {
    /// Name of the schema.
    const NAME: &'static str;

    fn read(input: Value) -> ServiceResult<Self>;
    /// JSON Schema of an object; what it refers to stands under `$defs`.
    fn schema() -> Value;
}

impl<T: Record + Send + 'static> Request for T {
    const NAME: &'static str = <T as Record>::NAME;

    fn read(input: Value) -> ServiceResult<Self> {
        rondo_fields::read(&input).map_err(ServiceError::from)
    }

    fn schema() -> Value {
        rondo_fields::schema::<T>()
    }
}

/// The request of operations that take nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NoInput;

impl Request for NoInput {
    const NAME: &'static str = "NoInput";

    fn read(_: Value) -> ServiceResult<Self> {
        Ok(Self)
    }

    fn schema() -> Value {
        json!({"type": "object", "properties": {}})
    }
}

/// Who calls, and how.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub service: &'a Arc<Service>,
    pub caller: &'a Caller,
    /// Set where the caller wants a repeated request to return the first response.
    pub idempotency_key: Option<&'a str>,
    /// Cancelled when the caller no longer waits.
    pub cancelled: &'a CancellationToken,
}

impl<'a> Call<'a> {
    /// Reads the request and runs the operation.
    pub async fn run<O: Operation>(self, input: Value) -> ServiceResult<O::Response> {
        self.caller.check_access::<O>()?;
        O::run(self, O::Request::read(input)?).await
    }

    pub fn account_id(&self) -> &'a str {
        &self.caller.account.id
    }
}

/// A request of someone who may not have signed in.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    pub service: &'a Arc<Service>,
    /// Set for a person who signed in.
    pub caller: Option<&'a Caller>,
    /// The address the request came from.
    pub address: IpAddr,
    /// The browser, as it names itself.
    pub user_agent: &'a str,
    /// The secret of the session that the browser has, valid or not.
    pub session_secret: Option<&'a str>,
}

/// A response as it is stored for repeated requests.
pub fn stored_answer(response: &impl Serialize) -> Answer {
    Answer { status: 200, body: json!({"success": true, "data": response}).to_string() }
}
