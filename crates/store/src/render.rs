//! Render jobs: creating, reading and listing them. How they run and end is in `task` and `finish`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account::LockedAccount;
use crate::credentials::{self, Taken};
use crate::database::Dialect;
use crate::id::{self, Kind};
use crate::idempotency::{self, Answer};
use crate::project::save_project;
use crate::render_copy::{RenderCopy, read_copy};
use crate::row::{Columns, containing, known, storable, text_enum, without_nul};
use crate::time::DAY_MS;
use crate::{AiUsed, Credits, NewProject, Page, Paged, Result, Store, StoreError, Time, ledger, release};

/// Test renders of an account in 24 hours.
pub const TEST_RENDERS: i64 = 200;

text_enum!(RenderStatus, "a render status", {
    Pending = "PENDING",
    Processing = "PROCESSING",
    Completed = "COMPLETED",
    Failed = "FAILED",
});
text_enum!(Mode, "a render mode", { Direct = "direct", Template = "template", Project = "project" });

impl RenderStatus {
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

#[derive(Clone, Debug)]
pub struct Render {
    pub id: String,
    pub account_id: String,
    pub project_id: Option<String>,
    pub template_id: Option<String>,
    pub mode: Mode,
    pub status: RenderStatus,
    /// 0 to 99, and 100 when completed.
    pub progress: u32,
    /// The held amount until the render ends, then the settled amount.
    pub credits: Credits,
    pub width: u32,
    pub height: u32,
    pub fps: u32,
    pub duration_in_frames: u32,
    /// The final composition. Absent in lists. User names and passwords of its URLs are masked, except for the worker
    /// that claimed the render.
    pub input_props: Option<Value>,
    /// The `output` of the request: format, quality and so on.
    pub output: Option<Value>,
    /// The `audio` of the request: loudness and other finishing.
    pub audio: Option<Value>,
    pub metadata: Option<Value>,
    pub webhook_url: Option<String>,
    pub draft: bool,
    /// AI values still to be generated: variables with their requests.
    pub speech: Option<Value>,
    /// The request body, if it cannot be derived from the composition. Absent in lists.
    pub request: Option<Value>,
    /// The name of the output file, until retention deletes it.
    pub output_file: Option<String>,
    pub output_size: Option<u64>,
    /// Every file that was made, the output file first. Renders of earlier versions have none.
    pub outputs: Vec<OutputFile>,
    /// The name of the file of its poster, as long as there is an output.
    pub poster_file: Option<String>,
    /// The name of its playlist, as long as it can be streamed.
    pub stream_file: Option<String>,
    pub error_message: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
    /// When a worker first claimed it.
    pub started_at: Option<Time>,
    pub completed_at: Option<Time>,
    pub project: Option<ProjectOfRender>,
    pub batch_id: Option<String>,
    /// Its place in the batch, from 0.
    pub batch_index: Option<u32>,
    /// Made with a test key: free, with a watermark.
    pub is_test: bool,
    /// The copy in the destination that its `output` names, once it has completed.
    pub copy: Option<RenderCopy>,
}

/// A file that a render made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its name in the outputs folder.
    pub file: String,
    pub size: u64,
    /// Width and height of its pictures.
    pub dimensions: Option<(u32, u32)>,
}

