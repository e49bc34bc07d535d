//! Uploads: signed addresses and finished files.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rondo_jobs::FontFact;
use rondo_store::{Draft, Files, Store, StoreError, Time, Upload, UploadFace};
use serde::Serialize;
use tokio::time::{Instant, sleep, timeout};
use utoipa::ToSchema;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::file_type::{HEAD, UPLOAD_TYPES, describe, head_of, mismatch};
use crate::in_flight::{Claim, InFlight};
use crate::isolation::Isolation;
use crate::links::Links;
use crate::signature;
use crate::words::UploadType;

/// Largest upload in bytes.
pub const MOST_BYTES: u64 = 5_000_000_000;
/// How long an address is good after a part of its file, and in all.
const PART_LIFETIME: Duration = Duration::from_secs(3600);
const LONGEST_LIFETIME: Duration = Duration::from_secs(86_400);

/// Open uploads of an account that are looked at in one go.
const SETTLED_AT_ONCE: u32 = 20;
/// How long a process has the right to give an upload its file, unless it renews it.
const CLAIM: Duration = Duration::from_secs(60);
/// How long one waits for a process that has it, and how often one looks.
const OTHERS: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Faces of a font file that are kept at most: collections hold several.
const MOST_FACES: usize = 64;

/// The name of an upload's file. The type is checked when the upload is created.
pub fn upload_name(upload: &Upload) -> String {
    file_name(&upload.id, &upload.content_type)
}

/// The name of the file of an upload with this id and type.
pub fn file_name(id: &str, content_type: &str) -> String {
    let known = UPLOAD_TYPES.iter().find(|(known, _)| *known == content_type);
    format!("{id}.{}", known.map_or("bin", |(_, extension)| extension))
}

/// Signs upload addresses and keeps finished uploads.
#[derive(Clone)]
pub struct Uploads {
    pub store: Store,
    pub files: Files,
    pub links: Links,
    /// Whether files of a known size are sent to the bucket itself.
    pub direct: bool,
    pub signing_key: Arc<str>,
    /// Files that arrive.
    pub in_flight: Arc<InFlight>,
    /// Where font files are read.
    pub isolation: Isolation,
}

impl fmt::Debug for Uploads {
    /// Without the signing key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uploads").field("direct", &self.direct).finish_non_exhaustive()
    }
}

/// A finished upload.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredUpload {
    pub id: String,
    /// Where the file can be read, and what compositions name as a source.
    #[schema(format = "uri")]
    pub file_url: String,
    #[schema(value_type = UploadType)]
    pub content_type: String,
    /// Bytes.
    pub size: u64,
}

impl Uploads {
    /// The address that receives an upload: one of the bucket if the size is known and clients may use it. The signature covers
    /// method, id, type and expiry, for the bucket also the size.
    pub async fn upload_url(&self, upload: &Upload, in_parts: bool) -> ServiceResult<String> {
        if let Some(size) = upload.declared_size.filter(|_| self.direct && !in_parts) {
            // A file that is sent until the last moment is waited for.
            let slack = upload.expires_at.plus(PART_LIFETIME);
            if let Err(error) = self.store.reserve_upload(upload, size, slack).await {
                self.store.forget_upload(&upload.id).await?;
                return Err(error.into());
            }
            let (name, lifetime) = (upload_name(upload), self.store.now().until(upload.expires_at));
            if let Some(url) = self.files.write_url(&name, lifetime, &upload.content_type, size).await? {
                return Ok(url);
            }
        }
        Ok(self.own_url(upload))
    }

    fn own_url(&self, upload: &Upload) -> String {
        let expires = upload.expires_at.seconds().to_string();
        let signature = signature::sign_hex(self.signing_key.as_bytes(), &signed(upload, &expires));
        self.links.url(&format!("/uploads/{}?expires={expires}&signature={signature}", upload.id))
    }

    /// Where the file of an upload can be read.
    pub fn file_url(&self, upload: &Upload) -> String {
        self.links.file(&upload_name(upload))
    }

    /// The upload of an address, if its signature is valid and it has not expired.
    pub async fn at_address(&self, id: &str, expires: &str, signature: &str) -> ServiceResult<Upload> {
        let upload = self.store.upload(id).await?.ok_or_else(|| ServiceError::not_found("upload"))?;
        if !signature::matches_hex(self.signing_key.as_bytes(), &signed(&upload, expires), signature) {
            let message = "The signature does not match this upload. Use the uploadUrl unchanged.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "INVALID_SIGNATURE", message));
        }
        let expires = Time(expires.parse::<i64>().unwrap_or_default().saturating_mul(1000));
        // A file that arrives in parts may take longer.
        let expires = if upload.reserved.is_some() { expires.max(upload.expires_at) } else { expires };
        if self.store.now() >= expires {
            let message = "The uploadUrl has expired. Create a new upload.";
            return Err(ServiceError::new(ErrorKind::Forbidden, "UPLOAD_EXPIRED", message));
        }
        Ok(upload)
    }

