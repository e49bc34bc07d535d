//! Who runs an operation.

use std::net::IpAddr;

use rondo_store::{Access, Account, Author, AuthorKind, Key, KeyMode, Plan, Session, Store, Token};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::Operation;

/// The account that runs an operation, and the credential it presented.
#[derive(Debug, Clone)]
pub struct Caller {
    pub account: Account,
    pub credential: Credential,
    /// The address the request came from.
    pub address: IpAddr,
}

/// What a request is authenticated with.
#[derive(Debug, Clone)]
pub enum Credential {
    Key(Key),
    /// The cookie of a person who signed in.
    Session(Box<Session>),
    /// The access token of an app that a person authorized.
    Token(Token),
}

impl Caller {
    /// The session of a person who signed in. Fails for keys and tokens.
    pub fn session(&self) -> ServiceResult<&Session> {
        match &self.credential {
            Credential::Session(session) => Ok(session),
            Credential::Key(_) | Credential::Token(_) => Err(session_ended()),
        }
    }

    /// Who the history of a project names.
    pub async fn author(&self, store: &Store) -> ServiceResult<Author> {
        let (kind, name) = match &self.credential {
            Credential::Session(_) => (AuthorKind::Person, self.account.name.clone()),
            Credential::Key(key) => {
                (AuthorKind::Key, key.name.clone().unwrap_or_else(|| format!("{}…", key.prefix)))
            }
            Credential::Token(token) => {
                let client = store.client(&token.client_id).await?;
                (AuthorKind::App, client.map_or_else(|| token.client_id.clone(), |client| client.name))
            }
        };
        Ok(Author { kind, name })
    }

    /// Whether the key is for tests: its renders are free and carry a watermark.
    pub fn is_test(&self) -> bool {
        matches!(&self.credential, Credential::Key(key) if key.mode == KeyMode::Test)
    }

    /// Fails for keys that can only read.
    pub fn require_writing(&self) -> ServiceResult<()> {
        match &self.credential {
            Credential::Key(key) if key.access == Access::Read => Err(ServiceError::new(
                ErrorKind::Forbidden,
                "READ_ONLY_KEY",
                "This API key can only read. Use a key with full access.",
            )),
            _ => Ok(()),
        }
    }

    /// Fails if the operation is for operators and the account is not an operator's.
    pub fn check_access<O: Operation>(&self) -> ServiceResult<()> {
        match self.account.is_operator || !O::OPERATORS_ONLY {
            true => Ok(()),
            false => Err(ServiceError::new(
                ErrorKind::Forbidden,
                "OPERATOR_ONLY",
                "Only an operator of this service can do this.",
            )),
        }
    }
}

/// Fails if an operator suspended the account.
pub fn require_active(account: &Account) -> ServiceResult<()> {
    match account.suspended_at {
        None => Ok(()),
        Some(_) => Err(ServiceError::new(
            ErrorKind::Forbidden,
            "ACCOUNT_SUSPENDED",
            "This account is suspended. Contact the operator of the service.",
        )),
    }
}

/// The session that a request names is unknown or has ended.
pub fn session_ended() -> ServiceError {
    ServiceError::unauthenticated("The session has ended. Sign in again.")
}

/// Requests a minute.
pub fn rate_limit(plan: Plan) -> u32 {
    match plan {
        Plan::None => 60,
        Plan::Creator => 120,
        Plan::Business => 300,
    }
}