impl OutputFile {
    /// The file extension.
    pub fn ending(&self) -> &str {
        self.file.rsplit_once('.').map_or("", |(_, ending)| ending)
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectOfRender {
    pub id: String,
    pub name: String,
    pub template_id: Option<String>,
}

impl Render {
    /// Render time in milliseconds, once it has ended. 0 if the clock was set back meanwhile.
    pub fn duration_ms(&self) -> Option<i64> {
        Some((self.completed_at?.0 - self.started_at?.0).max(0))
    }

    /// The name of the destination that its files are copied to.
    pub fn destination(&self) -> Option<&str> {
        self.output.as_ref()?.get("destination")?.as_str()
    }

    /// The names of its files but for the poster.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        // A render of an earlier version lists none.
        let listed = self.outputs.iter().map(|output| output.file.as_str());
        self.output_file.as_deref().into_iter().filter(|_| self.outputs.is_empty()).chain(listed)
    }
}

#[derive(Clone, Debug)]
pub struct NewRender {
    pub account_id: String,
    pub mode: Mode,
    pub project_id: Option<String>,
    /// A project to save in the same transaction. It becomes the render's project.
    pub new_project: Option<NewProject>,
    pub template_id: Option<String>,
    pub input_props: Value,
    pub width: u32,
    pub height: u32,
    pub fps: u32,
    pub duration_in_frames: u32,
    pub credits: Credits,
    pub output: Option<Value>,
    pub audio: Option<Value>,
    pub metadata: Option<Value>,
    pub webhook_url: Option<String>,
    pub draft: bool,
    /// AI values to generate first. The render is PENDING until then.
    pub speech: Option<Value>,
    /// The request body, if it cannot be derived from the composition.
    pub request: Option<Value>,
    /// Made with a test key.
    pub is_test: bool,
}

/// A render that is ready to be stored.
#[derive(Debug)]
pub struct PreparedRender {
    pub id: String,
    pub(crate) new: NewRender,
    input_props: String,
    speech: Option<String>,
    request: Option<String>,
    credentials: Option<String>,
}

impl PreparedRender {
    /// Bytes of its composition.
    pub fn size(&self) -> usize {
        self.input_props.len()
    }
}

/// A claimed idempotency key and the response for the created render.
pub struct Idempotent<'a> {
    pub key: &'a str,
    pub answer: Box<dyn FnOnce(&Render) -> Answer + Send + 'a>,
}

/// The changes to a render when its AI values have been generated.
#[derive(Clone, Debug)]
pub struct Revision {
    pub input_props: Value,
    pub duration_in_frames: u32,
    /// The new amount to hold.
    pub credits: Credits,
    pub used: Vec<AiUsed>,
}

#[derive(Clone, Debug, Default)]
pub struct RenderFilter {
    pub status: Option<RenderStatus>,
    pub mode: Option<Mode>,
    pub project_id: Option<String>,
    pub template_id: Option<String>,
    pub batch_id: Option<String>,
    /// Keys and values that the metadata hold, texts, numbers and truth values all written as text.
    pub metadata: BTreeMap<String, String>,
    pub created_after: Option<Time>,
    pub created_before: Option<Time>,
    /// A part of the name of the project, or of the id of the render.
    pub search: Option<String>,
}

fn read_render(row: &AnyRow, input_props: Option<Value>, request: Option<Value>) -> Result<Render> {
    let project_id = row.text_or_none("project_id")?;
    let project = match (&project_id, row.text_or_none("project_name")?) {
        (Some(id), Some(name)) => Some(ProjectOfRender {
            id: id.clone(),
            name,
            template_id: row.text_or_none("project_template_id")?,
        }),
        _ => None,
    };
    Ok(Render {
        id: row.text("id")?,
        account_id: row.text("account_id")?,
        project_id,
        template_id: row.text_or_none("template_id")?,
        mode: Mode::stored(row.text("mode")?)?,
        status: RenderStatus::stored(row.text("status")?)?,
        progress: row.count("progress")?,
        credits: row.credits("credits")?,
        width: row.count("width")?,
        height: row.count("height")?,
        fps: row.count("fps")?,
        duration_in_frames: row.count("duration_in_frames")?,
        input_props,
        output: row.json_or_none("output")?,
        audio: row.json_or_none("audio")?,
        metadata: row.json_or_none("metadata")?,
        webhook_url: row.text_or_none("webhook_url")?,
        draft: row.flag("draft")?,
        speech: row.json_or_none("speech")?,
        request,
        output_file: row.text_or_none("output_file")?,
        output_size: row.int_or_none("output_size")?.map(i64::unsigned_abs),
        outputs: read_outputs(row)?,
        poster_file: row.text_or_none("poster_file")?,
        stream_file: row.text_or_none("stream_file")?,
        error_message: row.text_or_none("error_message")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        started_at: row.time_or_none("started_at")?,
        completed_at: row.time_or_none("completed_at")?,
        project,
        batch_id: row.text_or_none("batch_id")?,
        is_test: row.flag("is_test")?,
        copy: read_copy(row)?,
        batch_index: row.int_or_none("batch_index")?.and_then(|index| index.try_into().ok()),
    })
}

/// The files of a render.
pub(crate) fn read_outputs(row: &AnyRow) -> Result<Vec<OutputFile>> {
    let outputs = row.text_or_none("outputs")?;
    Ok(outputs.map(|outputs| serde_json::from_str(&outputs)).transpose()?.unwrap_or_default())
}

