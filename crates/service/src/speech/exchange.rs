//! How hosted providers of speech are reached: through the guarded client, at the address the operator set.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rondo_speech::{Exchange, Request, Response};
use tokio::runtime::Handle;

use crate::fetch::Fetch;

/// Carries requests to a provider.
#[derive(Debug)]
pub struct Courier {
    fetch: Fetch,
    runtime: Handle,
}

impl Courier {
    /// A client for addresses an operator set, which may be in a private network. Made inside the runtime that will
    /// carry its requests.
    pub fn new() -> Result<Arc<Self>, reqwest::Error> {
        Ok(Arc::new(Self { fetch: Fetch::new(true)?, runtime: Handle::current() }))
    }
}

impl Exchange for Courier {
    fn send(&self, request: Request) -> Result<Response, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            let name = HeaderName::try_from(name.as_str()).map_err(|error| error.to_string())?;
            let mut value = HeaderValue::try_from(value.as_str()).map_err(|error| error.to_string())?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let body = Bytes::from(request.body);
        let sent =
            self.fetch.exchange(&request.url, headers, body, request.timeout, request.most_answer_bytes);
        let answer = self.runtime.block_on(sent).map_err(|error| error.to_string())?;
        let headers = answer
            .headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
        Ok(Response { status: answer.status, headers: headers.collect(), body: answer.body })
    }
}
