//! An authorization request.

use rondo_store::Client;
use url::Url;

use super::fields::Fields;

/// What an app asks for, with everything checked.
pub struct Asked {
    pub client: Client,
    pub redirect: Url,
    /// As it was written, for the token request to name again.
    pub redirect_uri: String,
    pub state: Option<String>,
    pub challenge: String,
    pub resource: String,
    /// The parameters, to be sent again with the decision.
    pub fields: Fields,
}
