//! POST /auth/verify.

use std::sync::Arc;

use axum::Router;
use axum::routing::post;

use crate::api::account::AccountInfo;
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/auth/verify", post(verify))
}

/// Validates the key and tells whose it is.
#[utoipa::path(
    post, path = "/auth/verify", tag = "Account", operation_id = "verifyKey",
    responses(
        (status = 200, description = "The key is valid", body = inline(Answer<AccountInfo>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn verify(caller: Caller) -> Data<AccountInfo> {
    Data(AccountInfo::of(&caller))
}
