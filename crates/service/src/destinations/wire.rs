//! The connection of a client of buckets: requests go through the guarded client, and what went wrong is kept as a sentence
//! that says nothing of credentials.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use reqwest::{Body, Method, Request, StatusCode, Url};

use crate::fetch::{Exchanged, Fetch, FetchError};

/// Time for one request with its body, which has at most 8 MB.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of an answer. Answers to writes are short.
const MOST_ANSWER: usize = 1 << 20;
/// Letters of an error code that are shown.
const LONGEST_CODE: usize = 60;

/// Sends the requests of one client.
#[derive(Debug, Clone)]
pub struct Wire {
    fetch: Fetch,
    failure: Arc<Mutex<Option<Failure>>>,
}

/// Why a request did not succeed.
#[derive(Debug, Clone)]
pub enum Failure {
    Fetch(FetchError),
    Status { host: String, status: u16, code: Option<String> },
}

impl Failure {
    /// Whether trying again ends the same way.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Fetch(error) if error.is_refusal())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (host, status, code) = match self {
            Self::Fetch(error) => return error.fmt(f),
            Self::Status { host, status, code } => (host, status, code),
        };
        match status {
            301 | 302 | 307 | 308 => {
                write!(f, "{host} redirects: set the `region` or `endpoint` of the bucket")?
            }
            401 | 403 => write!(f, "{host} refused the credentials with status {status}")?,
            404 => write!(f, "{host} has no such bucket, status 404")?,
            _ => write!(f, "{host} answered with status {status}")?,
        }
        code.as_ref().map_or(Ok(()), |code| write!(f, " ({code})"))
    }
}

impl Wire {
    pub fn new(fetch: Fetch) -> Self {
        Self { fetch, failure: Arc::default() }
    }

    /// The last thing that went wrong.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn forget_failure(&self) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn note(&self, failure: Failure) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let url = Url::parse(&parts.uri.to_string())
            .map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        // Cleaning up after a failure is not the failure.
        let is_cleaning = parts.method == Method::DELETE;
        let mut request = Request::new(parts.method, url);
        *request.headers_mut() = parts.headers;
        *request.body_mut() = Some(Body::wrap(body));
        let Exchanged { status, headers, body } =
            self.fetch.execute(request, PATIENCE, MOST_ANSWER).await.map_err(|error| {
                let kind = match &error {
                    error if error.is_refusal() => HttpErrorKind::Unknown,
                    FetchError::TooLarge { .. } => HttpErrorKind::Decode,
                    FetchError::TimedOut { .. } => HttpErrorKind::Timeout,
                    _ => HttpErrorKind::Connect,
                };
                if !is_cleaning {
                    self.note(Failure::Fetch(error.clone()));
                }
                HttpError::new(kind, error)
            })?;
        let code = StatusCode::from_u16(status);
        let code = code.map_err(|error| HttpError::new(HttpErrorKind::Decode, error))?;
        if !code.is_success() && !is_cleaning {
            self.note(Failure::Status { host, status, code: error_code(&body) });
        }
        let mut response = HttpResponse::new(body.into());
        *response.status_mut() = code;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// The code in the answer of S3, Google or Azure: `<Error><Code>NoSuchBucket</Code>…`.
fn error_code(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let (code, _) = text.split_once("<Code>")?.1.split_once("</Code>")?;
    let is_plain = code.len() <= LONGEST_CODE && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && !code.is_empty()).then(|| code.to_owned())
}

impl HttpConnector for Wire {
    /// The options are those of another client: time limits and certificates are the guarded client's.
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

impl HttpService for Wire {
    fn call<'a, 'b>(
        &'a self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(self.send(request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_an_answer_is_shown_if_it_is_a_word() {
        let body = b"<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>x</Message></Error>";
        assert_eq!(error_code(body).as_deref(), Some("NoSuchBucket"));
        for body in
            ["", "<Code>", "<Code></Code>", "<Code>a b</Code>", &format!("<Code>{}</Code>", "a".repeat(61))]
        {
            assert_eq!(error_code(body.as_bytes()), None, "{body}");
        }
        let refused =
            Failure::Status { host: "s3.example.com".into(), status: 403, code: Some("Denied".into()) };
        assert_eq!(refused.to_string(), "s3.example.com refused the credentials with status 403 (Denied)");
    }
}
