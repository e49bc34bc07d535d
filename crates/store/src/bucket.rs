//! Files in an S3 bucket, which all processes of the service share.

use std::collections::{HashMap, HashSet};
use std::fs::FileTimes;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as Key;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use object_store::{
    Attribute, Attributes, ClientOptions, Error, GetOptions, GetResult, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions, RetryConfig,
};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use crate::bound_url::bind;
use crate::send_file::{SendError, send_file};
use crate::{Result, StoreError};

/// Parts of a file that are sent at a time.
const PARTS_AT_ONCE: usize = 4;
/// Time for a file. A request that does not get on ends sooner.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// How long a request is repeated while the bucket does not answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long connecting may take, and how long no byte may arrive. A copy within the bucket answers when it is done.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
const STALL: Duration = Duration::from_secs(300);
/// Files of a folder that are listed at a time.
const MOST_LISTED: usize = 10_000;
/// How long a list of names is good.
const LIST_FOR: Duration = Duration::from_secs(20);

/// Where the bucket is.
#[derive(Clone)]
pub struct BucketSettings {
    pub bucket: String,
    /// What the keys begin with, without a slash at either end; may be empty.
    pub prefix: String,
    /// The `AWS_*` variables by name: region, endpoint and credentials.
    pub variables: Vec<(String, String)>,
    /// What a browser is told of a file with a name.
    pub describe: fn(&str) -> Description,
}

impl std::fmt::Debug for BucketSettings {
    /// Without the credentials.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s3://{}/{}", self.bucket, self.prefix)
    }
}

/// What a browser is told of a file.
#[derive(Debug, Clone)]
pub struct Description {
    pub content_type: &'static str,
    /// `Content-Disposition`.
    pub disposition: String,
}

/// When the names in a folder were listed, and the names.
type Names = (Instant, Arc<HashSet<String>>);

#[derive(Debug)]
pub struct Bucket {
    pub(crate) client: AmazonS3,
    settings: BucketSettings,
    /// The tags of the copies on this machine, by key.
    tags: Mutex<HashMap<String, String>>,
    /// The files that are fetched now.
    fetching: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    /// Names in a folder, and when they were listed.
    names: Mutex<HashMap<String, Names>>,
    /// Some services take only parts of the same size, and say so at the end.
    refuses_parts: AtomicBool,
}

/// What is known of a file in the bucket.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub size: u64,
    /// Changes with the bytes.
    tag: String,
    written: SystemTime,
}

/// A file in a folder of the bucket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Its path in the folder.
    pub name: String,
    pub size: u64,
    /// When it was written.
    pub written: SystemTime,
}

impl Facts {
    fn of(meta: ObjectMeta) -> Self {
        let tag =
            meta.e_tag.unwrap_or_else(|| format!("{}-{}", meta.last_modified.timestamp_micros(), meta.size));
        Self { size: meta.size, tag, written: meta.last_modified.into() }
    }
}

