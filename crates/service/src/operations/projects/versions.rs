//! Earlier states of a project: lists them, returns one, names the current one, restores one.

use rondo_fields::{record, text};
use rondo_store::id::Kind;
use rondo_store::{ProjectChange, Time, Version};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::details::{expected, or_stale};
use super::{Author, FORBIDDEN, LONGEST_NAME, ProjectDetails, STALE};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, limit, page};
use crate::resolve::tidy;
use crate::words::Composition;

const NOT_FOUND: (ErrorKind, &str) = (ErrorKind::NotFound, "There is no such project or version");

record! {
    /// Which versions to list.
    pub struct VersionQuery {
        /// The id of one of your projects.
        project_id: required String => "projectId", text();
        /// Versions on a page. Default: all.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::Version]);
    }
}

record! {
    /// Names a version.
    pub struct VersionId {
        /// The id of one of your projects.
        project_id: required String => "projectId", text();
        /// The id of a version of it.
        version_id: required String => "versionId", text();
    }
}

record! {
    /// A version to keep.
    pub struct VersionBody {
        /// The id of one of your projects.
        project_id: required String => "projectId", text();
        /// What to call it.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
    }
}

record! {
    /// A version to restore.
    pub struct VersionToRestore {
        /// The id of one of your projects.
        project_id: required String => "projectId", text();
        /// The id of a version of it.
        version_id: required String => "versionId", text();
        /// The `etag` of the project. Restoring fails with 412 if the project has another one by now.
        if_match: optional String => "ifMatch", text();
    }
}

/// An earlier state of a project.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionItem {
    id: String,
    /// What the change that made it is called; null for what was kept while someone edited.
    #[schema(required = true)]
    name: Option<String>,
    /// Who made it, where it is known.
    #[schema(required = true)]
    changed_by: Option<Author>,
    /// When the project came to be so.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionList {
    versions: Vec<VersionItem>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    #[schema(required = true)]
    next_cursor: Option<String>,
    has_more: bool,
}

/// An earlier state of a project with its film.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionDetails {
    id: String,
    /// What the change that made it is called; null for what was kept while someone edited.
    #[schema(required = true)]
    name: Option<String>,
    /// Who made it, where it is known.
    #[schema(required = true)]
    changed_by: Option<Author>,
    /// When the project came to be so.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// As it was saved, without fields that are null; user names and passwords of URLs are `***`.
    #[schema(value_type = Composition)]
    composition: Value,
}

impl From<Version> for VersionItem {
    fn from(version: Version) -> Self {
        let Version { id, name, author, saved_at, .. } = version;
        Self { id, name, changed_by: author.map(Author::from), created_at: saved_at }
    }
}

pub struct ListVersions;

impl Operation for ListVersions {
    const ID: &'static str = "listProjectVersions";
    const ABOUT: &'static str = "Lists earlier states of a project, the newest first. One is kept for every five minutes of \
                                 editing, when someone else goes on, and for every change with a name; of more than a \
                                 hundred, old ones are thinned out.";
    const RETURNS: &'static str = "The versions";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[FORBIDDEN, NOT_FOUND];

    type Request = VersionQuery;
    type Response = VersionList;

    async fn run(call: Call<'_>, query: VersionQuery) -> ServiceResult<VersionList> {
        let project = call.own_project(&query.project_id).await?;
        let found = call.service.store.versions(&project.id, &page(query.limit, query.cursor)).await?;
        Ok(VersionList {
            versions: found.items.into_iter().map(VersionItem::from).collect(),
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}

pub struct GetVersion;

impl Operation for GetVersion {
    const ID: &'static str = "getProjectVersion";
    const ABOUT: &'static str = "Returns an earlier state of a project with its composition.";
    const RETURNS: &'static str = "The version";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[FORBIDDEN, NOT_FOUND];

    type Request = VersionId;
    type Response = VersionDetails;

    async fn run(call: Call<'_>, request: VersionId) -> ServiceResult<VersionDetails> {
        let project = call.own_project(&request.project_id).await?;
        let found = call.service.store.version(&project.id, &request.version_id).await?;
        let mut found = found.ok_or_else(|| ServiceError::not_found("version"))?;
        tidy(&mut found.composition);
        let VersionItem { id, name, changed_by, created_at } = found.version.into();
        Ok(VersionDetails { id, name, changed_by, created_at, composition: found.composition })
    }
}

pub struct CreateVersion;

impl Operation for CreateVersion {
    const ID: &'static str = "createProjectVersion";
    const ABOUT: &'static str = "Keeps a project as it is now as a version with a name.";
    const RETURNS: &'static str = "The version";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[FORBIDDEN, NOT_FOUND];

    type Request = VersionBody;
    type Response = VersionItem;

    async fn run(call: Call<'_>, request: VersionBody) -> ServiceResult<VersionItem> {
        let project = call.own_project(&request.project_id).await?;
        let version = call.service.store.name_version(&project.id, &request.name).await;
        Ok(version.map_err(or_stale)?.into())
    }
}

pub struct RestoreVersion;

impl Operation for RestoreVersion {
    const ID: &'static str = "restoreProjectVersion";
    const ABOUT: &'static str =
        "Gives a project the film of an earlier version. The film it had is kept as a version.";
    const RETURNS: &'static str = "The project as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[FORBIDDEN, NOT_FOUND, STALE];

    type Request = VersionToRestore;
    type Response = ProjectDetails;

    const ETAG: Option<fn(&ProjectDetails) -> &str> = Some(|project| &project.etag);

    async fn run(call: Call<'_>, request: VersionToRestore) -> ServiceResult<ProjectDetails> {
        let store = &call.service.store;
        let project = call.own_project(&request.project_id).await?;
        let found = store.version(&project.id, &request.version_id).await?;
        let found = found.ok_or_else(|| ServiceError::not_found("version"))?;
        let what = found.version.name.clone().unwrap_or_else(|| found.version.saved_at.rfc3339());
        let title: String = format!("Restored: {what}").chars().take(LONGEST_NAME).collect();
        let composition = found.composition_to_render();
        let change = ProjectChange {
            composition: Some(&composition),
            title: Some(&title),
            ..ProjectChange::default()
        };
        let author = call.caller.author(store).await?;
        let expected = expected(request.if_match.as_deref());
        let changed = store.change_project(&project.id, expected, change, &author).await;
        ProjectDetails::of(&call.service.links, changed.map_err(or_stale)?)
    }
}