/// The columns of a render without its composition, and those of its project.
macro_rules! render_columns {
    ($before:literal, $after:expr) => {
        concat!(
            "SELECT ",
            $before,
            "render.id, render.account_id, render.project_id, render.template_id, render.mode, render.status, \
             render.progress, render.credits, render.width, render.height, render.fps, render.duration_in_frames, \
             render.output, render.audio, render.metadata, render.webhook_url, render.draft, render.speech, render.output_file, \
             render.output_size, render.outputs, render.poster_file, render.stream_file, render.error_message, render.created_at, render.updated_at, render.started_at, \
             render.completed_at, render.batch_id, render.batch_index, render.is_test, project.name AS project_name, project.template_id AS project_template_id, \
             render_copy.state AS copy_state, render_copy.urls AS copy_urls, render_copy.error AS copy_error \
             FROM render LEFT JOIN project ON project.id = render.project_id \
             LEFT JOIN render_copy ON render_copy.render_id = render.id ",
            $after
        )
    };
}

/// The renders of an account that match a filter.
macro_rules! filtered {
    ($store:expr, $before:expr, $after:literal) => {
        match $store.dialect() {
            Dialect::Sqlite => filtered!(
                @with $before, "NOT EXISTS (SELECT 1 FROM json_each($9) AS wanted WHERE NOT EXISTS (SELECT 1 FROM \
                 json_each(render.metadata) AS entry WHERE entry.key = wanted.key AND wanted.value = CASE entry.type \
                 WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(entry.atom AS TEXT) END))", $after
            ),
            // Texts of PostgreSQL have no NUL, also none that JSON escapes.
            Dialect::Postgres => filtered!(
                @with $before, "NOT EXISTS (SELECT 1 FROM json_each_text(CAST($9 AS JSON)) AS wanted WHERE \
                 CAST(REPLACE(render.metadata, '\\u0000', '\\ufffd') AS JSON) ->> wanted.key \
                 IS DISTINCT FROM wanted.value)", $after
            ),
        }
    };
    (@with $before:expr, $metadata:literal, $after:literal) => {
        concat!(
            $before,
            "WHERE render.account_id = $1 AND ($2 IS NULL OR render.status = $2) \
             AND ($3 IS NULL OR render.mode = $3) AND ($4 IS NULL OR render.project_id = $4) \
             AND ($5 IS NULL OR render.created_at > $5) AND ($6 IS NULL OR render.created_at < $6) \
             AND ($7 IS NULL OR LOWER(project.name) LIKE $7 ESCAPE '!' OR LOWER(render.id) LIKE $7 ESCAPE '!') \
             AND ($8 IS NULL OR render.template_id = $8) AND ($10 IS NULL OR render.batch_id = $10) AND ($9 IS NULL OR ",
            $metadata,
            ")",
            $after
        )
    };
}

/// Reads a render inside a transaction, with its composition.
pub(crate) async fn fetch_render(connection: &mut AnyConnection, render_id: &str) -> Result<Option<Render>> {
    let row = sqlx::query(render_columns!("render.input_props, render.request, ", "WHERE render.id = $1"))
        .bind(storable(render_id))
        .fetch_optional(connection)
        .await?;
    row.map(|row| read_render(&row, Some(row.json("input_props")?), row.json_or_none("request")?)).transpose()
}

/// Writes the row of a new render, which is PENDING. `batch` is its batch and its place there.
pub(crate) async fn insert_render(
    tx: &mut AnyConnection,
    render: &PreparedRender,
    project_id: Option<String>,
    batch: Option<(&str, i64)>,
    now: Time,
) -> Result<()> {
    let new = &render.new;
    sqlx::query(
        "INSERT INTO render (id, account_id, project_id, template_id, mode, status, progress, credits, width, \
         height, fps, duration_in_frames, input_props, output, audio, metadata, webhook_url, draft, speech, request, \
         created_at, updated_at, credentials, batch_id, batch_index, is_test) VALUES ($1, $2, $3, $4, $5, 'PENDING', 0, $6, $7, \
         $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, $20, $21, $22, $23)",
    )
    .bind(render.id.clone())
    .bind(new.account_id.clone())
    .bind(project_id)
    .bind(new.template_id.clone())
    .bind(new.mode.as_str())
    .bind(new.credits.thousandths())
    .bind(i64::from(new.width))
    .bind(i64::from(new.height))
    .bind(i64::from(new.fps))
    .bind(i64::from(new.duration_in_frames))
    .bind(render.input_props.clone())
    .bind(new.output.as_ref().map(Value::to_string))
    .bind(new.audio.as_ref().map(Value::to_string))
    .bind(new.metadata.as_ref().map(Value::to_string))
    .bind(new.webhook_url.as_deref().map(storable))
    .bind(i64::from(new.draft))
    .bind(render.speech.clone())
    .bind(render.request.clone())
    .bind(now.0)
    .bind(render.credentials.clone())
    .bind(batch.map(|(id, _)| id.to_owned()))
    .bind(batch.map(|(_, index)| index))
    .bind(i64::from(new.is_test))
    .execute(tx)
    .await?;
    Ok(())
}

