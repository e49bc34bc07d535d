//! Deletes an upload.

use rondo_fields::{record, text};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names an upload.
    pub struct UploadId {
        /// The id that POST /uploads returned.
        upload_id: required String => "uploadId", text();
    }
}

pub struct DeleteUpload;

impl Operation for DeleteUpload {
    const ID: &'static str = "deleteUpload";
    const ABOUT: &'static str = "Deletes an upload and its file. The fileUrl and the uploadUrl end, and renders that \
                                 still need the file fail.";
    const RETURNS: &'static str = "The upload is deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such upload")];

    type Request = UploadId;
    type Response = Done;

    async fn run(call: Call<'_>, request: UploadId) -> ServiceResult<Done> {
        let found = call.service.store.upload(&request.upload_id).await?;
        let upload = found.filter(|upload| upload.account_id == call.account_id());
        let upload = upload.ok_or_else(|| ServiceError::not_found("upload"))?;
        call.service.uploads.delete(&upload).await?;
        Ok(Done {})
    }
}