impl Bucket {
    /// Does not reach for the bucket yet.
    pub fn open(settings: BucketSettings) -> Result<Self> {
        // One may be installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Large files take as long as they take, as long as bytes arrive.
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_WITHIN)
            .with_read_timeout(STALL);
        let mut builder = AmazonS3Builder::new().with_client_options(options);
        for (name, value) in &settings.variables {
            if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                // An address without encryption is one of the operator's own network.
                let is_endpoint = matches!(key, AmazonS3ConfigKey::Endpoint | AmazonS3ConfigKey::S3Endpoint);
                if is_endpoint && value.starts_with("http://") {
                    builder = builder.with_allow_http(true);
                }
                builder = builder.with_config(key, value);
            }
        }
        let retry = RetryConfig { retry_timeout: PATIENCE, ..RetryConfig::default() };
        let client = builder.with_bucket_name(&settings.bucket).with_retry(retry).build();
        let client = client.map_err(|error| StoreError::Bucket { cause: error.to_string() })?;
        Ok(Self {
            client,
            settings,
            tags: Mutex::default(),
            fetching: Mutex::default(),
            names: Mutex::default(),
            refuses_parts: AtomicBool::default(),
        })
    }

    /// Whether a file can be sent in parts of different sizes.
    pub(crate) fn takes_parts(&self) -> bool {
        !self.refuses_parts.load(Ordering::Relaxed)
    }

    /// Files are sent whole from now on if the bucket refuses their parts.
    pub(crate) fn note_refused_parts(&self, error: &Error) {
        if error.to_string().contains("InvalidPart") {
            self.send_whole();
        }
    }

    pub(crate) fn send_whole(&self) {
        self.refuses_parts.store(true, Ordering::Relaxed);
    }

    pub(crate) fn key(&self, name: &str) -> Key {
        match self.settings.prefix.as_str() {
            "" => Key::from(name),
            prefix => Key::from(format!("{prefix}/{name}")),
        }
    }

    /// Sends a file. Whoever reads meanwhile gets all of the old bytes or all of the new ones.
    pub(crate) async fn put(&self, name: &str, path: &Path) -> Result<u64> {
        let (key, attributes, never) = (self.key(name), self.attributes(name), std::future::pending());
        let sent = send_file(&self.client, &key, path, attributes, PARTS_AT_ONCE, LONGEST, never).await;
        sent.map_err(|error| match error {
            SendError::File(source) => StoreError::File { path: path.to_owned(), source },
            SendError::Bucket(error) => failed(error),
            error @ (SendError::TimedOut(_) | SendError::Stopped) => {
                failed(Error::Generic { store: "S3", source: error.into() })
            }
        })
    }

    pub(crate) fn attributes(&self, name: &str) -> Attributes {
        let Description { content_type, disposition } = (self.settings.describe)(file_name(name));
        Attributes::from_iter([
            (Attribute::ContentType, content_type.to_owned()),
            (Attribute::ContentDisposition, disposition),
        ])
    }

    pub(crate) async fn put_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        let put = self.client.put(&self.key(name), bytes.into()).await;
        put.map(drop).map_err(failed)
    }

    /// The text of a file, which gets this one if it does not exist. Processes that come at the same time find the same.
    pub(crate) async fn put_once(&self, name: &str, text: &str) -> Result<String> {
        if let Some(known) = self.head(name, 1000).await? {
            return Ok(String::from_utf8_lossy(&known).trim().to_owned());
        }
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.client.put_opts(&self.key(name), text.to_owned().into(), options).await {
            Ok(_) => {}
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
            Err(error) => return Err(failed(error)),
        }
        let known = self.head(name, 1000).await?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&known).trim().to_owned())
    }

    /// A whole file, if it exists.
    pub(crate) async fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(got) = found(self.client.get(&self.key(name)).await)? else { return Ok(None) };
        Ok(Some(got.bytes().await.map_err(failed)?.into()))
    }

    /// Bytes of the file with this key, if it is there.
    pub(crate) async fn size_of(&self, key: &Key) -> Option<u64> {
        self.client.head(key).await.ok().map(|meta| meta.size)
    }

    pub(crate) async fn facts(&self, name: &str) -> Result<Option<Facts>> {
        Ok(found(self.client.head(&self.key(name)).await)?.map(Facts::of))
    }

    /// The first bytes of a file, at most so many.
    pub(crate) async fn head(&self, name: &str, bytes: u64) -> Result<Option<Vec<u8>>> {
        let options = GetOptions { range: Some((0..bytes).into()), ..GetOptions::default() };
        let Some(got) = found(self.client.get_opts(&self.key(name), options).await)? else { return Ok(None) };
        Ok(Some(got.bytes().await.map_err(failed)?.into()))
    }

    /// Brings a file to `path`, unless it is there already; `draft` is where it is written first. False if there is none.
    pub(crate) async fn fetch(&self, name: &str, path: &Path, draft: &Path) -> Result<bool> {
        let Some(facts) = self.facts(name).await? else {
            let _ = tokio::fs::remove_file(path).await;
            return Ok(false);
        };
        // Who asks for the same file at the same time waits for one copy of it.
        let fetching = {
            let mut fetching = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
            fetching.retain(|_, lock| Arc::strong_count(lock) > 1);
            fetching.entry(name.to_owned()).or_default().clone()
        };
        let _turn = fetching.lock().await;
        let known = self.tags.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if known.as_ref() == Some(&facts.tag) && used(path, facts.written).await {
            return Ok(true);
        }
        let Some(got) = found(self.client.get(&self.key(name)).await)? else { return Ok(false) };
        let Facts { tag, written, .. } = Facts::of(got.meta.clone());
        let at = |source| StoreError::File { path: draft.to_owned(), source };
        let mut file = tokio::fs::File::create(draft).await.map_err(at)?;
        append(got, &mut file).await?;
        file.flush().await.map_err(at)?;
        used(draft, written).await;
        tokio::fs::rename(draft, path).await.map_err(at)?;
        self.tags.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), tag);
        Ok(true)
    }

    /// Writes a file to `path`. False if there is none of at most so many bytes.
    pub(crate) async fn copy_to(&self, name: &str, path: &Path, most: u64) -> Result<bool> {
        let Some(got) = found(self.client.get(&self.key(name)).await)? else { return Ok(false) };
        if got.meta.size > most {
            return Ok(false);
        }
        let at = |source| StoreError::File { path: path.to_owned(), source };
        let mut file = tokio::fs::File::create(path).await.map_err(at)?;
        append(got, &mut file).await?;
        file.flush().await.map_err(at)?;
        Ok(true)
    }

    /// Writes a file to the end of another.
    pub(crate) async fn append_to(&self, name: &str, file: &mut tokio::fs::File) -> Result<()> {
        append(self.client.get(&self.key(name)).await.map_err(failed)?, file).await
    }

    /// The SHA-256 of a file as the bucket has it.
    pub(crate) async fn hash(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(got) = found(self.client.get(&self.key(name)).await)? else { return Ok(None) };
        let mut hash = Sha256::new();
        let mut bytes = got.into_stream();
        while let Some(bytes) = bytes.try_next().await.map_err(failed)? {
            hash.update(&bytes);
        }
        Ok(Some(hash.finalize().to_vec()))
    }

    /// Forgets the copies that are no longer on this machine.
    pub(crate) fn forget_copies(&self, is_there: impl Fn(&str) -> bool) {
        self.tags.lock().unwrap_or_else(PoisonError::into_inner).retain(|name, _| is_there(name));
    }

    /// False if there is no such file.
    pub(crate) async fn copy_if_there(&self, from: &str, to: &str) -> Result<bool> {
        Ok(found(self.client.copy(&self.key(from), &self.key(to)).await)?.is_some())
    }

    pub(crate) async fn copy(&self, from: &str, to: &str) -> Result<()> {
        self.client.copy(&self.key(from), &self.key(to)).await.map_err(failed)
    }

    /// Succeeds if there is none.
    pub(crate) async fn delete(&self, name: &str) -> Result<()> {
        found(self.client.delete(&self.key(name)).await).map(drop)
    }

    /// The names in a folder, which may be some seconds old.
    pub(crate) async fn names(&self, folder: &str) -> Result<Arc<HashSet<String>>> {
        if let Some((at, names)) = self.names.lock().unwrap_or_else(PoisonError::into_inner).get(folder)
            && at.elapsed() < LIST_FOR
        {
            return Ok(names.clone());
        }
        let names = Arc::new(self.list(folder).await?.into_iter().map(|listed| listed.name).collect());
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), (Instant::now(), Arc::clone(&names)));
        Ok(names)
    }

    /// The files in a folder, at most [`MOST_LISTED`].
    pub(crate) async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        self.list_up_to(folder, MOST_LISTED).await
    }

    /// All files in a folder.
    pub(crate) async fn list_all(&self, folder: &str) -> Result<Vec<Listed>> {
        self.list_up_to(folder, usize::MAX).await
    }

    async fn list_up_to(&self, folder: &str, most: usize) -> Result<Vec<Listed>> {
        let key = self.key(folder);
        let listed = self.client.list(Some(&key)).take(most);
        let describe = |meta: ObjectMeta| Listed {
            name: meta.location.as_ref().trim_start_matches(key.as_ref()).trim_start_matches('/').to_owned(),
            size: meta.size,
            written: meta.last_modified.into(),
        };
        listed.map_ok(describe).try_collect().await.map_err(failed)
    }

    /// An address at which anyone reads the file, or only its headers, for a while. Where a disposition is given, it replaces the
    /// file's own.
    pub(crate) async fn read_url(
        &self,
        name: &str,
        lifetime: Duration,
        head: bool,
        disposition: Option<&str>,
    ) -> Result<String> {
        let query = disposition.map(|disposition| ("response-content-disposition", disposition));
        let options = SignedUrlOptions::new().with_query(query);
        let method = if head { Method::HEAD } else { Method::GET };
        let url = self.client.signed_url_opts(method, &self.key(name), lifetime, &options).await;
        Ok(url.map_err(failed)?.into())
    }

    /// An address that takes a file of this type and size for a while.
    pub(crate) async fn write_url(
        &self,
        name: &str,
        lifetime: Duration,
        content_type: &str,
        size: u64,
    ) -> Result<String> {
        // Credentials may be replaced in between.
        for _ in 0..2 {
            let url = self.client.signed_url(Method::PUT, &self.key(name), lifetime).await.map_err(failed)?;
            let credential = self.client.credentials().get_credential().await.map_err(failed)?;
            let by = format!("X-Amz-Credential={}%2F", credential.key_id);
            if url.query().is_some_and(|query| query.contains(&by))
                && let Some(bound) = bind(&url, &credential.secret_key, content_type, size)
            {
                return Ok(bound.into());
            }
        }
        Err(StoreError::Bucket { cause: "its credentials cannot sign an address".to_owned() })
    }
}

async fn append(got: GetResult, file: &mut tokio::fs::File) -> Result<()> {
    let mut bytes = got.into_stream();
    while let Some(bytes) = bytes.try_next().await.map_err(failed)? {
        let written = file.write_all(&bytes).await;
        written.map_err(|source| StoreError::File { path: PathBuf::new(), source })?;
    }
    Ok(())
}

/// `job_….mp4` of `files/job_….mp4`.
fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Notes that a copy is used now, and when its file was written. False if it is not there.
async fn used(path: &Path, written: SystemTime) -> bool {
    let path = path.to_owned();
    let note = move || {
        let file = std::fs::File::options().append(true).open(path)?;
        file.set_times(FileTimes::new().set_accessed(SystemTime::now()).set_modified(written))
    };
    tokio::task::spawn_blocking(note).await.is_ok_and(|noted| noted.is_ok())
}

/// The innermost cause says what is wrong; the others repeat the request.
pub(crate) fn failed(error: Error) -> StoreError {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    StoreError::Bucket { cause: cause.to_string().trim_end_matches('.').to_owned() }
}

fn found<T>(answer: object_store::Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}
