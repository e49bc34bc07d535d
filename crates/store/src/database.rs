//! Opening the database, and the two ways to it: reads that never wait for writes, and write transactions.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, SqlSafeStr, Transaction};

use crate::process::Process;
use crate::{Clock, Plan, Result, StoreError, Time};

/// Everything the service keeps in its database. Clones share the connections.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    dialect: Dialect,
    reads: AnyPool,
    writes: AnyPool,
    settings: Settings,
    process: Process,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

#[derive(Clone, Default)]
pub struct Settings {
    pub concurrent_renders: ConcurrentRenders,
    pub clock: Clock,
}

/// How many renders of one account are worked on at once, by plan; more wait as PENDING.
#[derive(Clone, Copy, Debug)]
pub struct ConcurrentRenders {
    pub none: u32,
    pub creator: u32,
    pub business: u32,
}

impl Default for ConcurrentRenders {
    fn default() -> Self {
        Self { none: 2, creator: 5, business: 20 }
    }
}

impl ConcurrentRenders {
    pub fn of(&self, plan: Plan) -> u32 {
        match plan {
            Plan::None => self.none,
            Plan::Creator => self.creator,
            Plan::Business => self.business,
        }
    }
}

/// A locking read: the suffix for PostgreSQL; SQLite's write transactions are alone anyway.
macro_rules! locking {
    ($store:expr, $sql:literal, $suffix:literal) => {
        match $store.dialect() {
            $crate::database::Dialect::Sqlite => $sql,
            $crate::database::Dialect::Postgres => concat!($sql, " ", $suffix),
        }
    };
}
pub(crate) use locking;

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

impl Store {
    /// Opens `rondo.db` in the folder, creating both.
    pub async fn open_folder(folder: &Path, settings: Settings) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        let path = folder.join("rondo.db");
        let mut url = String::from("sqlite:");
        for byte in path.to_string_lossy().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                    url.push(char::from(byte))
                }
                _ => url.push_str(&format!("%{byte:02X}")),
            }
        }
        Self::open(&url, settings).await
    }

    /// Opens `sqlite:PATH` (created when missing) or `postgres://…`, and brings its tables up to date.
    pub async fn open(url: &str, settings: Settings) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let scheme = url.split_once(':').map(|(scheme, _)| scheme);
        let (dialect, reads, writes) = match scheme {
            Some("sqlite") => {
                let (reads, writes) = open_sqlite(url).await?;
                (Dialect::Sqlite, reads, writes)
            }
            Some("postgres" | "postgresql") => {
                let pool = AnyPoolOptions::new()
                    .max_connections(POSTGRES_CONNECTIONS)
                    .acquire_timeout(Duration::from_secs(20))
                    .connect_with(quiet(url)?)
                    .await?;
                (Dialect::Postgres, pool.clone(), pool)
            }
            _ => return Err(StoreError::UnknownDatabase { url: without_password(url) }),
        };
        let store = Self {
            shared: Arc::new(Shared { dialect, reads, writes, settings, process: Process::current() }),
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Whether the database answers.
    pub async fn health(&self) -> Result<()> {
        sqlx::query("SELECT 1").execute(self.reads()).await?;
        Ok(())
    }

    /// Closes every connection; what is under way ends first.
    pub async fn close(&self) {
        self.shared.reads.close().await;
        self.shared.writes.close().await;
    }

    pub fn now(&self) -> Time {
        self.shared.settings.clock.now()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.shared.dialect
    }

    pub(crate) fn concurrent_renders(&self, plan: Plan) -> u32 {
        self.shared.settings.concurrent_renders.of(plan)
    }

    pub(crate) fn process(&self) -> &Process {
        &self.shared.process
    }

    pub(crate) fn reads(&self) -> &AnyPool {
        &self.shared.reads
    }

    /// A write transaction, rolled back unless committed.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Any>> {
        Ok(match self.dialect() {
            Dialect::Sqlite => self.shared.writes.begin_with("BEGIN IMMEDIATE").await?,
            Dialect::Postgres => self.shared.writes.begin().await?,
        })
    }

    async fn migrate(&self) -> Result<()> {
        let scripts = match self.dialect() {
            Dialect::Sqlite => [
                include_str!("../migrations/sqlite/0001_service.sql"),
                include_str!("../migrations/sqlite/0002_doors.sql"),
                include_str!("../migrations/sqlite/0003_sound.sql"),
                include_str!("../migrations/sqlite/0004_speech.sql"),
            ],
            Dialect::Postgres => [
                include_str!("../migrations/postgres/0001_service.sql"),
                include_str!("../migrations/postgres/0002_doors.sql"),
                include_str!("../migrations/postgres/0003_sound.sql"),
                include_str!("../migrations/postgres/0004_speech.sql"),
            ],
        };
        let migrations =
            (1..).zip(["service", "doors", "sound", "speech"]).zip(scripts).map(|((number, name), sql)| {
                Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
            });
        let migrations = migrations.collect();
        let migrator = Migrator::with_migrations(migrations);
        match self.dialect() {
            // SQLite has no lock of its own for migrations: the transaction around them is one.
            Dialect::Sqlite => {
                let mut tx = self.write().await?;
                migrator.run_direct(None, &mut *tx, false).await?;
                tx.commit().await?;
            }
            Dialect::Postgres => migrator.run(&self.shared.writes).await?,
        }
        Ok(())
    }
}

async fn open_sqlite(url: &str) -> Result<(AnyPool, AnyPool)> {
    let mut url = url.to_owned();
    if !url.contains("mode=") {
        url.push_str(if url.contains('?') { "&mode=rwc" } else { "?mode=rwc" });
    }
    let options = quiet(&url)?;
    let pool = |connections| {
        AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_secs(30))
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .after_connect(|connection, _| Box::pin(prepare_sqlite(connection)))
    };
    let writes = pool(1).connect_with(options.clone()).await?;
    let reads = pool(SQLITE_READERS).connect_with(options).await?;
    Ok((reads, writes))
}

/// A write-ahead log lets reads go on beside a write, and outlives a killed process without syncing each commit.
async fn prepare_sqlite(connection: &mut AnyConnection) -> sqlx::Result<()> {
    sqlx::raw_sql(
        "PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Statements are logged when they are slow, not each.
fn quiet(url: &str) -> Result<AnyConnectOptions> {
    let options = AnyConnectOptions::from_str(url)
        .map_err(|_| StoreError::UnknownDatabase { url: without_password(url) })?;
    Ok(options.disable_statement_logging())
}

fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}…{}", &url[..scheme + 3], &url[at..]),
        _ => url.to_owned(),
    }
}
