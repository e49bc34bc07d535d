//! The endpoints of /api/v1.

use std::sync::Arc;

use axum::Router;
use axum::routing::get as route_get;
use rondo_service::operations::account::{GetAccount, GetUsage, ListTransactions, VerifyKey};
use rondo_service::operations::batches::{CancelBatch, CreateBatch, GetBatch};
use rondo_service::operations::brand::{GetBrand, SetBrand};
use rondo_service::operations::destinations::{CreateDestination, DeleteDestination, ListDestinations};
use rondo_service::operations::imports::CreateImport;
use rondo_service::operations::previews::CreatePreview;
use rondo_service::operations::projects::{
    ApplyEdits, CreateProject, CreateVersion, DeleteProject, DuplicateProject, GetProject, GetVersion,
    ListProjectVariables, ListProjects, ListVersions, RestoreVersion, UpdateProject,
};
use rondo_service::operations::registry::ListRegistry;
use rondo_service::operations::renders::{CancelRender, CreateRender, DeleteRender, GetRender, ListRenders};
use rondo_service::operations::speech::{CreateCaptions, CreateVoiceover, ListVoices};
use rondo_service::operations::stock::{AddStockItem, ListStockProviders, SearchStock};
use rondo_service::operations::templates::{
    CreateTemplate, DeleteTemplate, ListTemplateVariables, ListTemplates, UpdateTemplate,
};
use rondo_service::operations::uploads::{CreateUpload, DeleteUpload, ListFonts, ListUploads};
use rondo_service::operations::webhooks::{
    DeleteWebhook, ListDeliveries, ListWebhooks, Redeliver, RegisterWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook,
};

use super::endpoint::{Endpoint, delete, get, patch, post, post_optional, post_or_table, post_query, put};
use super::events;
use crate::app::App;

/// Every endpoint, by tag.
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        post::<CreateRender>("Renders", "/renders"),
        get::<ListRenders>("Renders", "/renders"),
        get::<GetRender>("Renders", "/renders/{jobId}"),
        delete::<DeleteRender>("Renders", "/renders/{jobId}"),
        post_or_table::<CreateBatch>("Renders", "/renders/batch"),
        get::<GetBatch>("Renders", "/batches/{batchId}"),
        post::<CancelBatch>("Renders", "/batches/{batchId}/cancel"),
        post::<CancelRender>("Renders", "/renders/{jobId}/cancel"),
        post::<CreatePreview>("Previews", "/previews"),
        post::<CreateImport>("Imports", "/imports"),
        get::<ListTemplates>("Templates", "/templates"),
        post::<CreateTemplate>("Templates", "/templates"),
        put::<UpdateTemplate>("Templates", "/templates/{templateId}"),
        delete::<DeleteTemplate>("Templates", "/templates/{templateId}"),
        get::<ListTemplateVariables>("Templates", "/templates/{templateId}/variables"),
        get::<ListProjects>("Projects", "/projects"),
        post::<CreateProject>("Projects", "/projects"),
        get::<GetProject>("Projects", "/projects/{projectId}"),
        put::<UpdateProject>("Projects", "/projects/{projectId}"),
        delete::<DeleteProject>("Projects", "/projects/{projectId}"),
        post_optional::<DuplicateProject>("Projects", "/projects/{projectId}/duplicate"),
        post::<ApplyEdits>("Projects", "/projects/{projectId}/edits"),
        get::<ListVersions>("Projects", "/projects/{projectId}/versions"),
        post::<CreateVersion>("Projects", "/projects/{projectId}/versions"),
        get::<GetVersion>("Projects", "/projects/{projectId}/versions/{versionId}"),
        post::<RestoreVersion>("Projects", "/projects/{projectId}/versions/{versionId}/restore"),
        get::<ListProjectVariables>("Projects", "/projects/{projectId}/variables"),
        post::<CreateVoiceover>("Speech", "/ai/voiceover"),
        post::<CreateCaptions>("Speech", "/ai/captions"),
        get::<ListVoices>("Speech", "/ai/voices"),
        post::<CreateUpload>("Uploads", "/uploads"),
        get::<ListUploads>("Uploads", "/uploads"),
        delete::<DeleteUpload>("Uploads", "/uploads/{uploadId}"),
        get::<ListFonts>("Uploads", "/fonts"),
        get::<ListStockProviders>("Stock", "/stock/providers"),
        get::<SearchStock>("Stock", "/stock"),
        post::<AddStockItem>("Stock", "/stock"),
        get::<GetBrand>("Brand", "/brand"),
        put::<SetBrand>("Brand", "/brand"),
        post::<RegisterWebhook>("Webhooks", "/webhooks"),
        get::<ListWebhooks>("Webhooks", "/webhooks"),
        delete::<DeleteWebhook>("Webhooks", "/webhooks"),
        patch::<UpdateWebhook>("Webhooks", "/webhooks/{webhookId}"),
        get::<ListDeliveries>("Webhooks", "/webhooks/{webhookId}/deliveries"),
        post::<Redeliver>("Webhooks", "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver"),
        post_query::<TestWebhook>("Webhooks", "/webhooks/{webhookId}/test"),
        post::<RotateWebhookSecret>("Webhooks", "/webhooks/{webhookId}/rotate"),
        post::<CreateDestination>("Destinations", "/destinations"),
        get::<ListDestinations>("Destinations", "/destinations"),
        delete::<DeleteDestination>("Destinations", "/destinations/{destination}"),
        post::<VerifyKey>("Account", "/auth/verify"),
        get::<GetAccount>("Account", "/account"),
        get::<GetUsage>("Account", "/account/usage"),
        get::<ListTransactions>("Account", "/account/transactions"),
        get::<ListRegistry>("Registry", "/registry/{area}"),
    ]
}

pub fn routes() -> Router<Arc<App>> {
    let events = Router::new().route(events::PATH, route_get(events::follow));
    endpoints().into_iter().fold(events, |router, endpoint| endpoint.route(router))
}
