//! How requests reach a provider: the trait a program implements with the client it has.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub method: &'static str,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// For the whole exchange.
    pub timeout: Duration,
    /// A longer answer need not be read: it is refused.
    pub most_answer_bytes: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of that name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

pub trait Exchange: Send + Sync {
    /// Sends a request and reads the whole answer, whatever its status. An error is a sentence about the transport.
    fn send(&self, request: Request) -> Result<Response, String>;
}
