//! Follows an account: renders and projects that change, and credits.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rondo_store::{Render, RenderStatus, Session, StoreError, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::projects::{Author, etag};
use crate::service::Service;
use crate::words::RenderState;

/// Time between two reads of the account's renders.
const POLL: Duration = Duration::from_millis(500);
/// Time between two checks of the session.
const CHECK: Duration = Duration::from_secs(15);
/// Changes this long before the start are reported too, so that none is missed between a list and the watch.
const OVERLAP: Duration = Duration::from_secs(10);
/// Renders read at a time.
const BATCH: u32 = 200;

/// The data of a `render` event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderEvent {
    job_id: String,
    /// PENDING, PROCESSING, COMPLETED or FAILED.
    #[schema(value_type = RenderState)]
    status: &'static str,
    progress: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    output_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

/// The data of an `account` event.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountEvent {
    credits: i64,
}

/// The data of a `project` event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectEvent {
    project_id: String,
    /// The state it has now; null when it was deleted.
    #[schema(required = true)]
    etag: Option<String>,
    /// Who made the last change, where it is known.
    #[schema(required = true)]
    changed_by: Option<Author>,
    /// `true` when the project was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deleted: Option<bool>,
}

/// A change in an account.
#[derive(Debug)]
pub enum AccountUpdate {
    Render(RenderEvent),
    Project(ProjectEvent),
    Credits(AccountEvent),
}

/// The changes in an account, until the session ends.
pub struct AccountWatch {
    service: Arc<Service>,
    account_id: String,
    session_id: String,
    /// Every change before this moment was reported.
    since: Time,
    /// The last reported state of renders that changed at `since` or later.
    reported: HashMap<String, (RenderStatus, u32)>,
    /// The latest change of a project that was seen.
    projects_since: Time,
    /// The last reported revision of projects that changed lately.
    projects: HashMap<String, i64>,
    /// The latest deletion of a project that was seen.
    deletions_since: Time,
    /// Projects deleted lately that were reported.
    deletions: HashSet<String>,
    credits: Option<i64>,
    /// Found but not reported yet.
    pending: VecDeque<AccountUpdate>,
    checked: Instant,
    started: bool,
}

impl AccountWatch {
    pub fn new(service: Arc<Service>, session: &Session) -> Self {
        Self {
            since: service.store.now().minus(OVERLAP),
            account_id: session.account_id.clone(),
            session_id: session.id.clone(),
            reported: HashMap::new(),
            projects_since: service.store.now(),
            projects: HashMap::new(),
            deletions_since: service.store.now(),
            deletions: HashSet::new(),
            credits: None,
            pending: VecDeque::new(),
            checked: Instant::now(),
            started: false,
            service,
        }
    }

    /// The next change; `None` when the session or the service ends.
    pub async fn change(&mut self) -> Option<AccountUpdate> {
        loop {
            if let Some(change) = self.pending.pop_front() {
                return Some(change);
            }
            if self.started {
                tokio::select! {
                    () = self.service.queue.stopping.cancelled() => return None,
                    () = tokio::time::sleep(POLL) => {}
                }
            }
            self.started = true;
            match self.poll().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => tracing::warn!(%error, "failed to read the changes of an account"),
            }
        }
    }

    /// Reads changes; false when the session has ended.
    async fn poll(&mut self) -> Result<bool, StoreError> {
        let store = &self.service.store;
        let changed = store.renders_changed(&self.account_id, self.since, BATCH).await?;
        let mut affects_credits = false;
        for render in &changed {
            let state = (render.status, render.progress);
            if self.reported.insert(render.id.clone(), state) != Some(state) {
                affects_credits |= render.status.is_final() || render.progress == 0;
                self.pending.push_back(AccountUpdate::Render(self.render_event(render)));
            }
        }
        if let Some(last) = changed.last() {
            // Other renders may change within the same millisecond: it is read once more.
            if last.updated_at > self.since {
                let now = last.updated_at;
                self.reported.retain(|id, _| changed.iter().any(|it| it.id == *id && it.updated_at == now));
                self.since = now;
            }
        }
        self.poll_projects().await?;
        let store = &self.service.store;
        let check = self.checked.elapsed() >= CHECK;
        if self.credits.is_none() || affects_credits || check {
            self.checked = Instant::now();
            let account = store.account(&self.account_id).await?;
            let Some(account) = account.filter(|account| account.suspended_at.is_none()) else {
                return Ok(false);
            };
            let credits = account.credits.whole();
            if self.credits.replace(credits) != Some(credits) {
                self.pending.push_back(AccountUpdate::Credits(AccountEvent { credits }));
            }
        }
        if check {
            let sessions = store.sessions(&self.account_id).await?;
            return Ok(sessions.iter().any(|session| session.id == self.session_id));
        }
        Ok(true)
    }

    /// Reads changes of projects. Transactions may become visible out of their order: the last seconds are read again.
    async fn poll_projects(&mut self) -> Result<(), StoreError> {
        let since = self.projects_since.minus(OVERLAP);
        let changed = self.service.store.projects_changed(&self.account_id, since, BATCH).await?;
        self.projects.retain(|id, _| changed.iter().any(|project| project.id == *id));
        for project in changed.into_iter().rev() {
            self.projects_since = self.projects_since.max(project.updated_at);
            if self.projects.insert(project.id.clone(), project.revision) != Some(project.revision) {
                self.pending.push_back(AccountUpdate::Project(ProjectEvent {
                    etag: Some(etag(project.revision)),
                    project_id: project.id,
                    changed_by: project.author.map(Author::from),
                    deleted: None,
                }));
            }
        }
        self.poll_deletions().await
    }

    /// Reads deletions of projects, the last seconds again like changes.
    async fn poll_deletions(&mut self) -> Result<(), StoreError> {
        let since = self.deletions_since.minus(OVERLAP);
        let deleted = self.service.store.projects_deleted(&self.account_id, since, BATCH).await?;
        self.deletions.retain(|id| deleted.iter().any(|(known, _)| known == id));
        for (project_id, at) in deleted.into_iter().rev() {
            self.deletions_since = self.deletions_since.max(at);
            if self.deletions.insert(project_id.clone()) {
                self.pending.push_back(AccountUpdate::Project(ProjectEvent {
                    project_id,
                    etag: None,
                    changed_by: None,
                    deleted: Some(true),
                }));
            }
        }
        Ok(())
    }

    fn render_event(&self, render: &Render) -> RenderEvent {
        RenderEvent {
            job_id: render.id.clone(),
            status: render.status.as_str(),
            progress: render.progress,
            output_url: render.output_file.as_ref().map(|file| self.service.links.file(file)),
            error: render.error_message.clone(),
            updated_at: render.updated_at,
        }
    }
}