impl Store {
    /// Creates a render, its hold, its task and, if requested, its project in one transaction, and stores the
    /// response of an idempotent request in it. The render is PROCESSING, or PENDING while AI values are generated or
    /// the account is at the concurrency limit of its plan.
    pub async fn create_render(&self, new: &NewRender, idempotent: Option<Idempotent<'_>>) -> Result<Render> {
        let now = self.now();
        let prepared = self.prepare_render(new.clone())?;
        let render_id = prepared.id.clone();
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &new.account_id).await?;
        self.require_storage(&mut tx, &account, 1).await?;
        if new.is_test {
            self.require_test_renders(&mut tx, &account, 1).await?;
        }
        let project_id = match &new.new_project {
            Some(project) => Some(save_project(self, &mut tx, &account.id, project, now).await?),
            None => new.project_id.clone(),
        };
        ledger::hold(&mut tx, &account.id, &render_id, new.credits, now).await?;
        insert_render(&mut tx, &prepared, project_id, None, now).await?;
        sqlx::query(
            "INSERT INTO task (render_id, account_id, state, fence, ready_at, attempts, crashes, failures, made_by) \
             VALUES ($1, $2, 'waiting', 0, $3, 0, 0, 0, $4)",
        )
        .bind(render_id.clone())
        .bind(account.id.clone())
        .bind(now.0)
        .bind(release::number())
        .execute(&mut *tx)
        .await?;
        self.admit(&mut tx, &account).await?;
        let render = fetch_render(&mut tx, &render_id)
            .await?
            .ok_or_else(|| StoreError::not_found("render job", &render_id))?;
        if let Some(idempotent) = idempotent {
            let answer = (idempotent.answer)(&render);
            idempotency::finish(self, &mut tx, &account.id, idempotent.key, &answer).await?;
        }
        tx.commit().await?;
        Ok(render)
    }

    /// Fails if `more` test renders exceed what an account may have in a day. The caller holds the account's lock.
    pub(crate) async fn require_test_renders(
        &self,
        tx: &mut AnyConnection,
        account: &LockedAccount,
        more: i64,
    ) -> Result<()> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS tests FROM render WHERE account_id = $1 AND is_test = 1 AND created_at > $2",
        )
        .bind(account.id.clone())
        .bind(self.now().0 - DAY_MS)
        .fetch_one(tx)
        .await?;
        match row.int("tests")? + more <= TEST_RENDERS {
            true => Ok(()),
            false => Err(StoreError::TestLimit { limit: TEST_RENDERS.unsigned_abs() }),
        }
    }

    /// Gives a new render its id, and makes text of what is stored as text: many fit into memory.
    pub fn prepare_render(&self, mut new: NewRender) -> Result<PreparedRender> {
        let id = id::new(Kind::Render);
        let (mut input_props, mut speech) = (new.input_props.take(), new.speech.take());
        let credentials =
            self.take_credentials(&id, [&mut input_props, speech.as_mut().unwrap_or(&mut Value::Null)])?;
        // A request is only shown.
        let mut request = new.request.take();
        request.as_mut().map(credentials::take);
        Ok(PreparedRender {
            id,
            input_props: input_props.to_string(),
            speech: speech.map(|speech| speech.to_string()),
            request: request.map(|request| request.to_string()),
            credentials,
            new,
        })
    }

    /// Masks the user names and passwords of URLs in a composition and in AI values. Returns them encrypted.
    pub(crate) fn take_credentials(
        &self,
        render_id: &str,
        [input_props, speech]: [&mut Value; 2],
    ) -> Result<Option<String>> {
        let taken = credentials::take_from([("input_props", input_props), ("speech", speech)]);
        taken.map(|taken| taken.seal(self.master_key(), "render.credentials", render_id)).transpose()
    }

    /// Puts the user names and passwords of URLs back, for the worker that renders.
    pub(crate) async fn put_credentials_back(
        &self,
        connection: &mut AnyConnection,
        render: &mut Render,
    ) -> Result<()> {
        let row = sqlx::query("SELECT credentials FROM render WHERE id = $1")
            .bind(render.id.clone())
            .fetch_one(connection)
            .await?;
        let Some(sealed) = row.text_or_none("credentials")? else { return Ok(()) };
        let taken = Taken::open(self.master_key(), "render.credentials", &render.id, &sealed)?;
        for (name, value) in [("input_props", &mut render.input_props), ("speech", &mut render.speech)] {
            if let Some(value) = value {
                taken.put_back(name, value);
            }
        }
        Ok(())
    }

    /// A render of any account, with its composition.
    pub async fn render(&self, render_id: &str) -> Result<Option<Render>> {
        let mut connection = self.reads().acquire().await?;
        fetch_render(&mut connection, render_id).await
    }

    /// A render of any account, without its composition and request.
    pub async fn render_summary(&self, render_id: &str) -> Result<Option<Render>> {
        let row = sqlx::query(render_columns!("", "WHERE render.id = $1"))
            .bind(storable(render_id))
            .fetch_optional(self.reads())
            .await?;
        row.map(|row| read_render(&row, None, None)).transpose()
    }

    /// Renders of a batch from a place on, in the order of their places, without compositions.
    pub async fn batch_renders(&self, batch_id: &str, from: u32, limit: u32) -> Result<Vec<Render>> {
        let rows = sqlx::query(render_columns!(
            "",
            "WHERE render.batch_id = $1 AND render.batch_index >= $2 ORDER BY render.batch_index LIMIT $3"
        ))
        .bind(storable(batch_id))
        .bind(i64::from(from))
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        known(rows.iter().map(|row| read_render(row, None, None)))
    }

    /// The account's renders that changed at `since` or later, oldest change first, without compositions.
    pub async fn renders_changed(&self, account_id: &str, since: Time, limit: u32) -> Result<Vec<Render>> {
        let rows = sqlx::query(render_columns!(
            "",
            "WHERE render.account_id = $1 AND render.updated_at >= $2 ORDER BY render.updated_at, render.id LIMIT $3"
        ))
        .bind(storable(account_id))
        .bind(since.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        known(rows.iter().map(|row| read_render(row, None, None)))
    }

    /// Newest first, without compositions.
    pub async fn renders(
        &self,
        account_id: &str,
        filter: &RenderFilter,
        page: &Page,
    ) -> Result<Paged<Render>> {
        let status = filter.status.map(RenderStatus::as_str);
        let mode = filter.mode.map(Mode::as_str);
        let project_id = filter.project_id.as_deref().map(storable);
        let after = filter.created_after.map(Time::millis);
        let before = filter.created_before.map(Time::millis);
        let search = filter.search.as_deref().and_then(containing);
        let template_id = filter.template_id.as_deref().map(storable);
        let batch_id = filter.batch_id.as_deref().map(storable);
        let metadata =
            (!filter.metadata.is_empty()).then(|| serde_json::to_string(&filter.metadata)).transpose()?;
        let metadata = match self.dialect() {
            Dialect::Sqlite => metadata,
            Dialect::Postgres => metadata.map(|json| without_nul(&json)),
        };
        let rows = sqlx::query(filtered!(
            self,
            render_columns!("", ""),
            " AND ($11 IS NULL OR render.id < $11) ORDER BY render.id DESC LIMIT $12"
        ))
        .bind(storable(account_id))
        .bind(status)
        .bind(mode)
        .bind(project_id.clone())
        .bind(after)
        .bind(before)
        .bind(search.clone())
        .bind(template_id.clone())
        .bind(metadata.clone())
        .bind(batch_id.clone())
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(|row| read_render(row, None, None)).collect();
        let count = sqlx::query(filtered!(
            self,
            "SELECT COUNT(*) AS total FROM render LEFT JOIN project ON project.id = render.project_id ",
            ""
        ))
        .bind(storable(account_id))
        .bind(status)
        .bind(mode)
        .bind(project_id)
        .bind(after)
        .bind(before)
        .bind(search)
        .bind(template_id)
        .bind(metadata)
        .bind(batch_id);
        page.of(items, |render: &Render| &render.id, self.total(count)).await
    }
}
