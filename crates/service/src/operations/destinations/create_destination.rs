//! Creates a destination.

use rondo_fields::{object, record, text};
use rondo_store::{NewDestination, StoreError};

use super::DestinationInfo;
use crate::destinations::{Client, Cloud, Keys, Place};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::FetchError;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{destination_name, password};

/// Longest endpoint and region in characters.
const LONGEST_ENDPOINT: usize = 300;
const LONGEST_REGION: usize = 40;

record! {
    /// A bucket to copy finished films to.
    pub struct DestinationBody {
        /// What `output.destination` names it by: letters, digits, `-` and `_`, unique in the account.
        name: required String => "name", destination_name();
        /// Bucket and prefix: `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`.
        url: required String => "url", text().not_blank();
        /// The https URL of the server, if it is not the one of Amazon, Google or Azure: for example that of a MinIO server.
        endpoint: optional String => "endpoint", text().not_blank().at_most(LONGEST_ENDPOINT);
        /// The region of the bucket, for `s3://`. Default: us-east-1.
        region: optional String => "region", text().not_blank().at_most(LONGEST_REGION);
        /// Credentials that can write to the bucket.
        credentials: required DestinationCredentials => "credentials", object();
    }
}

record! {
    /// Credentials that can write to the bucket: an access key of S3, a service account of Google, or a key or SAS token of an
    /// account of Azure Storage. They are stored encrypted and never shown.
    pub struct DestinationCredentials {
        /// For `s3://`: the id of the access key.
        access_key_id: optional String => "accessKeyId", password();
        /// For `s3://`: the secret of the access key.
        secret_access_key: optional String => "secretAccessKey", password();
        /// For `s3://`: the token of temporary credentials.
        session_token: optional String => "sessionToken", password();
        /// For `gs://`: the JSON key file of a service account, as text.
        service_account_key: optional String => "serviceAccountKey", password();
        /// For `az://`: the name of the storage account.
        account: optional String => "account", password();
        /// For `az://`: a key of the storage account.
        account_key: optional String => "accountKey", password();
        /// For `az://`: a SAS token that can create and write blobs in the container, instead of `accountKey`.
        sas_token: optional String => "sasToken", password();
    }
}

impl DestinationCredentials {
    fn given(self) -> Vec<(&'static str, String)> {
        let fields = [
            ("accessKeyId", self.access_key_id),
            ("secretAccessKey", self.secret_access_key),
            ("sessionToken", self.session_token),
            ("serviceAccountKey", self.service_account_key),
            ("account", self.account),
            ("accountKey", self.account_key),
            ("sasToken", self.sas_token),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

pub struct CreateDestination;

impl Operation for CreateDestination {
    const ID: &'static str = "createDestination";
    const ABOUT: &'static str = "Creates a destination: a bucket that films are copied to if their render names it as \
                                 `output.destination`. The credentials are stored encrypted and never shown. Nothing is written to \
                                 the bucket until a film is copied.";
    const RETURNS: &'static str = "The destination";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "The URL, the endpoint or the credentials are malformed"),
        (ErrorKind::Conflict, "There is a destination with this name (DESTINATION_EXISTS)"),
        (
            ErrorKind::Unprocessable,
            "The endpoint is not public (DESTINATION_NOT_ALLOWED), or the account has 20 destinations \
             (DESTINATION_LIMIT_REACHED)",
        ),
    ];

    type Request = DestinationBody;
    type Response = DestinationInfo;

    async fn run(call: Call<'_>, request: DestinationBody) -> ServiceResult<DestinationInfo> {
        let DestinationBody { name, url, endpoint, region, credentials } = request;
        let place = Place::parse(&url)
            .map_err(|rule| ServiceError::invalid_field("url", format!("`url` must {rule}.")))?;
        let region = region.map(|region| checked_region(&place, region.trim())).transpose()?;
        let endpoint = match endpoint {
            Some(endpoint) => Some(checked_endpoint(call, endpoint.trim()).await?),
            None => None,
        };
        let keys = Keys::of(place.cloud, credentials.given())?;
        let fetch = &call.service.media.fetch;
        Client::open(fetch, &place, endpoint.as_deref(), region.as_deref(), &keys).map_err(|_| {
            let message = "`credentials` cannot be used: their key cannot be read.";
            ServiceError::invalid_field("credentials", message)
        })?;
        let new = NewDestination {
            name: &name,
            url: &place.url(),
            endpoint: endpoint.as_deref(),
            region: region.as_deref(),
            credentials: &keys.to_json(),
        };
        match call.service.store.create_destination(call.account_id(), new).await {
            Ok(destination) => Ok(destination.into()),
            Err(StoreError::DestinationExists { name }) => {
                let message = format!("The account has a destination named {name} already. Delete it first.");
                let issue =
                    serde_json::json!([{"path": "name", "code": "DESTINATION_EXISTS", "message": message}]);
                Err(ServiceError::new(ErrorKind::Conflict, "DESTINATION_EXISTS", message)
                    .with("issues", issue))
            }
            Err(StoreError::DestinationLimit { limit }) => {
                let message =
                    format!("The account has {limit} destinations, which is the limit. Delete one first.");
                Err(ServiceError::unprocessable("DESTINATION_LIMIT_REACHED", message).with("limit", limit))
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn checked_region(place: &Place, region: &str) -> ServiceResult<String> {
    if place.cloud != Cloud::S3 {
        return Err(ServiceError::invalid_field("region", "`region` belongs to destinations of s3:// only."));
    }
    match region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        true => Ok(region.to_owned()),
        false => Err(ServiceError::invalid_field(
            "region",
            "`region` must have letters, digits and `-` only, such as eu-central-1.",
        )),
    }
}

/// Fails for a server that films cannot be sent to.
async fn checked_endpoint(call: Call<'_>, endpoint: &str) -> ServiceResult<String> {
    let fetch = &call.service.media.fetch;
    let not_allowed = |why: String| {
        ServiceError::unprocessable_field(
            "DESTINATION_NOT_ALLOWED",
            "endpoint",
            format!("`endpoint` cannot be used: {why}."),
        )
    };
    let url = fetch.check_url(endpoint).await.map_err(|error| match error {
        FetchError::Malformed(_) => ServiceError::invalid_field(
            "endpoint",
            "`endpoint` must be a URL, such as https://storage.example.com.",
        ),
        error => not_allowed(error.to_string()),
    })?;
    // Tokens of Google and Azure could be read on the way. A private network is the operator's.
    if url.scheme() != "https" && !fetch.allows_private_network() {
        return Err(not_allowed("films are sent by https only".to_owned()));
    }
    // Hosts of URLs may hold characters that requests cannot.
    let is_host = |host: &str| {
        host.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']')
        })
    };
    let is_plain = url.host_str().is_some_and(is_host)
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    match is_plain {
        true => Ok(url.as_str().trim_end_matches('/').to_owned()),
        false => Err(ServiceError::invalid_field(
            "endpoint",
            "`endpoint` must be a plain host name without user name, password, query or fragment. Give `credentials` instead.",
        )),
    }
}
