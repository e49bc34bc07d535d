//! The schema: one set of migrations for both databases.
//!
//! The files in `migrations/` are portable SQL but for one type word, [`KEY_TEXT`]. sqlx stores a checksum of each
//! applied migration, so a released file is never edited: not even its comments.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
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
    /// Applies the migrations that the database does not have yet.
    pub(crate) async fn migrate(&self) -> Result<()> {
        let migrator = Migrator::with_migrations(migrations(self.dialect()));
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
        match migrated {
            Err(MigrateError::VersionMissing(found)) if found > latest() => {
                Err(StoreError::NewerSchema { found, known: latest() })
            }
            other => Ok(other?),
        }
    }

    /// Fails if the database has another schema than this version.
    pub(crate) async fn check_schema(&self, tx: &mut AnyConnection) -> Result<()> {
        let row = sqlx::query("SELECT MAX(version) AS version FROM _sqlx_migrations").fetch_one(tx).await?;
        match row.int_or_none("version")?.unwrap_or_default() {
            found if found == latest() => Ok(()),
            found => Err(StoreError::NewerSchema { found, known: latest() }),
        }
    }
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
}
