//! The statement of an account: what was added to its balance, and what renders and speech cost.

use crate::row::{Columns, storable};
use crate::{Credits, Result, Store, Time};

/// One line of a statement.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The render, transaction or voiceover it belongs to.
    pub reference: String,
    pub cause: Cause,
    /// Negative for what was spent or is held.
    pub credits: Credits,
    pub at: Time,
    /// The name of the project of a render.
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Credits that were added or taken.
    Credit,
    Render,
    Speech,
}

impl Cause {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Render => "render",
            Self::Speech => "speech",
        }
    }
}

impl Store {
    /// Changes of the balance, newest first. The hold of a render and its settlement are one line; what was released in
    /// full is none.
    pub async fn statement(&self, account_id: &str, from: Time, to: Time, limit: u32) -> Result<Vec<Entry>> {
        let rows = sqlx::query(
            "SELECT opened.ref, opened.kind, opened.created_at, render.id AS render_id, project.name, \
             CAST((SELECT SUM(amount) FROM ledger WHERE ledger.ref = opened.ref) AS BIGINT) AS amount \
             FROM ledger AS opened LEFT JOIN render ON render.id = opened.ref \
             LEFT JOIN project ON project.id = render.project_id \
             WHERE opened.account_id = $1 AND opened.created_at >= $2 AND opened.created_at < $3 \
             AND opened.step IN ('open', 'charge') ORDER BY opened.created_at DESC, opened.ref DESC LIMIT $4",
        )
        .bind(storable(account_id))
        .bind(from.0)
        .bind(to.0)
        .bind(i64::from(limit))
        .fetch_all(self.reads())
        .await?;
        let entries = rows
            .iter()
            .map(|row| {
                let is_render = row.text_or_none("render_id")?.is_some();
                Ok(Entry {
                    reference: row.text("ref")?,
                    cause: match row.text("kind")?.as_str() {
                        "credit" => Cause::Credit,
                        _ if is_render => Cause::Render,
                        _ => Cause::Speech,
                    },
                    credits: row.credits("amount")?,
                    at: row.time("created_at")?,
                    name: row.text_or_none("name")?,
                })
            })
            .collect::<Result<Vec<Entry>>>()?;
        Ok(entries.into_iter().filter(|entry| entry.credits != Credits::ZERO).collect())
    }
}
