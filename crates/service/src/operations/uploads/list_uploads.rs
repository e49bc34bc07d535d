//! Lists uploads and narrations.

use rondo_fields::{choices, one_of, record, text};
use rondo_store::id::Kind;
use rondo_store::{MediaFile, MediaFilter, MediaKind, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::links::Links;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, limit, page};
use crate::uploads::file_name;
use crate::words::{FileKind, UploadType};

choices! {
    /// What to list.
    pub enum ListedKind {
        Upload = "upload",
        Narration = "narration",
        All = "all",
    }
}

record! {
    /// Which files to list.
    pub struct UploadQuery {
        /// Uploads, narrations or both.
        kind: default ListedKind => "kind", one_of(), ListedKind::Upload;
        /// Only files with this text in their name, their type or, for narrations, their text.
        search: optional String => "search", text();
        /// Files on a page. Default: 20.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::Upload, Kind::Voiceover]);
    }
}

/// Files on a page unless the request says otherwise.
const PAGE: u32 = 20;

/// A file of the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedUpload {
    id: String,
    #[schema(value_type = FileKind)]
    kind: MediaKind,
    /// What the upload is called, or what the narration says.
    #[schema(required = true)]
    name: Option<String>,
    #[schema(format = "uri")]
    file_url: String,
    #[schema(value_type = UploadType)]
    content_type: String,
    /// Bytes.
    #[schema(required = true)]
    size: Option<u64>,
    /// Of narrations.
    #[schema(required = true)]
    duration_ms: Option<u64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A page of files, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadList {
    uploads: Vec<ListedUpload>,
    /// Files on all pages.
    total: u64,
    /// For the next page, when there is one.
    #[schema(required = true)]
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListUploads;

impl Operation for ListUploads {
    const ID: &'static str = "listUploads";
    const ABOUT: &'static str =
        "Lists the caller's finished uploads, newest first. With `kind`, also or only narrations.";
    const RETURNS: &'static str = "A page of files";

    type Request = UploadQuery;
    type Response = UploadList;

    async fn run(call: Call<'_>, query: UploadQuery) -> ServiceResult<UploadList> {
        let service = call.service;
        service.uploads.settle_open(call.account_id()).await?;
        let filter = MediaFilter {
            kind: match query.kind {
                ListedKind::Upload => Some(MediaKind::Upload),
                ListedKind::Narration => Some(MediaKind::Narration),
                ListedKind::All => None,
            },
            search: query.search.unwrap_or_default(),
        };
        let page = page(query.limit.or(Some(PAGE)), query.cursor);
        let found = service.store.media(call.account_id(), &filter, &page).await?;
        Ok(UploadList {
            uploads: found.items.into_iter().map(|file| describe(&service.links, file)).collect(),
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}

fn describe(links: &Links, media: MediaFile) -> ListedUpload {
    let MediaFile { id, kind, name, content_type, file, size, duration_ms, created_at } = media;
    let sound =
        if file.as_deref().is_some_and(|file| file.ends_with(".mp3")) { "audio/mpeg" } else { "audio/wav" };
    let content_type = content_type.unwrap_or_else(|| sound.to_owned());
    let file = file.unwrap_or_else(|| file_name(&id, &content_type));
    ListedUpload {
        file_url: links.file(&file),
        id,
        kind,
        name,
        content_type,
        size: Some(size),
        duration_ms,
        created_at,
    }
}
