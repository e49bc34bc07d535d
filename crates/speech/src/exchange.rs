//! HTTP requests to providers, through a trait that the program implements with its own client.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub method: &'static str,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// For the request and the whole response.
    pub timeout: Duration,
    /// Longer response bodies are rejected and need not be read.
    pub most_answer_bytes: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The first header with this name, ignoring case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

pub trait Exchange: Send + Sync {
    /// Sends a request and reads the whole response, with any status. An error describes a failure of the
    /// transport.
    fn send(&self, request: Request) -> Result<Response, String>;
}
