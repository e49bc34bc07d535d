//! Tools that bring media to the service.

use rondo_service::operations::uploads::{CreateUpload, DeleteUpload, ListUploads, UploadFromUrl};

use super::tool::{Effect, Tool};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::of::<UploadFromUrl>(
            "upload_from_url",
            "Upload a file from a URL",
            Effect::Fetches,
            "Fetches an image, video, sound or font from a public http(s) URL into an upload of your account, and \
             returns its size in pixels and its length. Use the fileUrl as the src of overlays: it stays available \
             when the original moves. Up to 500 MB.",
        ),
        Tool::of::<CreateUpload>(
            "create_upload",
            "Get a URL to upload to",
            Effect::Adds,
            "For a file you hold yourself: PUT its bytes to uploadUrl with the same Content-Type and no credentials, \
             within an hour, then use fileUrl as the src of overlays.",
        ),
        Tool::of::<ListUploads>(
            "list_uploads",
            "List uploads and narrations",
            Effect::Reads,
            "The files of your account, newest first, each with its fileUrl, type, size and name. `kind` adds narrations; \
             `search` looks in names and in what narrations say.",
        ),
        Tool::of::<DeleteUpload>(
            "delete_upload",
            "Delete an upload or a narration",
            Effect::Ends,
            "Deletes a file of your account and its fileUrl. Renders that still wait for it fail.",
        ),
    ]
}
