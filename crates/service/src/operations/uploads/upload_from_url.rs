//! Fetches a file from a public address into an upload.

use std::path::Path;
use std::time::Duration;

use rondo_composition::MediaRole;
use rondo_fields::{record, text};
use rondo_jobs::Fact;
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use super::{ContentType, FETCH_BUSY, LIFETIME, LONGEST_NAME, STORAGE_FULL};
use crate::disk::{Growth, full, require_room};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::fetch::{DownloadLimits, Downloaded, Downloading, FetchError};
use crate::file_type::{UPLOAD_TYPES, essence, head_of, picture_type, supported};
use crate::isolation::{Busy, Isolation};
use crate::operation::{Call, Operation};
use crate::uploads::StoredUpload;

/// Largest file in bytes.
const MOST_BYTES: u64 = 500_000_000;
/// Longest download.
const MOST_TIME: Duration = Duration::from_secs(120);
/// How long a downloaded file waits to be read. It would be downloaded again otherwise.
const READING_TURN: Duration = Duration::from_secs(60);

record! {
    /// A file to fetch.
    pub struct UploadFromUrlBody {
        /// Where the file is.
        url: required String => "url", text().not_blank();
        /// The MIME type of the file, where its server does not say so.
        content_type: optional String => "contentType", ContentType;
    }
}

/// A file that was fetched.
#[derive(Debug, Serialize, ToSchema)]
pub struct FetchedUpload {
    #[serde(flatten)]
    pub(in crate::operations) file: StoredUpload,
    /// Of images and videos, in pixels; not of SVG drawings, which have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(in crate::operations) width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(in crate::operations) height: Option<u32>,
    /// Of videos and sounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(in crate::operations) seconds: Option<f64>,
}

pub struct UploadFromUrl;

impl Operation for UploadFromUrl {
    const ID: &'static str = "uploadFromUrl";
    const ABOUT: &'static str =
        "Fetches an image, video, sound or font from a public address into an upload.";
    const RETURNS: &'static str = "The upload, with the size and length of the file";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, STORAGE_FULL),
        (ErrorKind::UnsupportedMediaType, "The file is not of the contentType"),
        (ErrorKind::Unprocessable, "The file cannot be fetched, or is of no supported type"),
        (ErrorKind::Unavailable, FETCH_BUSY),
    ];

    type Request = UploadFromUrlBody;
    type Response = FetchedUpload;

    async fn run(call: Call<'_>, request: UploadFromUrlBody) -> ServiceResult<FetchedUpload> {
        let wanted = Wanted { content_type: request.content_type, ..Wanted::default() };
        call.fetch_upload(&request.url, wanted).await
    }
}

/// What a file to fetch must be, and what it is called.
#[derive(Default)]
pub(in crate::operations) struct Wanted<'a> {
    /// Where its server does not say so.
    pub content_type: Option<String>,
    /// How its type must begin.
    pub kind: &'static str,
    /// As in its address, if there is none.
    pub name: Option<&'a str>,
}

impl Call<'_> {
    /// Fetches a file into an upload of the caller.
    pub(in crate::operations) async fn fetch_upload(
        self,
        url: &str,
        wanted: Wanted<'_>,
    ) -> ServiceResult<FetchedUpload> {
        let service = self.service;
        let files = &service.media.files;
        let turn = service.media.turns.take(self.account_id()).await?;
        require_room(files)?;
        let mut claim = service.uploads.expect(self.account_id(), None).await?;
        let draft = files.draft();
        let limits = DownloadLimits { bytes: MOST_BYTES, time: MOST_TIME };
        let (mut growth, mut refusal) = (Growth::of(files, 0), None);
        let tell = |Downloading { bytes, length, .. }: Downloading| -> Result<(), FetchError> {
            let allowed = claim.grow_to(length.unwrap_or(bytes).max(bytes));
            allowed.and_then(|()| growth.require_room(bytes)).map_err(|error| {
                refusal = Some(error);
                FetchError::NoRoom
            })
        };
        let downloading = service.media.fetch.download_telling(url, draft.path(), limits, tell);
        let downloaded = tokio::select! {
            downloaded = downloading => downloaded,
            () = self.cancelled.cancelled() => return Err(ServiceError::invalid("The call was cancelled.")),
        };
        drop(turn);
        let downloaded = match (downloaded, refusal) {
            (Err(_), Some(refusal)) => return Err(refusal),
            (Err(FetchError::NoRoom), None) => return Err(full()),
            (downloaded, _) => downloaded.map_err(|error| not_fetched(&error))?,
        };
        if downloaded.bytes == 0 {
            return Err(not_usable("the file is empty"));
        }
        let content_type = match wanted.content_type {
            Some(given) => given,
            None => type_of(&downloaded, draft.path()).await?,
        };
        let content_type = supported(&content_type)?;
        if !content_type.starts_with(wanted.kind) {
            return Err(not_usable(&format!("it is {content_type}")));
        }
        let fact = check(&service.media.isolation, self.account_id(), &content_type, draft.path()).await?;
        let expires_at = service.store.now().plus(LIFETIME);
        let name = wanted.name.map(|name| name.chars().take(LONGEST_NAME).collect());
        let name = name.or_else(|| name_in(&downloaded.url));
        let upload = service
            .store
            .create_upload(
                self.account_id(),
                &content_type,
                name.as_deref(),
                Some(downloaded.bytes),
                expires_at,
            )
            .await?;
        let file = service.uploads.keep(upload, draft, downloaded.bytes).await?;
        let (width, height) = fact.size.unzip();
        Ok(FetchedUpload { file, width, height, seconds: fact.seconds })
    }
}

