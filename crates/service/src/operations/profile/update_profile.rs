//! Changes the name of a person.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::session_ended;
use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::people::{AccountView, LONGEST_NAME};

record! {
    /// What to change.
    pub struct ProfileBody {
        /// Name of the person.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UpdatedProfile {
    account: AccountView,
}

pub struct UpdateProfile;

impl Operation for UpdateProfile {
    const ID: &'static str = "updateProfile";
    const ABOUT: &'static str = "Changes the name.";
    const RETURNS: &'static str = "The account";

    type Request = ProfileBody;
    type Response = UpdatedProfile;

    async fn run(call: Call<'_>, request: ProfileBody) -> ServiceResult<UpdatedProfile> {
        let store = &call.service.store;
        store.rename_account(call.account_id(), &request.name).await?;
        let account = store.account(call.account_id()).await?.ok_or_else(session_ended)?;
        Ok(UpdatedProfile { account: (&account).into() })
    }
}
