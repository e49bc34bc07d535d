//! Versions: earlier states of a project, kept while it is edited, and states that someone named.

use std::io::{Read, Write};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde_json::Value;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::author::Author;
use crate::credentials::Taken;
use crate::id::{self, Kind};
use crate::row::{Columns, storable};
use crate::{Page, Paged, Project, Result, Store, StoreError, Time};

/// Versions of a project at most.
pub const MOST_VERSIONS: usize = 100;
/// Bytes of all versions of a project at most, compressed.
const MOST_BYTES: u64 = 20_000_000;
/// Time between two versions while one author edits.
const EVERY: Duration = Duration::from_secs(300);
/// The largest composition is far below this.
const MOST_UNPACKED: u64 = 100_000_000;
/// The place of sealed values.
const CREDENTIALS: &str = "project_version.credentials";

#[derive(Clone, Debug)]
pub struct Version {
    pub id: String,
    pub project_id: String,
    /// What the change that made it is called.
    pub name: Option<String>,
    /// Who made it, where it is known.
    pub author: Option<Author>,
    /// When the project came to be so.
    pub saved_at: Time,
}

/// A version with its film.
#[derive(Clone, Debug)]
pub struct VersionFilm {
    pub version: Version,
    /// With `***` in place of user names and passwords of URLs.
    pub composition: Value,
    credentials: Option<Taken>,
}

impl VersionFilm {
    /// The composition with the user names and passwords of its URLs.
    pub fn composition_to_render(&self) -> Value {
        let mut composition = self.composition.clone();
        if let Some(credentials) = &self.credentials {
            credentials.put_back("composition", &mut composition);
        }
        composition
    }
}

fn read_version(row: &AnyRow) -> Result<Version> {
    Ok(Version {
        id: row.text("id")?,
        project_id: row.text("project_id")?,
        name: row.text_or_none("name")?,
        author: Author::read(row)?,
        saved_at: row.time("saved_at")?,
    })
}

