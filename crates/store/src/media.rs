//! The files that an account keeps for its films: uploads and narrations in one list, and what uses them.

use sqlx::any::AnyRow;

use crate::row::{Columns, containing, storable, text_enum};
use crate::{Page, Paged, Result, Store, Time};

text_enum!(
    /// How a file came to be.
    MediaKind,
    "a kind of media",
    {
        Upload = "upload",
        Narration = "narration",
    }
);

/// An upload that has its file, or a narration.
#[derive(Clone, Debug)]
pub struct MediaFile {
    pub id: String,
    pub kind: MediaKind,
    /// What an upload is called, or what a narration says.
    pub name: Option<String>,
    /// Of uploads.
    pub content_type: Option<String>,
    /// The name of the file of a narration.
    pub file: Option<String>,
    pub size: u64,
    /// Of narrations.
    pub duration_ms: Option<u64>,
    pub created_at: Time,
}

/// Which files to list.
#[derive(Clone, Debug, Default)]
pub struct MediaFilter {
    /// `None` for all.
    pub kind: Option<MediaKind>,
    /// Only files with this text in their name, what they say or their type.
    pub search: String,
}

/// Something that uses a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaUser {
    pub id: String,
    pub name: Option<String>,
}

/// What uses a file: up to [`MOST_USERS`] of each.
#[derive(Clone, Debug, Default)]
pub struct MediaUses {
    pub projects: Vec<MediaUser>,
    /// Renders that have not ended.
    pub renders: Vec<MediaUser>,
}

/// Users of a file that are listed at most.
const MOST_USERS: i64 = 10;

/// Both tables. Their ids differ only in the prefix of four characters; the rest ascends with time.
macro_rules! listed {
    ($columns:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM (SELECT id, SUBSTR(id, 5) AS place, 'upload' AS kind, name, content_type, NULL AS file, size, \
             NULL AS duration_ms, created_at FROM upload WHERE account_id = $1 AND size IS NOT NULL \
             UNION ALL SELECT id, SUBSTR(id, 5), 'narration', text, NULL, file, size, duration_ms, created_at \
             FROM voiceover WHERE account_id = $1) AS media \
             WHERE ($2 IS NULL OR kind = $2) AND ($3 IS NULL OR LOWER(COALESCE(name, '')) LIKE $3 ESCAPE '!' \
             OR COALESCE(content_type, '') LIKE $3 ESCAPE '!')",
            $order
        )
    };
}

fn read_media(row: &AnyRow) -> Result<MediaFile> {
    Ok(MediaFile {
        id: row.text("id")?,
        kind: MediaKind::stored(row.text("kind")?)?,
        name: row.text_or_none("name")?,
        content_type: row.text_or_none("content_type")?,
        file: row.text_or_none("file")?,
        size: row.int("size")?.unsigned_abs(),
        duration_ms: row.int_or_none("duration_ms")?.map(i64::unsigned_abs),
        created_at: row.time("created_at")?,
    })
}

impl Store {
    /// The files of an account, newest first.
    pub async fn media(
        &self,
        account_id: &str,
        filter: &MediaFilter,
        page: &Page,
    ) -> Result<Paged<MediaFile>> {
        let kind = filter.kind.map(MediaKind::as_str);
        let search = containing(&filter.search);
        let rows = sqlx::query(listed!(
            "*",
            " AND ($4 IS NULL OR place < SUBSTR($4, 5)) ORDER BY place DESC LIMIT $5"
        ))
        .bind(storable(account_id))
        .bind(kind)
        .bind(search.clone())
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(read_media).collect();
        let count =
            sqlx::query(listed!("COUNT(*) AS total", "")).bind(storable(account_id)).bind(kind).bind(search);
        page.of(items, |file: &MediaFile| &file.id, self.total(count)).await
    }

    /// The account's projects and unfinished renders that name a file.
    pub async fn media_uses(&self, account_id: &str, file: &str) -> Result<MediaUses> {
        let named = containing(file);
        let find = async |sql: &'static str| -> Result<Vec<MediaUser>> {
            let found = sqlx::query(sql).bind(storable(account_id)).bind(named.clone()).bind(MOST_USERS);
            let rows = found.fetch_all(self.reads()).await?;
            rows.iter()
                .map(|row| Ok(MediaUser { id: row.text("id")?, name: row.text_or_none("name")? }))
                .collect()
        };
        Ok(MediaUses {
            projects: find(
                "SELECT id, name FROM project WHERE account_id = $1 AND LOWER(composition) LIKE $2 ESCAPE '!' \
                 ORDER BY id DESC LIMIT $3",
            )
            .await?,
            renders: find(
                "SELECT render.id, project.name FROM task JOIN render ON render.id = task.render_id \
                 LEFT JOIN project ON project.id = render.project_id WHERE task.account_id = $1 \
                 AND LOWER(render.input_props) LIKE $2 ESCAPE '!' ORDER BY render.id DESC LIMIT $3",
            )
            .await?,
        })
    }
}
