//! Validates a credential.

use super::AccountInfo;
use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

pub struct VerifyKey;

impl Operation for VerifyKey {
    const ID: &'static str = "verifyKey";
    const ABOUT: &'static str = "Validates the key and returns its account.";
    const RETURNS: &'static str = "The key is valid";
    const READS: bool = true;

    type Request = NoInput;
    type Response = AccountInfo;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<AccountInfo> {
        Ok(AccountInfo::of(call.caller))
    }
}
