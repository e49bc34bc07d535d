//! The client of one destination.

use std::path::Path;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path as Key;
use object_store::{Attribute, Attributes, ObjectStore, RetryConfig};
use rondo_store::{SendError, send_file};
use tokio_util::sync::CancellationToken;

use super::keys::Keys;
use super::place::Place;
use super::wire::Wire;
use crate::fetch::Fetch;
use crate::file_type::describe;

/// The region of S3 unless another is given.
const REGION: &str = "us-east-1";
/// Parts of a file that are sent at a time; each is in memory.
const PARTS_AT_ONCE: usize = 2;
/// Time for a small file, the slowest bytes per second of a large one, and the longest time. A slow bucket holds up others.
const PATIENCE: Duration = Duration::from_secs(60);
const SLOWEST: u64 = 1_000_000;
const LONGEST: Duration = Duration::from_secs(3600);
/// How often a request is repeated at once. An attempt that failed is made again later.
const REPEATED: usize = 2;
const REPEATED_FOR: Duration = Duration::from_secs(10);

/// Writes to one destination.
pub struct Client {
    bucket: Box<dyn ObjectStore>,
    wire: Wire,
    place: Place,
}

/// Why a file was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyError {
    /// Without the first capital and the full stop.
    pub reason: String,
    /// Whether trying again ends the same way.
    pub is_final: bool,
}

impl Client {
    /// Fails with what cannot be used. Connects to nothing yet.
    ///
    /// Every client gets its credentials here. One without would look for those of the machine.
    pub fn open(
        fetch: &Fetch,
        place: &Place,
        endpoint: Option<&str>,
        region: Option<&str>,
        keys: &Keys,
    ) -> Result<Self, &'static str> {
        let wire = Wire::new(fetch.clone());
        let retry =
            RetryConfig { max_retries: REPEATED, retry_timeout: REPEATED_FOR, ..RetryConfig::default() };
        let endpoint = endpoint.map(|endpoint| endpoint.trim_end_matches('/').to_owned());
        let bucket: Option<Box<dyn ObjectStore>> = match keys {
            Keys::S3 { access_key_id, secret_access_key, session_token } => {
                let mut builder = AmazonS3Builder::new()
                    .with_http_connector(wire.clone())
                    .with_retry(retry)
                    .with_bucket_name(&place.bucket)
                    .with_region(region.unwrap_or(REGION))
                    .with_access_key_id(access_key_id)
                    .with_secret_access_key(secret_access_key)
                    // Names with dots have no certificate of Amazon.
                    .with_virtual_hosted_style_request(
                        endpoint.is_none() && !place.bucket.contains(['.', '_']),
                    );
                if let Some(token) = session_token {
                    builder = builder.with_token(token);
                }
                if let Some(endpoint) = endpoint {
                    builder = builder.with_endpoint(endpoint);
                }
                builder.build().ok().map(|bucket| Box::new(bucket) as _)
            }
            Keys::Google { service_account_key } => {
                let mut builder = GoogleCloudStorageBuilder::new()
                    .with_http_connector(wire.clone())
                    .with_retry(retry)
                    .with_bucket_name(&place.bucket)
                    .with_service_account_key(service_account_key);
                if let Some(endpoint) = &endpoint {
                    builder = builder.with_base_url(endpoint);
                }
                builder.build().ok().map(|bucket| Box::new(bucket) as _)
            }
            Keys::AzureKey { account, .. } | Keys::AzureToken { account, .. } => {
                let builder = MicrosoftAzureBuilder::new()
                    .with_http_connector(wire.clone())
                    .with_retry(retry)
                    .with_container_name(&place.bucket)
                    .with_account(account);
                let mut builder = match keys {
                    Keys::AzureToken { sas_token, .. } => builder
                        .with_config(AzureConfigKey::SasKey, sas_token)
                        .with_credential_type("sas_token"),
                    Keys::AzureKey { account_key, .. } => {
                        builder.with_access_key(account_key).with_credential_type("access_key")
                    }
                    Keys::S3 { .. } | Keys::Google { .. } => return Err(UNUSABLE),
                };
                if let Some(endpoint) = endpoint {
                    builder = builder.with_endpoint(endpoint);
                }
                builder.build().ok().map(|bucket| Box::new(bucket) as _)
            }
        };
        // The causes may repeat credentials.
        let bucket = bucket.ok_or(UNUSABLE)?;
        Ok(Self { bucket, wire, place: place.clone() })
    }

    /// Copies a file there under its name, unless it is stopped. Returns its URL.
    pub async fn copy(&self, file: &str, path: &Path, stop: &CancellationToken) -> Result<String, CopyError> {
        let key = Key::from(self.place.key(file));
        let content_type = describe(file).content_type;
        let attributes = Attributes::from_iter([(Attribute::ContentType, content_type)]);
        self.wire.forget_failure();
        let bytes = tokio::fs::metadata(path).await.map_or(0, |facts| facts.len());
        let within = (PATIENCE + Duration::from_secs(bytes / SLOWEST)).min(LONGEST);
        let sent =
            send_file(&*self.bucket, &key, path, attributes, PARTS_AT_ONCE, within, stop.cancelled()).await;
        match sent {
            Ok(_) => Ok(self.place.url_of(file)),
            // The text of the error may contain a path of this machine.
            Err(SendError::File(error)) => {
                Err(CopyError { reason: format!("failed to read {file}: {}", error.kind()), is_final: false })
            }
            Err(error @ SendError::TimedOut(_)) => {
                Err(CopyError { reason: format!("the bucket is too slow: {error}"), is_final: false })
            }
            Err(error @ SendError::Stopped) => Err(CopyError { reason: error.to_string(), is_final: false }),
            Err(SendError::Bucket(_)) => {
                let failure = self.wire.failure();
                let is_final = failure.as_ref().is_some_and(|failure| failure.is_final());
                let reason = failure.map_or_else(
                    || "the bucket gave an answer that cannot be understood".to_owned(),
                    |failure| failure.to_string(),
                );
                Err(CopyError { reason, is_final })
            }
        }
    }
}

const UNUSABLE: &str = "the credentials cannot be used";