    /// Whether the upload can still receive its file.
    pub fn require_open(&self, upload: &Upload) -> ServiceResult<()> {
        if upload.completed_at.is_some() { Err(complete()) } else { Ok(()) }
    }

    /// A finished upload, as [`Uploads::keep`] returned it.
    pub fn stored(&self, upload: &Upload) -> Option<StoredUpload> {
        upload.completed_at?;
        Some(StoredUpload {
            file_url: self.file_url(upload),
            content_type: upload.content_type.clone(),
            id: upload.id.clone(),
            size: upload.size.unwrap_or_default(),
        })
    }

    /// Claims room for a file that arrives at once, of `size` bytes if that is known.
    pub async fn expect(&self, account_id: &str, size: Option<u64>) -> ServiceResult<Claim> {
        Claim::begin(&self.in_flight, &self.store, account_id, size).await
    }

    /// Reserves room for a file of `size` bytes that arrives in parts. Its address is good for an hour after each part,
    /// and a day in all.
    pub async fn expect_part(&self, upload: &Upload, size: u64) -> ServiceResult<()> {
        if let Some(expected) = upload.declared_size.or(upload.reserved).filter(|expected| *expected != size)
        {
            return Err(wrong_size(expected, size));
        }
        let until = self.store.now().plus(PART_LIFETIME).min(upload.created_at.plus(LONGEST_LIFETIME));
        Ok(self.store.reserve_upload(upload, size, until.max(upload.expires_at)).await?)
    }

    /// Makes a finished draft the file of an upload, once.
    pub async fn keep(&self, mut upload: Upload, draft: Draft, size: u64) -> ServiceResult<StoredUpload> {
        if let Some(declared) = upload.declared_size.filter(|declared| *declared != size) {
            return Err(wrong_size(declared, size));
        }
        let content_type = upload.content_type.clone();
        let draft = tokio::task::spawn_blocking(move || {
            let head = head_of(draft.path()).map_err(ServiceError::internal)?;
            if let Some(why) = mismatch(&content_type, &head) {
                return Err(unusable(&content_type, &why));
            }
            draft.sync()?;
            Ok(draft)
        });
        let draft = draft.await.map_err(ServiceError::internal)??;
        if upload.content_type.starts_with("font/") {
            upload.faces = self.faces(&upload.account_id, &upload.content_type, draft.path()).await?;
        }
        let name = upload_name(&upload);
        if !self.files.uses_bucket() {
            let place = async { self.files.keep(&draft, &name).await.map(drop) };
            return self.complete(upload, size, place).await;
        }
        if !self.store.claim_upload(&upload.id, self.store.now().plus(CLAIM)).await? {
            self.require_open(&upload)?;
            return Err(in_progress());
        }
        self.claimed(upload.id.clone(), name.clone(), move |this| async move {
            this.files.keep(&draft, &name).await?;
            this.complete(upload, size, async { Ok(()) }).await
        })
        .await
    }

    /// Does what gives an upload its file in the bucket, with the claim on it. What the caller no longer waits for is done too.
    async fn claimed<W: Future<Output = ServiceResult<StoredUpload>> + Send>(
        &self,
        id: String,
        name: String,
        work: impl FnOnce(Self) -> W + Send + 'static,
    ) -> ServiceResult<StoredUpload> {
        let this = self.clone();
        let working = tokio::spawn(async move {
            let work = work(this.clone());
            tokio::pin!(work);
            let done = loop {
                match timeout(CLAIM / 3, &mut work).await {
                    Ok(done) => break done,
                    Err(_) => {
                        let renewed =
                            this.store.renew_upload_claim(&id, Some(this.store.now().plus(CLAIM))).await;
                        if let Err(error) = renewed {
                            tracing::warn!(%error, upload = id, "failed to renew a claim on an upload");
                        }
                    }
                }
            };
            this.concluded(&id, &name, done).await
        });
        working.await.map_err(ServiceError::internal)?
    }

