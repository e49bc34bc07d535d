//! GET /events: what changes in the account, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use rondo_service::operations::renders::{
    AccountEvent, AccountUpdate, AccountWatch, ProjectEvent, RenderEvent,
};
use serde_json::{Value, json};

use crate::app::App;
use crate::http::auth::Authenticated;
use crate::http::endpoint::Components;
use crate::http::error::ApiResult;

pub const PATH: &str = "/events";

/// Time between two comments that keep an idle stream open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Follows the account until the session ends: `render` and `project` events for what changes, `account`
/// events for credits.
pub async fn follow(
    State(app): State<Arc<App>>,
    Authenticated(caller): Authenticated,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let watch = AccountWatch::new(app.service.clone(), caller.session()?);
    let stream = futures_util::stream::unfold(watch, |mut watch| async {
        let event = event(watch.change().await?);
        Some((Ok(event), watch))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

fn event(update: AccountUpdate) -> Event {
    let event = match update {
        AccountUpdate::Render(data) => Event::default().event("render").json_data(data),
        AccountUpdate::Project(data) => Event::default().event("project").json_data(data),
        AccountUpdate::Credits(data) => Event::default().event("account").json_data(data),
    };
    event.unwrap_or_default()
}

/// The operation object of OpenAPI.
pub fn operation(components: &mut Components) -> Value {
    components.reference::<RenderEvent>();
    components.reference::<ProjectEvent>();
    components.reference::<AccountEvent>();
    json!({
        "tags": ["Renders"],
        "operationId": "followAccount",
        "summary": "Follows the account",
        "description": "Sends a `render` event (RenderEvent) for each render that changes, a `project` event \
                        (ProjectEvent) for each project that changes or is deleted, by anyone, and an `account` event \
                        (AccountEvent) when the credits change.",
        "responses": {
            "200": {
                "description": "Events until the session ends",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
        },
    })
}
