//! Makes a photo or video of a stock provider usable in films.

use rondo_fields::{one_of, record, text};
use serde::Serialize;
use utoipa::ToSchema;

use super::NO_KEY;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::uploads::{STORAGE_FULL, Wanted};
use crate::stock::{LONGEST_ID, Provider, StockItem, StockKind};
use crate::words::UploadType;

record! {
    /// The item to use.
    pub struct StockBody {
        /// Who has it.
        provider: required Provider => "provider", one_of();
        /// A photo or a video.
        kind: default StockKind => "kind", one_of(), StockKind::Photo;
        /// The id that the search returned.
        id: required String => "id", text().not_blank().at_most(LONGEST_ID);
    }
}

/// A photo or video that compositions can name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockFile {
    /// What compositions name as a source: a copy in the account, or the file at the provider where its terms want that.
    #[schema(format = "uri")]
    file_url: String,
    #[schema(value_type = UploadType)]
    content_type: String,
    /// The upload that the copy is; null where there is none.
    #[schema(required = true)]
    upload_id: Option<String>,
    /// Pixels.
    width: u32,
    height: u32,
    /// Of videos.
    #[schema(required = true)]
    duration_seconds: Option<f64>,
    item: StockItem,
}

pub struct AddStockItem;

impl Operation for AddStockItem {
    const ID: &'static str = "addStockItem";
    const ABOUT: &'static str = "Makes a photo or video of a stock provider usable in films. Files of Pexels and Pixabay \
                                 are copied into an upload of the account. Photos of Unsplash stay where they are, and \
                                 Unsplash is told that one is used.";
    const RETURNS: &'static str = "Where the file is";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, STORAGE_FULL),
        NO_KEY,
        (ErrorKind::Unprocessable, "The file cannot be fetched"),
        (
            ErrorKind::Unavailable,
            "The provider does not answer, or takes no more requests (STOCK_UNAVAILABLE), or the server's disk is nearly \
             full (DISK_FULL)",
        ),
    ];

    type Request = StockBody;
    type Response = StockFile;

    async fn run(call: Call<'_>, request: StockBody) -> ServiceResult<StockFile> {
        let item = call.service.stock.take(request.provider, request.kind, request.id.trim()).await?;
        let size = item.best().cloned().ok_or_else(|| ServiceError::not_found("stock item"))?;
        if !request.provider.is_copied() {
            return Ok(StockFile {
                file_url: size.url,
                content_type: "image/jpeg".to_owned(),
                upload_id: None,
                width: size.width,
                height: size.height,
                duration_seconds: item.duration_seconds,
                item,
            });
        }
        let (content_type, kind) = match request.kind {
            StockKind::Photo => (None, "image/"),
            StockKind::Video => (Some("video/mp4".to_owned()), "video/"),
        };
        let wanted = Wanted { content_type, kind, name: Some(&item.credit) };
        let kept = call.fetch_upload(&size.url, wanted).await?;
        Ok(StockFile {
            width: kept.width.unwrap_or(size.width),
            height: kept.height.unwrap_or(size.height),
            duration_seconds: kept.seconds.filter(|_| request.kind == StockKind::Video),
            upload_id: Some(kept.file.id),
            file_url: kept.file.file_url,
            content_type: kept.file.content_type,
            item,
        })
    }
}