fn not_fetched(error: &FetchError) -> ServiceError {
    let reason = match error {
        FetchError::TooLarge { .. } => "PAYLOAD_TOO_LARGE",
        error if error.is_refusal() => "MEDIA_URL_NOT_ALLOWED",
        _ => "MEDIA_UNREACHABLE",
    };
    ServiceError::unprocessable_field(reason, "url", format!("The file cannot be fetched: {error}."))
}

fn not_usable(why: &str) -> ServiceError {
    ServiceError::unprocessable_field(
        "UNSUPPORTED_CONTENT_TYPE",
        "url",
        format!("The file cannot be used: {why}."),
    )
}

/// What a file is: its content where it is a picture, then its server's word, then the ending of its name.
async fn type_of(downloaded: &Downloaded, path: &Path) -> ServiceResult<String> {
    let path = path.to_owned();
    let head = tokio::task::spawn_blocking(move || head_of(&path)).await.map_err(ServiceError::internal)?;
    let sniffed = head.ok().and_then(|head| picture_type(&head));
    let declared = downloaded.content_type.as_deref().map(essence);
    let declared = declared.filter(|declared| UPLOAD_TYPES.iter().any(|(known, _)| known == declared));
    let found =
        sniffed.map(str::to_owned).or(declared).or_else(|| ending_type(&downloaded.url).map(str::to_owned));
    found.ok_or_else(|| {
        let shown = downloaded.content_type.as_deref().unwrap_or("no type");
        not_usable(&format!(
            "its server says it is {shown}; give the address of the file itself, or its contentType"
        ))
    })
}

/// The last part of the path of an address, which is what files are called there.
fn name_in(url: &Url) -> Option<String> {
    let name = url.path_segments()?.next_back().filter(|name| !name.is_empty())?;
    Some(name.chars().take(LONGEST_NAME).collect())
}

fn ending_type(url: &Url) -> Option<&'static str> {
    let ending = url.path().rsplit_once('.')?.1.to_ascii_lowercase();
    let ending = if ending == "jpeg" { "jpg" } else { ending.as_str() };
    UPLOAD_TYPES.iter().find(|(_, known)| *known == ending).map(|(content_type, _)| *content_type)
}

fn busy() -> ServiceError {
    let message = "Too many files of this account are read at the moment. Try again in a moment.";
    ServiceError::busy(message, 5)
}

/// Opens the file as what it is said to be.
async fn check(isolation: &Isolation, account: &str, content_type: &str, path: &Path) -> ServiceResult<Fact> {
    let role = match content_type.split('/').next() {
        Some("image") => MediaRole::Image,
        Some("video") => MediaRole::Video,
        Some("audio") => MediaRole::Sound,
        _ => return Ok(Fact::default()),
    };
    let probed = isolation.probe(account, vec![(role, path.to_owned())], READING_TURN).await;
    let fact = probed.map_err(|_: Busy| busy())?.pop().unwrap_or_default();
    match &fact.problem {
        Some(problem) => Err(not_usable(&format!("as {content_type}, {problem}"))),
        None => Ok(fact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_the_type() {
        let ending = |url: &str| ending_type(&Url::parse(url).unwrap());
        assert_eq!(ending("https://a.example/b/Photo.JPEG?w=1"), Some("image/jpeg"));
        assert_eq!(ending("https://a.example/film.mp4#t=1"), Some("video/mp4"));
        assert_eq!(ending("https://a.example/page"), None);
    }
}
