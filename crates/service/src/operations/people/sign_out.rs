//! Ends the session of the browser.

use crate::error::ServiceResult;
use crate::operation::{NoInput, PublicOperation, Visit};
use crate::operations::Done;

pub struct SignOut;

impl PublicOperation for SignOut {
    const ID: &'static str = "signOut";
    const ABOUT: &'static str = "Ends the session.";
    const RETURNS: &'static str = "Signed out";

    type Request = NoInput;
    type Response = Done;

    async fn run(visit: Visit<'_>, _: NoInput) -> ServiceResult<Done> {
        if let Some(caller) = visit.caller {
            visit.service.store.end_session(&caller.account.id, &caller.session()?.id).await?;
        }
        Ok(Done {})
    }
}
