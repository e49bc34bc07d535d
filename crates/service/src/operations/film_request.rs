//! The request of operations about a film: renders and previews.

use rondo_composition::RenderRequest;
use serde_json::{Map, Value};

use crate::error::{ServiceError, ServiceResult};
use crate::operation::Request;

/// A film, by composition, template or project, and what to do with it. It is read by the resolver, which knows the
/// limits; the fields are those of [`RenderRequest`].
#[derive(Debug, Clone, PartialEq)]
pub struct FilmRequest(pub Map<String, Value>);

impl Request for FilmRequest {
    const NAME: &'static str = "RenderBody";

    fn read(input: Value) -> ServiceResult<Self> {
        match input {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(ServiceError::invalid("The request must be a JSON object.")),
        }
    }

    fn schema() -> Value {
        RenderRequest::schema()
    }
}
