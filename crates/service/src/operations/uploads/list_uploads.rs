//! Lists uploads.

use rondo_fields::record;
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, limit, page};

record! {
    /// Which uploads to list.
    pub struct UploadQuery {
        /// Uploads on a page. Default: 20.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor();
    }
}

/// Uploads on a page unless the request says otherwise.
const PAGE: u32 = 20;

/// A file that was uploaded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedUpload {
    id: String,
    #[schema(format = "uri")]
    file_url: String,
    content_type: String,
    /// Bytes.
    size: Option<u64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A page of uploads, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadList {
    uploads: Vec<ListedUpload>,
    /// Uploads on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListUploads;

impl Operation for ListUploads {
    const ID: &'static str = "listUploads";
    const ABOUT: &'static str = "Lists the caller's finished uploads, newest first.";
    const RETURNS: &'static str = "A page of uploads";

    type Request = UploadQuery;
    type Response = UploadList;

    async fn run(call: Call<'_>, query: UploadQuery) -> ServiceResult<UploadList> {
        let service = call.service;
        let page = page(query.limit.or(Some(PAGE)), query.cursor);
        let found = service.store.uploads(call.account_id(), &page).await?;
        let listed = found.items.into_iter().map(|upload| ListedUpload {
            file_url: service.uploads.file_url(&upload),
            id: upload.id,
            content_type: upload.content_type,
            size: upload.size,
            created_at: upload.created_at,
        });
        Ok(UploadList {
            uploads: listed.collect(),
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}
