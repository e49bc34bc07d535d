//! GET /events: what happens in the account, as one stream of server-sent events.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::Stream;
use rondo_store::{Render, RenderStatus, StoreError, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::Person;
use crate::app::App;
use crate::resolve::sources::FILES;

/// Time between two looks at the account's renders.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Time between two looks at whether the session goes on.
const CHECK_EVERY: Duration = Duration::from_secs(15);
/// What changed shortly before is told too, so that nothing is missed between a list and the stream.
const BEFORE: Duration = Duration::from_secs(10);
/// Renders told of at a time.
const AT_ONCE: u32 = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/events", get(events))
}

/// The data of a `render` event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderEvent {
    job_id: String,
    /// PENDING, PROCESSING, COMPLETED or FAILED.
    status: &'static str,
    progress: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

/// The data of an `account` event.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountEvent {
    credits: i64,
}

/// Follows the account: `render` events for renders that change, `account` events for credits.
#[utoipa::path(
    get, path = "/events", tag = "Renders", operation_id = "followAccount",
    responses((status = 200, description = "Events (RenderEvent, AccountEvent) until the session ends", body = String, content_type = "text/event-stream"))
)]
pub async fn events(
    State(app): State<Arc<App>>,
    person: Person,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let since = app.store.now().minus(BEFORE);
    let watch = Watch {
        app,
        person,
        since,
        told: HashMap::new(),
        credits: None,
        due: VecDeque::new(),
        checked: Instant::now(),
        begun: false,
    };
    let stream = futures_util::stream::unfold(watch, |mut watch| async {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

struct Watch {
    app: Arc<App>,
    person: Person,
    /// Everything that changed before was told.
    since: Time,
    /// What was told of renders that changed at `since` or later.
    told: HashMap<String, (RenderStatus, u32)>,
    credits: Option<i64>,
    due: VecDeque<Event>,
    checked: Instant,
    begun: bool,
}

impl Watch {
    /// The next thing to tell; `None` when the session or the service ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.due.pop_front() {
                return Some(event);
            }
            if self.begun {
                tokio::select! {
                    () = self.app.stopping.cancelled() => return None,
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                }
            }
            self.begun = true;
            match self.look().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => tracing::warn!(%error, "the changes of an account cannot be read"),
            }
        }
    }

    /// Looks for changes; false when the session has ended.
    async fn look(&mut self) -> Result<bool, StoreError> {
        let id = self.person.account.id.clone();
        let changed = self.app.store.renders_changed(&id, self.since, AT_ONCE).await?;
        let mut ended = false;
        for render in &changed {
            let state = (render.status, render.progress);
            if self.told.insert(render.id.clone(), state) != Some(state) {
                ended |= render.status.is_final() || render.progress == 0;
                self.due.push_back(self.event(render));
            }
        }
        if let Some(last) = changed.last() {
            // Others may change within the same millisecond: it is looked at once more.
            if last.updated_at > self.since {
                let now = last.updated_at;
                self.told.retain(|id, _| changed.iter().any(|it| it.id == *id && it.updated_at == now));
                self.since = now;
            }
        }
        let check = self.checked.elapsed() >= CHECK_EVERY;
        if self.credits.is_none() || ended || check {
            self.checked = Instant::now();
            let Some(account) = self.app.store.account(&id).await? else { return Ok(false) };
            let credits = account.credits.whole();
            if self.credits.replace(credits) != Some(credits) {
                let event = Event::default().event("account").json_data(AccountEvent { credits });
                self.due.extend(event);
            }
        }
        if check {
            let sessions = self.app.store.sessions(&id).await?;
            return Ok(sessions.iter().any(|session| session.id == self.person.session.id));
        }
        Ok(true)
    }

    fn event(&self, render: &Render) -> Event {
        let data = RenderEvent {
            job_id: render.id.clone(),
            status: render.status.as_str(),
            progress: render.progress,
            output_url: render.output_file.as_ref().map(|file| self.app.url(&format!("{FILES}{file}"))),
            error: render.error_message.clone(),
            updated_at: render.updated_at,
        };
        Event::default().event("render").json_data(data).unwrap_or_default()
    }
}
