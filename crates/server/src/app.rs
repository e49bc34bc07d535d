//! What every part of the service shares.

use std::sync::Arc;

use rondo_speech::Speech;
use rondo_store::{Files, Store};
use rondo_text::Catalog;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::api::templates::TemplateVariables;
use crate::auth::Uses;
use crate::fetch::Fetch;
use crate::limit::Limiter;
use crate::mail::Mailer;
use crate::media::MediaCache;
use crate::metrics::Metrics;
use crate::pages::studio::Studio;
use crate::settings::Settings;
use crate::worker::Jobs;

/// The running service.
pub struct App {
    pub settings: Settings,
    /// How clients reach the service, without a slash at the end.
    pub public_url: String,
    pub store: Store,
    pub files: Files,
    pub fonts: Arc<Catalog>,
    /// Who speaks and listens.
    pub speech: Arc<Speech>,
    /// The one client for everything the server fetches or calls.
    pub fetch: Fetch,
    /// Media of films, fetched.
    pub media: Arc<MediaCache>,
    /// The renders under way in this process.
    pub jobs: Jobs,
    /// Where previews are drawn.
    pub studio: Studio,
    /// Signs upload addresses and one-off callbacks.
    pub signing_key: String,
    /// Requests.
    pub limiter: Limiter,
    /// Failed attempts to sign in, sign up or set a password.
    pub attempts: Limiter,
    /// Apps that register.
    pub registrations: Limiter,
    pub mail: Option<Mailer>,
    pub metrics: Metrics,
    pub uses: Uses,
    pub template_variables: TemplateVariables,
    /// Rung when a render may be waiting for a worker.
    pub work: Notify,
    /// Rung when a webhook delivery may be due.
    pub post: Notify,
    /// Cancelled when the service is to end.
    pub stopping: CancellationToken,
}

impl App {
    /// An absolute address below the public one; `path` begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }
}
