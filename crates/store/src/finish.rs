//! The end of a render: one transaction that deletes the task, closes the hold, writes the final state, puts the event
//! and the copy to its destination into the outbox and admits the account's next waiting render.

use sqlx::AnyConnection;

use crate::account::LockedAccount;
use crate::event::{EventData, EventName};
use crate::render::fetch_render;
use crate::row::storable;
use crate::{Credits, Lease, OutputFile, Render, RenderStatus, Result, Store, StoreError, ledger, redact};

/// A finished film.
#[derive(Clone, Debug)]
pub struct Output {
    pub main: NewOutput,
    /// The other files.
    pub also: Vec<NewOutput>,
    /// The credits to settle, if they differ from the held amount.
    pub credits: Option<Credits>,
    /// The file name of the poster in the outputs folder.
    pub poster: Option<String>,
    /// Whether it can be watched: its segments, if it has any, are all kept.
    pub has_stream: bool,
}

/// A file of a finished film.
#[derive(Clone, Debug)]
pub struct NewOutput {
    pub made: OutputFile,
    /// The download URL, for the event.
    pub url: String,
}

#[derive(Clone, Debug)]
pub enum Cancellation {
    Cancelled(Box<Render>),
    /// The render had already ended; nothing changed.
    AlreadyFinal(Box<Render>),
}

pub(crate) enum Ending<'a> {
    Completed(&'a Output),
    Failed(&'a str),
}

impl Store {
    /// Ends the render as COMPLETED and settles its hold.
    pub async fn complete(&self, lease: &Lease, output: &Output) -> Result<Render> {
        self.end_leased(lease, Ending::Completed(output)).await
    }

    /// Ends the render as FAILED and releases its hold.
    pub async fn fail(&self, lease: &Lease, message: &str) -> Result<Render> {
        self.end_leased(lease, Ending::Failed(message)).await
    }

    /// Ends the render as FAILED with the message "Cancelled". Its worker loses the lease.
    pub async fn cancel(&self, render_id: &str) -> Result<Cancellation> {
        let known =
            self.render(render_id).await?.ok_or_else(|| StoreError::not_found("render job", render_id))?;
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &known.account_id).await?;
        let current = fetch_render(&mut tx, &known.id).await?.unwrap_or(known);
        if current.status.is_final() {
            return Ok(Cancellation::AlreadyFinal(Box::new(current)));
        }
        let render = self.end(&mut tx, &account, &current.id, Ending::Failed("Cancelled")).await?;
        tx.commit().await?;
        Ok(Cancellation::Cancelled(Box::new(render)))
    }

    async fn end_leased(&self, lease: &Lease, ending: Ending<'_>) -> Result<Render> {
        let mut tx = self.write().await?;
        let account = self.lock_account(&mut tx, &lease.account_id).await?;
        let held = sqlx::query("DELETE FROM task WHERE render_id = $1 AND fence = $2 AND state = 'running'")
            .bind(lease.render_id.clone())
            .bind(lease.fence)
            .execute(&mut *tx)
            .await?;
        if held.rows_affected() == 0 {
            return Err(StoreError::lost(&lease.render_id));
        }
        let render = self.end(&mut tx, &account, &lease.render_id, ending).await?;
        tx.commit().await?;
        Ok(render)
    }

    /// Ends a render. The caller holds the account's lock and, for a running render, its lease.
    pub(crate) async fn end(
        &self,
        tx: &mut AnyConnection,
        account: &LockedAccount,
        render_id: &str,
        ending: Ending<'_>,
    ) -> Result<Render> {
        let now = self.now();
        sqlx::query("DELETE FROM task WHERE render_id = $1")
            .bind(render_id.to_owned())
            .execute(&mut *tx)
            .await?;
        let mut render = fetch_render(&mut *tx, render_id)
            .await?
            .filter(|render| !render.status.is_final())
            .ok_or_else(|| StoreError::lost(render_id))?;
        let held = render.credits;
        let mut files = Vec::new();
        let event = match ending {
            Ending::Completed(output) => {
                files.extend(std::iter::once(&output.main).chain(&output.also));
                render.status = RenderStatus::Completed;
                render.progress = 100;
                render.credits = output.credits.unwrap_or(held);
                render.output_file = Some(output.main.made.file.clone());
                render.output_size = Some(output.main.made.size);
                render.outputs = files.iter().map(|file| file.made.clone()).collect();
                render.poster_file = output.poster.clone();
                render.stream_file = render.stream_file.filter(|_| output.has_stream);
                EventName::RenderCompleted
            }
            Ending::Failed(message) => {
                render.status = RenderStatus::Failed;
                render.credits = Credits::ZERO;
                render.error_message = Some(storable(&redact(message)));
                render.stream_file = None;
                EventName::RenderFailed
            }
        };
        render.updated_at = now;
        render.completed_at = Some(now);
        let outputs =
            (!render.outputs.is_empty()).then(|| serde_json::to_string(&render.outputs)).transpose()?;
        let also_size: u64 = render.outputs.iter().skip(1).map(|output| output.size).sum();
        ledger::close(tx, &account.id, render_id, held, render.credits, now).await?;
        sqlx::query(
            "UPDATE render SET status = $2, progress = $3, credits = $4, output_file = $5, output_size = $6, \
             error_message = $7, updated_at = $8, completed_at = $8, credentials = NULL, poster_file = $9, \
             outputs = $10, also_size = $11, stream_file = $12 WHERE id = $1",
        )
        .bind(render_id.to_owned())
        .bind(render.status.as_str())
        .bind(i64::from(render.progress))
        .bind(render.credits.thousandths())
        .bind(render.output_file.clone())
        .bind(render.output_size.map(u64::cast_signed))
        .bind(render.error_message.clone())
        .bind(now.0)
        .bind(render.poster_file.clone())
        .bind(outputs)
        .bind(also_size.cast_signed())
        .bind(render.stream_file.clone())
        .execute(&mut *tx)
        .await?;
        if render.status == RenderStatus::Completed {
            render.copy = self.enqueue_copy(tx, &render, now).await?;
        }
        let data = EventData::of(&render, &files);
        let callback = render.webhook_url.as_deref();
        self.announce(tx, &account.id, callback, event, Some(&render.id), &data).await?;
        self.count_ended(tx, account, &render, now).await?;
        self.admit(tx, account).await?;
        Ok(render)
    }
}
