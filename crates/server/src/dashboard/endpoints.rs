//! The table of endpoints.

use rondo_service::operations::account::{GetStatement, GetUsageByDay};
use rondo_service::operations::apps::{ListApps, RevokeApp};
use rondo_service::operations::audit::{ListAllAuditEvents, ListAuditEvents};
use rondo_service::operations::keys::{CreateKey, ListKeys, RevokeKey};
use rondo_service::operations::operator::{
    CreateInvite, DeleteInvite, GetQueue, ListAccounts, ListInvites, ListWorkers, UpdateAccount,
};
use rondo_service::operations::people::{ForgotPassword, GetSession, ResetPassword, SignIn, SignOut, SignUp};
use rondo_service::operations::profile::{ChangePassword, EndSession, ListSessions, UpdateProfile};
use rondo_service::operations::renders::{GetRenderDetails, ListRenderDeliveries};
use rondo_service::operations::uploads::GetUploadUses;
use rondo_service::operations::webhooks::{ListDeliveryDetails, ReactivateWebhook, ReplayDelivery};

use super::session::{ends_session, get_public, post_public, starts_session};
use crate::http::endpoint::{Endpoint, delete, get, patch, post};

/// Every endpoint, by tag.
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        get_public::<GetSession>("Session", "/session"),
        starts_session::<SignUp>("Session", "/session/sign-up"),
        starts_session::<SignIn>("Session", "/session/sign-in"),
        ends_session::<SignOut>("Session", "/session/sign-out"),
        post_public::<ForgotPassword>("Session", "/session/forgot"),
        starts_session::<ResetPassword>("Session", "/session/reset"),
        patch::<UpdateProfile>("Profile", "/profile"),
        post::<ChangePassword>("Profile", "/password"),
        get::<ListSessions>("Profile", "/sessions"),
        delete::<EndSession>("Profile", "/sessions/{id}"),
        get::<ListKeys>("Keys", "/keys"),
        post::<CreateKey>("Keys", "/keys"),
        delete::<RevokeKey>("Keys", "/keys/{id}"),
        get::<ListAuditEvents>("Audit log", "/audit"),
        get::<GetRenderDetails>("Renders", "/renders/{jobId}"),
        get::<ListRenderDeliveries>("Renders", "/renders/{jobId}/deliveries"),
        get::<GetStatement>("Usage", "/statement"),
        get::<GetUsageByDay>("Usage", "/usage"),
        get::<ListDeliveryDetails>("Webhooks", "/webhooks/{id}/deliveries"),
        post::<ReplayDelivery>("Webhooks", "/deliveries/{id}/replay"),
        post::<ReactivateWebhook>("Webhooks", "/webhooks/{id}/reactivate"),
        get::<GetUploadUses>("Uploads", "/uploads/{uploadId}/uses"),
        get::<ListApps>("Apps", "/apps"),
        delete::<RevokeApp>("Apps", "/apps/{clientId}"),
        get::<ListAccounts>("Operator", "/operator/accounts"),
        patch::<UpdateAccount>("Operator", "/operator/accounts/{id}"),
        get::<ListInvites>("Operator", "/operator/invites"),
        post::<CreateInvite>("Operator", "/operator/invites"),
        delete::<DeleteInvite>("Operator", "/operator/invites/{id}"),
        get::<ListAllAuditEvents>("Operator", "/operator/audit"),
        get::<GetQueue>("Operator", "/operator/queue"),
        get::<ListWorkers>("Operator", "/operator/workers"),
    ]
}
