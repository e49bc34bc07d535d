//! Lists the sessions of a person.

use rondo_store::{Session, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

/// A browser in which the person is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    id: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Time,
    address: String,
    user_agent: String,
    /// The session of this request.
    current: bool,
}

/// Sessions, most recently used first.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionList(Vec<SessionInfo>);

pub struct ListSessions;

impl Operation for ListSessions {
    const ID: &'static str = "listSessions";
    const ABOUT: &'static str = "Lists the sessions of the person, most recently used first.";
    const RETURNS: &'static str = "The sessions";

    type Request = NoInput;
    type Response = SessionList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<SessionList> {
        let own = call.caller.session()?;
        let sessions = call.service.store.sessions(call.account_id()).await?;
        Ok(SessionList(sessions.into_iter().map(|session| describe(session, own)).collect()))
    }
}

fn describe(session: Session, own: &Session) -> SessionInfo {
    let current = session.id == own.id;
    SessionInfo {
        id: session.id,
        created_at: session.created_at,
        // This request is more recent than what the store knows.
        last_used_at: if current { own.last_used_at } else { session.last_used_at },
        address: session.address,
        user_agent: session.user_agent,
        current,
    }
}
