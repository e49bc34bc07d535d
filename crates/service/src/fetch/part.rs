//! Parts of a file, while the whole of it is fetched by another request.

use std::ops::Range;
use std::time::Duration;

use reqwest::{Method, StatusCode, header};
use tokio::time::{Instant, timeout_at};

use super::{Fetch, FetchError, host_of, packing, parse, read_whole, validator};

impl Fetch {
    /// Some bytes of the file that has this validator and length. `None` if the server sends no parts of files, or those of
    /// another one.
    pub async fn part(
        &self,
        text: &str,
        range: Range<u64>,
        known: &str,
        length: u64,
        patience: Duration,
    ) -> Result<Option<Vec<u8>>, FetchError> {
        let start = parse(text)?;
        let late = |_| FetchError::TimedOut { host: host_of(&start), seconds: patience.as_secs() };
        let end = Instant::now() + patience;
        let (first, last) = (range.start, range.end - 1);
        let asked = format!("bytes={first}-{last}");
        let answer = timeout_at(end, self.follow(Method::GET, &start, Some(&asked))).await;
        let (mut response, url) = answer.map_err(late)??;
        let text = |name: header::HeaderName| response.headers().get(name)?.to_str().ok();
        let is_part = response.status() == StatusCode::PARTIAL_CONTENT
            && text(header::CONTENT_RANGE) == Some(&format!("bytes {first}-{last}/{length}"))
            && validator(&response).as_deref() == Some(known)
            && packing(&response).is_none();
        if !is_part {
            return Ok(None);
        }
        let most = (range.end - range.start) as usize;
        let bytes = read_whole(&mut response, &url, end, most, late).await?;
        Ok((bytes.len() == most).then_some(bytes))
    }
}