    /// Cleans up after an upload got its file in the bucket, or cannot get it. After a fault it is tried again.
    async fn concluded(
        &self,
        id: &str,
        name: &str,
        done: ServiceResult<StoredUpload>,
    ) -> ServiceResult<StoredUpload> {
        // The answer of the database may be lost: what it has counts.
        let stored = match &done {
            Ok(_) => None,
            Err(_) => self.store.upload(id).await?.and_then(|upload| self.stored(&upload)),
        };
        let done = stored.map_or(done, Ok);
        let is_fault =
            |error: &ServiceError| matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Internal);
        let removed = async {
            if !done.as_ref().is_err_and(is_fault) {
                if done.is_err() {
                    self.files.remove(name).await?;
                }
                self.files.remove_arrived(name).await?;
            }
            Ok::<_, StoreError>(())
        };
        let (removed, released) = (removed.await, self.store.renew_upload_claim(id, None).await);
        if let Err(error) = removed.and(released) {
            tracing::warn!(%error, upload = id, "failed to clean up after an upload");
        }
        done
    }

    /// Gives an upload the file that arrived for it in the bucket, if one did. An error says why it cannot be used.
    pub async fn settle(&self, upload: Upload) -> ServiceResult<Option<StoredUpload>> {
        if !self.direct || upload.completed_at.is_some() || upload.declared_size.is_none() {
            return Ok(self.stored(&upload));
        }
        let name = upload_name(&upload);
        if self.files.arrived_size(&name).await?.is_none() {
            // Another process may be done with it since.
            return Ok(self.store.upload(&upload.id).await?.and_then(|upload| self.stored(&upload)));
        }
        let end = Instant::now() + OTHERS;
        while !self.store.claim_upload(&upload.id, self.store.now().plus(CLAIM)).await? {
            let current = self.store.upload(&upload.id).await?;
            match current.as_ref().map(|current| self.stored(current)) {
                Some(None) if Instant::now() < end => sleep(LOOK_AGAIN).await,
                Some(None) => {
                    let message = "Another process looks at this upload. Try again in a moment.";
                    let error = ServiceError::new(ErrorKind::Unavailable, "UPLOAD_IN_PROGRESS", message);
                    return Err(error.retry_after(2));
                }
                found => return Ok(found.flatten()),
            }
        }
        let id = upload.id.clone();
        let settling = self
            .claimed(id, name.clone(), move |this| async move { this.settle_claimed(upload, &name).await });
        settling.await.map(Some)
    }

    async fn settle_claimed(&self, mut upload: Upload, name: &str) -> ServiceResult<StoredUpload> {
        let secured = self.files.secure_arrived(name, HEAD).await?;
        let (size, head) = secured.ok_or_else(|| ServiceError::not_found("upload"))?;
        if let Some(declared) = upload.declared_size.filter(|declared| *declared != size) {
            return Err(wrong_size(declared, size));
        }
        let content_type = upload.content_type.clone();
        if let Some(why) = mismatch(&content_type, &head) {
            return Err(unusable(&content_type, &why));
        }
        // The bucket says of a copy what its sender said: what browsers must not show is written anew.
        if describe(name).disposition.starts_with("inline") {
            self.files.keep_secured(name).await?;
        } else {
            let draft = self.files.fetch_secured(name).await?;
            let draft = draft.ok_or_else(|| ServiceError::not_found("upload"))?;
            if content_type.starts_with("font/") {
                upload.faces = self.faces(&upload.account_id, &content_type, draft.path()).await?;
            }
            self.files.keep(&draft, name).await?;
        }
        self.complete(upload, size, async { Ok(()) }).await
    }

    /// [`Uploads::settle`] for the newest open uploads of an account.
    pub async fn settle_open(&self, account_id: &str) -> ServiceResult<()> {
        if !self.direct {
            return Ok(());
        }
        for upload in self.store.open_uploads(account_id, SETTLED_AT_ONCE).await? {
            let id = upload.id.clone();
            match self.settle(upload).await {
                // What cannot be looked at now is listed later.
                Err(error) if error.kind == ErrorKind::Unavailable => return Ok(()),
                Err(error) => {
                    tracing::info!(upload = id, reason = error.message, "a file that arrived cannot be used")
                }
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// The upload of a file name, once what arrived for it was looked at. An error says why it cannot be used.
    pub async fn settle_named(&self, name: &str) -> ServiceResult<Option<StoredUpload>> {
        let Some((id, _)) = name.split_once('.').filter(|_| self.direct && name.starts_with("upl_")) else {
            return Ok(None);
        };
        match self.store.upload(id).await? {
            Some(upload) if upload_name(&upload) == name => self.settle(upload).await,
            _ => Ok(None),
        }
    }

    /// Looks at everything that arrived, and removes what belongs to no open upload.
    pub async fn sweep(&self) -> ServiceResult<()> {
        let mut outage = None;
        for arrived in self.files.list_arrived().await? {
            let id = arrived.name.split_once('.').map_or(arrived.name.as_str(), |(id, _)| id);
            let upload = self.store.upload(id).await?.filter(|upload| upload.completed_at.is_none());
            match upload {
                Some(upload) => match self.settle(upload).await {
                    // The others may do.
                    Err(error) if error.kind == ErrorKind::Unavailable => outage = Some(error),
                    Err(error) => {
                        tracing::info!(
                            upload = id,
                            reason = error.message,
                            "a file that arrived cannot be used"
                        );
                    }
                    Ok(_) => {}
                },
                // Its address may still take bytes.
                None if is_old(arrived.written, 2 * PART_LIFETIME) => {
                    self.files.remove_arrived(&arrived.name).await?
                }
                None => {}
            }
        }
        outage.map_or(Ok(()), Err)
    }

    /// Removes parts in the bucket that belong to no open upload.
    pub async fn sweep_parts(&self) -> ServiceResult<()> {
        let parts = self.files.list_parts().await?;
        let old = parts.iter().filter(|part| is_old(part.written, 2 * LONGEST_LIFETIME));
        let ids: BTreeSet<&str> =
            old.filter_map(|part| part.name.split_once('/')).map(|(id, _)| id).collect();
        for id in ids {
            if self.store.upload(id).await?.is_none_or(|upload| upload.completed_at.is_some()) {
                self.files.remove_parts(id).await?;
            }
        }
        Ok(())
    }

    /// Notes that an upload has its file, which `place` gives it.
    async fn complete(
        &self,
        upload: Upload,
        size: u64,
        place: impl Future<Output = Result<(), StoreError>> + Send,
    ) -> ServiceResult<StoredUpload> {
        match self.store.complete_upload(&upload, size, place).await {
            Ok(_) => {}
            Err(StoreError::NotFound { .. }) => return Err(ServiceError::not_found("upload")),
            Err(StoreError::UploadComplete) => return Err(complete()),
            Err(error) => return Err(error.into()),
        }
        Ok(StoredUpload {
            file_url: self.file_url(&upload),
            content_type: upload.content_type,
            id: upload.id,
            size,
        })
    }

    /// The faces of a font file.
    async fn faces(&self, account: &str, content_type: &str, path: &Path) -> ServiceResult<Vec<UploadFace>> {
        let faces = self.isolation.read_font(account, path.to_owned()).await?;
        let faces = faces.map_err(|why| unusable(content_type, &why))?;
        let face =
            |FontFact { family, weights, italic, widths }| UploadFace { family, weights, italic, widths };
        Ok(faces.into_iter().take(MOST_FACES).map(face).collect())
    }

    /// Removes the file and forgets the upload. Its address answers 404 from then on.
    pub async fn delete(&self, upload: &Upload) -> ServiceResult<()> {
        // A process that gives it its file would leave it behind.
        if self.files.uses_bucket()
            && upload.completed_at.is_none()
            && !self.store.claim_upload(&upload.id, self.store.now().plus(CLAIM)).await?
            && self.store.upload(&upload.id).await?.is_some_and(|it| it.completed_at.is_none())
        {
            return Err(in_progress());
        }
        self.files.remove(&upload_name(upload)).await?;
        self.files.remove_arrived(&upload_name(upload)).await?;
        self.files.remove_parts(&upload.id).await?;
        Ok(self.store.forget_upload(&upload.id).await?)
    }
}

fn is_old(written: SystemTime, age: Duration) -> bool {
    SystemTime::now().duration_since(written).is_ok_and(|passed| passed > age)
}

fn in_progress() -> ServiceError {
    let message = "Another request completes this upload. Ask for it in a moment.";
    ServiceError::new(ErrorKind::Conflict, "UPLOAD_IN_PROGRESS", message).retry_after(2)
}

/// 415: the file is not what it was said to be.
fn unusable(content_type: &str, why: &str) -> ServiceError {
    let message = format!("The file cannot be used: {why}.");
    ServiceError::new(ErrorKind::UnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", message)
        .with("expected", content_type)
}

fn complete() -> ServiceError {
    let message = "The upload already has its file. Create a new upload to send another one.";
    ServiceError::new(ErrorKind::Conflict, "UPLOAD_COMPLETE", message)
}

/// 422: the file is not of the size that was declared.
pub fn wrong_size(declared: u64, sent: u64) -> ServiceError {
    let message = format!("The upload was created for {declared} bytes, but {sent} were sent.");
    ServiceError::unprocessable("SIZE_MISMATCH", message)
        .with("expectedBytes", declared)
        .with("sentBytes", sent)
}

fn signed<'a>(upload: &'a Upload, expires: &'a str) -> [&'a [u8]; 7] {
    let parts = ["PUT", "\n", &upload.id, "\n", &upload.content_type, "\n", expires];
    parts.map(str::as_bytes)
}
