//! The schema: one set of migrations for both databases.
//!
//! The files in `migrations/` are portable SQL but for one type word, [`KEY_TEXT`]. sqlx stores a checksum of each
//! applied migration, so a released file is never edited: not even its comments.
//!
//! During an update, processes of two versions work on one database. `schema_floor` holds the oldest schema whose programs can.
//! Each migration sets it, so that it changes together with the schema.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, SqlSafeStr};

use crate::database::Dialect;
use crate::row::Columns;
use crate::{Result, Store, StoreError};

/// The type of ids, hashes and states: text that is compared byte by byte. In SQLite that is `TEXT`; in PostgreSQL,
/// which otherwise sorts by the locale of the database, `TEXT COLLATE "C"`.
const KEY_TEXT: &str = "KEY_TEXT";

/// Version, description and SQL.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "service", include_str!("../migrations/0001_service.sql")),
    (2, "sessions and apps", include_str!("../migrations/0002_sessions_and_apps.sql")),
    (3, "render audio", include_str!("../migrations/0003_render_audio.sql")),
    (4, "voiceovers", include_str!("../migrations/0004_voiceovers.sql")),
    (5, "completion indexes", include_str!("../migrations/0005_completion_indexes.sql")),
    (6, "crashes, turns and holds", include_str!("../migrations/0006_crashes_turns_and_holds.sql")),
    (7, "bytes kept", include_str!("../migrations/0007_bytes_kept.sql")),
    (8, "secrets and audit", include_str!("../migrations/0008_secrets_and_audit.sql")),
    (9, "rate windows", include_str!("../migrations/0009_rate_windows.sql")),
    (10, "posters and invites", include_str!("../migrations/0010_posters_and_invites.sql")),
    (11, "media and brand", include_str!("../migrations/0011_media_and_brand.sql")),
    (12, "project changes", include_str!("../migrations/0012_project_changes.sql")),
    (13, "project versions", include_str!("../migrations/0013_project_versions.sql")),
    (14, "batches", include_str!("../migrations/0014_batches.sql")),
    (15, "test keys", include_str!("../migrations/0015_test_keys.sql")),
    (16, "deployment", include_str!("../migrations/0016_deployment.sql")),
    (17, "deleted projects", include_str!("../migrations/0017_deleted_projects.sql")),
    (18, "upload faces", include_str!("../migrations/0018_upload_faces.sql")),
    (19, "further outputs", include_str!("../migrations/0019_further_outputs.sql")),
    (20, "upload parts", include_str!("../migrations/0020_upload_parts.sql")),
    (21, "upload claims", include_str!("../migrations/0021_upload_claims.sql")),
    (22, "chunk tasks", include_str!("../migrations/0022_chunk_tasks.sql")),
    (23, "destinations", include_str!("../migrations/0023_destinations.sql")),
    (24, "streams", include_str!("../migrations/0024_streams.sql")),
    (25, "rolling updates", include_str!("../migrations/0025_rolling_updates.sql")),
    (26, "copied segments", include_str!("../migrations/0026_copied_segments.sql")),
    (27, "turns", include_str!("../migrations/0027_turns.sql")),
    (28, "shared work", include_str!("../migrations/0028_shared_work.sql")),
];

/// The schema version of this program.
fn latest() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

fn migrations(dialect: Dialect) -> Vec<Migration> {
    let key_text = match dialect {
        Dialect::Sqlite => "TEXT",
        Dialect::Postgres => "TEXT COLLATE \"C\"",
    };
    let migration = |&(version, description, sql): &(i64, &'static str, &'static str)| {
        let sql = AssertSqlSafe(sql.replace(KEY_TEXT, key_text)).into_sql_str();
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    };
    MIGRATIONS.iter().map(migration).collect()
}

impl Store {
    /// Applies the migrations that the database does not have yet. Fails if the database has newer ones that this program cannot
    /// work with.
    pub(crate) async fn migrate(&self) -> Result<()> {
        let mut migrator = Migrator::with_migrations(migrations(self.dialect()));
        // `require_schema` looks at them.
        migrator.set_ignore_missing(true);
        let migrated = match self.dialect() {
            // sqlx takes no migration lock on SQLite: this write transaction is one.
            Dialect::Sqlite => {
                let mut tx = self.writes().begin_with("BEGIN IMMEDIATE").await?;
                let migrated = migrator.run_direct(None, &mut *tx, false).await;
                if migrated.is_ok() {
                    tx.commit().await?;
                }
                migrated
            }
            Dialect::Postgres => migrator.run(self.writes()).await,
        };
        migrated?;
        let (found, known) = (self.require_schema().await?, latest());
        if found > known {
            tracing::info!(found, known, "the database has a newer schema, which this version can work with");
        }
        Ok(())
    }

    /// Fails if the database has a schema that this program cannot work with. Returns the schema.
    pub(crate) async fn require_schema(&self) -> Result<i64> {
        let mut connection = self.reads().acquire().await?;
        schema(&mut connection).await
    }
}

/// The schema of the database, if this program can work with it: its own, or a newer one that still allows it.
pub(crate) async fn schema(connection: &mut AnyConnection) -> Result<i64> {
    let row = sqlx::query(
        "SELECT MAX(version) AS found, (SELECT oldest FROM schema_floor WHERE id = 1) AS oldest FROM _sqlx_migrations",
    )
    .fetch_one(connection)
    .await?;
    let (found, known) = (row.int_or_none("found")?.unwrap_or_default(), latest());
    let oldest = row.int_or_none("oldest")?.unwrap_or(found);
    if found < known {
        return Err(StoreError::OlderSchema { found, known });
    }
    if known < oldest {
        return Err(StoreError::NewerSchema { found, oldest, known });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first eight bytes of the checksums that existing databases hold.
    const RELEASED: [(&str, &str); 4] = [
        ("957f5f7da8501f5a", "aebf8ec46035743f"),
        ("3ac5087927f3c0a1", "cb8cef0d1aaef9ae"),
        ("94b239112542d515", "94b239112542d515"),
        ("99e1fe530701e731", "4f022bcfdcbd234e"),
    ];

    /// The migration that made `schema_floor`. Programs from before it work with no schema but their own.
    const FIRST_FLOOR: i64 = 25;

    fn checksums(dialect: Dialect) -> Vec<String> {
        let start = |migration: &Migration| -> String {
            migration.checksum.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
        };
        migrations(dialect).iter().map(start).collect()
    }

    #[test]
    fn released_migrations_keep_their_checksums() {
        let found: Vec<_> =
            checksums(Dialect::Sqlite).into_iter().zip(checksums(Dialect::Postgres)).collect();
        for (version, (expected, found)) in (1..).zip(RELEASED.iter().zip(&found)) {
            assert_eq!(*expected, (found.0.as_str(), found.1.as_str()), "migration {version} was edited");
        }
    }

    /// The schema that a migration sets the floor to.
    fn stated_floor(sql: &str) -> Option<i64> {
        let (_, rest) = sql.split_once("UPDATE schema_floor SET oldest = ")?;
        rest.split_once(';')?.0.trim().parse().ok()
    }

    #[test]
    fn every_migration_says_which_older_programs_can_work_with_it() {
        let mut floor = FIRST_FLOOR;
        for (version, name, sql) in MIGRATIONS.iter().filter(|row| row.0 > FIRST_FLOOR) {
            let stated = stated_floor(sql);
            assert!(
                stated.is_some_and(|stated| floor <= stated && stated <= *version),
                "migration {version} ({name}) must contain `UPDATE schema_floor SET oldest = …;` with {floor} to {version}"
            );
            floor = stated.unwrap_or(floor);
        }
    }
}
