//! What operators and their machines ask a process: whether it lives, whether it can work, and its counts. A process of any role
//! answers on the address for metrics; one that handles requests also answers the first two among them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use rondo_service::Service;
use serde_json::json;

/// The addresses of the listener for metrics.
pub fn routes(service: Arc<Service>) -> Router {
    let ready = async |State(service): State<Arc<Service>>| ready(&service).await;
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(service)
}

/// The process runs.
pub async fn alive() -> Json<serde_json::Value> {
    Json(json!({"status": "ok"}))
}

/// The process can do its work.
pub async fn ready(service: &Service) -> Response {
    match service.unready().await {
        None => Json(json!({"status": "ready"})).into_response(),
        Some(unready) => {
            let body =
                json!({"status": "unavailable", "reason": unready.reason(), "error": unready.sentence()});
            let headers = [(header::RETRY_AFTER, "5")];
            (StatusCode::SERVICE_UNAVAILABLE, headers, Json(body)).into_response()
        }
    }
}

async fn metrics(State(service): State<Arc<Service>>) -> String {
    let queue = service.store.queue_depth().await;
    let queue = queue.inspect_err(|error| tracing::warn!(%error, "failed to count the renders of the queue"));
    let settings = &service.settings;
    let workers = if settings.role.renders() { settings.workers } else { 0 };
    service.metrics.report(queue.ok(), workers)
}
