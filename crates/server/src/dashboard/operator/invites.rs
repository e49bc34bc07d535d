//! Invitations to sign up.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{delete, get};
use rondo_store::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::dashboard::people::check_email;
use crate::dashboard::{Done, Operator};
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::request::JsonBody;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/invites", get(list).post(create)).route("/invites/{id}", delete(remove))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteInfo {
    id: String,
    /// The only email it is good for; any if null.
    email: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// The email of the account it was used for.
    used_by: Option<String>,
}

/// An invitation just made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedInvite {
    id: String,
    /// Where to sign up with it; shown this once.
    url: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct InviteBody {
    /// Makes the invitation good for this email only, and mails it where mail can be sent.
    email: Option<String>,
}

/// Lists invitations, newest first, with those used and expired.
#[utoipa::path(
    get, path = "/operator/invites", tag = "Operator", operation_id = "listInvites",
    responses((status = 200, description = "The invitations", body = inline(Answer<Vec<InviteInfo>>)))
)]
pub async fn list(State(app): State<Arc<App>>, _: Operator) -> ApiResult<Data<Vec<InviteInfo>>> {
    let invites = app.store.invites().await?.into_iter().map(|invite| InviteInfo {
        id: invite.id,
        email: invite.email,
        created_at: invite.created_at,
        expires_at: invite.expires_at,
        used_by: invite.used_by,
    });
    Ok(Data(invites.collect()))
}

/// Makes an invitation, good for a week.
#[utoipa::path(
    post, path = "/operator/invites", tag = "Operator", operation_id = "createInvite", request_body = InviteBody,
    responses((status = 200, description = "The invitation", body = inline(Answer<CreatedInvite>)))
)]
pub async fn create(
    State(app): State<Arc<App>>,
    Operator(operator): Operator,
    JsonBody(body): JsonBody<InviteBody>,
) -> ApiResult<Data<CreatedInvite>> {
    let email = body.email.filter(|email| !email.trim().is_empty());
    if let Some(email) = &email {
        check_email("email", email)?;
    }
    let made = app.store.create_invite(&operator.account.id, email.as_deref()).await?;
    let url = app.url(&format!("/sign-up?invite={}", made.secret));
    if let (Some(mail), Some(email)) = (app.mail.clone(), email) {
        let text = format!(
            "Hello,\n\n{} invites you to make videos at {}. Sign up within a week here:\n\n{url}\n",
            operator.account.name, app.public_url
        );
        tokio::spawn(async move { mail.send(&email, "You are invited", text).await });
    }
    Ok(Data(CreatedInvite { id: made.invite.id, url, expires_at: made.invite.expires_at }))
}

/// Takes an invitation back.
#[utoipa::path(
    delete, path = "/operator/invites/{id}", tag = "Operator", operation_id = "deleteInvite",
    params(("id" = String, Path, description = "The id of the invitation")),
    responses((status = 200, description = "It is void", body = inline(Answer<Done>)))
)]
pub async fn remove(
    State(app): State<Arc<App>>,
    _: Operator,
    Path(id): Path<String>,
) -> ApiResult<Data<Done>> {
    match app.store.delete_invite(&id).await? {
        true => Ok(Data(Done {})),
        false => Err(ApiError::not_found("invitation")),
    }
}
