//! What every handler shares: the service, and the rate limits of HTTP.

use std::sync::Arc;
use std::time::Duration;

use rondo_service::Service;
use rondo_service::limit::{Limiter, MINUTE};

use crate::http::body_budget::BodyBudget;
use crate::http::upload_parts::Turns;

/// The HTTP side of the service.
pub struct App {
    pub service: Arc<Service>,
    /// Requests.
    pub limiter: Limiter,
    /// Apps that register.
    pub registrations: Limiter,
    /// Requests for previews, and for their media.
    pub visits: Limiter,
    pub media_visits: Limiter,
    /// Bodies of requests that arrive.
    pub bodies: Arc<BodyBudget>,
    /// Uploads that arrive in parts.
    pub parts: Turns,
}

impl App {
    pub fn new(service: Arc<Service>) -> Self {
        let limiter =
            |name, window| Limiter::new(name, window, service.store.clone(), service.is_shared.clone());
        let (minute, hour) = (MINUTE, Duration::from_secs(3600));
        Self {
            limiter: limiter("requests", minute),
            registrations: limiter("registrations", hour),
            visits: limiter("previews", minute),
            media_visits: limiter("preview media", minute),
            bodies: Arc::default(),
            parts: Turns::default(),
            service,
        }
    }
}
