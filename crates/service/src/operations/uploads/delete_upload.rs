//! Deletes an upload or a narration.

use rondo_fields::{record, text};
use rondo_store::{Upload, Voiceover};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;

record! {
    /// Names an upload or a narration.
    pub struct UploadId {
        /// The id that POST /uploads or POST /ai/voiceover returned.
        upload_id: required String => "uploadId", text();
    }
}

pub struct DeleteUpload;

impl Operation for DeleteUpload {
    const ID: &'static str = "deleteUpload";
    const ABOUT: &'static str = "Deletes an upload or a narration with its file. Its bytes no longer count against \
                                 the storage of the account. The fileUrl and the uploadUrl end: renders that still \
                                 wait for the file fail with a message that names it, and their credits are refunded.";
    const RETURNS: &'static str = "The file is deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such upload or narration")];

    type Request = UploadId;
    type Response = Done;

    async fn run(call: Call<'_>, request: UploadId) -> ServiceResult<Done> {
        match call.own_media(&request.upload_id).await? {
            OwnMedia::Upload(upload) => call.service.uploads.delete(&upload).await?,
            OwnMedia::Narration(voiceover) => {
                call.service.speech.forget(&voiceover.id, &voiceover.file).await?;
            }
        }
        Ok(Done {})
    }
}

/// An upload or a narration of the caller.
pub enum OwnMedia {
    Upload(Upload),
    Narration(Voiceover),
}

impl Call<'_> {
    /// 404 for files of other accounts too.
    pub(super) async fn own_media(&self, id: &str) -> ServiceResult<OwnMedia> {
        let store = &self.service.store;
        if let Some(upload) = store.upload(id).await?.filter(|it| it.account_id == self.account_id()) {
            return Ok(OwnMedia::Upload(upload));
        }
        let narration = store.voiceover(id).await?.filter(|it| it.account_id == self.account_id());
        narration.map(OwnMedia::Narration).ok_or_else(|| ServiceError::not_found("upload"))
    }
}
