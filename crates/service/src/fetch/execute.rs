//! Requests that a client of buckets has made and signed, sent by the guarded client.

use std::time::Duration;

use reqwest::Request;
use tokio::time::{Instant, timeout_at};

use super::{Exchanged, Fetch, FetchError, host_of, problem, read_whole};

impl Fetch {
    /// Sends a request and reads the whole answer, up to `most` bytes. Redirects are an answer like any other.
    pub async fn execute(
        &self,
        request: Request,
        patience: Duration,
        most: usize,
    ) -> Result<Exchanged, FetchError> {
        let url = request.url().clone();
        self.names.guard.check_literal(&url)?;
        let late = |_| FetchError::TimedOut { host: host_of(&url), seconds: patience.as_secs() };
        let end = Instant::now() + patience;
        let sent = timeout_at(end, self.client.execute(request)).await;
        let mut response = sent.map_err(late)?.map_err(|error| problem(&url, &error.without_url()))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = read_whole(&mut response, &url, end, most, late).await?;
        Ok(Exchanged { status, headers, body })
    }

    /// Whether addresses of private networks may be called.
    pub fn allows_private_network(&self) -> bool {
        self.names.guard.private_names
    }
}
