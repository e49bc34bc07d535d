//! Signals between processes that share a database server. Processes that share a file look at it from time to time
//! instead.

use sqlx::postgres::PgListener;

use crate::{Result, Store};

/// The channel of all signals.
const CHANNEL: &str = "rondo";

/// What a process tells the others. It may get lost: whoever waits for one also looks at the database.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// A render may be ready to start.
    Renders,
    /// A webhook delivery may be due.
    Deliveries,
    /// The render with this id was cancelled.
    Cancelled(String),
    /// A worker that helps with the render with this id has finished a chunk.
    Chunk(String),
}

impl Signal {
    fn write(&self) -> String {
        match self {
            Self::Renders => "renders".to_owned(),
            Self::Deliveries => "deliveries".to_owned(),
            Self::Cancelled(render_id) => format!("cancelled {render_id}"),
            Self::Chunk(render_id) => format!("chunk {render_id}"),
        }
    }

    /// `None` for a signal of another version.
    fn read(text: &str) -> Option<Self> {
        match text.split_once(' ') {
            None if text == "renders" => Some(Self::Renders),
            None if text == "deliveries" => Some(Self::Deliveries),
            Some(("cancelled", render_id)) => Some(Self::Cancelled(render_id.to_owned())),
            Some(("chunk", render_id)) => Some(Self::Chunk(render_id.to_owned())),
            _ => None,
        }
    }
}

/// A connection on which signals arrive. It connects again by itself.
pub struct Signals {
    listener: PgListener,
}

impl Signals {
    /// The next signal, also of this process. Signals that are sent while there is no connection are lost.
    pub async fn next(&mut self) -> Result<Signal> {
        loop {
            let heard = self.listener.recv().await?;
            if let Some(signal) = Signal::read(heard.payload()) {
                return Ok(signal);
            }
        }
    }
}

impl Store {
    /// Sends a signal to all processes on the database server.
    pub async fn send(&self, signal: &Signal) -> Result<()> {
        // The cast gives the answer a type that the driver knows.
        sqlx::query("SELECT CAST(pg_notify($1, $2) AS TEXT)")
            .bind(CHANNEL)
            .bind(signal.write())
            .execute(self.reads())
            .await?;
        Ok(())
    }

    /// Begins to listen; `None` if the database is a file.
    pub async fn signals(&self) -> Result<Option<Signals>> {
        let Some(url) = self.server_url() else { return Ok(None) };
        let mut listener = PgListener::connect(url).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(Signals { listener }))
    }
}