impl Store {
    /// Versions of a project, the newest first.
    pub async fn versions(&self, project_id: &str, page: &Page) -> Result<Paged<Version>> {
        let rows = sqlx::query(
            "SELECT id, project_id, name, author_kind, author_name, saved_at FROM project_version \
             WHERE project_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        )
        .bind(storable(project_id))
        .bind(page.after().map(storable))
        .bind(page.rows_to_fetch())
        .fetch_all(self.reads())
        .await?;
        let items = rows.iter().map(read_version).collect();
        let count = sqlx::query("SELECT COUNT(*) AS total FROM project_version WHERE project_id = $1")
            .bind(storable(project_id));
        page.of(items, |version: &Version| &version.id, self.total(count)).await
    }

    /// A version of a project.
    pub async fn version(&self, project_id: &str, version_id: &str) -> Result<Option<VersionFilm>> {
        let row = sqlx::query("SELECT * FROM project_version WHERE project_id = $1 AND id = $2")
            .bind(storable(project_id))
            .bind(storable(version_id))
            .fetch_optional(self.reads())
            .await?;
        let Some(row) = row else { return Ok(None) };
        let version = read_version(&row)?;
        let open = |sealed: String| Taken::open(self.master_key(), CREDENTIALS, &version.id, &sealed);
        let credentials = row.text_or_none("credentials")?.map(open).transpose()?;
        Ok(Some(VersionFilm { composition: unpack(&row.text("composition")?)?, credentials, version }))
    }

    /// Keeps a project as it is as a named version.
    pub async fn name_version(&self, project_id: &str, name: &str) -> Result<Version> {
        let mut tx = self.write().await?;
        let (account, project) = self.lock_project(&mut tx, project_id).await?;
        let version_id = self.keep_version(&mut tx, &project, Some(name)).await?;
        self.require_storage(&mut tx, &account, 0).await?;
        tx.commit().await?;
        let found = self.version(&project.id, &version_id).await?;
        Ok(found.ok_or_else(|| StoreError::not_found("version", &version_id))?.version)
    }

    /// Keeps what a change replaces, if it is time: after five minutes of editing, when the author changes, or if the
    /// change has a name.
    pub(crate) async fn keep_before(
        &self,
        tx: &mut AnyConnection,
        old: &Project,
        author: &Author,
        is_named: bool,
    ) -> Result<()> {
        let newest = sqlx::query(
            "SELECT revision, created_at FROM project_version WHERE project_id = $1 ORDER BY id DESC LIMIT 1",
        )
        .bind(old.id.clone())
        .fetch_optional(&mut *tx)
        .await?;
        let (is_kept, is_due) = match newest {
            None => (false, true),
            Some(row) => {
                (row.int("revision")? == old.revision, row.time("created_at")?.plus(EVERY) <= self.now())
            }
        };
        if !is_kept && (is_due || is_named || old.author.as_ref() != Some(author)) {
            self.keep_version(tx, old, None).await?;
        }
        Ok(())
    }

    /// Keeps a state of a project. The caller holds the lock of its account.
    pub(crate) async fn keep_version(
        &self,
        tx: &mut AnyConnection,
        project: &Project,
        name: Option<&str>,
    ) -> Result<String> {
        // A state is kept once, under its last name.
        sqlx::query("DELETE FROM project_version WHERE project_id = $1 AND revision = $2")
            .bind(project.id.clone())
            .bind(project.revision)
            .execute(&mut *tx)
            .await?;
        let version_id = id::new(Kind::Version);
        let composition = pack(&project.composition)?;
        let taken = project.credentials.as_ref();
        let sealed =
            taken.map(|taken| taken.seal(self.master_key(), CREDENTIALS, &version_id)).transpose()?;
        sqlx::query(
            "INSERT INTO project_version (id, project_id, account_id, revision, name, author_kind, author_name, \
             composition, credentials, size, saved_at, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(version_id.clone())
        .bind(project.id.clone())
        .bind(project.account_id.clone())
        .bind(project.revision)
        .bind(name.map(|name| storable(name.trim())))
        .bind(project.author.as_ref().map(|author| author.kind.as_str()))
        .bind(project.author.as_ref().map(|author| storable(&author.name)))
        .bind(composition.clone())
        .bind(sealed)
        .bind(i64::try_from(composition.len()).unwrap_or(i64::MAX))
        .bind(project.updated_at.0)
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        thin(tx, &project.id).await?;
        Ok(version_id)
    }
}

/// What thinning looks at.
struct Kept {
    id: String,
    at: i64,
    is_named: bool,
    size: u64,
}

/// Deletes versions until the rest is within the limits.
async fn thin(tx: &mut AnyConnection, project_id: &str) -> Result<()> {
    let rows =
        sqlx::query("SELECT id, saved_at, name, size FROM project_version WHERE project_id = $1 ORDER BY id")
            .bind(project_id.to_owned())
            .fetch_all(&mut *tx)
            .await?;
    let read = |row: &AnyRow| {
        Ok(Kept {
            id: row.text("id")?,
            at: row.int("saved_at")?,
            is_named: row.text_or_none("name")?.is_some(),
            size: row.int("size")?.unsigned_abs(),
        })
    };
    let mut kept: Vec<Kept> = rows.iter().map(read).collect::<Result<_>>()?;
    while kept.len() > 1
        && (kept.len() > MOST_VERSIONS || kept.iter().map(|version| version.size).sum::<u64>() > MOST_BYTES)
    {
        let least = kept.remove(least(&kept));
        sqlx::query("DELETE FROM project_version WHERE id = $1").bind(least.id).execute(&mut *tx).await?;
    }
    Ok(())
}

/// The version that tells least: without a name, and close to its neighbours for its age. The newest always stays; where
/// all have names, the oldest goes.
fn least(kept: &[Kept]) -> usize {
    let newest = kept.last().map_or(0, |version| version.at);
    let weight = |index: usize| {
        let before = kept[index.saturating_sub(1)].at;
        let gap = (kept[index + 1].at - before).max(1);
        gap as f64 / ((newest - kept[index].at).max(1)) as f64
    };
    let unnamed = (0..kept.len().saturating_sub(1)).filter(|index| !kept[*index].is_named);
    unnamed.min_by(|a, b| weight(*a).total_cmp(&weight(*b))).unwrap_or(0)
}

fn pack(composition: &Value) -> Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(composition.to_string().as_bytes()).and_then(|()| encoder.finish());
    Ok(STANDARD.encode(packed.map_err(|error| damaged(&error))?))
}

fn unpack(text: &str) -> Result<Value> {
    let packed = STANDARD.decode(text).map_err(|error| damaged(&error))?;
    let mut json = String::new();
    let mut decoder = ZlibDecoder::new(packed.as_slice()).take(MOST_UNPACKED);
    decoder.read_to_string(&mut json).map_err(|error| damaged(&error))?;
    Ok(serde_json::from_str(&json)?)
}

fn damaged(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Damaged { problem: format!("a version of a project: {error}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kept(times: &[i64], named: &[i64]) -> Vec<Kept> {
        let version = |&at: &i64| Kept { id: String::new(), at, is_named: named.contains(&at), size: 1 };
        times.iter().map(version).collect()
    }

    #[test]
    fn a_packed_film_is_smaller_and_unpacks_to_the_same_json() {
        let film = json!({"z": vec!["text"; 500], "a": {"y": 1.5, "b": null}});
        let packed = pack(&film).unwrap();
        assert!(packed.len() < 400, "{}", packed.len());
        assert_eq!(unpack(&packed).unwrap().to_string(), film.to_string());
        assert!(unpack("!").is_err() && unpack("AAAA").is_err());
    }

    #[test]
    fn old_versions_are_thinned_and_named_ones_and_the_newest_stay() {
        // Of a day of minutes, the old ones come to lie further apart than the new ones.
        let mut all = kept(&(0..1440).collect::<Vec<_>>(), &[700]);
        while all.len() > MOST_VERSIONS {
            let gone = least(&all);
            assert!(!all[gone].is_named && gone + 1 < all.len());
            all.remove(gone);
        }
        let gap = |index: usize| all[index + 1].at - all[index].at;
        assert!(gap(10) > 4 * gap(95), "{} and {}", gap(10), gap(95));
        assert_eq!(all.last().unwrap().at, 1439);
        assert!(all.iter().any(|version| version.at == 700));
        assert_eq!(least(&kept(&[1, 2, 3], &[1, 2, 3])), 0);
    }
}
