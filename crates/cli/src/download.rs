//! Downloads of media that a composition names by URL.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Response};
use tokio::runtime::{self, Runtime};

use crate::interrupt;

/// Longest wait for a connection, for the response and between two parts of the body.
const PATIENCE: Duration = Duration::from_secs(60);

/// An HTTP client, and the runtime that it works on.
pub struct Downloader {
    client: Client,
    runtime: Runtime,
    limit: u64,
}

impl Downloader {
    /// Downloads files of at most `limit` bytes.
    pub fn new(limit: u64) -> Result<Self, String> {
        let builder = || client_builder().read_timeout(PATIENCE);
        // Building fails on a machine without certificate authorities, where http still works.
        let client = builder().build().or_else(|_| builder().tls_certs_only([]).build());
        Ok(Self {
            client: client.map_err(|error| reason(&error))?,
            runtime: runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| error.to_string())?,
            limit,
        })
    }

    /// Writes the file at `url` to `file`.
    pub fn download(&self, url: &str, file: &mut File) -> Result<(), String> {
        self.runtime.block_on(async {
            let response = self.client.get(url).send().await.map_err(|error| reason(&error))?;
            if !response.status().is_success() {
                return Err(format!("the server answered with status {}", response.status().as_u16()));
            }
            self.write(response, file).await
        })
    }

    async fn write(&self, mut response: Response, file: &mut File) -> Result<(), String> {
        let mut written = 0;
        while !interrupt::cancelled() {
            let part = response.chunk().await;
            let Some(part) = part.map_err(|error| broken(&reason(&error)))? else { return Ok(()) };
            written += part.len() as u64;
            if written > self.limit {
                return Err(format!("the file is larger than {} bytes", self.limit));
            }
            file.write_all(&part).map_err(|error| broken(&error.to_string()))?;
        }
        Err("the download was cancelled".into())
    }
}

/// An HTTP client of this program.
pub fn client_builder() -> ClientBuilder {
    // Fails only if a provider is installed already, which serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().user_agent(concat!("Rondo/", env!("CARGO_PKG_VERSION"))).connect_timeout(PATIENCE)
}

fn broken(reason: &str) -> String {
    format!("the download failed: {reason}")
}

/// The innermost cause, which says the most.
pub fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("the server did not respond within {} seconds", PATIENCE.as_secs());
    }
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::{BufRead, BufReader, Read, Seek};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Serves these responses, one for each connection; returns the address and the requests.
    fn serve(responses: Vec<Vec<u8>>) -> (String, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = thread::spawn(move || {
            let answer = |response: Vec<u8>| {
                let mut reader = BufReader::new(listener.accept().unwrap().0);
                let mut request = String::new();
                while reader.read_line(&mut request).unwrap() > 2 {}
                reader.into_inner().write_all(&response).unwrap();
                request
            };
            responses.into_iter().map(answer).collect()
        });
        (address, requests)
    }

    fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n");
        [head.as_bytes(), body].concat()
    }

    fn downloaded(url: &str, limit: u64) -> Result<Vec<u8>, String> {
        let mut file = tempfile::tempfile().unwrap();
        Downloader::new(limit)?.download(url, &mut file)?;
        file.rewind().unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        Ok(content)
    }

    #[test]
    fn a_compressed_response_is_decompressed() {
        /// `media media media media`, compressed.
        const GZIP: [u8; 28] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 77, 77, 201, 76, 84, 200, 69, 39, 1, 100, 235, 25, 71, 23,
            0, 0, 0,
        ];
        let (address, requests) = serve(vec![response("200 OK", "Content-Encoding: gzip\r\n", &GZIP)]);
        assert_eq!(downloaded(&address, 1000).unwrap(), b"media media media media");
        let request = requests.join().unwrap()[0].to_lowercase();
        assert!(request.contains("accept-encoding: gzip"), "{request}");
    }

    #[test]
    fn redirects_are_followed() {
        let (address, requests) =
            serve(vec![response("302 Found", "Location: /there\r\n", b""), response("200 OK", "", b"there")]);
        assert_eq!(downloaded(&address, 1000).unwrap(), b"there");
        assert!(requests.join().unwrap()[1].starts_with("GET /there "));
    }

    #[test]
    fn a_file_over_the_limit_is_refused() {
        let responses = vec![response("200 OK", "", &[7; 1000]), response("200 OK", "", &[7; 1001])];
        let (address, _) = serve(responses);
        assert_eq!(downloaded(&address, 1000).unwrap(), [7; 1000]);
        assert_eq!(downloaded(&address, 1000).unwrap_err(), "the file is larger than 1000 bytes");
    }

    #[test]
    fn an_error_names_the_status_or_the_cause() {
        let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".to_vec();
        let (address, _) = serve(vec![response("503 Service Unavailable", "", b""), cut]);
        assert_eq!(downloaded(&address, 1000).unwrap_err(), "the server answered with status 503");
        let error = downloaded(&address, 1000).unwrap_err();
        assert!(error.starts_with("the download failed: "), "{error}");
        let error = downloaded("http://127.0.0.1:9/nobody", 1000).unwrap_err();
        assert!(error.contains("refused"), "{error}");
        assert!(downloaded("http://", 1000).is_err());
    }
}
